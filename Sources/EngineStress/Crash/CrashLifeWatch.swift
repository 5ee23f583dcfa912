internal import Glibc
internal import HarnessPrimitives
internal import ThreadingPrimitives

/// Reads the events of one child process, and kills it as planned.
final class CrashLifeWatch {
  /// The time without an event, in nanoseconds, after which a process has hung.
  static let longestSilence: UInt64 = 120_000_000_000
  /// The number of commits after which the parent kills a process that has not reached its point.
  private static let commitsBeforePoint = 400

  private let plan: KillPlan
  private let process: ChildProcess
  /// Carries the process's standard output.
  private let channel: LineChannel
  private var random: RandomStream
  private var killAt: UInt64?
  private var lastEvent = MonotonicClock.now
  private var isKilled = false

  private var commits = 0
  private var checkpoints = 0
  /// The counts of the calls of the engine that are under way.
  private var underWay: Set<String> = []
  private(set) var isClosed = false
  private(set) var isHung = false

  /// Starts the process.
  /// - Parameter errors: The path of a file to which its standard error is appended.
  /// - Throws: `ProgramNotStarted`.
  init(_ plan: KillPlan, _ program: String, arguments: [String], errors: String, seed: UInt64) throws {
    self.plan = plan
    random = RandomStream(seed: seed)
    let sockets = try ChildProcess.sockets(for: program)
    defer { close(sockets.other) }
    channel = LineChannel(sockets.own)
    process = try ChildProcess(program, arguments, output: .descriptor(sockets.other), errors: .file(errors))
  }

  func kill() { process.send(SIGKILL) }

  /// The end of the process, which must have closed its standard output.
  var end: ChildProcess.End { process.wait() }

  /// Waits a moment for the next event, and kills the process if it is the planned one.
  /// - Returns: No event, or one; nil if the process has ended and all events were returned.
  func next() -> [CrashEvent]? {
    if let killAt {
      MonotonicClock.sleep(until: killAt)
      kill()
      isKilled = true
      self.killAt = nil
    }
    let received = channel.receive(milliseconds: 100)
    let now = MonotonicClock.now
    switch received {
    case .closed: return nil
    case .nothing:
      if now - lastEvent > Self.longestSilence {
        isHung = true
        kill()
      }
      return []
    case .line(let bytes):
      lastEvent = now
      let line = Substring(decoding: bytes, as: UTF8.self)
      let event = CrashEvent(line: line) ?? .wrong("the process wrote \"\(line)\"")
      note(event)
      if !isKilled, killAt == nil, let delay = delay(after: event) { killAt = now + UInt64(delay) }
      return [event]
    }
  }

  private func note(_ event: CrashEvent) {
    switch event {
    case .opening: underWay.insert(CrashCampaign.Count.duringRecovery)
    case .opened: underWay.remove(CrashCampaign.Count.duringRecovery)
    case .acknowledged: commits += 1
    case .checkpointBegun:
      checkpoints += 1
      underWay.insert(CrashCampaign.Count.duringCheckpoint)
    case .checkpointEnded: underWay.remove(CrashCampaign.Count.duringCheckpoint)
    case .closing: underWay.insert(CrashCampaign.Count.duringClosing)
    case .closed:
      underWay.remove(CrashCampaign.Count.duringClosing)
      isClosed = true
    case .verified, .registered, .failed, .joined, .moved, .wrong: break
    }
  }

  /// The nanoseconds from an event to the kill; nil if the process is not killed because of this event.
  private func delay(after event: CrashEvent) -> Int? {
    switch (plan, event) {
    case (.moment(let nanoseconds), .acknowledged) where commits == 1: nanoseconds
    case (.commit(let number), .acknowledged) where commits == number: 0
    case (.checkpoint(let number), .checkpointBegun) where checkpoints == number: shortDelay()
    case (.closing, .closing), (.recovery, .opening): shortDelay()
    case (.point, .acknowledged) where commits == Self.commitsBeforePoint: 0
    default: nil
    }
  }

  /// From 10 µs to 10 ms; each order of magnitude is equally likely.
  private func shortDelay() -> Int { [10_000, 100_000, 1_000_000][random.below(3)] * (1 + random.below(10)) }

  /// The counts to which the kill adds: the choice of its moment, and the call of the engine that it interrupted.
  var kinds: [String] {
    var kinds = [CrashCampaign.Count.kills]
    switch plan {
    case .point(let point, _) where !isKilled:
      kinds += [CrashCampaign.Count.atPoints, CrashCampaign.Count.at(point)]
    case .commit, .point: kinds.append(CrashCampaign.Count.atCommit)
    case .moment, .checkpoint, .closing, .recovery, .none: kinds.append(CrashCampaign.Count.atMoment)
    }
    return kinds + underWay
  }
}
