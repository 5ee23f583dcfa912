@testable import YapEngine

/// Contents of the database that depend only on the commit's number, so that any reader of any snapshot can check that
/// it sees exactly that snapshot.
///
/// Some rows are replaced by every commit, one row is inserted and removed, one collection is cleared, one row changes
/// only its metadata, and one row is only touched. Every 50th commit first clears everything.
enum NumberedState {
  /// Changes the database from the state of the previous commit to that of this one.
  static func write(_ transaction: YapDatabaseReadWriteTransaction) throws {
    let number = transaction.snapshot
    try transaction.setCustomObject(number)
    if number % 50 == 0 || number == 1 {
      try transaction.removeAllObjectsInAllCollections()
      try transaction.setObject(bytes("constant"), forKey: "constant")
      try transaction.setObject(bytes("stamp"), forKey: "stamp")
      if number % 3 == 2 { try transaction.setObject(encoded(number - 1), forKey: "k1", inCollection: "cleared") }
    }
    try transaction.setObject(encoded(number), forKey: "left", inCollection: "pair")
    try transaction.setObject(encoded(number), forKey: "right", inCollection: "pair")
    if number % 2 == 0 {
      try transaction.setObject(encoded(number), forKey: "even")
    } else {
      try transaction.removeObject(forKey: "even")
    }
    if number % 3 == 0 {
      try transaction.removeAllObjects(inCollection: "cleared")
    } else {
      try transaction.setObject(encoded(number), forKey: "k\(number % 3)", inCollection: "cleared")
    }
    try transaction.replaceMetadata(encoded(number), forKey: "stamp")
    try transaction.touchRow(forKey: "constant")
  }

  /// Checks that every row is that of the transaction's number.
  static func check(_ transaction: YapDatabaseReadTransaction) throws {
    let number = transaction.snapshot
    func check(_ key: String, _ collection: String, _ expected: [UInt8]?) throws {
      let found = try transaction.object(forKey: key, inCollection: collection) as? [UInt8]
      try Discrepancy.check(found, expected, "\(collection)/\(key) at snapshot \(number)")
    }
    let exists = number > 0
    try check("left", "pair", exists ? encoded(number) : nil)
    try check("even", "", exists && number % 2 == 0 ? encoded(number) : nil)
    try check("k1", "cleared", number % 3 == 0 ? nil : encoded(number - (number % 3 - 1)))
    try check("k2", "cleared", number % 3 == 2 ? encoded(number) : nil)
    try check("constant", "", exists ? bytes("constant") : nil)
    let stamp = try transaction.metadata(forKey: "stamp") as? [UInt8]
    try Discrepancy.check(stamp, exists ? encoded(number) : nil, "stamp at snapshot \(number)")
    let cleared = try transaction.numberOfKeys(inCollection: "cleared")
    try Discrepancy.check(cleared, Int(number % 3), "rows of the cleared collection at snapshot \(number)")
    try check("right", "pair", exists ? encoded(number) : nil)
  }

  private static func encoded(_ number: UInt64) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { [UInt8]($0) }
  }
}
