import Foundation
import Testing

@testable import YapEngine

/// Enumerations, rows and views whose values have a named type.
@Suite struct TypedEnumerationTests {
  private struct Person: Codable, Sendable, Equatable {
    let name: String
  }

  private static let people = ["1": "Ada", "2": "Grace", "3": "Edsger"]

  private func withPeople(_ body: (YapDatabase, YapDatabaseConnection) throws -> Void) throws {
    var options = YapDatabaseOptions.quick
    options.objectCodecs["people"] = .codable(Person.self)
    options.metadataCodecs["people"] = .codable(Int.self)
    try withDatabase(options) { database in
      try database.register(
        YapDatabaseView(
          grouping: .withKeyBlock { _, collection, _ in collection },
          sorting: .withKeyBlock { _, _, _, key1, _, key2 in key1.compare(key2) }
        ),
        withName: "view"
      )
      try database.newConnection().readWrite { transaction in
        for (key, name) in Self.people {
          // The third row has no metadata.
          let metadata = key == "3" ? nil : Int(key)
          try transaction.setObject(Person(name: name), forKey: key, inCollection: "people", withMetadata: metadata)
        }
      }
      try body(database, try database.newConnection())
    }
  }

  @Test func `enumerations return values of the named type`() throws {
    try withPeople { _, connection in
      try connection.read { transaction in
        var found: [String: String] = [:]
        try transaction.enumerateKeysAndObjects(Person.self, inCollection: "people") {
          found[$0] = $1.name; $2 = false
        }
        #expect(found == Self.people)
        try transaction.enumerateKeysAndObjectsInAllCollections(Person.self) { collection, key, person, _ in
          found[key] = person.name + collection
        }
        #expect(found == Self.people.mapValues { $0 + "people" })

        var metadata: [String: Int?] = [:]
        let expected: [String: Int?] = ["1": 1, "2": 2, "3": nil]
        try transaction.enumerateKeysAndMetadata(Int.self, inCollection: "people") {
          metadata[$0] = .some($1); $2 = false
        }
        #expect(metadata == expected)
        metadata = [:]
        try transaction.enumerateKeysAndMetadataInAllCollections(Int.self) { _, key, found, _ in
          metadata[key] = .some(found)
        }
        #expect(metadata == expected)

        var rows: [String: String] = [:]
        let texts = ["1": "Ada 1", "2": "Grace 2", "3": "Edsger 0"]
        try transaction.enumerateRows(Person.self, metadata: Int.self, inCollection: "people") {
          key,
          person,
          number,
          _ in
          rows[key] = "\(person.name) \(number ?? 0)"
        }
        #expect(rows == texts)
        rows = [:]
        try transaction.enumerateRowsInAllCollections(Person.self, metadata: Int.self) { _, key, person, number, _ in
          rows[key] = "\(person.name) \(number ?? 0)"
        }
        #expect(rows == texts)
      }
    }
  }

  @Test func `enumerations by keys, filters and stops work as in the untyped calls`() throws {
    try withPeople { _, connection in
      try connection.read { transaction in
        let keys = ["3", "none", "1", "3"]
        var names: [String?] = []
        try transaction.enumerateObjects(Person.self, forKeys: keys, inCollection: "people") {
          names.append($1?.name); $2 = false
        }
        #expect(names == ["Edsger", nil, "Ada", "Edsger"])
        var numbers: [Int?] = []
        try transaction.enumerateMetadata(Int.self, forKeys: keys, inCollection: "people") { index, number, _ in
          #expect(index == numbers.count)
          numbers.append(number)
        }
        #expect(numbers == [nil, nil, 1, nil])
        var rows: [String] = []
        try transaction.enumerateRows(Person.self, metadata: Int.self, forKeys: keys, inCollection: "people") {
          _,
          row,
          stop in
          rows.append(row.map { "\($0.object.name) \($0.metadata ?? 0)" } ?? "none")
          stop = rows.count == 3
        }
        #expect(rows == ["Edsger 0", "none", "Ada 1"])

        var filtered: [String] = []
        try transaction.enumerateKeysAndObjects(
          Person.self,
          inCollection: "people",
          filter: { $0 != "1" },
          using: { key, _, stop in
            filtered.append(key)
            stop = true
          }
        )
        #expect(filtered == ["2"])
        let row = try transaction.row(Person.self, metadata: Int.self, forKey: "2", inCollection: "people")
        #expect(row?.object == Person(name: "Grace") && row?.metadata == 2)
        try #expect(transaction.row(Person.self, metadata: Int.self, forKey: "4", inCollection: "people") == nil)
      }
    }
  }

