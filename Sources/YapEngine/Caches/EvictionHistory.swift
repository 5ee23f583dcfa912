/// Decides how many values of a full cache may be fresh, and which rows a full cache takes.
///
/// Remembers the rows that were evicted last, or not taken, by a hash without the key. If such a row is read again, the
/// cache was too small for it. After rows that were evicted while they were fresh, more values may be fresh, as the
/// order of the last use requires; after rows that were evicted from the reused ones, fewer. This is the rule of
/// Megiddo and Modha, "ARC: A Self-Tuning, Low Overhead Replacement Cache", FAST 2003.
///
/// Caching a row that is not read again costs time. So a full cache takes rows *on trial*: each costs one trial, and
/// each row that is read again earns `trialsEarned`. Without trials, only rows that were read a short time before are
/// taken.
struct EvictionHistory {
  /// The number of trials that a second read of a row earns. Caching a row takes a twenty-fifth of the time of a read
  /// from the file and its decoding.
  static let trialsEarned = 25
  /// The lower bound of the largest number of trials, for small caches.
  static let fewestTrials = 1_000
  /// The largest number of trials per remembered row.
  static let trialsPerTrace = 4

  /// The largest number of rows that are remembered of each kind.
  private static let mostTraces = 1 << 20

  private let limit: Int
  private let mostTrials: Int
  private var trials: Int
  private var wereFresh: RowTraces
  private var wereReused: RowTraces
  /// The number of fresh values from which on the next eviction takes a fresh one.
  private(set) var freshTarget = 1

  init(limit: Int) {
    self.limit = limit
    let traces = min(limit, Self.mostTraces)
    mostTrials = max(Self.fewestTrials, traces * Self.trialsPerTrace)
    trials = mostTrials
    wereFresh = RowTraces(count: traces)
    wereReused = RowTraces(count: traces)
  }

  /// Whether the full cache takes a row that it does not hold. The row is remembered if it is not taken.
  @inline(__always)
  mutating func admits(_ hash: UInt64) -> Bool {
    if wereFresh.contains(hash) || wereReused.contains(hash) { return true }
    if trials > 0 {
      trials -= 1
      return true
    }
    wereFresh.add(hash)
    return false
  }

  /// Forgets a row that is added to the full cache.
  /// - Returns: Whether it was remembered, so that it counts as reused.
  mutating func recall(_ hash: UInt64) -> Bool {
    let (fresh, reused) = (wereFresh.count, wereReused.count)
    if wereFresh.remove(hash) {
      freshTarget = min(freshTarget + max(reused / fresh, 1), limit)
    } else if wereReused.remove(hash) {
      freshTarget = max(freshTarget - max(fresh / reused, 1), 1)
    } else {
      return false
    }
    noteUse()
    return true
  }

  /// Notes that a row was read again.
  @inline(__always)
  mutating func noteUse() {
    trials = min(trials + Self.trialsEarned, mostTrials)
  }

  /// Remembers an evicted row.
  mutating func note(_ hash: UInt64, wasFresh: Bool) {
    if wasFresh { wereFresh.add(hash) } else { wereReused.add(hash) }
  }
}

/// The hashes of rows, each in a slot that its hash determines: a row replaces the one that had its slot.
private struct RowTraces {
  /// The upper halves of hashes; 0 for a free slot. Empty until a row is added.
  private var slots: ContiguousArray<UInt32> = []
  /// The number of slots that are not free.
  private(set) var count = 0
  private let mask: Int

  /// - Parameter count: The least number of slots.
  init(count: Int) {
    mask = (1 << (Int.bitWidth - max(count - 1, 15).leadingZeroBitCount)) - 1
  }

  @inline(__always)
  func contains(_ hash: UInt64) -> Bool { count > 0 && slots[index(of: hash)] == Self.trace(of: hash) }

  mutating func add(_ hash: UInt64) {
    if slots.isEmpty { slots = ContiguousArray(repeating: 0, count: mask + 1) }
    let index = index(of: hash)
    if slots[index] == 0 { count += 1 }
    slots[index] = Self.trace(of: hash)
  }

  /// - Returns: Whether the row was there.
  mutating func remove(_ hash: UInt64) -> Bool {
    guard contains(hash) else { return false }
    slots[index(of: hash)] = 0
    count -= 1
    return true
  }

  private func index(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & mask }

  private static func trace(of hash: UInt64) -> UInt32 { UInt32(hash >> 32) | 1 }
}
