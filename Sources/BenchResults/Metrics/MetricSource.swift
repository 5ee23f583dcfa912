/// The origin of a metric's values.
public enum MetricSource: Sendable {
  /// The connection of a sample whose value a metric has.
  public enum ConnectionChoice: Sendable {
    /// The connection with the oldest pinned snapshot. The value is 0 if no pin keeps frames from being copied, and
    /// missing in a sample without a WAL.
    case oldestPin
    /// The connection with the greatest value. The value is missing in a sample without connections.
    case greatest
  }

  /// A count of one of a connection's caches.
  public struct CacheCount: Sendable {
    typealias Cache = any WritableKeyPath<EngineSample.Caches, EngineSample.CacheCounts> & Sendable

    let cache: Cache
    let count: any WritableKeyPath<EngineSample.CacheCounts, Int> & Sendable

    /// The path to the count from a connection's caches. Not `Sendable`, like every appended key path.
    var path: WritableKeyPath<EngineSample.Caches, Int> {
      let cache: WritableKeyPath<EngineSample.Caches, EngineSample.CacheCounts> = cache
      return cache.appending(path: count)
    }

    public func value(in caches: EngineSample.Caches) -> Int { caches[keyPath: cache][keyPath: count] }
    /// The number of all reads of the cache.
    public func reads(in caches: EngineSample.Caches) -> Int { caches[keyPath: cache].reads }
  }

  /// Histograms of transactions and operations.
  case times(TimeKind)
  /// Transactions, or operations of one kind, that ended.
  case throughput
  /// Operations inside transactions that ended.
  case operations
  /// The rates of ramps and stages at the end of a phase.
  case endRate
  /// Histograms of waits for a lane of the engine, of whole transactions and not of operations.
  case laneWaits(@Sendable (ActorResult) -> WaitResult?)
  case notificationLag
  /// Histograms of the times from commits to the reads of the changed rows by actors that react to notifications.
  case notificationReads(@Sendable (ActorResult) -> WaitResult?)
  case phaseDuration
  /// Nested transactions that the engine refused.
  case deadlocks
  case allocations
  /// The histogram of the delays with which free workers began due transactions.
  case lateness
  case droppedArrivals
  /// The harness's own cost, measured after the run.
  case harnessOverhead
  case walArea
  case writeAmplification
  case checkpointCount
  /// A value of every sample.
  case sample(@Sendable (EngineSample) -> Int?)
  /// A value of every connection in every sample. The closure also gets the size of a frame of the WAL in bytes, header
  /// and page.
  case connection(ConnectionChoice, @Sendable (EngineSample.Connection, _ frameBytes: Int) -> Int?)
  /// Increments of a count of a connection's caches from one sample to the next.
  case cacheCount(CacheCount)
  /// Increments of a count in the samples, from one sample to the next.
  case sampledCount(@Sendable (EngineSample) -> Int?)
  /// Bytes that the actors' transactions store from one sample to the next.
  case logicalBytes
  /// Every checkpoint of the phase.
  case checkpoints(@Sendable (CheckpointResult) -> Double)
  /// Every opening of the database after an event of the phase has ended the engine's process.
  case recoveries(@Sendable (EventResult.Recovery) -> Double)

  static func wal(_ value: @escaping @Sendable (EngineSample.WAL) -> Int) -> MetricSource {
    .sample { $0.wal.map(value) }
  }
}

extension Metric {
  /// Returns the value of a metric of every sample; nil if the driver does not report it, and for any other metric.
  /// - Parameter frameBytes: the size of a frame of the WAL, header and page.
  package func value(in sample: EngineSample, frameBytes: Int) -> Double? {
    switch source {
    case .sample(let value): value(sample).map(inUnit)
    case .connection(.oldestPin, let value):
      sample.wal.map { wal in
        let pin = sample.connections.first { $0.name == wal.pinnedBy }
        return inUnit(pin.flatMap { value($0, frameBytes) } ?? 0)
      }
    case .connection(.greatest, let value): sample.connections.compactMap { value($0, frameBytes) }.max().map(inUnit)
    default: nil
    }
  }

  /// Returns the values and counts that a sample has of the metric, each with the connection or actor that it belongs
  /// to; nil stands for the whole database or process. Durations are in nanoseconds. Counts begin before the phase.
  /// - Parameter frameBytes: the size of a frame of the WAL, header and page.
  package func recorded(in sample: EngineSample, frameBytes: Int) -> [(owner: String?, value: Int)] {
    switch source {
    case .sample(let value), .sampledCount(let value): value(sample).map { [(nil, $0)] } ?? []
    case .connection(_, let value):
      sample.connections.compactMap { connection in value(connection, frameBytes).map { (connection.name, $0) } }
    case .cacheCount(let count):
      sample.connections.compactMap { connection in connection.caches.map { (connection.name, count.value(in: $0)) } }
    case .logicalBytes:
      sample.writes == nil ? [] : sample.logicalBytes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    default: []
    }
  }

  /// Returns the seconds of the metric's durations of an actor; nil for a metric without durations of actors.
  package func intervals(of actor: ActorResult) -> IntervalSeries? {
    switch source {
    case .times(let kind): actor.intervals[kind]
    case .laneWaits(let wait), .notificationReads(let wait): wait(actor)?.intervals
    default: nil
    }
  }

  /// Converts a recorded value, whose durations are in nanoseconds, to the metric's unit.
  private func inUnit(_ recorded: Int) -> Double { unit == .seconds ? Double(recorded) / 1e9 : Double(recorded) }
}
