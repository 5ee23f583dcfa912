/// The processes that hold locks on bytes of a file, from the text of `/proc/locks`.
struct LockTable {
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
  /// Locked by every process that has the database open.
  static let open = 128
  /// A byte of the database file itself, which in WAL mode only `locking_mode = exclusive` locks exclusively:
  /// SHARED_FIRST of SQLite's os.h.
  static let database = 0x4000_0002
}
