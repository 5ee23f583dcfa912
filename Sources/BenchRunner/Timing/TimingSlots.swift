internal import BenchResults
internal import BenchScenario
internal import LatencyMetrics

/// The assignment of histograms in an actor's recorder.
///
/// If a transaction is one operation, its times are the operation's. If it may be several, the transaction has wait,
/// service and response times, and each operation inside it has a service time. A closed load has service times only,
/// because it has no schedule to wait for.
struct TimingSlots: Sendable {
  let operations: [OperationKind]
  let kinds: [TimeKind]
  /// Whether every transaction is one operation.
  let isSingle: Bool
  let hasAdvance: Bool
  /// Whether the actor's transactions wait for the write lane.
  let writes: Bool

  init(_ actor: ActorSettings) {
    operations = actor.operations.map(\.kind)
    kinds = actor.load.isClosed ? [.service] : [.wait, .service, .response]
    isSingle = actor.operationsPerTransaction.upperBound == 1
    hasAdvance = actor.snapshot.isLongLived
    writes = actor.transactionKind == .readWrite
  }

  /// The first slot of a transaction, which has one for each of `kinds`. The operation decides only if `isSingle`.
  @inline(__always)
  func transaction(ofOperation index: Int) -> Int { isSingle ? index * kinds.count : 0 }

  /// The slot of an operation's service time, inside a transaction of several.
  @inline(__always)
  func service(ofOperation index: Int) -> Int { kinds.count + index }

  var advance: Int { isSingle ? operations.count * kinds.count : kinds.count + operations.count }
  /// The lateness of workers that were free.
  var lateness: Int { advance + 1 }
  /// The waits of arrivals that were due and did not begin, until they were dropped or until the end of the phase. They
  /// count as waits and response times, because leaving them out would hide the stall that delayed the arrivals.
  var unbegun: Int { lateness + 1 }
  /// The waits of transactions for their connection's lane.
  var laneWait: Int { unbegun + 1 }
  /// The waits for the write lane; only if `writes`.
  var writeLaneWait: Int { laneWait + 1 }
  var count: Int { laneWait + (writes ? 2 : 1) }

  /// A whole transaction's times of one kind.
  func transactions(_ kind: TimeKind, in histograms: [LatencyHistogram], digits: Int) -> LatencyHistogram {
    var sum = LatencyHistogram(digits: digits)
    guard let offset = kinds.firstIndex(of: kind) else { return sum }
    let starts = isSingle ? Array(stride(from: 0, to: operations.count * kinds.count, by: kinds.count)) : [0]
    for start in starts { sum.add(histograms[start + offset]) }
    if kind != .service { sum.add(histograms[unbegun]) }
    return sum
  }

  /// The times of one kind of an operation; nil if they are not recorded.
  func operation(_ name: String, _ kind: TimeKind, in histograms: [LatencyHistogram]) -> LatencyHistogram? {
    if name == Self.advanceName { return hasAdvance && kind == .service ? histograms[advance] : nil }
    guard let index = operations.firstIndex(where: { $0.description == name }) else { return nil }
    if isSingle { return kinds.firstIndex(of: kind).map { histograms[transaction(ofOperation: index) + $0] } }
    return kind == .service ? histograms[service(ofOperation: index)] : nil
  }

  /// The waits for a lane; nil for any other metric, and if the actor does not wait for that lane.
  func waits(_ metric: Metric, in histograms: [LatencyHistogram]) -> LatencyHistogram? {
    switch metric {
    case .laneWait: histograms[laneWait]
    case .writeLaneWait: writes ? histograms[writeLaneWait] : nil
    default: nil
    }
  }

  /// All times of one actor that a report shows, from a histogram for each slot.
  func results(_ histograms: [LatencyHistogram], digits: Int) -> [OperationResult] {
    let whole = kinds.map { ($0, transactions($0, in: histograms, digits: digits)) }
    let inside = operationNames.map { operation in
      let times = TimeKind.allCases.compactMap { kind in
        self.operation(operation, kind, in: histograms).map { (kind, $0) }
      }
      return OperationResult(name: operation, times: Dictionary(uniqueKeysWithValues: times))
    }
    return [OperationResult(name: OperationResult.transaction, times: Dictionary(uniqueKeysWithValues: whole))] + inside
  }

  /// The name of the bookmark's move.
  static let advanceName = OperationResult.advance

  /// The names of everything that is timed in addition to whole transactions.
  var operationNames: [String] {
    operations.map(\.description) + (hasAdvance ? [Self.advanceName] : [])
  }
}
