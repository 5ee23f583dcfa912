internal import BenchScenario
internal import HarnessPrimitives

/// The pauses between the transactions of one worker of a closed load, in nanoseconds.
struct ThinkTimes {
  private let range: ClosedRange<UInt64>
  private var stream: RandomStream

  /// Returns nil for an open load.
  init?(_ actor: RunningActor, thread: Int) {
    guard case .closed(let range) = actor.settings.load else { return nil }
    let phase = actor.phase.settings.name
    self.range = range
    stream = RandomStream(seed: actor.context.seed, phase, actor.settings.name, "\(thread)", "think")
  }

  @inline(__always)
  mutating func draw() -> UInt64 {
    if range.lowerBound == range.upperBound { return range.lowerBound }
    // A duration is at most `Int64.max`.
    let length = Int(range.upperBound - range.lowerBound)
    return range.lowerBound + UInt64(stream.below(length == .max ? length : length + 1))
  }
}
