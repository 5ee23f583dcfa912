/// At which snapshots a view must be there that is registered while others read: a state machine without an engine.
///
/// Nobody tells the number of the commit that registers it, but before and after. In between the readers must agree on
/// one: whoever finds the view has found it for all later snapshots, and whoever does not, for all earlier ones.
struct ViewRegistration: Equatable {
  private enum Progress: Equatable {
    case notBegun
    /// The commit will be after this one.
    case begun(after: UInt64)
    /// The commit is after the one, and not after the other.
    case ended(after: UInt64, by: UInt64)
  }

  private var progress = Progress.notBegun
  /// The latest snapshot at which it was not there.
  private var lastWithout: UInt64?
  /// The earliest at which it was.
  private var firstWith: UInt64?

  /// It is about to be registered; this commit is the newest.
  mutating func begin(after commit: UInt64) { progress = .begun(after: commit) }

  /// It was registered, and this commit is the newest, or was afterwards.
  /// - Returns: nil if all that was found until now fits; otherwise what is wrong.
  mutating func end(by commit: UInt64) -> String? {
    guard case .begun(let before) = progress else { return nil }
    progress = .ended(after: before, by: commit)
    return lastWithout.flatMap { $0 >= commit ? Self.missing(at: $0, by: commit) : nil }
  }

  /// It was not registered, whatever was tried.
  mutating func cancel() { progress = .notBegun }

  /// Whether a reader may have found this.
  /// - Returns: nil if it may; otherwise what is wrong.
  mutating func objection(to isThere: Bool, at snapshot: UInt64) -> String? {
    isThere ? objectionToPresence(at: snapshot) : objectionToAbsence(at: snapshot)
  }

  private mutating func objectionToPresence(at snapshot: UInt64) -> String? {
    switch progress {
    case .notBegun: return "is there at snapshot \(snapshot), and nobody has registered it"
    case .begun(let before), .ended(let before, _):
      if snapshot <= before {
        return "is there at snapshot \(snapshot), and was registered after commit \(before)"
      }
    }
    if let lastWithout, snapshot <= lastWithout {
      return "is there at snapshot \(snapshot), and was not there at snapshot \(lastWithout)"
    }
    firstWith = min(firstWith ?? snapshot, snapshot)
    return nil
  }

  private mutating func objectionToAbsence(at snapshot: UInt64) -> String? {
    if case .ended(_, let by) = progress, snapshot >= by {
      return Self.missing(at: snapshot, by: by)
    }
    if let firstWith, snapshot >= firstWith {
      return "is not there at snapshot \(snapshot), and was there at snapshot \(firstWith)"
    }
    lastWithout = max(lastWithout ?? snapshot, snapshot)
    return nil
  }

  private static func missing(at snapshot: UInt64, by commit: UInt64) -> String {
    "is not there at snapshot \(snapshot), and was registered by commit \(commit)"
  }
}
