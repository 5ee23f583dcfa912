internal import HarnessPrimitives
package import LatencyMetrics

/// The values of a phase's figures without its workers' waits for a processor and, if other processes used the disk, of
/// any kind.
///
/// A wait makes durations longer, and a closed load slower. So the measured value is one end of the range in which the
/// figure would lie without waits. If a limit lies outside of the range, the waits do not matter to it: a p99 below its
/// limit stays below it without them. Counts of a fixed number of operations do not change.
///
/// The times of whole transactions are known with and without their waits. For other durations, each transaction that
/// waited may have been any of them, so a percentile may lie lower by the share of these transactions.
extension PhaseFigures {
  /// A figure with a wider range, as a share of its greater end, is disturbed.
  package static let widestRange = 0.1

  /// Returns the range of a figure without waits, in the metric's base unit; nil if nothing was measured.
  package func undisturbedRange(of figure: FigureID) -> ClosedRange<Double>? {
    guard let value = value(of: figure) else { return nil }
    // Workers also wait for each other, which is a part of the load.
    guard phase.disturbance != nil else { return value...value }
    let range = rangeByWorkers(of: figure, value)
    guard phase.disturbance == .disk, dependsOnDiskAlone(figure) else { return range }
    return min(0, range.lowerBound)...range.upperBound
  }

  /// Whether threads that are no workers may have waited for the disk, as in checkpoints, or workers outside of
  /// transactions. These waits are not known.
  private func dependsOnDiskAlone(_ figure: FigureID) -> Bool {
    switch figure.metric.source {
    case .phaseDuration, .notificationLag, .notificationReads, .lateness: true
    case .times:
      figure.scope.operation == OperationResult.advance || figure.scope.actor == EventResult.actorName
    default: [.wal, .checkpoints].contains(figure.metric.feature)
    }
  }

  /// Returns the range that follows from the waits in the workers' transactions.
  private func rangeByWorkers(of figure: FigureID, _ value: Double) -> ClosedRange<Double> {
    let lost = lostShare
    switch figure.metric.source {
    case .times, .notificationReads, .notificationLag, .lateness, .laneWaits:
      return min(isStopped ? 0 : shortest(figure) ?? value, value)...value
    // An actor that has met its schedule has done what was asked for.
    case .throughput, .operations: return value...(hasUnmetSchedule(figure) ? faster(value, lost) : value)
    case .endRate: return (hasUnmetSchedule(figure) ? 0 : value)...value
    case .harnessOverhead, .allocations, .writeAmplification, .droppedArrivals: return value...value
    default: break
    }
    switch figure.unit {
    case .share, .number, .percent, .perSecond, .tail: return value...value
    case .nanoseconds, .seconds, .byteSeconds: return isOfProcess(figure.metric) ? value...value : slower(value, lost)
    case .count, .bytes: return isWorkFixed ? value...value : value...faster(value, lost)
    }
  }

  /// Whether waits may have changed a figure by more than `widestRange`.
  package func isDisturbed(_ figure: FigureID) -> Bool {
    undisturbedRange(of: figure).map { range in
      range.upperBound.isInfinite
        || range.upperBound - range.lowerBound > Self.widestRange * abs(range.upperBound)
    } ?? false
  }

  private func hasUnmetSchedule(_ figure: FigureID) -> Bool {
    actors(in: figure.scope).contains { !$0.hasMetSchedule }
  }

  private var isStopped: Bool { phase.disturbance == .stop }

  /// Whether the number of operations in the phase did not depend on their speed.
  private var isWorkFixed: Bool { phase.countsOperations || phase.actors.allSatisfy(\.hasMetSchedule) }

  /// Processor times, and what the kernel reports about the machine.
  private func isOfProcess(_ metric: Metric) -> Bool {
    metric.rawValue.hasPrefix("cpu.") || metric.rawValue.hasPrefix("pressure.")
  }

  /// A total of work or a rate without the waits: unknown if the process was stopped.
  private func faster(_ value: Double, _ lost: Double) -> Double {
    isStopped || lost >= 1 ? .infinity : value / (1 - lost)
  }

  private func slower(_ value: Double, _ lost: Double) -> ClosedRange<Double> {
    let least = isStopped ? 0 : value * (1 - min(lost, 1))
    return min(least, value)...max(least, value)
  }

