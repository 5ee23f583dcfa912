internal import BenchModel

/// What a metric's value is in one sample, in the metric's base unit.
enum SampledMetrics {
  /// - Parameter frameBytes: a frame of the WAL, header and page.
  /// - Returns: nil where the driver does not show it, or where the metric is not sampled.
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
    case .throughput, .response, .service, .wait, .duration, .walByteSeconds, .harnessLate: nil
    }
  }

  /// The connection that has pinned the oldest snapshot, while that keeps frames from being copied.
  private static func pinning(_ sample: EngineSample) -> EngineSample.Connection? {
    sample.wal?.pinnedBy.flatMap { name in sample.connections.first { $0.name == name } }
  }
}
