internal import BenchModel
internal import Foundation
internal import SQLiteBinding

/// Makes a checkpoint at a fixed interval, on a thread and a handle of its own.
// What both threads use is behind the condition's lock.
final class SQLiteIntervalCheckpoint: @unchecked Sendable {
  private let mode: SQLiteCheckpointMode
  private let seconds: Double
  private let handle: SQLiteConnectionHandle
  private let writing: SQLiteWriteLock
  private let account: SQLiteAccount
  private let condition = NSCondition()
  private var isStopped = false
  private var hasEnded = false

  init(
    _ settings: CheckpointSettings,
    _ handle: SQLiteConnectionHandle,
    _ writing: SQLiteWriteLock,
    _ account: SQLiteAccount
  ) {
    mode = SQLiteCheckpointMode(settings.mode)
    seconds = Double(settings.everyNanoseconds) / 1e9
    self.handle = handle
    self.writing = writing
    self.account = account
    Thread.detachNewThread { self.run() }
  }

  /// Returns when the thread has ended.
  func stop() {
    condition.withLock {
      isStopped = true
      condition.broadcast()
      while !hasEnded { condition.wait() }
    }
  }

  private func run() {
    while isDue() {
      let asked = SQLiteClock.now
      writing.checkpoint {
        let start = SQLiteClock.now
        do {
          try account.checkpoint(mode, cause: "interval", on: handle.sqlite, waited: start - asked)
        } catch {
          account.failed(mode, cause: "interval", at: start, error)
        }
      }
    }
    condition.withLock {
      hasEnded = true
      condition.broadcast()
    }
  }

  /// Waits for the next time.
  /// - Returns: false when it has been stopped.
  private func isDue() -> Bool {
    condition.withLock {
      let deadline = Date(timeIntervalSinceNow: seconds)
      while !isStopped, condition.wait(until: deadline) {}
      return !isStopped
    }
  }
}

extension SQLiteCheckpointMode {
  init(_ setting: CheckpointModeSetting) {
    self =
      switch setting {
      case .passive: .passive
      case .full: .full
      case .restart: .restart
      case .truncate: .truncate
      }
  }
}
