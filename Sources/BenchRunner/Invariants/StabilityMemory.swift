internal import SeededRandom

/// What a worker has read in the current snapshot, to see that it reads the same again.
///
/// A table of fixed size: a row that falls on another's place takes it. What is forgotten is not checked; what is
/// checked was really read before.
struct StabilityMemory: Sendable {
  private static let places = 8192

  private var snapshot: UInt64 = .max
  private var epoch: UInt32 = 0
  /// Empty until something is compared: 192 KiB, which only workers that check stability need.
  private var entries: [(row: UInt64, epoch: UInt32, answer: UInt64)] = []

  /// What follows is read in `snapshot`. Another snapshot than the last one forgets everything.
  mutating func enter(_ snapshot: UInt64) {
    if snapshot == self.snapshot { return }
    self.snapshot = snapshot
    epoch &+= 1
  }

  /// - Parameters:
  ///   - row: what was read, as one number.
  ///   - answer: what was found; `UInt64.max` for nothing.
  /// - Returns: what had been found before, if it differs; and whether there was anything to compare with.
  mutating func compare(_ row: UInt64, _ answer: UInt64) -> (wasKnown: Bool, differing: UInt64?) {
    if entries.isEmpty { entries = Array(repeating: (0, 0, 0), count: Self.places) }
    let place = Int(RandomStream.mix(row) % UInt64(Self.places))
    let entry = entries[place]
    entries[place] = (row, epoch, answer)
    guard entry.row == row, entry.epoch == epoch else { return (false, nil) }
    return (true, entry.answer == answer ? nil : entry.answer)
  }
}
