internal import BenchResults
internal import HarnessPrimitives

/// A run over time as charts draw it, in seconds since its first phase began. Charts over time get the run's phases,
/// samples, events, checkpoint attempts and intervals only from here.
struct RunTimeline {
  private static let mostEvents = 6
  private static let mostHolders = 3
  /// With more actors, only the p99 of each is drawn.
  private static let mostActorsInFull = 3
  private static let mostActors = 8
  private static let mostConnections = 4

  static let axis = "since the first phase began"

  private let result: RunResult

  init(_ result: RunResult) { self.result = result }

  private static func seconds(_ nanoseconds: UInt64) -> Double { Double(nanoseconds) / 1e9 }

  var scale: ChartScale {
    .linear(to: max(Self.seconds(result.endNanoseconds), 0.001), .seconds, room: 1, tickCount: 8)
  }

  var bands: [Chart.Band] {
    result.phases.map { phase in
      Chart.Band(
        name: InertText.shortened(phase.name, to: 24) + (phase.isRecorded ? "" : " (not recorded)"),
        start: Self.seconds(phase.startNanoseconds),
        end: Self.seconds(phase.endNanoseconds),
        isFaint: !phase.isRecorded
      )
    }
  }

  // MARK: WAL

  private func points(_ bytes: (EngineSample) -> Double?) -> [ChartSeries.Point] {
    result.samples.compactMap { sample in
      bytes(sample).map { ChartSeries.Point(x: Self.seconds(sample.elapsedNanoseconds), y: $0) }
    }
  }

  /// The size of the WAL file in bytes; empty if no sample has a WAL.
  var walSize: [ChartSeries.Point] { points { $0.wal.map { Double($0.bytes) } } }

  /// The size of all files of the database in bytes; empty if no sample has it.
  var storageSize: [ChartSeries.Point] { points { $0.storageBytes.map { Double($0) } } }

  /// The subject of the storage's panel: the WAL, or all files for an engine without SQLite's WAL.
  var storageSubject: String { walSize.isEmpty && !storageSize.isEmpty ? "Storage" : "WAL" }

  /// The frames that are not yet copied to the database file, in bytes.
  var walBacklog: [ChartSeries.Point] {
    let frameBytes = Double(result.frameBytes)
    return points { $0.wal.map { Double($0.backlogFrames) * frameBytes } }
  }

  /// The bytes of the WAL in parts: kept by one connection alone (with parts of their own for the four that kept most),
  /// kept by several, waiting for a checkpoint, and reusable. Parts that are always empty are left out.
  var walParts: [(name: String, points: [ChartSeries.Point])] {
    let samples = result.samples.compactMap { sample in sample.wal.map { (sample: sample, wal: $0) } }
    let frameBytes = Double(result.frameBytes)
    let shown = result.blame.connections.filter { $0.aloneByteSeconds > 0 }
      .sorted { ($0.aloneByteSeconds, $1.name) > ($1.aloneByteSeconds, $0.name) }
      .prefix(Self.mostConnections).map(\.name)
    func alone(_ sample: EngineSample, _ isWanted: (String) -> Bool) -> Double {
      sample.connections.reduce(0) { $0 + (isWanted($1.name) ? Double($1.framesHeldAlone) * frameBytes : 0) }
    }
    func part(
      _ name: String,
      _ bytes: (EngineSample, EngineSample.WAL) -> Double
    ) -> (name: String, points: [ChartSeries.Point]) {
      (name, samples.map { .init(x: Self.seconds($0.sample.elapsedNanoseconds), y: max(0, bytes($0.sample, $0.wal))) })
    }
    var parts = shown.map { name in
      part("only \(InertText.shortened(name, to: 20))") { sample, _ in alone(sample) { $0 == name } }
    }
    parts.append(part("only one other connection") { sample, _ in alone(sample) { !shown.contains($0) } })
    parts.append(
      part("several connections") { sample, wal in Double(wal.heldFrames) * frameBytes - alone(sample) { _ in true } }
    )
    parts.append(part("waiting for a checkpoint") { _, wal in Double(wal.backlogFrames - wal.heldFrames) * frameBytes })
    parts.append(part("reusable") { _, wal in Double(wal.bytes) - Double(wal.backlogFrames) * frameBytes })
    return parts.filter { $0.points.contains { $0.y > 0 } }
  }

