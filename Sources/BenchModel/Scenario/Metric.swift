/// The base unit of a metric's values.
public enum MetricUnit: Sendable, Equatable {
  case nanoseconds, bytes, perSecond, count
  /// Whatever the metric's name says, such as byte-seconds.
  case number
}

/// One number out of many.
public enum Aggregate: String, CaseIterable, Sendable {
  case min, mean, max, last, sum, p50, p90, p95, p99
  case p999 = "p99_9"
  case p9999 = "p99_99"

  static let percentiles: [Aggregate] = [.p50, .p90, .p95, .p99, .p999, .p9999]
}

/// What expectations and conditions can ask about.
public enum Metric: String, CaseIterable, Sendable {
  case throughput, response, service, wait
  case laneWait = "lane.wait"
  case writeLaneWait = "writeLane.wait"
  case notificationLag = "notification.lag"
  case duration
  case deadlocks
  case walBytes = "wal.bytes"
  case walFrames = "wal.frames"
  case walBacklogFrames = "wal.backlogFrames"
  case walByteSeconds = "wal.byteSeconds"
  case pinFrames = "pin.frames"
  case pinBytes = "pin.bytes"
  case pinSeconds = "pin.seconds"
  case snapshotAgeCommits = "snapshot.ageCommits"
  case snapshotAgeSeconds = "snapshot.ageSeconds"
  case changesPendingCommits = "changes.pendingCommits"
  case changesPendingBytes = "changes.pendingBytes"
  case cacheObjectHits = "cache.object.hits"
  case cacheObjectMisses = "cache.object.misses"
  case cacheObjectUpdatedByPolicy = "cache.object.updatedByPolicy"
  case cacheObjectDropped = "cache.object.dropped"
  case cacheObjectReadAgain = "cache.object.readAgain"
  case cacheObjectDecoded = "cache.object.decoded"
  case cacheObjectCopied = "cache.object.copied"
  case cacheMetadataHits = "cache.metadata.hits"
  case cacheMetadataMisses = "cache.metadata.misses"
  case cacheMetadataUpdatedByPolicy = "cache.metadata.updatedByPolicy"
  case cacheMetadataDropped = "cache.metadata.dropped"
  case cacheMetadataReadAgain = "cache.metadata.readAgain"
  case cacheMetadataDecoded = "cache.metadata.decoded"
  case cacheMetadataCopied = "cache.metadata.copied"
  case memoryResident = "memory.resident"
  case memoryAllocated = "memory.allocated"
  case memoryAllocationsPerOperation = "memory.allocationsPerOperation"
  case harnessLate = "harness.late"
  case harnessDropped = "harness.dropped"
  case harnessOverhead = "harness.overhead"
  case checkpointCount = "checkpoint.count"
  case checkpointWait = "checkpoint.wait"
  case checkpointDuration = "checkpoint.duration"
  case checkpointFramesCopied = "checkpoint.framesCopied"
  case checkpointBytesCopied = "checkpoint.bytesCopied"
  case cpuUser = "cpu.user"
  case cpuSystem = "cpu.system"
  case cpuContextSwitches = "cpu.contextSwitches"
  case cpuSteal = "cpu.steal"
  case pressureIO = "pressure.io"
  case ioLogicalBytes = "io.logicalBytes"
  case ioWALBytesWritten = "io.walBytesWritten"
  case ioDatabaseBytesWritten = "io.databaseBytesWritten"
  case ioSyncs = "io.syncs"
  case ioWALSyncs = "io.walSyncs"
  case ioDatabaseSyncs = "io.databaseSyncs"
  case ioSyncTime = "io.syncTime"
  case ioWriteAmplification = "io.writeAmplification"
  case recoveryDuration = "recovery.duration"
  case recoveryFrames = "recovery.frames"

  public var unit: MetricUnit {
    switch self {
    case .throughput: .perSecond
    case .response, .service, .wait, .laneWait, .writeLaneWait, .notificationLag, .duration, .harnessLate,
      .harnessOverhead, .checkpointWait, .checkpointDuration, .cpuUser, .cpuSystem, .cpuSteal, .pressureIO,
      .recoveryDuration, .ioSyncTime:
      .nanoseconds
    case .walBytes, .pinBytes, .changesPendingBytes, .memoryResident, .memoryAllocated, .checkpointBytesCopied,
      .ioLogicalBytes, .ioWALBytesWritten, .ioDatabaseBytesWritten:
      .bytes
    case .walByteSeconds, .pinSeconds, .snapshotAgeSeconds, .memoryAllocationsPerOperation, .ioWriteAmplification:
      .number
    default: .count  // frames, commits, arrivals, checkpoints, deadlocks, syncs, and what caches count
    }
  }

  /// Whether it counts what caches do: its values are what was added from one sample to the next.
  public var isCacheCount: Bool { rawValue.hasPrefix("cache.") }

  /// Whether it counts up from the start of the process or the machine: its values are what was added from one sample
  /// to the next.
  public var isProcessCount: Bool { rawValue.hasPrefix("cpu.") || self == .pressureIO }

  /// Whether it counts what is written: its values are what was added from one sample to the next.
  public var isWriteCount: Bool { rawValue.hasPrefix("io.") && self != .ioWriteAmplification }

  /// Whether it is taken from the checkpoints that were made.
  public var isOfCheckpoints: Bool { rawValue.hasPrefix("checkpoint.") }

  /// Whether it is taken from the events that end the engine's process.
  public var isOfRecovery: Bool { rawValue.hasPrefix("recovery.") }

  /// Whether an actor or an operation has it too, and not only a phase.
  public var isKeptByActor: Bool {
    switch self {
    case .throughput, .response, .service, .wait, .laneWait, .writeLaneWait, .harnessDropped, .deadlocks,
      .memoryAllocationsPerOperation:
      true
    default: isCacheCount
    }
  }

  /// Whether the engine shows it, so that a driver without an engine has none.
  var isShownByEngine: Bool {
    let families = [
      "lane.", "writeLane.", "notification.", "wal.", "pin.", "snapshot.", "changes.", "cache.", "checkpoint.", "io.",
    ]
    return families.contains { rawValue.hasPrefix($0) }
  }

  /// Whether it belongs to a transaction as a whole: of several operations in one, none has its own.
  var isOfTransaction: Bool { self == .response || self == .wait }

  /// Whether it is a wait for a lane of the engine, which an actor's transactions have as a whole.
  var isOfLane: Bool { self == .laneWait || self == .writeLaneWait }

  /// The aggregates of which one must be named; empty where the metric is one number already.
  public var aggregates: [Aggregate] {
    switch self {
    case .throughput: [.mean, .min, .max]
    case .response, .service, .wait, .laneWait, .writeLaneWait, .notificationLag, .harnessLate:
      [.min, .mean, .max] + Aggregate.percentiles
    case .duration, .walByteSeconds, .harnessDropped, .harnessOverhead, .checkpointCount,
      .memoryAllocationsPerOperation, .ioWriteAmplification:
      []
    default: [.min, .mean, .max, .last, .sum] + Aggregate.percentiles
    }
  }

  /// Whether it is sampled at every interval, so that a condition can watch it.
  public var isSampled: Bool {
    switch self {
    case .throughput, .response, .service, .wait, .laneWait, .writeLaneWait, .notificationLag, .duration, .deadlocks,
      .walByteSeconds, .harnessLate, .harnessDropped, .harnessOverhead, .memoryAllocationsPerOperation,
      .ioWriteAmplification:
      false
    default: !isCacheCount && !isProcessCount && !isWriteCount && !isOfCheckpoints && !isOfRecovery
    }
  }
}
