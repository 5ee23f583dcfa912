import TestSupport
import Testing

@testable import BenchResults
@testable import BenchRunner
@testable import BenchScenario

@Suite("A generator of work") struct WorkGeneratorTests {
  private let collection = CheckedCollection(
    DatasetCollection(
      name: "rows",
      rows: 1_000,
      value: ValueShape(size: .uniform(lowerBytes: 100, upperBytes: 200)),
      metadata: ValueShape(size: .uniform(lowerBytes: 40, upperBytes: 50))
    ),
    number: 0,
    keepsData: false
  )

  /// The draws of a number of transactions.
  private struct Drawn: Equatable {
    var rows: [Int] = []
    var indices: [Int] = []
    var sizes: [Int] = []
    var counts: [Int] = []
  }

  private func draw(
    _ actor: ActorSettings,
    seed: UInt64 = 9,
    phase: String = "run",
    thread: Int = 0,
    transactions: Int = 200
  ) -> Drawn {
    var generator = WorkGenerator(actor, [collection], seed: seed, phase: phase, thread: thread)
    var plan = TransactionPlan()
    var drawn = Drawn()
    for _ in 0..<transactions {
      generator.draw(&plan)
      drawn.rows += plan.rows
      drawn.counts.append(plan.operations.count)
      drawn.indices += plan.operations.map(\.index)
      drawn.sizes += plan.operations.map(\.size)
    }
    return drawn
  }

  private func mix(_ get: Int, _ set: Int) -> [OperationWeight] {
    [OperationWeight(.get, weight: get), OperationWeight(.set, weight: set)]
  }

  @Test func `the same seed and names draw the same work`() {
    let actor = Fixture.actor(doing: mix(1, 1), perTransaction: 1...8, keys: .zipfian(theta: 0.99))
    #expect(draw(actor) == draw(actor))
  }

