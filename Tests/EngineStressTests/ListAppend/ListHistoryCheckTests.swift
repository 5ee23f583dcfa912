import HarnessPrimitives
import TestSupport
import Testing

@testable import EngineStress

/// Histories that are made by hand, each with one error.
@Suite struct ListHistoryCheckTests {
  /// A transaction of a connection; transactions overlap unless they have times.
  private static func transaction(
    _ process: Int,
    _ operations: [ListOperation],
    at time: ClosedRange<UInt64> = 1...1_000,
    isFresh: Bool = true,
    _ outcome: ListTransaction.Outcome = .committed
  ) -> ListTransaction {
    ListTransaction(
      process: process,
      isFresh: isFresh,
      outcome: outcome,
      begun: time.lowerBound,
      ended: time.upperBound,
      operations: operations
    )
  }

  private static func append(_ key: Int, _ value: UInt32) -> ListOperation { .append(key: key, value: value) }
  private static func read(_ key: Int, _ values: [UInt32]) -> ListOperation { .read(key: key, values: values) }

  /// - Returns: The kinds of the anomalies, each once, in the order in which they were found.
  private static func kinds(_ history: [ListTransaction]) -> [ListAnomaly.Kind] {
    ListHistoryCheck(history).anomalies.reduce(into: []) { if !$0.contains($1.kind) { $0.append($1.kind) } }
  }

  @Test func `a serial history has no anomaly`() {
    let check = ListHistoryCheck([
      Self.transaction(1, [Self.append(1, 1), Self.read(1, [1]), Self.append(1, 2)], at: 1...2),
      Self.transaction(2, [Self.read(1, [1, 2]), Self.read(2, [])], at: 3...4),
      Self.transaction(1, [Self.append(2, 3), Self.append(1, 4)], at: 5...6),
      Self.transaction(3, [Self.read(1, [1, 2])], at: 5...9, isFresh: false),
      Self.transaction(2, [Self.append(1, 9)], at: 6...7, .rolledBack),
      Self.transaction(2, [Self.read(1, [1, 2, 4]), Self.read(2, [3])], at: 10...11),
    ])
    #expect(check.anomalies == [])
    #expect(check.readCount == 6)
    #expect(check.edgeCount > 10)
  }

  @Test func `values that no transaction may see are found`() {
    #expect(Self.kinds([Self.transaction(1, [Self.read(1, [7])])]) == [.garbage])
    let one = Self.transaction(1, [Self.append(1, 1)])
    #expect(Self.kinds([one, Self.transaction(2, [Self.read(1, [1, 1])])]) == [.duplicate])
    let aborted = Self.transaction(1, [Self.append(1, 1)], .rolledBack)
    #expect(Self.kinds([aborted, Self.transaction(2, [Self.read(1, [1])])]) == [.g1a])
    let two = Self.transaction(1, [Self.append(1, 1), Self.append(1, 2)])
    let last = Self.transaction(3, [Self.read(1, [1, 2])])
    #expect(Self.kinds([two, Self.transaction(2, [Self.read(1, [1])]), last]) == [.g1b])
  }

  @Test func `lost and reordered appends are found`() {
    let writers = [Self.transaction(1, [Self.append(1, 1)]), Self.transaction(2, [Self.append(1, 2)])]
    #expect(Self.kinds(writers + [Self.transaction(3, [Self.read(1, [1])])]) == [.lostAppend])
    let reads = [[1, 2], [2]].map { Self.transaction(3, [Self.read(1, $0)]) }
    #expect(Self.kinds(writers + reads) == [.incompatibleOrder])
    let updates = (1...2).map { Self.transaction(Int($0), [Self.read(1, []), Self.append(1, $0)]) }
    #expect(Self.kinds(updates + [Self.transaction(3, [Self.read(1, [1, 2])])]) == [.lostUpdate])
  }

  @Test func `a transaction that does not see its own append, or sees two states, is found`() {
    let blind = Self.transaction(1, [Self.append(1, 1), Self.read(1, [1]), Self.append(1, 2), Self.read(1, [1])])
    let last = Self.transaction(3, [Self.read(1, [1, 2])])
    #expect(Self.kinds([blind, last]).contains(.internalRead))
    let unread = Self.transaction(1, [Self.append(1, 1), Self.append(1, 2), Self.read(1, [1])])
    #expect(Self.kinds([unread, last]) == [.internalRead])
    let writer = Self.transaction(1, [Self.append(1, 1)])
    let changing = Self.transaction(2, [Self.read(1, []), Self.read(1, [1])])
    #expect(Self.kinds([writer, changing]) == [.internalRead])
  }

