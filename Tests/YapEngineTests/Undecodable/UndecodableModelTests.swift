import Foundation
import HarnessPrimitives
import TestSupport
import Testing

@testable import YapEngine

/// Random histories of a database whose format changes from run to run, compared with a model of the rows that
/// enumerations and a view return when older rows are skipped or replaced.
@Suite struct UndecodableModelTests {
  @Test(arguments: [UndecodableChoice.skip, .replace, .replaceWithNil])
  func `enumerations and a view contain the rows that can be decoded`(_ choice: UndecodableChoice) throws {
    let seed = Seed.announce(for: "UndecodableModelTests")
    #expect(try trial(choice, seed: seed, steps: TestScale.count(400)) == nil, "with seed \(seed)")
  }

  private func trial(_ choice: UndecodableChoice, seed: UInt64, steps: Int) throws -> Discrepancy? {
    try withTemporaryFolder { folder in
      var trial = UndecodableTrial(path: folder + "/test.sqlite", choice: choice, seed: seed)
      return Discrepancy.first { try trial.run(steps: steps) }
    }
  }
}

private struct UndecodableTrial {
  /// A stored value and the format in which it is stored.
  struct Value {
    var content: [UInt8]
    var format: UInt8
  }

  struct Row {
    var object: Value
    var metadata: Value?
  }

  let path: String
  let choice: UndecodableChoice
  var random: RandomStream
  var rows: [Int: Row] = [:]
  var format: UInt8 = 1

  init(path: String, choice: UndecodableChoice, seed: UInt64) {
    self.path = path
    self.choice = choice
    random = RandomStream(seed: seed)
  }

  mutating func run(steps: Int) throws {
    for round in 0..<5 {
      format = UInt8(round % 3)
      var options = YapDatabaseOptions.format(format, choice.handler)
      options.defaultObjectPolicy = YapDatabasePolicy.allCases[random.below(3)]
      let database = try YapDatabase(path: path, options: options)
      defer { try? database.close() }
      try database.register(Self.view("\(round)"), withName: "view")
      let connections = try (0..<3).map { _ in try database.newConnection() }
      for connection in connections { connection.objectCacheLimit = [1, 10, 250][random.below(3)] }
      for connection in connections { try connection.read { try check($0) } }
      for _ in 0..<(steps / 5) {
        let connection = connections[random.below(connections.count)]
        if random.chance(oneIn: 3) {
          try connection.read { try check($0) }
        } else {
          try connection.readWrite { transaction in
            for _ in 0..<random.below(6) { try change(transaction) }
            try check(transaction)
          }
        }
      }
    }
  }

  /// A view with groups by metadata, sorted by objects and then by keys.
  private static func view(_ tag: String) -> YapDatabaseView {
    YapDatabaseView(
      grouping: .withRowBlock { _, _, _, _, metadata in group(metadata as? [UInt8]) },
      sorting: .withObjectBlock { _, _, _, key1, object1, _, key2, object2 in
        let (left, right) = (object1 as? [UInt8] ?? [], object2 as? [UInt8] ?? [])
        if left == right { return key1.compare(key2) }
        return left.lexicographicallyPrecedes(right) ? .orderedAscending : .orderedDescending
      },
      versionTag: tag
    )
  }

  private static func group(_ metadata: [UInt8]?) -> String { metadata.map { "\(($0.first ?? 0) % 3)" } ?? "none" }

  private static func key(_ number: Int) -> String { "\(100 + number)" }

  // MARK: Changes

  private mutating func change(_ transaction: YapDatabaseReadWriteTransaction) throws {
    let number = random.below(120)
    let key = Self.key(number)
    let object = [UInt8(random.below(100))]
    let metadata: [UInt8]? = random.chance(oneIn: 4) ? nil : [UInt8(random.below(9))]
    func stored(_ content: [UInt8]) -> Value { Value(content: content, format: format) }
    switch random.below(10) {
    case 0...4:
      try transaction.setObject(object, forKey: key, withMetadata: metadata)
      rows[number] = Row(object: stored(object), metadata: metadata.map(stored))
    case 5...6:
      try transaction.replaceObject(object, forKey: key)
      rows[number]?.object = stored(object)
    case 7:
      try transaction.replaceMetadata(metadata, forKey: key)
      rows[number]?.metadata = metadata.map(stored)
    case 8: try transaction.touchRow(forKey: key)
    default:
      try transaction.removeObject(forKey: key)
      rows[number] = nil
    }
  }

  // MARK: Expected results

  /// The expected object; nil for a row that is skipped.
  private func object(_ row: Row) -> [UInt8]? {
    row.object.format == format ? row.object.content : choice == .replace ? bytes("R") : nil
  }

  /// The expected metadata; nil for a row that is skipped, and an inner nil for a row without metadata.
  private func metadata(_ row: Row) -> [UInt8]?? {
    guard let metadata = row.metadata else { return .some(nil) }
    if metadata.format == format { return .some(metadata.content) }
    switch choice {
    case .replace: return .some(bytes("r"))
    case .replaceWithNil: return .some(nil)
    case .skip, .stop: return nil
    }
  }

  private mutating func check(_ transaction: YapDatabaseReadTransaction) throws {
    var visible: [String: [UInt8]] = [:]
    var groups: [String: [(key: String, object: [UInt8])]] = [:]
    for (number, row) in rows {
      guard let object = object(row) else { continue }
      visible[Self.key(number)] = object
      if let metadata = metadata(row) { groups[Self.group(metadata), default: []].append((Self.key(number), object)) }
    }
    var found: [String: [UInt8]] = [:]
    try transaction.enumerateKeysAndObjects { key, object, _ in found[key] = object as? [UInt8] }
    try Discrepancy.check(found, visible, "objects of an enumeration")

    guard let view = try transaction.ext("view") as? YapDatabaseViewTransaction else {
      throw Discrepancy("the view is not registered")
    }
    try Discrepancy.check(Set(try view.allGroups()), Set(groups.keys), "groups of the view")
    for (group, rows) in groups {
      let expected = rows.sorted {
        $0.object == $1.object ? $0.key < $1.key : $0.object.lexicographicallyPrecedes($1.object)
      }
      var keys: [String] = []
      var objects: [[UInt8]] = []
      try view.enumerateKeysAndObjects([UInt8].self, inGroup: group) { _, key, object, _, _ in
        keys.append(key)
        objects.append(object)
      }
      try Discrepancy.check(keys, expected.map(\.key), "keys of group \(group)")
      try Discrepancy.check(objects, expected.map(\.object), "objects of group \(group)")
    }
    try checkOneRow(transaction)
  }

  /// Checks that a read by key returns the stored value or throws.
  private mutating func checkOneRow(_ transaction: YapDatabaseReadTransaction) throws {
    let number = random.below(120)
    let expected = rows[number]?.object
    do {
      let found = try transaction.object([UInt8].self, forKey: Self.key(number))
      let isDecodable = expected.map { $0.format == format } ?? true
      try Discrepancy.check(isDecodable, true, "whether the object of \(number) can be decoded")
      try Discrepancy.check(found, expected?.content, "object of \(number)")
    } catch let error as YapDatabaseError where error.code == .codec {
      try Discrepancy.check(expected?.format == format, false, "whether the object of \(number) can be decoded")
    }
  }
}
