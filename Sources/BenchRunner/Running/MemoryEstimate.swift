internal import BenchResults
package import BenchScenario
internal import HarnessPrimitives
internal import LatencyMetrics

/// The memory that a scenario's runs need, estimated before anything runs.
///
/// The dataset's own files are not included: they are on a disk, or in a memory file system that the user has chosen.
/// An estimate is an upper limit for usual latencies, which vary by less than a factor of 4,000; it is no guarantee.
package struct MemoryEstimate: Sendable, Equatable {
  package struct Part: Sendable, Equatable {
    /// The part of a run that needs the memory, such as "latency histograms".
    package var name: String
    package var bytes: Int
    /// Advice that lowers the need; nil for the part that every run needs.
    package var remedy: String?
  }

  /// Largest first.
  package let parts: [Part]

  package var bytes: Int { parts.map(\.bytes).saturatingSum() }

  /// Estimates the variant that needs most. Runs are made one after the other; the results of all are kept until the
  /// report.
  package init(_ loaded: LoadedScenario) {
    let kept = loaded.variants.reduce(0.0) { $0 + ScenarioMemory($1.scenario).resultBytes }
    let all = Double(loaded.repetitions) * kept
    let estimates = loaded.variants.map { variant in
      let memory = ScenarioMemory(variant.scenario)
      return Self(parts: memory.parts, resultBytes: max(all, memory.resultBytes))
    }
    self = estimates.max { $0.bytes < $1.bytes } ?? Self(parts: [], resultBytes: 0)
  }

  private init(parts: [(name: String, bytes: Double, remedy: String?)], resultBytes: Double) {
    let results = ("samples and results", resultBytes, "raise \"measure.every\", or run fewer variants at once")
    self.parts =
      (parts + [results]).map { name, bytes, remedy in
        Part(name: name, bytes: Int(exactly: bytes.rounded(.up)) ?? .max, remedy: remedy)
      }
      .sorted { ($0.bytes, $1.name) > ($1.bytes, $0.name) }
  }
}

/// The memory that one run of a scenario needs, in bytes. The constants are rounded up from measured runs.
private struct ScenarioMemory {
  private static let programBytes = 48.0 * 1_048_576
  /// A thread's stack as far as it is used, its allocator's caches, and the generator and checks of its worker.
  private static let threadBytes = 160.0 * 1_024
  /// SQLite's page cache is 2 MiB per connection by default.
  private static let pageCacheBytes = 2.0 * 1_048_576
  private static let handleBytes = 256.0 * 1_024
  private static let cacheEntryBytes = 200.0
  /// The expected contents of a row: two words.
  private static let rowBytes = 16.0
  /// The commit of an inserted row.
  private static let insertedRowBytes = 8.0
  /// The position of a row in the order of scattered keys, and while it is computed the key's rank.
  private static let orderedRowBytes = 24.0
  private static let viewRowBytes = 32.0
  private static let sampleBytes = 1_024.0
  private static let sampledConnectionBytes = 320.0
  private static let intervalBytes = 160.0

  let scenario: Scenario

  init(_ scenario: Scenario) { self.scenario = scenario }

  var parts: [(name: String, bytes: Double, remedy: String?)] {
    [
      ("the program itself", Self.programBytes, nil),
      ("latency histograms", histogramBytes, "lower \"measure.histogramDigits\" or the actors' \"threads\""),
      ("worker threads", Double(mostThreads) * Self.threadBytes, "lower the actors' \"threads\""),
      ("connections", connectionBytes, "lower the connections' \"count\" or their cache limits"),
      ("the engine's shared cache and buffers", sharedBytes, "use fewer collections, or another driver"),
      ("rows and views", rowsBytes, "lower the dataset's \"rows\" or \"inserts\""),
    ]
  }

  /// Samples, seconds of actors, and the histograms of phases that are over.
  var resultBytes: Double {
    let seconds = Double(scenario.plannedDurationNanoseconds) / 1e9
    let every = Double(max(scenario.measure.everyNanoseconds, 1)) / 1e9
    let samples = min(seconds / every, Double(EngineSample.mostInRun))
    let connections = scenario.connections.reduce(0) { $0 + $1.count }
    let intervals = scenario.phases.reduce(0.0) { sum, phase in
      let seconds = Double(phase.end.plannedNanoseconds ?? 0) / 1e9
      return sum + seconds * Double(phase.actors.reduce(0) { $0 + TimingSlots($1.settings).kinds.count })
    }
    return samples * (Self.sampleBytes + Double(connections) * Self.sampledConnectionBytes)
      + intervals * Self.intervalBytes + sumsBytes
  }

