import HarnessPrimitives
import TestSupport

/// Damages the files of a database.
struct DatabaseDamage {
  private var random: RandomStream
  /// Whether the damaged files are those with every commit in the WAL.
  let startsInWAL: Bool
  /// Whether only the WAL and its index were damaged.
  private(set) var sparesDatabaseFile = true

  init(_ random: RandomStream) {
    self.random = random
    startsInWAL = self.random.chance(oneIn: 2)
  }

  mutating func damaged(_ made: FuzzDatabase) -> FuzzDatabase.Files {
    var files = startsInWAL ? made.allInWAL : made.halfCopied
    for _ in 0...random.below(3) {
      // The WAL in half of the cases, because its right rows are known.
      let suffix = random.pick(["", "-wal", "-wal", "-shm"])
      if suffix.isEmpty { sparesDatabaseFile = false }
      if random.chance(oneIn: 12) {
        replace(suffix, in: &files, startsInWAL ? made.halfCopied : made.allInWAL)
      } else {
        files[suffix] = files[suffix].map { changed($0) }
      }
    }
    return files
  }

  /// Removes a file, or replaces it by another one.
  private mutating func replace(_ suffix: String, in files: inout FuzzDatabase.Files, _ other: FuzzDatabase.Files) {
    switch random.below(4) {
    case 0: files[suffix] = nil
    case 1: files[suffix] = []
    case 2:
      // A WAL that belongs to another generation of the file is valid, and so are its rows.
      if suffix == "-wal" { sparesDatabaseFile = false }
      files[suffix] = other[suffix]
    default:
      let source = random.pick(FuzzDatabase.suffixes)
      if suffix == "-wal", source != "-shm" { sparesDatabaseFile = false }
      files[suffix] = files[source]
    }
  }

  private mutating func changed(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    guard !bytes.isEmpty else { return bytes }
    let index = random.chance(oneIn: 3) ? random.below(min(bytes.count, 200)) : random.below(bytes.count)
    let length = min(1 + random.length(upTo: 8_192), bytes.count - index)
    switch random.below(8) {
    case 0: bytes.removeSubrange(index...)
    case 1: bytes.removeLast(min(bytes.count, 1 + random.length(upTo: 4_096)))
    case 2: bytes.append(contentsOf: (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    case 3: for offset in index..<index + length { bytes[offset] = 0 }
    case 4: for offset in index..<index + length { bytes[offset] = 0xff }
    case 5: for offset in index..<index + length { bytes[offset] = UInt8(truncatingIfNeeded: random.next()) }
    case 6: swapPages(&bytes)
    default: bytes[index] ^= 1 << UInt8(random.below(8))
    }
    return bytes
  }

  private mutating func swapPages(_ bytes: inout [UInt8]) {
    let size = 4_096
    guard bytes.count >= 2 * size else { return }
    let (first, second) = (random.below(bytes.count / size) * size, random.below(bytes.count / size) * size)
    for offset in 0..<size { bytes.swapAt(first + offset, second + offset) }
  }
}
