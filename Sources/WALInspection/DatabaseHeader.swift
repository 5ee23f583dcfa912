/// What the first 100 bytes of a database say: https://sqlite.org/fileformat2.html#the_database_header
struct DatabaseHeader: Equatable {
  static let byteCount = 100

  var pageSize: Int
  var isInWALMode: Bool
  /// As the header has it; what is in the WAL may say otherwise.
  var pages: Int

  /// - Returns: nil where these are no bytes of a database.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.byteCount, bytes.starts(with: Array("SQLite format 3\0".utf8)) else { return nil }
    let size = bytes.bigShort(16)
    pageSize = size == 1 ? 65_536 : Int(size)
    isInWALMode = bytes[18] == 2 && bytes[19] == 2
    pages = Int(bytes.big(28))
  }
}
