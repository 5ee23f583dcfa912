internal import BenchResults
internal import BenchScenario
internal import LatencyMetrics

/// The assignment of histograms in an actor's recorder.
///
/// If a transaction is one operation, its times are the operation's. If it may be several, the transaction has wait,
/// service and response times, and each operation inside it has a service time. A closed load has service times only,
/// because it has no schedule to wait for. Reads of one row also have service times by outcome in the cache, if the
/// driver reports outcomes.
struct TimingSlots: Sendable {
  /// The names of the actor's operations.
  let operations: [String]
  let kinds: [TimeKind]
  /// Whether every transaction is one operation.
  let isSingle: Bool
  let hasAdvance: Bool
  /// Whether the actor's transactions wait for the write lane.
  let writes: Bool
  /// Whether the actor reads changed rows after the moves of its snapshot.
  let reacts: Bool
  /// The offset of each operation's outcomes from `firstOutcome`; nil for an operation without outcomes.
  private let outcomeOffsets: [Int?]
  private let outcomeCount: Int

  /// - Parameter hasOutcomes: whether the driver reports the outcomes of reads in the caches.
  init(_ actor: ActorSettings, hasOutcomes: Bool = false) {
    operations = actor.operations.map(\.name)
    kinds = actor.load.isClosed ? [.service] : Self.openKinds
    isSingle = actor.operationsPerTransaction.upperBound == 1
    hasAdvance = actor.snapshot.isLongLived
    writes = actor.transactionKind == .readWrite
    reacts = actor.reactingRows != nil
    var outcomes: [Int?] = []
    var count = 0
    for operation in actor.operations {
      let isReported = hasOutcomes && operation.kind.verb.hasCacheOutcome
      outcomes.append(isReported ? count : nil)
      if isReported { count += CacheOutcome.allCases.count }
    }
    (outcomeOffsets, outcomeCount) = (outcomes, count)
  }

  /// The first slot of a transaction, which has one for each of `kinds`. The operation decides only if `isSingle`.
  @inline(__always)
  func transaction(ofOperation index: Int) -> Int { isSingle ? index * kinds.count : 0 }

  /// The times of a transaction with an open load, in the order of their slots.
  private static let openKinds: [TimeKind] = [.wait, .service, .response]

  /// The slots of a transaction with an open load: one for each of `openKinds`.
  @inline(__always)
  func openTransaction(ofOperation index: Int) -> (wait: Int, service: Int, response: Int) {
    let first = transaction(ofOperation: index)
    return (first, first + 1, first + 2)
  }

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
  /// The times from commits to the reads of the changed rows; only if `reacts`.
  var notificationToRead: Int { laneWait + (writes ? 2 : 1) }
  var count: Int { firstDisturbed + 8 }

  private var firstOutcome: Int { notificationToRead + (reacts ? 1 : 0) }
  private var firstDisturbed: Int { firstOutcome + outcomeCount }

  /// The slots of the whole transactions that some waits delayed: of their times, and of the times without these waits.
  struct Delayed {
    fileprivate let first: Int

    var service: (measured: Int, undisturbed: Int) { (first, first + 1) }
    var response: (measured: Int, undisturbed: Int) { (first + 2, first + 3) }
    var all: Range<Int> { first..<first + 4 }
  }

  /// The transactions that waits for a processor delayed.
  var delayedByProcessorWaits: Delayed { Delayed(first: firstDisturbed) }
  /// The transactions that waits of any kind delayed.
  var delayedByWaits: Delayed { Delayed(first: firstDisturbed + 4) }

  /// The slot of the service times of an operation's reads with this outcome; nil if outcomes are not reported.
  func outcome(_ outcome: CacheOutcome, ofOperation index: Int) -> Int? {
    outcomeOffsets[index].map { firstOutcome + $0 + outcome.index }
  }

  /// Whether the outcomes of an operation are reported.
  @inline(__always)
  func hasOutcomes(ofOperation index: Int) -> Bool { outcomeOffsets[index] != nil }

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
    if name == OperationResult.advance { return hasAdvance && kind == .service ? histograms[advance] : nil }
    guard let index = operations.firstIndex(of: name) else { return nil }
    if isSingle { return kinds.firstIndex(of: kind).map { histograms[transaction(ofOperation: index) + $0] } }
    return kind == .service ? histograms[service(ofOperation: index)] : nil
  }

  /// The service times of an operation's reads with this outcome; nil if outcomes are not reported.
  func reads(_ name: String, _ outcome: CacheOutcome, in histograms: [LatencyHistogram]) -> LatencyHistogram? {
    operations.firstIndex(of: name).flatMap { self.outcome(outcome, ofOperation: $0) }.map { histograms[$0] }
  }

  /// The service times of the operation's reads, by each outcome that occurred; nil if none did.
  private func outcomes(of name: String, in histograms: [LatencyHistogram]) -> [CacheOutcome: LatencyHistogram]? {
    let found = CacheOutcome.allCases.compactMap { outcome in
      reads(name, outcome, in: histograms).flatMap { $0.isEmpty ? nil : (outcome, $0) }
    }
    return found.isEmpty ? nil : Dictionary(uniqueKeysWithValues: found)
  }

  /// The waits for a lane or for the read of a changed row; nil for any other metric, and if the actor has no such
  /// waits.
  func waits(_ metric: Metric, in histograms: [LatencyHistogram]) -> LatencyHistogram? {
    switch metric {
    case .laneWait: histograms[laneWait]
    case .writeLaneWait: writes ? histograms[writeLaneWait] : nil
    case .notificationToRead: reacts ? histograms[notificationToRead] : nil
    default: nil
    }
  }

  /// The transactions that waits delayed; nil if there are none.
  /// - Parameter delayed: `delayedByProcessorWaits` or `delayedByWaits`.
  func disturbed(_ delayed: Delayed, in histograms: [LatencyHistogram]) -> [TimeKind: DisturbedTimes]? {
    let slots = [(TimeKind.service, delayed.service), (.response, delayed.response)]
    let found = slots.filter { !histograms[$1.measured].isEmpty && kinds.contains($0) }.map { kind, slots in
      (kind, DisturbedTimes(measured: histograms[slots.measured], undisturbed: histograms[slots.undisturbed]))
    }
    return found.isEmpty ? nil : Dictionary(uniqueKeysWithValues: found)
  }

  /// All times of one actor that a report shows, from a histogram for each slot.
  func results(_ histograms: [LatencyHistogram], digits: Int) -> [OperationResult] {
    let whole = kinds.map { ($0, transactions($0, in: histograms, digits: digits)) }
    let inside = operationNames.map { operation in
      let times = TimeKind.allCases.compactMap { kind in
        self.operation(operation, kind, in: histograms).map { (kind, $0) }
      }
      var result = OperationResult(name: operation, times: Dictionary(uniqueKeysWithValues: times))
      result.outcomes = outcomes(of: operation, in: histograms)
      return result
    }
    return [OperationResult(name: OperationResult.transaction, times: Dictionary(uniqueKeysWithValues: whole))] + inside
  }

  /// The names of everything that is timed in addition to whole transactions.
  var operationNames: [String] {
    operations + (hasAdvance ? [OperationResult.advance] : [])
  }
}

extension CacheOutcome {
  fileprivate var index: Int {
    switch self {
    case .hit: 0
    case .miss: 1
    case .reread: 2
    }
  }
}
