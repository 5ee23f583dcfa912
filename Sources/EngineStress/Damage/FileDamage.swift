internal import HarnessPrimitives

/// Damages the files of a database.
struct FileDamage {
  var random: RandomStream

  /// Damages one file, or 2 to 4 files for `several`.
  mutating func apply(
    _ kind: DamageKind,
    to files: inout DatabaseFiles,
    of store: DamageStore,
    beside other: DamageStore
  ) {
    if kind == .several {
      for _ in 0..<2 + random.below(3) {
        apply(DamageKind.ofOneFile[random.below(DamageKind.ofOneFile.count)], to: &files, of: store, beside: other)
      }
      return
    }
    guard let suffix = kind.suffix else { return }
    switch kind {
    case .databaseOlder, .walOlder, .indexOlder: files[suffix] = store.earlier[suffix]
    case .walForeign: files[suffix] = other.files[suffix]
    case .walRemoved: files[suffix] = nil
    case .databaseEmptied: files[suffix] = []
    default:
      guard var bytes = files[suffix], !bytes.isEmpty else { return }
      change(&bytes, kind, pageSize: store.shape.pageSize)
      files[suffix] = bytes
    }
  }

  private mutating func change(_ bytes: inout [UInt8], _ kind: DamageKind, pageSize: Int) {
    let unit = kind.suffix == "-wal" ? pageSize + 24 : pageSize
    let header = kind.suffix == "-wal" ? 32 : 0
    switch kind {
    case .databaseTruncated, .walTruncated, .indexTruncated: truncate(&bytes, unit: unit, header: header)
    case .databaseFlipped, .walFlipped, .indexFlipped:
      for _ in 0...(random.below(2) * random.below(100)) {
        bytes[index(in: bytes)] ^= UInt8(1 + random.below(255))
      }
    case .databaseSwapped, .walSwapped: swapUnits(&bytes, unit: unit, header: header)
    default: overwrite(&bytes)
    }
  }

  /// An index anywhere, or in a third of the cases within the first 200 bytes, which contain the headers.
  private mutating func index(in bytes: [UInt8]) -> Int {
    random.below(random.below(3) == 0 ? min(bytes.count, 200) : bytes.count)
  }

  /// Truncates at 0, within the header, at the boundary of a page or frame, or anywhere.
  private mutating func truncate(_ bytes: inout [UInt8], unit: Int, header: Int) {
    let length =
      switch random.below(4) {
      case 0: 0
      case 1: random.below(min(bytes.count, 100))
      case 2: header + unit * random.below(max(1, (bytes.count - header) / unit))
      default: random.below(bytes.count)
      }
    bytes.removeSubrange(min(length, bytes.count)...)
  }

  /// Overwrites a range with zeros, ones or random bytes, or appends random bytes.
  private mutating func overwrite(_ bytes: inout [UInt8]) {
    let index = index(in: bytes)
    let length = 1 + random.below(1 << (1 + random.below(13)))
    let pattern = random.below(4)
    if pattern == 3 {
      bytes += (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      return
    }
    for offset in index..<min(bytes.count, index + length) {
      bytes[offset] = pattern == 0 ? 0 : pattern == 1 ? 0xff : UInt8(truncatingIfNeeded: random.next())
    }
  }

  private mutating func swapUnits(_ bytes: inout [UInt8], unit: Int, header: Int) {
    let count = (bytes.count - header) / unit
    guard count >= 2 else { return }
    let first = random.below(count)
    let second = (first + 1 + random.below(count - 1)) % count
    for offset in 0..<unit { bytes.swapAt(header + first * unit + offset, header + second * unit + offset) }
  }
}