  @Test func `another seed, phase, actor or thread draws other work`() {
    let actor = Fixture.actor(threads: 2, doing: mix(1, 1))
    let drawn = [
      draw(actor), draw(actor, seed: 10), draw(actor, phase: "warm"), draw(actor, thread: 1),
      draw(Fixture.actor("other", threads: 2, doing: mix(1, 1))),
    ]
    for (index, one) in drawn.enumerated() {
      for other in drawn[(index + 1)...] { #expect(one.rows != other.rows) }
    }
  }

  @Test func `another weight does not change the rows`() {
    let one = draw(Fixture.actor(doing: mix(95, 5)))
    let other = draw(Fixture.actor(doing: mix(5, 95)))
    #expect(one.rows == other.rows)
    #expect(one.indices != other.indices)
  }

  @Test func `another key distribution does not change the operations and sizes`() {
    let one = draw(Fixture.actor(doing: mix(1, 1), perTransaction: 1...4, keys: .uniform))
    let other = draw(Fixture.actor(doing: mix(1, 1), perTransaction: 1...4, keys: .zipfian(theta: 1)))
    #expect(one.indices == other.indices)
    #expect(one.sizes == other.sizes)
    #expect(one.counts == other.counts)
    #expect(one.rows != other.rows)
  }

  @Test func `the number of operations of a transaction is uniform within its range`() {
    let actor = Fixture.actor(doing: mix(1, 1), perTransaction: 3...6)
    let counts = draw(actor, seed: Seed.announce(for: "WorkGeneratorTests"), transactions: 8_000).counts
    let found = (3...6).map { length in counts.count { $0 == length } }
    #expect(found.reduce(0, +) == counts.count)
    let fit = ChiSquare(found, probabilities: Array(repeating: 0.25, count: 4))
    #expect(fit.fits, "\(fit)")
  }

  @Test func `each operation has its own consecutive rows`() {
    let operations: [OperationWeight] = [
      OperationWeight(.get, weight: 1), OperationWeight(OperationKind(.multiGet, 7), weight: 1),
      OperationWeight(.enumerate, weight: 1),
    ]
    var generator = WorkGenerator(
      Fixture.actor(doing: operations, perTransaction: 5...5),
      [collection],
      seed: 1,
      phase: "run",
      thread: 0
    )
    var plan = TransactionPlan()
    for _ in 0..<200 {
      generator.draw(&plan)
      var next = plan.rows.startIndex
      for operation in plan.operations {
        #expect(operation.firstRow == next)
        next += [1, 7, 0][operation.index]
      }
      #expect(plan.rows.endIndex == next)
    }
  }

  @Test func `transactions that are drawn at once are those that are drawn one by one`() {
    let operations: [OperationWeight] = [
      OperationWeight(.get, weight: 3), OperationWeight(OperationKind(.multiGet, 3), weight: 1),
      OperationWeight(OperationKind(.scan, 1...9), weight: 1),
    ]
    let actor = Fixture.actor(doing: operations, perTransaction: 1...3, keys: .zipfian(theta: 0.99))
    // Transactions on a collection that can grow are drawn one by one.
    let drawn = [0, 1].map { inserts in
      let collection = CheckedCollection(
        DatasetCollection(name: "rows", rows: 500, inserts: inserts, value: ValueShape(size: .fixed(bytes: 64))),
        number: 0,
        keepsData: false
      )
      var generator = WorkGenerator(actor, [collection], seed: 4, phase: "run", thread: 0)
      var plan = TransactionPlan()
      let drawn = (0..<300).map { _ in
        generator.draw(&plan)
        #expect(plan.keys.map { $0 } == plan.rows.map { collection.keys.key($0) })
        #expect(plan.lastRow?.row == plan.rows.last && plan.rows(in: 0) == Array(plan.rows))
        let first = plan.rows.startIndex
        return (
          rows: Array(plan.rows),
          operations: plan.operations.map { [$0.index, $0.firstRow - first, $0.scanLength] }
        )
      }
      return (drawn, generator.digest.marks)
    }
    #expect(drawn[0].0.map(\.rows) == drawn[1].0.map(\.rows))
    #expect(drawn[0].0.map(\.operations) == drawn[1].0.map(\.operations))
    #expect(drawn[0].1.starts(with: drawn[1].1))
  }

  @Test func `only writes have a size`() {
    let kinds: [(verb: OperationVerb, object: Bool, metadata: Bool)] = [
      (.get, false, false), (.touch, false, false), (.remove, false, false), (.set, true, true),
      (.replace, true, false), (.setMetadata, false, true), (.readModifyWrite, true, true),
    ]
    for (verb, object, metadata) in kinds {
      let actor = Fixture.actor(doing: [OperationWeight(verb, weight: 1)])
      var generator = WorkGenerator(actor, [collection], seed: 1, phase: "run", thread: 0)
      var plan = TransactionPlan()
      generator.draw(&plan)
      let operation = plan.operations[0]
      #expect(object ? (100...200).contains(operation.size) : operation.size == 0, "\(verb)")
      #expect(metadata ? (40...50).contains(operation.metadataSize ?? 0) : operation.metadataSize == nil, "\(verb)")
    }
  }

  @Test func `threads that draw the rows in sequence begin at different rows`() {
    let actor = Fixture.actor(threads: 4, doing: mix(1, 1), keys: .sequential)
    let first = (0..<4).map { draw(actor, thread: $0, transactions: 2).rows }
    #expect(first == [[0, 1], [250, 251], [500, 501], [750, 751]])
  }

  @Test func `an empty transaction needs no collection`() {
    var generator = WorkGenerator(
      Fixture.actor(doing: [OperationWeight(.empty, weight: 1)]),
      [],
      seed: 1,
      phase: "run",
      thread: 0
    )
    var plan = TransactionPlan()
    generator.draw(&plan)
    #expect(plan.operations.count == 1)
    #expect(plan.rows.isEmpty)
  }

  // MARK: Several collections

  private let other = CheckedCollection(
    DatasetCollection(name: "other", rows: 10, inserts: 5, value: ValueShape(size: .fixed(bytes: 50))),
    number: 1,
    keepsData: false
  )

  private func draw(_ actor: ActorSettings, _ collections: [CheckedCollection], transactions: Int) -> [TransactionPlan]
  {
    var generator = WorkGenerator(actor, collections, seed: 3, phase: "run", thread: 0)
    return (0..<transactions).map { _ in
      var plan = TransactionPlan()
      generator.draw(&plan)
      return plan
    }
  }

  @Test func `operations draw the rows and sizes of the collections that they name`() {
    let actor = Fixture.actor(doing: mix(1, 1) + [OperationWeight(.set, in: "other", weight: 1)], perTransaction: 4...4)
    #expect(actor.collections == ["rows", "other"])
    var rows: [Set<Int>] = [[], []]
    for plan in draw(actor, [collection, other], transactions: 500) {
      for operation in plan.operations {
        let expected = operation.index == 2 ? 1 : 0
        #expect(operation.collection == expected)
        if operation.index != 0, expected == 1 { #expect(operation.size == 50 && operation.metadataSize == nil) }
      }
      for index in 0..<2 { rows[index].formUnion(plan.rows(in: index)) }
      #expect(plan.rows(in: 0).count + plan.rows(in: 1).count == plan.rows.count)
    }
    #expect(rows[1] == Set(0..<10))
    #expect(rows[0].count > 100)
  }

  @Test func `an operation on another collection does not change the rows of the actor's own`() {
    let own = draw(Fixture.actor(doing: mix(1, 1)), [collection], transactions: 100).flatMap { $0.rows(in: 0) }
    let both = Fixture.actor(doing: mix(1, 1) + [OperationWeight(.get, in: "other", weight: 1)])
    let mixed = draw(both, [collection, other], transactions: 400).flatMap { $0.rows(in: 0) }
    #expect(Array(mixed.prefix(100)) == own)
  }

  @Test func `an operation draws by its own keys, and does not change the rows of the others`() {
    func rows(_ operations: [OperationWeight]) -> [[Int]] {
      let plans = draw(Fixture.actor(doing: operations), [collection, other], transactions: 400)
      return operations.indices.map { index in plans.filter { $0.operations[0].index == index }.flatMap(\.rows) }
    }
    let get = OperationWeight(.get, weight: 1)
    func set(_ keys: KeyDistribution?) -> OperationWeight {
      OperationWeight(OperationKind(.set), weight: 1, keys: keys)
    }
    let plain = rows([get, OperationWeight(.insert, weight: 1)])
    let own = rows([get, set(.sequential)])
    #expect(own[1] == Array(0..<own[1].count) && own[1].count > 100)
    #expect(own[0] == plain[0])
    #expect(rows([get, set(.zipfian(theta: 0.99))])[0] == plain[0])
    #expect(rows([get, set(nil)])[0] != plain[0])
    // Each operation has its own position and stream.
    let two = rows([OperationWeight(OperationKind(.get), weight: 1, keys: .sequential), set(.sequential)])
    #expect(two.allSatisfy { $0 == Array(0..<$0.count) })
    let equal = rows([OperationWeight(OperationKind(.get), weight: 1, keys: .uniform), set(.uniform)])
    #expect(equal[0].prefix(50) != equal[1].prefix(50))
    let elsewhere = rows([get, OperationWeight(OperationKind(.set), in: "other", weight: 1, keys: .sequential)])
    #expect(elsewhere[1] == elsewhere[1].indices.map { $0 % 10 } && elsewhere[0] == plain[0])
  }

  @Test func `each transaction performs every operation as often as its weight`() {
    var actor = Fixture.actor(
      doing: mix(2, 1) + [OperationWeight(.insert, in: "other", weight: 3)],
      perTransaction: 6...6
    )
    actor.performsEach = true
    for plan in draw(actor, [collection, other], transactions: 50) {
      #expect(plan.operations.map(\.index) == [0, 0, 1, 2, 2, 2])
      #expect(plan.rows.count == 3)
    }
  }

  @Test func `the last row of a plan is an inserted one if there is any`() {
    var plan = draw(Fixture.actor(doing: mix(1, 1)), [collection], transactions: 1)[0]
    #expect(plan.lastRow.map { $0 == (plan.rows[0], 0) } == true)
    plan.append(insertedRow: 12, in: 1)
    #expect(plan.lastRow.map { $0 == (12, 1) } == true)
    #expect(plan.rows(in: 1) == [12])
    plan.removeAll()
    #expect(plan.lastRow == nil)
  }
}
