internal import Dispatch

/// One asynchronous call of a client, and where its end is reported.
struct AsyncCall: Sendable {
  /// As in "asyncReadWrite".
  let name: String
  /// The name of the connection.
  let connection: String
  let database: YapDatabase
  /// Where the completion runs; nil for the database's notification queue.
  let completionQueue: DispatchQueue?

  /// Reports the end to the completion. A failure without a completion goes to the database's failure handler.
  /// - Parameters:
  ///   - outcome: passed to the completion.
  ///   - failure: the error that ended the call, if any.
  func end<Outcome: Sendable>(
    _ outcome: Outcome,
    failure: (any Error)?,
    _ completion: (@Sendable (Outcome) -> Void)?
  ) {
    if let completion {
      (completionQueue ?? database.notificationQueue).async { completion(outcome) }
    } else {
      reportUnreceived(failure)
    }
  }

  /// Reports a failure that no completion receives to the database's failure handler.
  func reportUnreceived(_ failure: (any Error)?) {
    guard let failure else { return }
    let report = YapDatabaseAsyncFailure(call: name, connection: connection, error: failure)
    database.asyncFailures.report(report, on: database.notificationQueue)
  }

  /// For calls whose completions receive the error alone.
  func end(_ failure: (any Error)?, _ completion: (@Sendable ((any Error)?) -> Void)?) {
    end(failure, failure: failure, completion)
  }
}
