/// The file `-shm`: the WAL-index that all connections share.
///
/// Its layout: https://sqlite.org/walformat.html#the_wal_index_file_format
struct WALIndex: Equatable {
  /// The size of both header copies, and of the checkpoint information after them.
  static let byteCount = 136
  static let unusedMark = UInt32.max
  /// The bytes of a header that its checksum covers. The checksum follows them.
  private static let summedBytes = 40

  /// The last frame of the last commit.
  var lastFrame: Int
  var databasePages: Int
  var pageSize: Int
  var salts: [UInt32]
  /// Frames that are in the database file as well.
  var copiedFrames: Int
  /// The frame up to which the readers of each mark read; nil if the mark was never used. The first mark is for readers
  /// that read from the database file alone. A mark may be left over from a reader that has ended.
  var marks: [Int?]

  /// - Returns: nil if the index is missing, not initialised, or being changed. SQLite would not accept it either.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.byteCount, bytes[0..<48] == bytes[48..<96] else { return nil }
    guard bytes.native(0) == 3_007_000, bytes[12] != 0 else { return nil }
    var sums = Checksum()
    sums.add(bytes, 0, Self.summedBytes)
    guard sums.first == bytes.native(Self.summedBytes), sums.second == bytes.native(Self.summedBytes + 4) else {
      return nil
    }
    let size = bytes.nativeShort(14)
    // 65,536 does not fit into two bytes, and is stored as 1.
    pageSize = Int(size & 0xfe00) + Int(size & 1) << 16
    lastFrame = Int(bytes.native(16))
    databasePages = Int(bytes.native(20))
    // The salts are copied from the WAL in its byte order.
    salts = [bytes.big(32), bytes.big(36)]
    copiedFrames = Int(bytes.native(96))
    marks = (0..<5).map { index in
      let mark = bytes.native(100 + 4 * index)
      return mark == Self.unusedMark ? nil : Int(mark)
    }
  }
}