  // MARK: Events, pins and checkpoints

  /// A row for each event that began, or for each word if there are more than six different events. An event has a tick
  /// at its start and a bar for its duration; events that did not succeed are in faint rows of their own.
  var events: [Chart.Row] {
    let begun = result.phases.flatMap(\.events).filter { $0.begunNanoseconds != nil }
    let isShort = Set(begun.map(\.text)).count > Self.mostEvents
    var rows: [Chart.Row] = []
    for event in begun {
      let name = InertText.shortened(isShort ? event.word : event.text, to: 24)
      let start = Self.seconds(event.begunNanoseconds ?? 0)
      let span = (start: start, end: max(Self.seconds(event.endedNanoseconds ?? 0), start))
      let isFaint = event.outcome != .done
      if let index = rows.firstIndex(where: { $0.name == name && $0.isFaint == isFaint }) {
        rows[index].spans.append(span)
      } else {
        rows.append(Chart.Row(name: name, spans: [span], style: 3, isFaint: isFaint))
      }
    }
    return rows
  }

  /// A row for each of the three connections that pinned the oldest snapshot longest while frames were held; without a
  /// WAL, while commits were missed.
  var pins: [Chart.Row] {
    var spans: [String: [(start: Double, end: Double)]] = [:]
    var previousHolder: String?
    for (index, sample) in result.samples.enumerated() {
      let holder =
        if let wal = sample.wal { wal.heldFrames > 0 ? wal.pinnedBy : nil } else { sample.oldestSnapshot?.name }
      if let holder {
        let next = index + 1 < result.samples.count ? result.samples[index + 1] : sample
        let end = Self.seconds(next.elapsedNanoseconds)
        if holder == previousHolder, let last = spans[holder]?.indices.last {
          spans[holder]?[last].end = end
        } else {
          spans[holder, default: []].append((Self.seconds(sample.elapsedNanoseconds), end))
        }
      }
      previousHolder = holder
    }
    func total(_ spans: [(start: Double, end: Double)]) -> Double { spans.reduce(0) { $0 + $1.end - $1.start } }
    let longestFirst = spans.sorted { (total($0.value), $1.key) > (total($1.value), $0.key) }
    return longestFirst.prefix(Self.mostHolders).map { name, spans in
      Chart.Row(name: "pinned by " + InertText.shortened(name, to: 15), spans: spans, style: 1, hasTicks: false)
    }
  }

  /// A row for each outcome of a checkpoint attempt, with a tick for each attempt; faint unless all frames were copied.
  var checkpoints: [Chart.Row] {
    let byOutcome = Dictionary(grouping: result.checkpoints, by: \.outcome)
    return CheckpointResult.Outcome.allCases.filter { byOutcome[$0] != nil }.map { outcome in
      let moments = (byOutcome[outcome] ?? []).map { Self.seconds($0.elapsedNanoseconds) }
      return Chart.Row(
        name: "\(outcome.rawValue) × \(Quantity.count(moments.count))",
        spans: moments.map { ($0, $0) },
        style: 2,
        isFaint: !outcome.copiesEverything
      )
    }
  }

  // MARK: Arrivals

  /// The arrivals of all actors with an open load.
  struct Arrivals {
    /// Arrivals per second that were due, that ended, and that were dropped.
    var due: [ChartSeries.Point] = []
    var done: [ChartSeries.Point] = []
    var dropped: [ChartSeries.Point] = []
    /// Arrivals that were due and had neither ended nor been dropped.
    var waiting: [ChartSeries.Point] = []
  }

