internal import BenchModel

/// The values of metrics in samples, in the metric's base unit.
enum SampledMetrics {
  /// - Parameter frameBytes: the size of a frame of the WAL, header and page.
  /// - Returns: nil if the driver does not report the metric, or if the metric is not sampled.
  static func value(of metric: Metric, in sample: EngineSample, _ frameBytes: Int) -> Double? {
    switch metric {
    case .walBytes: sample.wal.map { Double($0.bytes) }
    case .walFrames: sample.wal.map { Double($0.frames) }
    case .walBacklogFrames: sample.wal.map { Double($0.backlogFrames) }
    case .pinFrames: sample.wal.map { _ in Double(pinning(sample)?.framesHeldAlone ?? 0) }
    case .pinBytes: sample.wal.map { _ in Double((pinning(sample)?.framesHeldAlone ?? 0) * frameBytes) }
    case .pinSeconds: sample.wal.map { _ in Double(pinning(sample)?.pinnedNanoseconds ?? 0) / 1e9 }
    case .snapshotAgeCommits: sample.connections.map { Double($0.ageCommits) }.max()
    case .snapshotAgeSeconds: sample.connections.map { Double($0.ageNanoseconds) / 1e9 }.max()
    case .changesPendingCommits: sample.connections.map { Double($0.pendingCommits) }.max()
    case .changesPendingBytes: sample.connections.map { Double($0.pendingBytes) }.max()
    case .memoryResident: Double(sample.residentBytes)
    case .memoryAllocated: sample.allocatedBytes.map(Double.init)
    default: nil  // it has no value of one moment
    }
  }

  /// Increments of a cache count between consecutive samples.
  ///
  /// - Parameter connections: nil for all of them.
  /// - Returns: an empty array if the driver does not count.
  static func additions(
    to metric: Metric,
    in samples: [EngineSample],
    of connections: Set<String>? = nil
  ) -> [Double] {
    guard let path = metric.cacheCount else { return [] }
    // A connection's counts begin at 0, and it may be opened between two samples.
    func counts(_ sample: EngineSample) -> [String: Int] {
      let asked = sample.connections.filter {
        connections?.contains(ConnectionSettings.declaredName(of: $0.name)) ?? true
      }
      return Dictionary(asked.compactMap { one in one.caches.map { (one.name, $0[keyPath: path]) } }) { $1 }
    }
    let all = samples.map(counts)
    return zip(all, all.dropFirst()).compactMap { earlier, later in
      later.isEmpty ? nil : later.reduce(0) { $0 + Double($1.value - min(earlier[$1.key] ?? 0, $1.value)) }
    }
  }

  /// Increments of a count of the process or the machine between consecutive samples.
  static func additions(toProcessCount metric: Metric, in samples: [EngineSample]) -> [Double] {
    let counts = samples.compactMap { sample -> Double? in
      switch metric {
      case .cpuUser: Double(sample.userCPUNanoseconds)
      case .cpuSystem: Double(sample.systemCPUNanoseconds)
      case .cpuContextSwitches: sample.contextSwitches.map { Double($0) }
      case .cpuSteal: sample.stolenNanoseconds.map { Double($0) }
      case .pressureIO: sample.ioPressureNanoseconds.map { Double($0) }
      default: nil
      }
    }
    return zip(counts, counts.dropFirst()).map { max($1 - $0, 0) }
  }

  /// Increments of written bytes between consecutive samples, without samples in which the engine's process was away.
  static func additions(toWriteCount metric: Metric, in samples: [EngineSample]) -> [Double] {
    let counts = samples.compactMap { metric.writeCount(in: $0) }
    return zip(counts, counts.dropFirst()).map { Double(max($1 - $0, 0)) }
  }

  /// The values of a metric for each checkpoint of a phase.
  static func values(of metric: Metric, in checkpoints: [CheckpointResult]) -> [Double] {
    checkpoints.compactMap { checkpoint in
      switch metric {
      case .checkpointWait: Double(checkpoint.waitNanoseconds)
      case .checkpointDuration: Double(checkpoint.durationNanoseconds)
      case .checkpointFramesCopied: Double(checkpoint.framesCopied)
      case .checkpointBytesCopied: Double(checkpoint.bytesCopied)
      default: nil
      }
    }
  }

  /// The connection that has pinned the oldest snapshot, if that pin keeps frames from being copied.
  private static func pinning(_ sample: EngineSample) -> EngineSample.Connection? {
    sample.wal?.pinnedBy.flatMap { name in sample.connections.first { $0.name == name } }
  }
}
