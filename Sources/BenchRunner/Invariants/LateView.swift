internal import BenchScenario
internal import ThreadingPrimitives

/// A view that an event registers, and the answers of all readers about it.
final class LateView: Sendable {
  let settings: ViewSettings
  private let registration = Guarded(ViewRegistration())

  init(_ settings: ViewSettings) { self.settings = settings }

  /// Returns the error in the answer of a reader at `snapshot`; nil if the answer is possible.
  func objection(to isThere: Bool, at snapshot: UInt64) -> String? {
    registration.withLock { $0.objection(to: isThere, at: snapshot) }
  }

  /// Runs the code that registers the view.
  /// - Parameter newest: returns the number of the newest commit.
  /// - Returns: the newest commit afterwards, and the error in the answers of readers until then; nil if they fit.
  func register(newest: () -> UInt64, _ body: () throws -> Void) rethrows -> (commit: UInt64, objection: String?) {
    let before = newest()
    registration.withLock { $0.begin(after: before) }
    do { try body() } catch {
      registration.withLock { $0.cancel() }
      throw error
    }
    let after = newest()
    return (after, registration.withLock { $0.end(by: after) })
  }
}

/// Determines at which snapshots a view must be there that is registered while transactions read: a state machine
/// without an engine.
///
/// The number of the registering commit is not known, only the newest commits before and after the registration.
/// Between these two, the readers must agree on one number: if a reader finds the view, the view must be there at all
/// later snapshots; if a reader does not find it, the view must be missing at all earlier ones.
struct ViewRegistration: Equatable {
  private enum Progress: Equatable {
    case notBegun
    /// The registering commit will be later than this one.
    case begun(after: UInt64)
    /// The registering commit is later than `after`, and not later than `by`.
    case ended(after: UInt64, by: UInt64)
  }

  private var progress = Progress.notBegun
  /// The latest snapshot at which a reader did not find the view.
  private var lastWithout: UInt64?
  /// The earliest snapshot at which a reader found it.
  private var firstWith: UInt64?

  /// Records that the registration is about to begin; `commit` is the newest one.
  mutating func begin(after commit: UInt64) { progress = .begun(after: commit) }

  /// Records that the view was registered; the registering commit is not later than `commit`.
  /// - Returns: nil if all earlier answers fit; otherwise a description of the error.
  mutating func end(by commit: UInt64) -> String? {
    guard case .begun(let before) = progress else { return nil }
    progress = .ended(after: before, by: commit)
    return lastWithout.flatMap { $0 >= commit ? Self.missing(at: $0, by: commit) : nil }
  }

  /// Records that the registration failed.
  mutating func cancel() { progress = .notBegun }

  /// Returns the error in the answer of a reader at `snapshot`; nil if the answer is possible.
  mutating func objection(to isThere: Bool, at snapshot: UInt64) -> String? {
    isThere ? objectionToPresence(at: snapshot) : objectionToAbsence(at: snapshot)
  }

  private mutating func objectionToPresence(at snapshot: UInt64) -> String? {
    switch progress {
    case .notBegun: return "exists at snapshot \(snapshot), but was not registered"
    case .begun(let before), .ended(let before, _):
      if snapshot <= before {
        return "exists at snapshot \(snapshot), but was registered after commit \(before)"
      }
    }
    if let lastWithout, snapshot <= lastWithout {
      return "exists at snapshot \(snapshot), but did not at snapshot \(lastWithout)"
    }
    firstWith = min(firstWith ?? snapshot, snapshot)
    return nil
  }

  private mutating func objectionToAbsence(at snapshot: UInt64) -> String? {
    if case .ended(_, let by) = progress, snapshot >= by {
      return Self.missing(at: snapshot, by: by)
    }
    if let firstWith, snapshot >= firstWith {
      return "does not exist at snapshot \(snapshot), but did at snapshot \(firstWith)"
    }
    lastWithout = max(lastWithout ?? snapshot, snapshot)
    return nil
  }

  private static func missing(at snapshot: UInt64, by commit: UInt64) -> String {
    "does not exist at snapshot \(snapshot), but was registered by commit \(commit)"
  }
}
