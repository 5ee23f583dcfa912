/// The marks that a workload adds to its recording.
enum WorkloadMark: UInt32 {
  /// The commit of this number was acknowledged.
  case acknowledged = 1
  /// The block of a transaction has ended; its commit is about to be written, alone or in a joint commit.
  case transaction = 2
  /// A vacuum, whose frames belong to no transaction, is about to begin, or has ended.
  case vacuumBegun = 3
  case vacuumEnded = 4
}

/// The steps of the engine that a power loss can cut through.
struct CutStep: OptionSet {
  let rawValue: UInt8

  static let jointCommit = Self(rawValue: 1)
  /// A marker frame, which lets a guard cover the checkpoint after it.
  static let guardFrame = Self(rawValue: 2)
  /// From the restart or truncation of a WAL to its next synced commit.
  static let reset = Self(rawValue: 4)
  /// From the first write to the database file to its sync.
  static let checkpoint = Self(rawValue: 8)
  static let vacuum = Self(rawValue: 16)

  static let named: [(step: CutStep, countName: String)] = [
    (.jointCommit, "images inside joint commits"), (.guardFrame, "images inside guard frames"),
    (.reset, "images inside resets"), (.checkpoint, "images inside checkpoints"), (.vacuum, "images inside vacuums"),
  ]
}

/// The newest acknowledged commit, and the steps that are under way, before each operation of a recording.
struct RecordedMarks {
  /// The newest commit that was acknowledged before the operation of each index, and at the end.
  private(set) var acknowledged: [UInt64] = []
  /// The steps that a power loss before the operation of each index cuts, and at the end.
  private(set) var steps: [CutStep]
  /// The numbers of joint commits and guard frames.
  private(set) var jointCommits = 0
  private(set) var guardFrames = 0

  /// The size of the WAL's header in bytes.
  private static let headerSize = 32
  /// The size of a frame's header in bytes.
  private static let frameHeaderSize = 24

  private let recording: FileRecording
  private var newest: UInt64
  private var transactions = 0
  /// The index of the first write of the WAL's open transaction; nil if none is open.
  private var firstFrame: Int?
  private var frames = 0
  /// Whether the transaction's last frame was written, and only its sync is missing.
  private var isWritten = false
  private var resetSince: Int?
  private var checkpointSince: Int?
  private var vacuumSince: Int?
  /// Whether the WAL has a header, so that a reset writes the next one.
  private var hasWALHeader: Bool
  /// The size in bytes of a frame with its page; nil until it is known.
  private var frameSize: Int?

  /// - Parameters:
  ///   - initial: The files before the recording.
  ///   - newest: The newest commit that was acknowledged before the recording.
  init(_ recording: FileRecording, initial: DiskImage = DiskImage(), acknowledged newest: UInt64 = 0) {
    self.recording = recording
    self.newest = newest
    hasWALHeader = initial.files[.wal]?.count ?? 0 >= Self.headerSize
    frameSize = initial.files[.database].flatMap(Self.frameSize(inDatabase:))
    steps = Array(repeating: [], count: recording.operations.count + 1)
    acknowledged.reserveCapacity(steps.count)
    for (index, operation) in recording.operations.enumerated() {
      acknowledged.append(self.newest)
      read(operation, at: index)
    }
    acknowledged.append(self.newest)
  }

  private mutating func read(_ operation: FileRecording.Operation, at index: Int) {
    switch operation {
    case .mark(let kind, let number): readMark(WorkloadMark(rawValue: kind), number, at: index)
    case .write(let file, let offset, let bytes):
      switch recording.files[file].kind {
      case .wal: readWALWrite(offset: offset, bytes, at: index)
      case .database:
        // Without a sync after each commit, a checkpoint also shows that the transaction before has ended.
        if isWritten { endTransaction(at: index) }
        checkpointSince = checkpointSince ?? index
      default: break
      }
    case .truncate(let file, _) where recording.files[file].kind == .wal: resetSince = resetSince ?? index
    case .sync(let file, _, _):
      if recording.files[file].kind == .database { end(.checkpoint, since: \.checkpointSince, at: index) }
      if recording.files[file].kind == .wal, isWritten { endTransaction(at: index) }
    case .delete(let file) where recording.files[file].kind == .wal: hasWALHeader = false
    default: break
    }
  }

