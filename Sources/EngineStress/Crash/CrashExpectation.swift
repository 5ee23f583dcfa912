/// The commits that a database may contain after the child process that wrote them has died. A pure state machine.
///
/// Every acknowledged commit must exist. Of the others, only those may exist that were being made at the death: at most
/// one for each writer, and a registration of a view. A commit that returned an error may or may not exist.
struct CrashExpectation: Equatable {
  /// The newest acknowledged commit.
  private(set) var acknowledged: UInt64 = 0
  /// The numbers that the newest commit of the file may have.
  private(set) var newest: ClosedRange<UInt64> = 0...0
  /// The most commits after the newest ledger entry that may have no entry.
  private(set) var unrecorded: UInt64 = 0
  /// The number of commits that were found after a death, but that no event had reported.
  private(set) var foundUnreported = 0

  private var openedAt: UInt64 = 0
  private var reported: Set<UInt64> = []
  private var hasView = false
  private var writers: UInt64 = 0

  /// Begins the next life.
  mutating func begin(writers: Int, hasView: Bool) {
    self.writers = UInt64(writers)
    self.hasView = hasView
  }

  /// Applies an event of the current life.
  /// - Returns: The description of wrong data; nil if the event is allowed.
  mutating func apply(_ event: CrashEvent) -> String? {
    switch event {
    case .opened(let commit): return opened(commit)
    case .verified(let newestEntry, _, _):
      unrecorded = openedAt - min(newestEntry, openedAt) + (hasView ? 1 : 0)
      newest = openedAt...(openedAt + writers + (hasView ? 1 : 0))
    case .registered(let commit): return report(commit, "registration of the view")
    case .acknowledged(let commit):
      if let error = report(commit, "acknowledged commit") { return error }
      acknowledged = max(acknowledged, commit)
    case .failed: newest = newest.lowerBound...newest.upperBound + 1
    case .wrong(let text): return text
    case .opening, .joined, .moved, .checkpointBegun, .checkpointEnded, .closing, .closed: break
    }
    return nil
  }

  private mutating func opened(_ commit: UInt64) -> String? {
    guard newest.contains(commit) else {
      return commit < newest.lowerBound
        ? "the newest commit in the file is \(commit), but commit \(newest.lowerBound) was acknowledged "
          + "(lost commits: \(newest.lowerBound - commit))"
        : "the newest commit in the file is \(commit), but at most \(newest.upperBound) can have been made "
          + "(reported commits after commit \(openedAt): \(reported.count))"
    }
    foundUnreported += Int(commit - openedAt) - reported.count
    openedAt = commit
    reported = []
    newest = commit...commit
    return nil
  }

  private mutating func report(_ commit: UInt64, _ name: String) -> String? {
    guard commit > openedAt, reported.insert(commit).inserted else {
      return "the \(name) has the number \(commit), which an earlier commit has"
    }
    newest = max(newest.lowerBound, commit)...max(newest.upperBound + 1, commit)
    return nil
  }
}
