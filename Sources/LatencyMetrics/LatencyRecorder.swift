/// What one thread measured in one interval: a histogram for each thing that it times.
///
/// It belongs to one thread at a time, so that recording takes no lock and allocates nothing. At the end of an interval
/// the whole recorder is handed over and another taken in its place.
// Whoever holds the only reference uses it; handing it over goes through a lock, which orders the accesses.
public final class LatencyRecorder: @unchecked Sendable {
  public let slotCount: Int
  // A pointer, because an array's access would be checked for exclusivity at each sample.
  private let histograms: UnsafeMutablePointer<LatencyHistogram>

  /// - Parameters:
  ///   - slotCount: things that are timed; each takes a histogram, 270 KB with 3 digits.
  ///   - digits: significant digits of the histograms.
  public init(slotCount: Int, digits: Int) {
    self.slotCount = slotCount
    histograms = .allocate(capacity: slotCount)
    for slot in 0..<slotCount { (histograms + slot).initialize(to: LatencyHistogram(digits: digits)) }
  }

  deinit {
    histograms.deinitialize(count: slotCount)
    histograms.deallocate()
  }

  @inline(__always)
  public func record(_ nanoseconds: UInt64, in slot: Int) {
    histograms[slot].record(nanoseconds)
  }

  public func histogram(in slot: Int) -> LatencyHistogram { histograms[slot] }

  /// Makes it ready for another interval.
  public func reset() {
    for slot in 0..<slotCount where !histograms[slot].isEmpty { histograms[slot].reset() }
  }
}
