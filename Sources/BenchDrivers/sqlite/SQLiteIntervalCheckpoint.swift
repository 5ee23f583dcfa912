internal import BenchModel
internal import Foundation
internal import SQLiteBinding

/// Checkpoints at a fixed interval, on its own thread and handle.
// State that both threads use is protected by the condition's lock.
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

  /// Stops the thread and waits until it has ended.
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

  /// Waits for the next checkpoint's time.
  /// - Returns: false if the thread has to stop.
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