  private mutating func readMark(_ mark: WorkloadMark?, _ number: UInt64, at index: Int) {
    // The mark of a later transaction, if the commit before was not synced.
    if isWritten { endTransaction(at: index) }
    switch mark {
    case .acknowledged: newest = max(newest, number)
    case .transaction: transactions += 1
    case .vacuumBegun: vacuumSince = index
    case .vacuumEnded: end(.vacuum, since: \.vacuumSince, at: index)
    case nil: break
    }
  }

  /// A write contains any number of frames, with the WAL's header before the first; the engine's VFS gathers them.
  /// SQLite alone writes a frame's header, then its page.
  private mutating func readWALWrite(offset: Int, _ bytes: [UInt8], at index: Int) {
    var position = 0
    if offset == 0, bytes.count >= Self.headerSize {
      if hasWALHeader { resetSince = resetSince ?? index }
      hasWALHeader = true
      frameSize = Self.frameSize(inWAL: bytes)
      position = Self.headerSize
    }
    guard let frameSize, position < bytes.count else { return }
    // The next frame that begins in this write.
    position += (frameSize - (offset + position - Self.headerSize) % frameSize) % frameSize
    if position >= bytes.count { firstFrame = firstFrame ?? index }
    while position + Self.frameHeaderSize <= bytes.count {
      // Without a sync after each commit, the next frame ends the transaction before.
      if isWritten { endTransaction(at: index - 1) }
      firstFrame = firstFrame ?? index
      readFrame(header: bytes[position..<position + Self.frameHeaderSize])
      position += frameSize
    }
  }

  /// The header's second word is not 0 in the last frame of a transaction.
  private mutating func readFrame(header: ArraySlice<UInt8>) {
    frames += 1
    isWritten = header.dropFirst(4).prefix(4).contains { $0 != 0 }
    guard isWritten else { return }
    if transactions > 1 { jointCommits += 1 }
    if isGuardFrame { guardFrames += 1 }
  }

  // The formats of the sizes of pages: https://sqlite.org/fileformat2.html

  private static func frameSize(inWAL header: [UInt8]) -> Int {
    header[8..<12].reduce(0) { $0 << 8 | Int($1) } + frameHeaderSize
  }

  private static func frameSize(inDatabase bytes: [UInt8]) -> Int? {
    guard bytes.count >= 100 else { return nil }
    let pageSize = Int(bytes[16]) << 8 | Int(bytes[17])
    return (pageSize == 1 ? 65_536 : pageSize) + frameHeaderSize
  }

  private var isGuardFrame: Bool { transactions == 0 && frames == 1 && vacuumSince == nil }

  private mutating func endTransaction(at index: Int) {
    let isGuardFrame = isGuardFrame
    if transactions > 1 { end(.jointCommit, since: \.firstFrame, at: index) }
    if isGuardFrame { end(.guardFrame, since: \.firstFrame, at: index) }
    if resetSince != nil { end(.reset, since: \.resetSince, at: index) }
    firstFrame = nil
    (transactions, frames, isWritten) = (0, 0, false)
  }

  /// Adds a step that began with the operation at `property` and ends with the one at `index`. A cut between the two is
  /// inside the step.
  private mutating func end(_ step: CutStep, since property: WritableKeyPath<Self, Int?>, at index: Int) {
    if let first = self[keyPath: property], first < index {
      for cut in (first + 1)...index { steps[cut].insert(step) }
    }
    self[keyPath: property] = nil
  }
}