  /// A rate covers at least one second, or the rest of a phase. nil if no load is open.
  var arrivals: Arrivals? {
    var arrivals = Arrivals()
    var start: (phase: String, time: UInt64, counts: ArrivalCounts)?
    for (index, sample) in result.samples.enumerated() {
      let counts = ArrivalCounts(sample)
      guard counts.hasOpenLoad else { continue }
      arrivals.waiting.append(.init(x: Self.seconds(sample.elapsedNanoseconds), y: Double(counts.waiting)))
      guard let begun = start, begun.phase == sample.phase else {
        start = (sample.phase, sample.elapsedNanoseconds, counts)
        continue
      }
      let isLast = index + 1 == result.samples.count || result.samples[index + 1].phase != sample.phase
      let length = Self.seconds(sample.elapsedNanoseconds - begun.time)
      guard length >= 1 || isLast && length > 0 else { continue }
      let middle = Self.seconds(begun.time) + length / 2
      func add(_ count: KeyPath<ArrivalCounts, Int>, to points: inout [ChartSeries.Point]) {
        let arrived = counts[keyPath: count] - begun.counts[keyPath: count]
        points.append(.init(x: middle, y: Double(max(arrived, 0)) / length))
      }
      add(\.due, to: &arrivals.due)
      add(\.done, to: &arrivals.done)
      add(\.dropped, to: &arrivals.dropped)
      start = (sample.phase, sample.elapsedNanoseconds, counts)
    }
    return arrivals.due.isEmpty ? nil : arrivals
  }

  /// The counts of all actors with an open load since their phase began.
  private struct ArrivalCounts {
    let hasOpenLoad: Bool
    let due: Int
    let done: Int
    let dropped: Int

    init(_ sample: EngineSample) {
      hasOpenLoad = !sample.dueArrivals.isEmpty
      due = sample.dueArrivals.values.saturatingSum()
      done = sample.finishedTransactions.filter { sample.dueArrivals[$0.key] != nil }.values.saturatingSum()
      dropped = sample.droppedArrivals.values.saturatingSum()
    }

    var waiting: Int { max(due - done - dropped, 0) }
  }

  // MARK: Latencies

  struct Latencies {
    /// Values are in seconds. Each point is in the middle of its interval.
    var series: [ChartSeries] = []
    /// The name of the times that are drawn.
    var title = ""
    /// The number of actors that are not drawn.
    var actorsLeftOut = 0
  }

  /// The latencies of the first eight actors' transactions, second by second; nil if no transaction was timed.
  var latencies: Latencies? {
    // The intervals of each actor in all phases.
    var actors: [(name: String, intervals: [TimeKind: [IntervalResult]])] = []
    for actor in result.phases.flatMap(\.actors) {
      let intervals = actor.intervals.mapValues { $0.filter { $0.count > 0 } }.filter { !$0.value.isEmpty }
      guard !intervals.isEmpty else { continue }
      if let index = actors.firstIndex(where: { $0.name == actor.name }) {
        actors[index].intervals.merge(intervals, uniquingKeysWith: +)
      } else {
        actors.append((actor.name, intervals))
      }
    }
    var latencies = Latencies(actorsLeftOut: max(0, actors.count - Self.mostActors))
    var kinds: Set<TimeKind> = []
    for (index, (actor, intervals)) in actors.prefix(Self.mostActors).enumerated() {
      let kind: TimeKind = intervals[.response] != nil && !result.isClosedLoad(actor: actor) ? .response : .service
      let shown = (intervals[kind] ?? []).sorted { $0.startNanoseconds < $1.startNanoseconds }
      guard !shown.isEmpty else { continue }
      kinds.insert(kind)
      func add(_ statistic: String, dash: ChartSeries.Dash, of nanoseconds: KeyPath<IntervalResult, UInt64>) {
        latencies.series.append(
          ChartSeries(
            name: InertText.shortened(actor, to: 16) + " " + statistic,
            style: index,
            dash: dash,
            points: shown.map { interval in
              let middle = (Self.seconds(interval.startNanoseconds) + Self.seconds(interval.endNanoseconds)) / 2
              return ChartSeries.Point(x: middle, y: Self.seconds(max(1, interval[keyPath: nanoseconds])))
            },
            breaksAfter: 2.5,
            isHiddenAtFirst: actors.count > 1 && statistic != "p99"
          )
        )
      }
      let isInFull = actors.count <= Self.mostActorsInFull
      if isInFull { add("max", dash: .dotted, of: \.maximumNanoseconds) }
      add("p99", dash: .dashed, of: \.p99Nanoseconds)
      if isInFull { add("p50", dash: .solid, of: \.p50Nanoseconds) }
    }
    guard !latencies.series.isEmpty else { return nil }
    latencies.title =
      kinds == [.response] ? "Response time" : kinds == [.service] ? "Service time" : "Response (closed: service)"
    return latencies
  }
}
