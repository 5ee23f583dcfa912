internal import BenchResults

/// The open connections of a driver that keeps this record itself, and the snapshots that their bookmarks pin.
struct ConnectionPins {
  struct Pin {
    let name: String
    let commit: UInt64
    let since: UInt64
    /// The time of the pin or of the first commit after its snapshot, whichever is later; nil without such a commit.
    var missedSince: UInt64?
  }

  private var names: [Int: String] = [:]
  private(set) var pins: [Int: Pin] = [:]

  mutating func addConnection(_ number: Int, name: String) { names[number] = name }

  mutating func removeConnection(_ number: Int) {
    names[number] = nil
    pins[number] = nil
  }

  /// - Parameters:
  ///   - commit: The pinned snapshot.
  ///   - newest: The newest commit.
  ///   - now: The time of the pin, in nanoseconds of the monotonic clock.
  mutating func pin(_ number: Int, at commit: UInt64, newest: UInt64, now: UInt64) {
    pins[number] = Pin(
      name: names[number] ?? "",
      commit: commit,
      since: now,
      missedSince: newest > commit ? now : nil
    )
  }

  mutating func unpin(_ number: Int) { pins[number] = nil }

  /// Records a commit. A snapshot that already contains it may have been pinned before.
  mutating func recordCommit(_ commit: UInt64, now: UInt64) {
    for (number, pin) in pins where pin.missedSince == nil && pin.commit < commit { pins[number]?.missedSince = now }
  }

  /// Returns the connections with the ages of their pins, in the order of their numbers.
  func samples(newest: UInt64, now: UInt64) -> [(number: Int, sample: EngineSample.Connection)] {
    names.sorted { $0.key < $1.key }.map { number, name in
      var sample = EngineSample.Connection(name: name)
      if let pin = pins[number] {
        sample.ageCommits = Int(newest - min(pin.commit, newest))
        sample.ageNanoseconds = pin.missedSince.map { now - min($0, now) } ?? 0
        sample.pinnedNanoseconds = now - min(pin.since, now)
      }
      return (number, sample)
    }
  }
}