  /// The workers' waits as a share of the time that they had: of the actor that waited most.
  private var lostShare: Double {
    let shares = actors(in: FigureScope(phase.name)).map { actor -> Double in
      guard phase.durationNanoseconds > 0 else { return 0 }
      return waited(actor) / (Double(phase.durationNanoseconds) * Double(max(actor.digests.count, 1)))
    }
    return shares.max() ?? 0
  }

  /// A worker of a closed load always has work, so it loses the waits between its transactions, too.
  private func waited(_ actor: ActorResult) -> Double {
    let inTransactions = actor.disturbed?[.service].map { times in
      (times.measured.mean - times.undisturbed.mean) * Double(times.measured.count)
    }
    let all = actor.load == .closed ? actor.waitedNanoseconds : nil
    return max(inTransactions ?? 0, Double(all ?? 0))
  }

  // MARK: Durations

  /// Returns the least value that a figure of durations may have without waits.
  private func shortest(_ figure: FigureID) -> Double? {
    guard let (durations, share) = undisturbedDurations(figure), let aggregate = figure.aggregate else { return nil }
    guard share > 0 else { return durations.value(of: aggregate) }
    switch aggregate {
    case .min: return share < 0.5 ? Double(durations.minimum) : 0
    // The longest durations are those that a wait may have made longer.
    case .mean: return meanBelow(1 - share, of: durations)
    case .max: return Double(durations.value(atPercentile: 100 * (1 - share)))
    default:
      let percent = aggregate.percentile.map { $0.percent - 100 * share }
      return percent.map { $0 > 0 ? Double(durations.value(atPercentile: $0)) : 0 }
    }
  }

  /// Returns the durations of a figure without the waits that are known, and the share of them that other waits may
  /// have made longer.
  private func undisturbedDurations(_ figure: FigureID) -> (LatencyHistogram, share: Double)? {
    let scope = figure.scope
    // An arrival that did not begin might have begun without waits.
    let unbegun = figure.metric == .service ? 0 : unbegunShare(in: scope)
    if case .times(let kind) = figure.metric.source, kind != .wait, scope.outcome == nil,
      [nil, OperationResult.transaction].contains(scope.operation)
    {
      return actors(in: scope).compactMap { $0.undisturbedTimes(kind) }.sum().map { ($0, unbegun) }
    }
    return histogram(of: figure).map { ($0, min(disturbedShare(in: scope) + unbegun, 1)) }
  }

  /// The share of the arrivals that were due and did not begin.
  private func unbegunShare(in scope: FigureScope) -> Double {
    let open = actors(in: scope).filter { $0.dueArrivals != nil }
    let due = open.compactMap(\.dueArrivals).saturatingSum()
    let begun = open.map(\.begunArrivals).saturatingSum()
    return due > begun ? Double(due - begun) / Double(due) : 0
  }

  /// The share of the transactions that waited.
  private func disturbedShare(in scope: FigureScope) -> Double {
    let actors = actors(in: FigureScope(phase.name, actor: scope.actor == EventResult.actorName ? nil : scope.actor))
    let disturbed = actors.compactMap { $0.disturbed?[.service]?.measured.count }.saturatingSum()
    let all = actors.compactMap { $0.transactions?.endedCount }.saturatingSum()
    return all > 0 ? min(Double(disturbed) / Double(all), 1) : 0
  }

  /// The mean of the shortest durations, which are this share of all.
  private func meanBelow(_ share: Double, of durations: LatencyHistogram) -> Double {
    var left = share * Double(durations.count)
    let all = left
    var sum = 0.0
    for (nanoseconds, count) in durations.recorded where left > 0 {
      sum += Double(nanoseconds) * min(Double(count), left)
      left -= Double(count)
    }
    return all > 0 ? sum / all : 0
  }
}

extension ActorResult {
  /// The service or response times of whole transactions without their waits; nil if they are not recorded.
  package func undisturbedTimes(_ kind: TimeKind) -> LatencyHistogram? {
    let recorded = load == .closed && kind == .response ? .service : kind
    guard var times = transactions?.times[recorded] else { return nil }
    guard let disturbed = disturbed?[recorded] else { return times }
    times.remove(disturbed.measured)
    times.add(disturbed.undisturbed)
    return times
  }
}
