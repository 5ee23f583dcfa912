internal import BenchResults

/// The use of the processors by other processes, by a phase's samples.
///
/// It is judged in windows of a second: in a phase of a minute, a burst of a second takes little of the processor time
/// that the phase needs, and may still delay one transaction in a hundred.
extension Array<EngineSample> {
  /// The shortest window. The kernel counts the use of processors in ticks of up to 10 ms.
  private static var shortestNanoseconds: UInt64 { 1_000_000_000 }

  /// The first and the last sample of each window, without gaps; one window for a shorter phase.
  var windows: [(first: EngineSample, last: EngineSample)] {
    guard var start = first, let last else { return [] }
    var windows: [(first: EngineSample, last: EngineSample)] = []
    for sample in dropFirst() where sample.elapsedNanoseconds - start.elapsedNanoseconds >= Self.shortestNanoseconds {
      windows.append((start, sample))
      start = sample
    }
    // The rest belongs to the last window.
    return windows.dropLast() + [(windows.last?.first ?? start, last)]
  }

  /// Whether other processes used the processors between two times, or a CPU quota stopped this process; true if it is
  /// not known.
  /// - Parameters:
  ///   - start: Nanoseconds since the run began, as `end`.
  func areShared(from start: UInt64, to end: UInt64) -> Bool {
    guard !isEmpty else { return true }
    let next = (lastIndex { $0.elapsedNanoseconds < end } ?? -1) + 1
    let last = self[Swift.min(next, count - 1)]
    let longestAgo = last.elapsedNanoseconds - Swift.min(Self.shortestNanoseconds, last.elapsedNanoseconds)
    let first = self.last { $0.elapsedNanoseconds <= Swift.min(start, longestAgo) } ?? self[0]
    return first.elapsedNanoseconds == last.elapsedNanoseconds || last.isShared(since: first)
  }
}

extension EngineSample {
  /// Returns the processor time of other processes since an earlier sample; 0 for less than a quarter of one processor,
  /// because the kernel counts the time of short tasks inaccurately.
  func othersNanoseconds(since earlier: EngineSample) -> UInt64 {
    let own = cpuNanoseconds - min(cpuNanoseconds, earlier.cpuNanoseconds)
    let busy = busyNanoseconds - min(busyNanoseconds, earlier.busyNanoseconds)
    let others = busy - min(own, busy)
    return others >= (elapsedNanoseconds - earlier.elapsedNanoseconds) / 4 ? others : 0
  }

  /// Whether other processes used the processors since an earlier sample, or a CPU quota stopped this process.
  func isShared(since earlier: EngineSample) -> Bool {
    othersNanoseconds(since: earlier) > 0 || (throttledNanoseconds ?? 0) > (earlier.throttledNanoseconds ?? 0)
  }

  /// Returns the time for which threads of this process and the engine's waited since an earlier sample while other
  /// processes ran.
  /// - Parameter threads: The number of threads that a quota stops, each for the whole stop.
  func lostNanoseconds(since earlier: EngineSample, threads: Int) -> UInt64 {
    let (before, after) = (earlier.runDelayNanoseconds ?? 0, runDelayNanoseconds ?? 0)
    let (stoppedBefore, stopped) = (earlier.throttledNanoseconds ?? 0, throttledNanoseconds ?? 0)
    let waited = after - min(before, after)
    let ofQuota = (stopped - min(stoppedBefore, stopped)) &* UInt64(threads)
    // Threads also wait for each other, and other processes may use a processor that no thread wants.
    return min(waited - min(waited, ofQuota), othersNanoseconds(since: earlier))
  }
}
