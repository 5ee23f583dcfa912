internal import BenchResults
internal import BenchScenario

/// The values of metrics in samples, in the metric's base unit.
enum SampledMetrics {
  /// - Parameter frameBytes: the size of a frame of the WAL, header and page.
  /// - Returns: nil if the driver does not report the metric, or if the metric is not sampled.
  static func value(of metric: Metric, in sample: EngineSample, frameBytes: Int) -> Double? {
    guard case .sample(let value) = metric.source else { return nil }
    return value(sample, frameBytes)
  }

  /// Increments of a cache count between consecutive samples, summed over connections.
  /// - Parameter connections: names of connections or pools in the scenario; nil for all connections.
  /// - Returns: an element for each sample after the first that has such counts; none if the driver does not count.
  static func increments(
    of count: (EngineSample.Caches) -> Int,
    in samples: [EngineSample],
    on connections: Set<String>? = nil
  ) -> [Double] {
    // A connection's counts begin at 0, and the connection may be opened between two samples.
    func counts(_ sample: EngineSample) -> [String: Int] {
      let asked = sample.connections.filter {
        connections?.contains(ConnectionSettings.declaredName(of: $0.name)) ?? true
      }
      return Dictionary(asked.compactMap { one in one.caches.map { (one.name, count($0)) } }) { $1 }
    }
    let all = samples.map(counts)
    return zip(all, all.dropFirst()).compactMap { earlier, later in
      later.isEmpty ? nil : later.reduce(0) { $0 + Double($1.value - min(earlier[$1.key] ?? 0, $1.value)) }
    }
  }

  /// Increments of a count between consecutive samples. Samples without the count are left out.
  static func increments(of count: (EngineSample) -> Double?, in samples: [EngineSample]) -> [Double] {
    let counts = samples.compactMap(count)
    return zip(counts, counts.dropFirst()).map { max($1 - $0, 0) }
  }
}
