internal import BenchModel
internal import ThreadingPrimitives

/// A view that an event registers, and what all readers have found of it.
final class LateView: Sendable {
  let settings: ViewSettings
  private let registration = Guarded(ViewRegistration())

  init(_ settings: ViewSettings) { self.settings = settings }

  /// Whether a reader may have found this, which it has told nobody yet.
  func objection(to isThere: Bool, at snapshot: UInt64) -> String? {
    registration.withLock { $0.objection(to: isThere, at: snapshot) }
  }

  /// Runs what registers the view.
  /// - Parameter newest: the number of the newest commit.
  /// - Returns: the newest commit afterwards, and what was wrong with what readers have found until then.
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