  @Test func `a view returns values of the named type`() throws {
    try withPeople { _, connection in
      let mappings = YapDatabaseViewMappings(groups: ["people"], view: "view")
      try connection.read { transaction in
        try mappings.update(with: transaction)
        let view = try #require(try transaction.view("view"))
        try #expect(view.object(Person.self, atIndex: 1, inGroup: "people") == Person(name: "Grace"))
        try #expect(view.object(Person.self, atIndex: 3, inGroup: "people") == nil)
        try #expect(view.metadata(Int.self, atIndex: 1, inGroup: "people") == 2)
        try #expect(view.metadata(Int.self, atIndex: 2, inGroup: "people") == nil)
        try #expect(view.firstObject(Person.self, inGroup: "people")?.name == "Ada")
        try #expect(view.lastObject(Person.self, inGroup: "people")?.name == "Edsger")
        try #expect(view.lastObject(Person.self, inGroup: "none") == nil)
        let row = try #require(try view.row(Person.self, metadata: Int.self, atIndex: 0, inGroup: "people"))
        #expect(row == ("people", "1", Person(name: "Ada"), 1))

        let path = IndexPath(row: 1, section: 0)
        try #expect(view.object(Person.self, atIndexPath: path, withMappings: mappings)?.name == "Grace")
        try #expect(view.metadata(Int.self, atIndexPath: path, withMappings: mappings) == 2)
        let atPath = try view.row(Person.self, metadata: Int.self, atIndexPath: path, withMappings: mappings)
        #expect(atPath?.key == "2" && atPath?.object.name == "Grace" && atPath?.metadata == 2)
        let nowhere = IndexPath(row: 9, section: 0)
        try #expect(view.object(Person.self, atIndexPath: nowhere, withMappings: mappings) == nil)

        var found: [String] = []
        try view.enumerateKeysAndObjects(Person.self, inGroup: "people", reversed: true) { _, key, person, index, _ in
          found.append("\(key) \(person.name) \(index)")
        }
        try view.enumerateKeysAndMetadata(Int.self, inGroup: "people", range: 1..<3) { _, key, number, _, _ in
          found.append("\(key) \(number ?? 0)")
        }
        try view.enumerateRows(Person.self, metadata: Int.self, inGroup: "people") { _, key, person, number, _, stop in
          found.append("\(key) \(person.name) \(number ?? 0)")
          stop = true
        }
        #expect(found == ["3 Edsger 2", "2 Grace 1", "1 Ada 0", "2 2", "3 0", "1 Ada 1"])

        let range = try view.findRange(
          Person.self,
          inGroup: "people",
          usingObject: { _, _, person in
            person.name == "Ada" ? .orderedAscending : .orderedSame
          }
        )
        #expect(range == 1..<3)
        let numbers = try view.findRange(
          Int.self,
          inGroup: "people",
          usingMetadata: { _, _, number in
            number == 1 ? .orderedSame : .orderedDescending
          }
        )
        #expect(numbers == 0..<1)
      }
    }
  }

  @Test func `a value of another type is an error that names its row`() throws {
    try withPeople { _, connection in
      try connection.read { transaction in
        let view = try #require(try transaction.view("view"))
        let calls: [(String, () throws -> Void)] = [
          ("objects", { try transaction.enumerateKeysAndObjects(Int.self, inCollection: "people") { _, _, _ in } }),
          (
            "metadata", { try transaction.enumerateKeysAndMetadata(Person.self, inCollection: "people") { _, _, _ in } }
          ),
          (
            "rows",
            {
              try transaction.enumerateRows(Person.self, metadata: String.self, inCollection: "people") { _, _, _, _ in
              }
            }
          ),
          (
            "by keys",
            { try transaction.enumerateObjects(Int.self, forKeys: ["1"], inCollection: "people") { _, _, _ in } }
          ),
          ("all", { try transaction.enumerateKeysAndObjectsInAllCollections(Int.self) { _, _, _, _ in } }),
          ("row", { _ = try transaction.row(Int.self, metadata: Int.self, forKey: "1", inCollection: "people") }),
          ("view", { _ = try view.object(Int.self, atIndex: 0, inGroup: "people") }),
          ("view's metadata", { _ = try view.metadata(Person.self, atIndex: 0, inGroup: "people") }),
          ("view's rows", { try view.enumerateKeysAndObjects(Int.self, inGroup: "people") { _, _, _, _, _ in } }),
        ]
        for (name, call) in calls {
          let error = failure(call)
          #expect(error?.code == .typeMismatch, "\(name)")
          #expect(error?.message.contains("collection \"people\"") == true, "\(name)")
        }
      }
    }
  }
}
