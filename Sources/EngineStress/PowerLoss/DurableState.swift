internal import HarnessPrimitives

/// The effect that a power loss leaves of one operation that was not synced.
enum UnsyncedEffect: Sendable, Equatable {
  case whole
  case none
  /// Each sector of a write is on the disk or not; at least one is not. A sector that is not has random bytes if
  /// `isGarbage`, and its earlier contents otherwise. An operation that is no write has no effect.
  case torn(sectorSize: Int, isGarbage: Bool)
  /// A write that extends the file has extended it with zeros. Any other operation has its whole effect.
  case zeros
}

/// The durable contents of a database's files at one point of a recording, and the operations that are not durable.
///
/// A file's operations are durable up to its last sync. An entry of the folder is durable once the folder was synced:
/// by xDelete, or inside the first xSync of a new WAL or journal, which the VFS does not see.
struct DurableState {
  private struct File {
    var kind: FileKind
    var bytes: [UInt8] = []
    /// The indices of the writes and truncations after the last sync.
    var pending: [Int] = []
    /// Whether the next sync is the first one since the file was created, so that it also syncs the folder.
    var syncsFolder = false
  }

  private let operations: [FileRecording.Operation]
  private var files: [File]
  /// The numbers of the files with durable entries.
  private var entries: [FileKind: Int] = [:]
  /// The indices of the creations and deletions that are not durable.
  private var pendingEntries: [Int] = []
  /// The number of operations so far.
  private(set) var index = 0

  /// - Parameter initial: The files before the recording, which are durable.
  init(_ recording: FileRecording, initial: DiskImage = DiskImage()) {
    operations = recording.operations
    files = recording.files.map { File(kind: $0.kind) }
    // Until SQLite opens them, these files have numbers after the recording's files.
    for (kind, bytes) in initial.files {
      entries[kind] = files.count
      files.append(File(kind: kind, bytes: bytes))
    }
  }

  /// The indices of all operations that are not durable, in their order.
  var pending: [Int] {
    let reachable = Set(entries.values).union(pendingEntries.compactMap { file(of: operations[$0]) })
    return (pendingEntries + reachable.flatMap { files[$0].pending }).sorted()
  }

  /// Performs the next operation.
  mutating func advance() {
    let operation = operations[index]
    switch operation {
    case .create(let file):
      pendingEntries.append(index)
      files[file].syncsFolder = files[file].kind != .database
    case .open(let file):
      if let before = entries.updateValue(file, forKey: files[file].kind) { files[file].bytes = files[before].bytes }
    case .write(let file, _, _), .truncate(let file, _): files[file].pending.append(index)
    case .sync(let file, _, let begun): sync(file, before: begun)
    case .delete: pendingEntries.append(index)
    case .directorySync: syncFolder(before: index)
    case .mark: break
    }
    index += 1
  }

  private mutating func sync(_ file: Int, before begun: Int) {
    let durable = files[file].pending.prefix { $0 < begun }
    files[file].pending.removeFirst(durable.count)
    for index in durable { Self.apply(operations[index], to: &files[file].bytes) }
    if files[file].syncsFolder { syncFolder(before: begun) }
    files[file].syncsFolder = false
  }

  private mutating func syncFolder(before end: Int) {
    let durable = pendingEntries.prefix { $0 < end }
    pendingEntries.removeFirst(durable.count)
    for index in durable { Self.apply(operations[index], to: &entries, files) }
  }

  private func file(of operation: FileRecording.Operation) -> Int? {
    switch operation {
    case .create(let file), .open(let file), .write(let file, _, _), .truncate(let file, _), .sync(let file, _, _),
      .delete(let file):
      file
    case .directorySync, .mark: nil
    }
  }

  // MARK: Images

  /// Returns the files after a power loss.
  /// - Parameter effect: Returns the effect of an operation that is not durable, by its position in `pending`. If a
  ///   creation or deletion has no effect, later ones of the same path have none either.
  func image(_ random: inout RandomStream, effect: (_ position: Int) -> UnsyncedEffect) -> DiskImage {
    var contents: [Int: [UInt8]] = [:]
    var entries = entries
    var lost: Set<FileKind> = []
    for (position, index) in pending.enumerated() {
      let operation = operations[index]
      guard let file = file(of: operation) else { continue }
      let effect = effect(position)
      switch operation {
      case .create, .delete:
        switch effect {
        case .none, .torn: lost.insert(files[file].kind)
        case .whole, .zeros: break
        }
        if !lost.contains(files[file].kind) { Self.apply(operation, to: &entries, files) }
      default:
        if effect == .none { continue }
        var bytes = contents.removeValue(forKey: file) ?? files[file].bytes
        Self.apply(operation, effect, to: &bytes, with: &random)
        contents[file] = bytes
      }
    }
    return DiskImage(files: entries.mapValues { contents[$0] ?? files[$0].bytes })
  }

  private static func apply(
    _ operation: FileRecording.Operation,
    to entries: inout [FileKind: Int],
    _ files: [File]
  ) {
    switch operation {
    case .create(let file): entries[files[file].kind] = file
    case .delete(let file): entries[files[file].kind] = nil
    default: break
    }
  }

  private static func apply(
    _ operation: FileRecording.Operation,
    _ effect: UnsyncedEffect = .whole,
    to bytes: inout [UInt8],
    with random: inout RandomStream
  ) {
    guard case .write(_, let offset, let written) = operation else {
      if case .torn = effect { return }
      return apply(operation, to: &bytes)
    }
    switch effect {
    case .none: break
    case .whole: apply(operation, to: &bytes)
    case .zeros:
      let end = offset + written.count
      if end > bytes.count { bytes.extend(to: end) } else { apply(operation, to: &bytes) }
    case .torn(let sectorSize, let isGarbage):
      let first = offset / sectorSize
      let sectors = (offset + written.count - 1) / sectorSize - first + 1
      let torn = random.below(sectors)
      for sector in 0..<sectors {
        let start = max(offset, (first + sector) * sectorSize)
        let end = min(offset + written.count, (first + sector + 1) * sectorSize)
        if sector != torn, random.below(2) == 0 {
          bytes.put(written[(start - offset)..<(end - offset)], at: start)
        } else if isGarbage {
          bytes.put((start..<end).map { _ in UInt8(truncatingIfNeeded: random.next()) }[...], at: start)
        }
      }
    }
  }

  private static func apply(_ operation: FileRecording.Operation, to bytes: inout [UInt8]) {
    switch operation {
    case .write(_, let offset, let written): bytes.put(written[...], at: offset)
    case .truncate(_, let size):
      if size < bytes.count { bytes.removeLast(bytes.count - size) } else { bytes.extend(to: size) }
    default: break
    }
  }
}

extension [UInt8] {
  /// Extends the array with zeros.
  fileprivate mutating func extend(to size: Int) {
    if size > count { append(contentsOf: repeatElement(0, count: size - count)) }
  }

  /// Replaces the bytes from `offset` on, and extends the array if needed.
  fileprivate mutating func put(_ bytes: ArraySlice<UInt8>, at offset: Int) {
    extend(to: offset + bytes.count)
    withUnsafeMutableBytes { target in
      bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: target[offset...]).copyMemory(from: $0) }
    }
  }
}
