internal import BenchModel
internal import ThreadingPrimitives

/// A view that an event registers, and the answers of all readers about it.
final class LateView: Sendable {
  let settings: ViewSettings
  private let registration = Guarded(ViewRegistration())

  init(_ settings: ViewSettings) { self.settings = settings }

  /// Checks the answer of a reader.
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
