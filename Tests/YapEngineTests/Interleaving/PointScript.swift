import ThreadingPrimitives

@testable import YapEngine

/// Runs actions of a test at named points of a connection's transaction.
///
/// An action runs on the thread that reaches the point. That transaction is held meanwhile, and everything else
/// continues, so that the interleaving is certain and no thread has to wait.
final class PointScript: Sendable {
  private struct Entry: Sendable {
    let point: TestPoint
    let connection: String
    let action: @Sendable () throws -> Void
  }

  private let entries = Guarded<[Entry]>([])
  private let failure = Guarded<(any Error)?>(nil)

  /// Runs `action` once, when the connection next reaches the point.
  func at(_ point: TestPoint, of connection: String, _ action: @escaping @Sendable () throws -> Void) {
    entries.withLock { $0.append(Entry(point: point, connection: connection, action: action)) }
  }

  var options: YapDatabaseOptions {
    var options = YapDatabaseOptions.quick
    options.testHooks.onReach = { self.reach($0, $1) }
    return options
  }

  /// Throws unless every planned action has run without an error.
  func finish() throws {
    if let failure = failure.withLock({ $0 }) { throw failure }
    let left = entries.withLock { $0.map { "\($0.connection) at \($0.point)" } }
    try Discrepancy.check(left, [], "points that were not reached")
  }

  private func reach(_ point: TestPoint, _ connection: String) {
    let entry = entries.withLock { entries -> Entry? in
      let index = entries.firstIndex { $0.point == point && $0.connection == connection }
      return index.map { entries.remove(at: $0) }
    }
    do { try entry?.action() } catch { failure.withLock { $0 = $0 ?? error } }
  }
}
