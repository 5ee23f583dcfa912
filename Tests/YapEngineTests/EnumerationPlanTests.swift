import SQLiteBinding
import Testing

@testable import YapEngine

/// Enumerations that continue with a scan of the table.
@Suite struct EnumerationPlanTests {
  /// For all sizes, a scan reads at most four rows for each enumerated row, and the search before it reads at most as
  /// many rows as were enumerated.
  @Test func `a scan begins early if the collection is at least a quarter of the table`() {
    for tableRows in [0, 1, 600, 2_047, 2_048, 2_049, 10_000, 100_000, 10_000_000] {
      for share in [1, 2, 3, 4, 5, 8, 100] {
        let rows = tableRows / share
        var plan = EnumerationPlan()
        var counted = 0
        var scansAfter: Int?
        while scansAfter == nil, let look = plan.nextLook, look <= rows {
          guard let needed = plan.rowsToFind(visited: look, tableRows: tableRows) else { continue }
          #expect(needed <= look * EnumerationPlan.lookAhead)
          counted += min(needed, rows - look)
          if rows - look >= needed { scansAfter = look } else { plan.recordTooSmall() }
        }
        let pays = rows >= EnumerationPlan.firstLook && rows * 4 >= tableRows
        #expect((scansAfter != nil) == pays, "\(rows) of \(tableRows) rows")
        if let scansAfter { #expect(scansAfter == EnumerationPlan.firstLook || scansAfter * 16 <= rows) }
        #expect(counted <= max(rows, 1) * 2)
      }
    }
  }

  @Test func `an enumeration by the index is in the order of the keys, and a scan uses no index`() throws {
    try withDatabase { database in
      let handle = database.writer.handle.sqlite
      func plan(_ kind: Statement) throws -> String {
        let statement = try handle.prepare("EXPLAIN QUERY PLAN " + kind.sql)
        var lines: [String] = []
        while try statement.step() { lines.append(statement.text(at: 3)) }
        return lines.joined(separator: "; ")
      }
      for kind in [Statement.objects, .metadatas, .rows] {
        try #expect(plan(kind) == "SEARCH data USING INDEX data_by_key (collection=?)")
      }
      for kind in [Statement.objectsByScan, .metadatasByScan, .rowsByScan] {
        try #expect(plan(kind) == "SCAN data")
      }
      try #expect(plan(.countAfter).contains("SEARCH data USING COVERING INDEX data_by_key (collection=? AND key>?)"))
    }
  }

  /// The rows are not in the order of their keys in the table, and rows of another collection are between them.
  @Test(arguments: [0, 500, 5_000])
  func `every row is enumerated once, also rows that the transaction has changed`(others: Int) throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      let count = 1_500
      try connection.readWrite { transaction in
        for number in 0..<max(count, others) {
          if number < others { try transaction.setObject(bytes("x"), forKey: "\(number)", inCollection: "other") }
          guard number < count else { continue }
          let key = "\(number * 7 % count)"
          try transaction.setObject(bytes(key), forKey: key, withMetadata: bytes("m" + key))
        }
        try transaction.removeObject(forKey: "77")
        try transaction.setObject(bytes("é"), forKey: "é", withMetadata: bytes("mé"))
        try check(transaction, count: count)
        if others > 0 { try check(transaction, count: others, inCollection: "other") }
      }
      try connection.read { try check($0, count: count) }
      try connection.readWrite { transaction in
        for number in 0..<700 { try transaction.removeObject(forKey: "\(number)") }
        try check(transaction, count: count + 1 - 700)
        try transaction.rollback()
      }
      try connection.read { try check($0, count: count) }
    }
  }

  private func check(
    _ transaction: YapDatabaseReadTransaction,
    count: Int,
    inCollection collection: String = ""
  ) throws {
    var objects: [String] = []
    try transaction.enumerateKeysAndObjects(inCollection: collection) { key, object, _ in
      objects.append(key)
      if collection.isEmpty { #expect(object as? [UInt8] == bytes(key)) }
    }
    var lent: [String] = []
    try transaction.enumerateKeysAndSerializedObjects(inCollection: collection) { key, object, _ in
      let text = key.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
      lent.append(text)
      if collection.isEmpty { #expect(object.byteCount >= text.utf8.count) }
    }
    var metadatas: [String] = []
    try transaction.enumerateKeysAndMetadata(inCollection: collection) { key, metadata, _ in
      metadatas.append(key)
      if collection.isEmpty { #expect(metadata as? [UInt8] == bytes("m" + key)) }
    }
    var rows: [String] = []
    // Nested enumerations, and some that end early, before and after the decision to scan.
    try transaction.enumerateRows(inCollection: collection) { key, object, _, _ in
      if rows.count == 600 || rows.count == 3 {
        for end in [1, 511, 512, 513, 700] {
          var seen = 0
          try transaction.enumerateRows(inCollection: collection) { _, _, _, stop in
            seen += 1
            stop = seen == end
          }
          #expect(seen == min(end, count))
        }
      }
      rows.append(key)
    }
    let expected = try transaction.allKeys(inCollection: collection).sorted()
    #expect(expected.count == count)
    for found in [objects, lent, metadatas, rows] { #expect(found.sorted() == expected) }
  }

  @Test func `a change during a scan ends the enumeration with an error, unless it is stopped`() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      try connection.readWrite { transaction in
        for number in 0..<1_000 { try transaction.setObject(bytes("x"), forKey: "\(number)") }
      }
      for stops in [false, true] {
        try connection.readWrite { transaction in
          var seen = 0
          let found = code {
            try transaction.enumerateKeysAndObjects { key, _, stop in
              seen += 1
              guard seen == 700 else { return }
              try transaction.removeObject(forKey: key)
              stop = stops
            }
          }
          #expect(found == (stops ? nil : .mutatedDuringEnumeration))
          #expect(seen == 700)
          try transaction.rollback()
        }
      }
    }
  }
}
