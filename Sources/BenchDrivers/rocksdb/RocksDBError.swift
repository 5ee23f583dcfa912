#if RocksDB
  internal import CRocksDB

  /// An error of RocksDB, or of the driver itself.
  struct RocksDBError: Error, CustomStringConvertible {
    /// RocksDB's status, such as "Corruption: block checksum mismatch", or the driver's sentence.
    let description: String

    init(_ description: String) {
      self.description = description
    }

    var isCorruption: Bool { description.hasPrefix("Corruption") }

    /// Returns the result of a call of RocksDB.
    /// - Parameter call: Called with the location where RocksDB stores its message if the call fails.
    /// - Throws: RocksDB's status if the call fails.
    @inline(__always)
    static func check<Result>(
      _ call: (_ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) throws(RocksDBError) -> Result {
      var message: UnsafeMutablePointer<CChar>?
      let result = call(&message)
      guard let message else { return result }
      defer { rocksdb_free(message) }
      throw RocksDBError(String(cString: message))
    }
  }
#endif
