internal import BenchResults
internal import ThreadingPrimitives

/// The open connections of a driver that keeps this record itself, and the snapshots that their bookmarks pin.
struct ConnectionPins {
  struct Pin {
    let commit: UInt64
    let since: UInt64
    /// The time of the pin or of the first commit after its snapshot, whichever is later; nil without such a commit.
    var missedSince: UInt64?
  }

  private var lastConnection = 0
  private(set) var names: [Int: String] = [:]
  private(set) var pins: [Int: Pin] = [:]

  /// - Returns: The number of the connection.
  mutating func addConnection(_ name: String) -> Int {
    lastConnection += 1
    names[lastConnection] = name
    return lastConnection
  }

  mutating func removeConnection(_ number: Int) {
    names[number] = nil
    pins[number] = nil
  }

  /// - Parameters:
  ///   - commit: The pinned snapshot.
  ///   - newest: The newest commit.
  ///   - now: The time of the pin, in nanoseconds of the monotonic clock.
  mutating func pin(_ number: Int, at commit: UInt64, newest: UInt64, now: UInt64) {
    pins[number] = Pin(commit: commit, since: now, missedSince: newest > commit ? now : nil)
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

/// The pins of a driver's bookmarks, with the newest commit, for several threads.
final class PinRecord: Sendable {
  private struct State {
    var newest: UInt64
    var pins = ConnectionPins()
  }

  private let state: Guarded<State>

  /// - Parameter newest: The newest commit.
  init(newest: UInt64) { state = Guarded(State(newest: newest)) }

  /// - Returns: The number of the connection.
  func addConnection(_ name: String) -> Int { state.withLock { $0.pins.addConnection(name) } }

  func removeConnection(_ number: Int) { state.withLock { $0.pins.removeConnection(number) } }

  func recordPin(of number: Int, at commit: UInt64) {
    let now = MonotonicClock.now
    state.withLock { $0.pins.pin(number, at: commit, newest: $0.newest, now: now) }
  }

  func removePin(of number: Int) { state.withLock { $0.pins.unpin(number) } }

  func recordCommit(_ commit: UInt64) {
    let now = MonotonicClock.now
    state.withLock { state in
      state.newest = commit
      state.pins.recordCommit(commit, now: now)
    }
  }

  /// Returns the newest commit, the oldest pinned snapshot, and the connections with the ages of their pins.
  func sample() -> (newest: UInt64, oldest: UInt64?, connections: [EngineSample.Connection]) {
    let now = MonotonicClock.now
    return state.withLock { state in
      let connections = state.pins.samples(newest: state.newest, now: now).map(\.sample)
      return (state.newest, state.pins.pins.values.map(\.commit).min(), connections)
    }
  }
}
