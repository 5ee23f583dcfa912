internal import CSQLite

/// What a handle does while somebody else holds a lock that it needs: it looks again after 1 ms, then ever more rarely,
/// until its time is over. The delays are those of SQLite's own busy timeout, which cannot be counted.
struct LockWaiting {
  private static let delays: [Int32] = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100]

  var limitMilliseconds: Int32 = 0
  var onWait: (@Sendable () -> Void)?
  private var waitedMilliseconds: Int32 = 0

  /// - Parameter earlier: how often it was asked before for the same lock.
  /// - Returns: whether to try again; false when the time is over.
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
  /// To be called once, when the handle is opened; `waiting` lives as long as it.
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
