import Foundation
import Testing

@testable import YapEngine

/// Reads with a named type.
@Suite struct TypedTests {
  private struct Person: Codable, Sendable, Equatable {
    let name: String
  }

  @Test func `a value of the requested type is returned, and any other is an error`() throws {
    var options = YapDatabaseOptions.quick
    options.objectCodecs["people"] = .codable(Person.self)
    options.metadataCodecs["people"] = .data
    try withDatabase(options) { database in
      let connection = try database.newConnection()
      try connection.readWrite { transaction in
        let person = Person(name: "Ada")
        try transaction.setObject(person, forKey: "1", inCollection: "people", withMetadata: Data([1]))
        try transaction.setObject(person, forKey: "2", inCollection: "people")
        try #expect(transaction.object(Person.self, forKey: "1", inCollection: "people") == person)
      }
      // The first read decodes the value, the second one finds it in the cache.
      for _ in 0..<2 {
        try database.newConnection().read { transaction in
          try #expect(transaction.object(Person.self, forKey: "1", inCollection: "people")?.name == "Ada")
          try #expect(transaction.metadata(Data.self, forKey: "1", inCollection: "people") == Data([1]))
          try #expect(transaction.metadata(Data.self, forKey: "2", inCollection: "people") == nil)
          try #expect(transaction.object(Person.self, forKey: "3", inCollection: "people") == nil)
          let error = failure { _ = try transaction.object(String.self, forKey: "1", inCollection: "people") }
          #expect(error?.code == .typeMismatch)
          for word in ["\"1\"", "\"people\"", "Person", "String"] {
            #expect(error?.message.contains(word) == true, "\(word)")
          }
          let other = code { _ = try transaction.metadata([UInt8].self, forKey: "1", inCollection: "people") }
          #expect(other == .typeMismatch)
        }
      }
    }
  }
}
