/// The first 100 bytes of a database: https://sqlite.org/fileformat2.html#the_database_header
struct DatabaseHeader: Equatable {
  static let byteCount = 100

  var pageSize: Int
  var isInWALMode: Bool
  /// The number of pages according to the header; the WAL may contain a newer number.
  var pages: Int

  /// - Returns: nil if the bytes are not the header of a database.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.byteCount, bytes.starts(with: Array("SQLite format 3\0".utf8)) else { return nil }
    let size = bytes.bigShort(16)
    pageSize = size == 1 ? 65_536 : Int(size)
    isInWALMode = bytes[18] == 2 && bytes[19] == 2
    pages = Int(bytes.big(28))
  }
}