  private var mostThreads: Int {
    scenario.phases.map { $0.actors.reduce(0) { $0 + $1.settings.threads } }.max() ?? 0
  }

  private var bytesOfHistogram: Double { Double(LatencyHistogram.usualBytes(digits: scenario.measure.histogramDigits)) }

  /// The recorders of the phase whose recorders need most memory.
  private var histogramBytes: Double {
    scenario.phases.map { phase in
      // A phase that lasts longer than a second exchanges recorders.
      let planned = phase.end.plannedNanoseconds ?? .max
      let recorders = planned <= ActorTimings.intervalNanoseconds ? 1.0 : 2.0
      return phase.actors.reduce(0.0) { sum, actor in
        sum + recorders * Double(actor.settings.threads * usedSlots(of: actor.settings)) * bytesOfHistogram
      }
    }.max() ?? 0
  }

  /// Sums of each actor: for its phase, for the current second, and for the report.
  private var sumsBytes: Double {
    let slots = scenario.phases.flatMap(\.actors).reduce(0) { $0 + usedSlots(of: $1.settings) }
    return Double(slots) * 3 * bytesOfHistogram
  }

  /// Slots that a worker records into: no unbegun arrivals, no lateness in a closed load, no moves without a bookmark.
  private func usedSlots(of actor: ActorSettings) -> Int {
    let slots = TimingSlots(actor, hasOutcomes: scenario.hasCacheOutcomes)
    return slots.count - 1 - (actor.load.isClosed ? 1 : 0) - (slots.hasAdvance ? 0 : 1)
  }

  private var connectionBytes: Double {
    guard scenario.engine.driver.keepsData else { return 0 }
    let rows = scenario.dataset.reduce(0.0) { $0 + Double($1.mostRows) }
    let bytes = scenario.dataset.reduce(0.0) { $0 + $1.mostBytes }
    let metadata = scenario.dataset.reduce(0.0) { $0 + Double($1.mostRows) * ($1.metadata?.size.meanBytes ?? 0) }
    func cache(isUsed: Bool, limit: Int?, bytes: Double) -> Double {
      guard isUsed, rows > 0 else { return 0 }
      return min(Double(limit ?? .max), rows) * (bytes / rows + Self.cacheEntryBytes)
    }
    return scenario.connections.reduce(0.0) { sum, connection in
      let values =
        cache(isUsed: connection.objectCache, limit: connection.objectCacheLimit, bytes: bytes - metadata)
        + cache(isUsed: connection.metadataCache, limit: connection.metadataCacheLimit, bytes: metadata)
      return sum + Double(connection.count) * (min(Self.pageCacheBytes, bytes) + Self.handleBytes + values)
    }
  }

  /// The cache that the connections share, and the buffers of collections that are being filled and written.
  private var sharedBytes: Double {
    let abilities = scenario.engine.driver.abilities
    // The drivers with buffers keep the commit number in a collection of its own.
    let buffers = 2 * (scenario.dataset.count + 1)
    return Double(abilities.sharedCacheBytes) + Double(buffers) * Double(abilities.writeBufferBytes)
  }

  private var rowsBytes: Double {
    let viewed = scenario.views.reduce(0.0) { sum, view in
      sum + Double(scenario.dataset.first { $0.name == view.collection }?.mostRows ?? 0)
    }
    let scanned = scenario.scansIn
    return scenario.dataset.reduce(viewed * Self.viewRowBytes) { sum, collection in
      let isOrderKept = collection.key.isScattered && scanned.contains(collection.name)
      return sum + (scenario.engine.driver.keepsData ? Double(collection.mostRows) * Self.rowBytes : 0)
        + Double(collection.inserts) * Self.insertedRowBytes
        + (isOrderKept ? Double(collection.mostRows) * Self.orderedRowBytes : 0)
    }
  }
}
