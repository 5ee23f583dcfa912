import HarnessPrimitives
import TestSupport
import Testing

@testable import YapEngine

/// The order of changes in one transaction: every short sequence, compared with the model.
@Suite(.long) struct ChangeOrderTests {
  private enum Change {
    case set(Int), remove(Int), touch(Int), replaceMetadata(Int)
    case clear(Int)
    case clearEverything
  }

  /// The slots of two keys in two collections.
  private static let slots = [(0, 1), (0, 2), (1, 1), (1, 2)].map { Keyspace.slot($0.0, $0.1) }

  private static let changes: [Change] =
    slots.flatMap { [Change.set($0), .remove($0), .touch($0), .replaceMetadata($0)] }
    + [.clear(0), .clear(1), .clearEverything]

  /// Whether the sequence is redundant, because it differs from another one only in the names of keys and collections.
  /// Of such sequences, the test plays the one whose first change is of the first slot or clears the first collection.
  private static func isRenaming(_ sequence: [Change]) -> Bool {
    for change in sequence {
      switch change {
      case .set(let slot), .remove(let slot), .touch(let slot), .replaceMetadata(let slot): return slot != slots[0]
      case .clear(let collection): return collection != 0
      case .clearEverything: continue
      }
    }
    return false
  }

  @Test(arguments: [1, 2, 3, 4])
  func `every sequence of changes is read, cached and notified according to the rules`(_ length: Int) throws {
    let seed = Seed.announce(for: "ChangeOrderTests")
    var random = RandomStream(seed: seed)
    let count = Self.sequenceCount(length)
    // A scaled run plays a part of them, which the seed selects.
    let isWhole = TestScale.count(100) >= 100
    let numbers = (0..<count).filter { _ in isWhole || random.below(100) < TestScale.count(100) }
    #expect(try play(numbers, length: length) == nil, "with seed \(seed)")
  }

  @Test func `samples of longer sequences are read, cached and notified according to the rules`() throws {
    let seed = Seed.announce(for: "ChangeOrderTests")
    var random = RandomStream(seed: seed)
    let numbers = (0..<TestScale.count(4_000)).map { _ in random.below(Self.sequenceCount(5)) }
    #expect(try play(numbers, length: 5) == nil, "with seed \(seed)")
  }

  @Test(arguments: [YapDatabasePolicy.share, .copy])
  func `every short sequence follows the rules under the other policies`(_ policy: YapDatabasePolicy) throws {
    var options = YapDatabaseOptions.model
    options.defaultObjectPolicy = policy
    options.defaultMetadataPolicy = policy
    for length in 1...3 { #expect(try play(0..<Self.sequenceCount(length), length: length, options) == nil) }
  }

  @Test func `the sequences find a wrong answer`() throws {
    #expect(try play(0..<Self.sequenceCount(2), length: 2, answers: Answers([.answersWithAnotherKey])) != nil)
  }

  private static func sequenceCount(_ length: Int) -> Int {
    (0..<length).reduce(1) { count, _ in count * changes.count }
  }

  private static func sequence(_ number: Int, length: Int) -> [Change] {
    var rest = number
    return (0..<length).map { _ in
      defer { rest /= changes.count }
      return changes[rest % changes.count]
    }
  }

  // MARK: One sequence

  private func play(
    _ numbers: some Sequence<Int>,
    length: Int,
    _ options: YapDatabaseOptions = .model,
    answers: Answers = Answers()
  ) throws -> Discrepancy? {
    try withDatabase(options) { database in
      let actors = try Actors(database, answers)
      for number in numbers {
        let sequence = Self.sequence(number, length: length)
        if Self.isRenaming(sequence) { continue }
        // Each sequence begins with all rows, and the shorter ones also with half of them.
        for isHalf in length < 4 ? [false, true] : [number % 2 == 0] {
          let found = Discrepancy.first { try actors.play(sequence, startingWithHalf: isHalf) }
          if let found { return Discrepancy("\(sequence), half \(isHalf): \(found)") }
        }
      }
      return nil
    }
  }

  private final class Actors {
    private let writer: YapDatabaseConnection
    private let watcher: YapDatabaseConnection
    private let answers: Answers
    private var state = ModelState()
    private var lastValue: UInt32 = 0

    init(_ database: YapDatabase, _ answers: Answers) throws {
      self.answers = answers
      writer = try database.newConnection(name: "writer")
      watcher = try database.newConnection(name: "watcher")
    }

    func play(_ sequence: [Change], startingWithHalf isHalf: Bool) throws {
      try write { writes in
        try writes.removeAll()
        for (index, slot) in slots.enumerated() where !isHalf || index % 2 == 0 {
          try writes.set(slot, withMetadata: true)
        }
      }
      try watcher.beginLongLivedReadTransaction()
      try checkAll(watcher, state)  // also fills its caches
      let before = state
      var changes = ModelChanges()
      try write { writes in
        for change in sequence { try Self.make(change, &writes) }
        let reads = ModelReads(transaction: writes.transaction, state: writes.state, answers: answers)
        for slot in slots { try reads.checkRow(slot) }
        changes = writes.changes
      }
      try checkAll(watcher, before)
      let jumped = try watcher.beginLongLivedReadTransaction()
      try checkAll(watcher, state)
      try checkAll(writer, state)
      try Discrepancy.check(jumped.count, changes.isEmpty ? 0 : 1, "commits")
      try checkQuestions(ModelInspection(connection: watcher, modifications: jumped, commits: [[changes]]), jumped)
    }

    private func checkQuestions(_ inspection: ModelInspection, _ jumped: [YapDatabaseModification]) throws {
      for collection in 0...2 {
        try inspection.checkCollection(collection)
        for keys in [[0], [1], [2], [1, 2], []] { try inspection.checkKeys(keys, in: collection) }
      }
    }

    private func checkAll(_ connection: YapDatabaseConnection, _ state: ModelState) throws {
      try connection.read { transaction in
        try CacheCoherence(transaction: transaction).check()
        let reads = ModelReads(transaction: transaction, state: state, answers: answers)
        for slot in slots {
          try reads.checkObject(slot)
          try reads.checkMetadata(slot)
          try reads.checkExistence(slot)
        }
        try CacheCoherence(transaction: transaction).check()
      }
    }

    private func write(_ body: (inout ModelWrites) throws -> Void) throws {
      try writer.readWrite { transaction in
        var writes = ModelWrites(transaction: transaction, state: state, lastValue: lastValue)
        try body(&writes)
        state = writes.state
        lastValue = writes.lastValue
      }
    }

    private static func make(_ change: Change, _ writes: inout ModelWrites) throws {
      switch change {
      case .set(let slot): try writes.set(slot, withMetadata: false)
      case .remove(let slot): try writes.remove(slot)
      case .touch(let slot): try writes.touch(slot, objects: true, metadata: true)
      case .replaceMetadata(let slot): try writes.replaceMetadata(slot, with: 77)
      case .clear(let collection): try writes.removeAll(inCollection: collection)
      case .clearEverything: try writes.removeAll()
      }
    }
  }
}
