internal import CSQLite

/// The busy handler of a handle. If another connection holds a needed lock, it retries after 1 ms and then at
/// increasing intervals, until the time limit. The delays are those of SQLite's own busy timeout, whose waits cannot be
/// counted.
struct LockWaiting {
  private static let delays: [Int32] = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100]

  var limitMilliseconds: Int32 = 0
  var onWait: (@Sendable () -> Void)?
  private var waitedMilliseconds: Int32 = 0

  /// - Parameter earlier: The number of earlier calls for the same lock.
  /// - Returns: Whether to try again; false if the time limit is reached.
  mutating func wait(earlier: Int32) -> Bool {
    if earlier == 0 { waitedMilliseconds = 0 }
    let left = limitMilliseconds - waitedMilliseconds
    guard left > 0 else { return false }
    onWait?()
    waitedMilliseconds += sqlite3_sleep(min(Self.delays[min(Int(earlier), Self.delays.count - 1)], left))
    return true
  }
}

extension SQLiteHandle {
  /// Must be called once, when the handle is opened. `waiting` must live as long as the handle.
  static func handleLocks(of database: OpaquePointer?, with waiting: UnsafeMutablePointer<LockWaiting>) {
    sqlite3_busy_handler(
      database,
      { waiting, earlier in
        waiting?.assumingMemoryBound(to: LockWaiting.self).pointee.wait(earlier: earlier) == true ? 1 : 0
      },
      waiting
    )
  }
}
