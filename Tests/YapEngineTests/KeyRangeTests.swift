import HarnessPrimitives
import TestSupport
import Testing

@testable import YapEngine

/// Enumerations of ranges of keys, in their order.
@Suite struct KeyRangeTests {
  private static let keys = ["", "a", "aa", "ab", "b", "ba", "é", "z", "\u{10FFFF}"]

  private func withRows(_ body: (YapDatabaseReadTransaction) throws -> Void) throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      try connection.readWrite { transaction in
        for key in Self.keys.reversed() {
          try transaction.setObject("object \(key)", forKey: key, inCollection: "c", withMetadata: "metadata \(key)")
          try transaction.setObject("another", forKey: key, inCollection: "b")
          try transaction.setObject("another", forKey: key, inCollection: "d")
        }
      }
      try connection.read(body)
    }
  }

  private func keys(_ range: YapDatabaseKeyRange, _ transaction: YapDatabaseReadTransaction) throws -> [String] {
    var keys: [String] = []
    try transaction.enumerateKeys(inCollection: "c", keys: range) { key, _ in keys.append(key) }
    return keys
  }

  @Test func `each form of a range visits its keys by their bytes, forwards and backwards`() throws {
    try withRows { transaction in
      let forms: [(YapDatabaseKeyRange, [String])] = [
        (.range("a"..<"b"), ["a", "aa", "ab"]), (.range("a"..."b"), ["a", "aa", "ab", "b"]),
        (.range("ba"...), ["ba", "z", "é", "\u{10FFFF}"]), (.range(..<"aa"), ["", "a"]),
        (.range(..."aa"), ["", "a", "aa"]), (.range("c"..<"d"), []), (.range("a"..<"a"), []),
        (.range("a"..."a"), ["a"]), (.range(from: "a", upTo: "b"), ["a", "aa", "ab"]),
        (.range(from: "b", upTo: "a"), []), (.range(from: nil, upTo: "aa"), ["", "a"]),
        // In the order of Swift's strings, the lower bound is behind the upper one.
        (.range(from: "e\u{301}", upTo: "z"), []), (.range(from: "ba", upTo: nil), ["ba", "z", "é", "\u{10FFFF}"]),
        (.sorted(), ["", "a", "aa", "ab", "b", "ba", "z", "é", "\u{10FFFF}"]),
      ]
      for (range, expected) in forms {
        try #expect(keys(range, transaction) == expected)
        var reversed = range
        reversed.isReversed = true
        try #expect(keys(reversed, transaction) == expected.reversed())
        for limit in 0...expected.count + 1 {
          (reversed.limit, reversed.isReversed) = (limit, limit % 2 == 0)
          let all = reversed.isReversed ? expected.reversed() : expected
          try #expect(keys(reversed, transaction) == Array(all.prefix(limit)))
        }
      }
      try #expect(Set(keys(.all, transaction)) == Set(Self.keys))
      try #expect(keys(.range("a"..., limit: -1), transaction).isEmpty)
    }
  }

  @Test func `objects, metadata, rows, types and stored bytes have the same ranges`() throws {
    try withRows { transaction in
      let range = YapDatabaseKeyRange.range("a"..<"b", limit: 2, reversed: true)
      let expected = ["ab", "aa"]
      var found: [[String]] = []
      func visit(_ texts: [String]) { found.append(texts) }
      try transaction.enumerateKeysAndObjects(inCollection: "c", keys: range) {
        visit([$0, "\($1)"]); _ = $2
      }
      try transaction.enumerateKeysAndObjects(String.self, inCollection: "c", keys: range) {
        visit([$0, $1]); _ = $2
      }
      #expect(found == (expected + expected).map { [$0, "object \($0)"] })
      found = []
      try transaction.enumerateKeysAndMetadata(inCollection: "c", keys: range) {
        visit([$0, $1 as? String ?? ""]); _ = $2
      }
      try transaction.enumerateKeysAndMetadata(String.self, inCollection: "c", keys: range) {
        visit([$0, $1 ?? ""]); _ = $2
      }
      #expect(found == (expected + expected).map { [$0, "metadata \($0)"] })
      found = []
      try transaction.enumerateRows(inCollection: "c", keys: range) {
        visit([$0, "\($1)", $2 as? String ?? ""]); _ = $3
      }
      try transaction.enumerateRows(String.self, metadata: String.self, inCollection: "c", keys: range) {
        visit([$0, $1, $2 ?? ""])
        _ = $3
      }
      #expect(found == (expected + expected).map { [$0, "object \($0)", "metadata \($0)"] })
      var borrowed: [String] = []
      try transaction.enumerateKeysAndSerializedObjects(inCollection: "c", keys: range) { key, _, _ in
        borrowed.append(key.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
      }
      #expect(borrowed == expected)
      var first: [String] = []
      try transaction.enumerateKeys(inCollection: "c", keys: .sorted()) { key, stop in
        first.append(key)
        stop = first.count == 2
      }
      #expect(first == ["", "a"])
    }
  }

  @Test func `random ranges are those of a sorted list, also of changes in the transaction`() throws {
    let seed = Seed.announce(for: "KeyRangeTests")
    var random = RandomStream(seed: seed, "ranges")
    try withDatabase { database in
      try database.newConnection().readWrite { transaction in
        var model: Set<String> = []
        for _ in 0..<TestScale.count(400) {
          let key = "\(random.next() % 500)"
          if random.next() % 3 == 0 {
            try transaction.removeObject(forKey: key)
            model.remove(key)
          } else {
            try transaction.setObject(key, forKey: key)
            model.insert(key)
          }
          let ends = ["\(random.next() % 500)", "\(random.next() % 500)"].sorted()
          let (limit, reversed) = (Int(random.next() % 50), random.next() % 2 == 0)
          let sorted = model.filter { $0 >= ends[0] && $0 < ends[1] }.sorted()
          var found: [String] = []
          try transaction.enumerateKeysAndObjects(
            String.self,
            keys: .range(ends[0]..<ends[1], limit: limit, reversed: reversed)
          ) { key, object, _ in
            #expect(key == object)
            found.append(key)
          }
          #expect(found == Array((reversed ? sorted.reversed() : sorted).prefix(limit)))
        }
      }
    }
  }

  @Test func `a block that changes rows must end the enumeration`() throws {
    try withDatabase { database in
      try database.newConnection().readWrite { transaction in
        for key in ["a", "b", "c"] { try transaction.setObject(key, forKey: key) }
        let code = code {
          try transaction.enumerateKeys(keys: .sorted()) { key, _ in try transaction.removeObject(forKey: key) }
        }
        #expect(code == .mutatedDuringEnumeration)
        try transaction.enumerateKeys(keys: .sorted()) { key, stop in
          try transaction.removeObject(forKey: key)
          stop = true
        }
        try #expect(transaction.numberOfKeys() == 1)
      }
    }
  }
}
