@testable import EngineStress

/// An anomaly that a test adds to a history, to prove that the check finds it.
enum HistoryTampering: Sendable, CaseIterable {
  case lostUpdate, lostAppend, abortedRead, intermediateRead, duplicate, writeCycle, singleAntiDependency, writeSkew
  case staleRead

  /// The kind that the check must report.
  var kind: ListAnomaly.Kind {
    switch self {
    case .lostUpdate: .lostUpdate
    case .lostAppend: .lostAppend
    case .abortedRead: .g1a
    case .intermediateRead: .g1b
    case .duplicate: .duplicate
    case .writeCycle: .g0
    case .singleAntiDependency, .staleRead: .singleAntiDependency
    case .writeSkew: .g2
    }
  }

  /// Whether only the order of time shows the anomaly.
  var needsOrder: Bool { self == .staleRead }

  /// Adds two transactions on two new keys before the last transaction, which then reads both keys. They are concurrent
  /// unless the anomaly needs the order of time.
  func apply(to history: inout [ListTransaction]) {
    guard var last = history.popLast() else { return }
    let time = history.map(\.ended).max() ?? 0
    let key = 1 + (history.flatMap(\.operations).map(\.key).max() ?? 0)
    let process = 1 + (history.map(\.process).max() ?? 0)
    let added = transactions(x: key, y: key + 1)
    history.append(
      ListTransaction(
        process: process,
        outcome: added.outcome,
        begun: time + 1,
        ended: time + 3,
        operations: added.first
      )
    )
    let begun = needsOrder ? time + 4 : time + 2
    history.append(ListTransaction(process: process + 1, begun: begun, ended: time + 5, operations: added.second))
    last.operations += [.read(key: key, values: added.x), .read(key: key + 1, values: added.y)]
    last.begun = max(last.begun, time + 6)
    last.ended = max(last.ended, time + 7)
    history.append(last)
  }

  private struct Added {
    var first: [ListOperation]
    var second: [ListOperation] = []
    var outcome = ListTransaction.Outcome.committed
    /// The last lists of the two keys.
    var x: [UInt32] = []
    var y: [UInt32] = []
  }

  private func transactions(x: Int, y: Int) -> Added {
    /// Values that no workload has appended.
    let (one, two) = (UInt32.max - 1, UInt32.max)
    func append(_ key: Int, _ value: UInt32) -> ListOperation { .append(key: key, value: value) }
    func read(_ key: Int, _ values: [UInt32]) -> ListOperation { .read(key: key, values: values) }
    switch self {
    case .lostUpdate:
      return Added(first: [read(x, []), append(x, one)], second: [read(x, []), append(x, two)], x: [one, two])
    case .lostAppend: return Added(first: [append(x, one)])
    case .abortedRead: return Added(first: [append(x, one)], second: [read(x, [one])], outcome: .rolledBack, x: [one])
    case .intermediateRead:
      return Added(first: [append(x, one), append(x, two)], second: [read(x, [one])], x: [one, two])
    case .duplicate: return Added(first: [append(x, one)], x: [one, one])
    case .writeCycle:
      // Values are unique, so the second key has other values.
      return Added(
        first: [append(x, one), append(y, one - 2)],
        second: [append(x, two), append(y, two - 2)],
        x: [one, two],
        y: [two - 2, one - 2]
      )
    case .singleAntiDependency:
      return Added(first: [append(x, one), append(y, two)], second: [read(x, []), read(y, [two])], x: [one], y: [two])
    case .writeSkew:
      return Added(first: [read(x, []), append(y, one)], second: [read(y, []), append(x, two)], x: [two], y: [one])
    case .staleRead: return Added(first: [append(x, one)], second: [read(x, [])], x: [one])
    }
  }
}
