internal import Dispatch

/// An asynchronous call of a client, which reports its outcome.
struct AsyncCall: Sendable {
  /// The name of the called function, such as "asyncReadWrite".
  let name: String
  /// The name of the connection.
  let connection: String
  let database: YapDatabase
  /// The queue on which the completion runs; nil for the database's notification queue.
  let completionQueue: DispatchQueue?

  /// Passes the outcome to the completion. Without a completion, a failure goes to the database's failure handler.
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

  /// Reports the end of a call whose completion receives only the error.
  func end(_ failure: (any Error)?, _ completion: (@Sendable ((any Error)?) -> Void)?) {
    end(failure, failure: failure, completion)
  }
}