  @Test func `a cycle of writes is G0`() {
    let history = [
      Self.transaction(1, [Self.append(1, 1), Self.append(2, 2)]),
      Self.transaction(2, [Self.append(1, 3), Self.append(2, 4)]),
      Self.transaction(3, [Self.read(1, [1, 3])]),
      Self.transaction(4, [Self.read(2, [4, 2])]),
    ]
    #expect(Self.kinds(history) == [.g0])
  }

  @Test func `a cycle of writes and reads is G1c`() {
    let history = [
      Self.transaction(1, [Self.append(1, 1), Self.read(2, [2])]),
      Self.transaction(2, [Self.append(2, 2), Self.read(1, [1])]),
    ]
    #expect(Self.kinds(history) == [.g1c])
  }

  @Test func `a reader between two writes of one transaction is G-single`() {
    let history = [
      Self.transaction(1, [Self.append(1, 1), Self.append(2, 2)]),
      Self.transaction(2, [Self.read(1, [1]), Self.read(2, [])]),
      Self.transaction(3, [Self.read(2, [2])]),
    ]
    #expect(Self.kinds(history) == [.singleAntiDependency])
    #expect(ListHistoryCheck(history).anomalies.map(\.needsOrder) == [false])
  }

  @Test func `two writers that do not see each other are G2`() {
    let history = [
      Self.transaction(1, [Self.read(1, []), Self.append(2, 2)]),
      Self.transaction(2, [Self.read(2, []), Self.append(1, 1)]),
      Self.transaction(3, [Self.read(1, [1]), Self.read(2, [2])]),
    ]
    #expect(Self.kinds(history) == [.g2])
  }

  @Test func `a fresh read that is late is found, and a read of a bookmark may be late`() {
    for isFresh in [true, false] {
      let check = ListHistoryCheck([
        Self.transaction(1, [Self.append(1, 1)], at: 1...2),
        Self.transaction(2, [Self.read(1, [])], at: 3...4, isFresh: isFresh),
        Self.transaction(3, [Self.read(1, [1])], at: 5...6),
      ])
      #expect(check.anomalies.map(\.kind) == (isFresh ? [.singleAntiDependency] : []))
      #expect(check.anomalies.map(\.needsOrder) == (isFresh ? [true] : []))
    }
  }

  @Test func `a bookmark that moves back is found`() {
    let check = ListHistoryCheck([
      Self.transaction(1, [Self.append(1, 1)], at: 1...9),
      Self.transaction(2, [Self.read(1, [1])], at: 3...4, isFresh: false),
      Self.transaction(2, [Self.read(1, [])], at: 5...6, isFresh: false),
    ])
    #expect(check.anomalies.map(\.kind) == [.singleAntiDependency])
    #expect(check.anomalies.map(\.needsOrder) == [true])
  }

  @Test func `random serial histories have no anomaly, and a moved read is found`() {
    let seed = Seed.announce(for: "ListHistoryCheckTests")
    var random = RandomStream(seed: seed, "serial")
    var found = 0
    for _ in 0..<TestScale.count(200) {
      var lists: [Int: [UInt32]] = [:]
      var history: [ListTransaction] = []
      for number in 0..<60 as Range<UInt64> {
        let key = random.below(3)
        let operations: [ListOperation]
        if random.below(2) == 0 {
          lists[key, default: []].append(UInt32(number) + 1)
          operations = [Self.append(key, UInt32(number) + 1)]
        } else {
          operations = (0..<3).map { Self.read($0, lists[$0] ?? []) }
        }
        // Neighbours overlap in time.
        history.append(
          Self.transaction(random.below(4), operations, at: 10 * number...10 * number + 15)
        )
      }
      history.append(Self.transaction(9, (0..<3).map { Self.read($0, lists[$0] ?? []) }, at: 700...701))
      // The transactions of a connection do not overlap.
      for index in history.indices { history[index].process = index % 4 }
      #expect(ListHistoryCheck(history).anomalies == [], "seed \(seed)")
      // The last read of a key that has changed is replaced by one from before.
      guard let index = history.indices.last(where: { history[$0].operations.count == 3 && $0 < 60 && $0 > 30 }),
        case .read(let key, let values) = history[index].operations[0], values.count > 2
      else { continue }
      history[index].operations[0] = .read(key: key, values: Array(values.dropLast(2)))
      #expect(ListHistoryCheck(history).anomalies != [], "seed \(seed)")
      found += 1
    }
    #expect(found > 0)
  }
}
