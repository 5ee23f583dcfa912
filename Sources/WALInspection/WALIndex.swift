/// The file `-shm`: the WAL-index that all connections share.
///
/// Its layout: https://sqlite.org/walformat.html#the_wal_index_file_format
struct WALIndex: Equatable {
  /// The size in bytes of both copies of the header together with the checkpoint information after them.
  static let byteCount = 136
  static let unusedMark = UInt32.max
  /// The number of bytes of a header that its checksum covers. The checksum follows them.
  private static let summedBytes = 40

  /// The last frame of the last commit.
  var lastFrame: Int
  var salts: [UInt32]
  /// The number of frames that are in the database file as well.
  var copiedFrames: Int
  /// The last frame that a checkpoint may copy while a reader holds the mark; nil if the mark is not in use. The first
  /// mark is for readers that read only the database file. A mark may be left over from an ended reader.
  var marks: [Int?]

  /// - Returns: nil if the index is incomplete, not initialised, or being changed. SQLite would reject it as well.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.byteCount, bytes[0..<48] == bytes[48..<96] else { return nil }
    guard bytes.native(at: 0) == 3_007_000, bytes[12] != 0 else { return nil }
    var sums = Checksum()
    sums.add(bytes, from: 0, count: Self.summedBytes)
    guard sums.first == bytes.native(at: Self.summedBytes), sums.second == bytes.native(at: Self.summedBytes + 4) else {
      return nil
    }
    lastFrame = Int(bytes.native(at: 16))
    // The index contains the salts in the byte order of the WAL.
    salts = [bytes.bigEndian(at: 32), bytes.bigEndian(at: 36)]
    copiedFrames = Int(bytes.native(at: 96))
    marks = (0..<5).map { index in
      let mark = bytes.native(at: 100 + 4 * index)
      return mark == Self.unusedMark ? nil : Int(mark)
    }
  }
}

/// The locks on byte ranges of a file, and the processes that hold them, from the text of `/proc/locks`.
struct LockTable: Equatable {
  struct Lock: Equatable {
    var process: Int
    var isExclusive: Bool
    /// The locked bytes. The kernel joins adjacent bytes that one process holds.
    var bytes: ClosedRange<Int>
  }

  let locks: [Lock]

  /// - Parameter name: `MAJOR:MINOR:FILE`, as it appears in the text.
  init(_ text: String, of name: String) {
    locks = text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      // `1: POSIX  ADVISORY  READ 1234 fe:00:16466007 124 125`; a waiting lock has an arrow after its number.
      guard words.count == 8, words[1] == "POSIX", words[5] == name, let process = Int(words[4]) else { return nil }
      guard let first = Int(words[6]) else { return nil }
      let last = words[7] == "EOF" ? Int.max : Int(words[7])
      guard let last, first <= last else { return nil }
      return Lock(process: process, isExclusive: words[3] == "WRITE", bytes: first...last)
    }
  }

  /// Returns the processes that hold a byte.
  /// - Parameter isExclusive: Whether to omit shared locks.
  func holders(of byte: Int, isExclusive: Bool = false) -> [Int] {
    let holding = locks.filter { $0.bytes.contains(byte) && ($0.isExclusive || !isExclusive) }
    return Set(holding.map(\.process)).sorted()
  }
}

/// The bytes of `-shm` that SQLite locks: https://sqlite.org/walformat.html#wal_locks
enum LockByte {
  static let write = 120
  static let checkpoint = 121
  static let recover = 122
  static func reader(_ mark: Int) -> Int { 123 + mark }
  /// Locked by every process that uses the WAL-index.
  static let open = 128
  /// A byte of the database file itself: SHARED_FIRST of SQLite's os.h. In WAL mode a process locks it exclusively with
  /// `locking_mode = exclusive`, and briefly when it is the last to close the database.
  static let database = 0x4000_0002
}

/// Determines which reader marks are held, and their effect on a checkpoint.
enum ReaderTable {
  /// - Parameter marks: The marks of the WAL-index. The first is for readers that read only the database file.
  static func readers(
    _ marks: [Int?],
    committed: Int,
    holders: (_ mark: Int) -> [WALReport.Holder]
  ) -> [WALReport.Reader] {
    var readers = marks.indices.compactMap { mark -> WALReport.Reader? in
      let held = holders(mark)
      guard !held.isEmpty else { return nil }
      let frame = mark == 0 ? 0 : min(marks[mark] ?? 0, committed)
      return WALReport.Reader(
        mark: mark,
        frame: frame,
        framesBehind: mark == 0 ? 0 : committed - frame,
        framesHeldAlone: 0,
        holders: held
      )
    }
    // Only readers of the oldest mark keep the frames between the oldest and the next mark.
    let inTheWAL = readers.indices.filter { readers[$0].mark > 0 }.sorted { readers[$0].frame < readers[$1].frame }
    if let oldest = inTheWAL.first {
      let next = inTheWAL.dropFirst().first.map { readers[$0].frame } ?? committed
      readers[oldest].framesHeldAlone = next - readers[oldest].frame
    }
    return readers
  }

  /// Returns the number of frames that would be in the database file after a checkpoint. A page must not change under a
  /// reader, so a checkpoint stops at the oldest mark, and copies nothing while a reader reads only the database file.
  static func copyableFrames(_ readers: [WALReport.Reader], committed: Int, copied: Int) -> Int {
    if readers.contains(where: { $0.mark == 0 }) { return copied }
    return max(readers.map(\.frame).min() ?? committed, copied)
  }
}
