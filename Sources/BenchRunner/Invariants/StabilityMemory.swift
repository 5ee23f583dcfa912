internal import SeededRandom

/// Values that a worker has read in the current snapshot, to check that it reads the same again.
///
/// A table of fixed size: a row replaces another row with the same slot. A row that was replaced is not checked, and
/// every comparison is with a value that was really read before.
struct StabilityMemory: Sendable {
  private static let places = 8192

  private var snapshot: UInt64 = .max
  private var epoch: UInt32 = 0
  /// Empty until the first comparison: 192 KiB, which only workers that check stability need.
  private var entries: [(row: UInt64, epoch: UInt32, answer: UInt64)] = []

  /// Begins the reads of `snapshot`. If it differs from the last one, all entries are dropped.
  mutating func enter(_ snapshot: UInt64) {
    if snapshot == self.snapshot { return }
    self.snapshot = snapshot
    epoch &+= 1
  }

  /// - Parameters:
  ///   - row: the row part that was read, as one number.
  ///   - answer: a fingerprint of the value; `UInt64.max` for no value.
  /// - Returns: whether there was an earlier answer to compare with, and that answer if it differs.
  mutating func compare(_ row: UInt64, _ answer: UInt64) -> (wasKnown: Bool, differing: UInt64?) {
    if entries.isEmpty { entries = Array(repeating: (0, 0, 0), count: Self.places) }
    let place = Int(RandomStream.mix(row) % UInt64(Self.places))
    let entry = entries[place]
    entries[place] = (row, epoch, answer)
    guard entry.row == row, entry.epoch == epoch else { return (false, nil) }
    return (true, entry.answer == answer ? nil : entry.answer)
  }
}
