internal import Glibc

/// The WAL file, accessed outside SQLite.
///
/// Only the WAL may be opened beside SQLite. Closing any descriptor of the database file or of the -shm file would drop
/// every lock that the process holds on that file, and another process could truncate the WAL during a read.
package struct WALFile {
  private let path: String
  private var descriptor: Int32 = -1
  private var knownSalt: UInt64?

  package init(databasePath: String) {
    path = databasePath + "-wal"
  }

  /// Uses a descriptor of the caller, who keeps it and closes it.
  package init(descriptor: Int32) {
    path = ""
    self.descriptor = descriptor
  }

  /// Returns the file's size in bytes; 0 if there is no file.
  package static func size(databasePath: String) -> Int {
    var status = stat()
    return stat(databasePath + "-wal", &status) == 0 ? Int(status.st_size) : 0
  }

  /// Returns the size in bytes of the pages in the WAL; nil if there is no file with the header of a WAL.
  package static func pageSize(databasePath: String) -> Int? {
    let descriptor = open(databasePath + "-wal", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { Glibc.close(descriptor) }
    var header: [UInt32] = [0, 0, 0]
    // The magic number (its last bit varies), the version, and the page size:
    // https://sqlite.org/fileformat2.html#walformat
    guard pread(descriptor, &header, 12, 0) == 12, UInt32(bigEndian: header[0]) | 1 == 0x377f_0683 else { return nil }
    return Int(UInt32(bigEndian: header[2]))
  }

  /// Returns the number of frames that fit into a WAL file: a header of 32 bytes, and 24 bytes before each page.
  package static func frames(inBytes bytes: Int, pageSize: Int) -> Int { max(bytes - 32, 0) / (pageSize + 24) }

  /// Whether the WAL has restarted since the last call. The first call that finds a header returns false.
  ///
  /// SQLite changes the two salts at each restart: bytes 16 to 23 of the header,
  /// https://sqlite.org/fileformat2.html#walformat
  package mutating func detectRestart() -> Bool {
    if descriptor < 0 { descriptor = open(path, O_RDONLY | O_CLOEXEC) }
    var salt: UInt64 = 0
    guard descriptor >= 0, pread(descriptor, &salt, 8, 16) == 8 else { return false }
    defer { knownSalt = salt }
    return knownSalt.map { $0 != salt } ?? false
  }

  package mutating func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }
}
