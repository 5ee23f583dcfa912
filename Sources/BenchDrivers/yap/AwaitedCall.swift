internal import Dispatch

/// A body that another thread calls while the thread that passed it waits.
// The owner waits on a semaphore from before the call until after it, which orders all accesses.
final class AwaitedBody: @unchecked Sendable {
  fileprivate var body: ((any DriverTransaction) throws -> Void)?
  fileprivate var failure: (any Error)?

  func call(_ transaction: any DriverTransaction) throws { try body?(transaction) }
}

/// Passes a body to an asynchronous call and waits until the call reports its end.
/// - Throws: The error with which the call ended.
func withAwaitedCall(
  of body: (any DriverTransaction) throws -> Void,
  _ start: (_ body: AwaitedBody, _ end: @escaping @Sendable ((any Error)?) -> Void) -> Void
) throws {
  try withoutActuallyEscaping(body) { body in
    let awaited = AwaitedBody()
    let ended = DispatchSemaphore(value: 0)
    awaited.body = body
    start(awaited) { failure in
      awaited.failure = failure
      ended.signal()
    }
    ended.wait()
    // The engine may keep its own closure a little longer, but must not keep the body.
    awaited.body = nil
    if let failure = awaited.failure { throw failure }
  }
}
