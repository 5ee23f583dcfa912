internal import BenchResults
internal import Foundation
internal import SQLiteBinding
internal import ThreadingPrimitives

/// The driver's record of the WAL: its frames, the pins of bookmarks, and the checkpoints. Other pins are not recorded.
// All state is protected by the lock.
final class SQLiteWALRecord: @unchecked Sendable {
  private let lock = NSLock()
  private let path: String
  private let pageSize: Int
  private let files: CountedFiles
  private let writeLock: WriteLock
  private var file: WALFile
  private var framesNow = 0
  private var copied = 0
  /// The last frame of each commit since the WAL was restarted.
  private var ends: [(commit: UInt64, frame: Int)] = []
  private var pins = ConnectionPins()
  /// The last frame of each pinned snapshot, by the connection's number.
  private var pinnedFrames: [Int: Int] = [:]
  private var ledger: [CheckpointResult] = []

  init(databasePath path: String, pageSize: Int, _ files: CountedFiles, _ writeLock: WriteLock) {
    self.path = path
    self.pageSize = pageSize
    self.files = files
    self.writeLock = writeLock
    file = WALFile(databasePath: path)
    _ = file.detectRestart()  // from here on, a changed salt is a restart
  }

  deinit { file.close() }

  /// - Returns: The number of the connection.
  func addConnection(_ name: String) -> Int { lock.withLock { pins.addConnection(name) } }

  func removeConnection(_ number: Int) {
    lock.withLock {
      pins.removeConnection(number)
      pinnedFrames[number] = nil
    }
  }

  func recordCommit(_ commit: UInt64, frames: Int) {
    let now = MonotonicClock.now
    lock.withLock {
      // SQLite restarts the WAL only if all of its frames are copied. The number of frames does not show a restart: the
      // commit may write more frames than the WAL had.
      if copied == framesNow, file.detectRestart() {
        copied = 0
        ends.removeAll(keepingCapacity: true)
      }
      framesNow = frames
      ends.append((commit, frames))
      pins.recordCommit(commit, now: now)
    }
  }

  func recordPin(of number: Int, at commit: UInt64) {
    let now = MonotonicClock.now
    lock.withLock {
      let end = ends.last { $0.commit <= commit }?.frame ?? 0
      // A reader that begins when everything is copied reads only the database file. Until it ends, SQLite copies no
      // frame into that file.
      pinnedFrames[number] = copied == framesNow ? 0 : end
      pins.pin(number, at: commit, newest: ends.last?.commit ?? 0, now: now)
    }
  }

  func removePin(of number: Int) {
    lock.withLock {
      pins.unpin(number)
      pinnedFrames[number] = nil
    }
  }

  /// Makes a checkpoint under the writers' lock, and records it or its failure in the ledger.
  /// - Parameter use: Calls its argument with a handle that no other thread uses during the call.
  @discardableResult
  func checkpoint(
    _ mode: SQLiteCheckpointMode,
    cause: String,
    _ use: ((SQLiteHandle) throws -> CheckpointResult) throws -> CheckpointResult
  ) throws -> CheckpointResult {
    let asked = MonotonicClock.now
    return try writeLock.checkpoint {
      let start = MonotonicClock.now
      do {
        return try use { try checkpoint(mode, cause: cause, on: $0, waited: start - asked) }
      } catch {
        recordFailure(of: mode, cause: cause, at: start, error)
        throw error
      }
    }
  }

  /// Makes the automatic checkpoint after a commit. Must be called with the writers' lock held.
  /// - Returns: The duration of the checkpoint in nanoseconds.
  func checkpointAutomatically(on handle: SQLiteHandle) throws -> UInt64 {
    try writeLock.checkpointInside {
      // The committing thread also waits for the checkpoint.
      try checkpoint(.passive, cause: "wal_autocheckpoint", on: handle, waited: 0, madeBy: 1).durationNanoseconds
    }
  }

  /// Makes a checkpoint and records it in the ledger. Must be called while no other thread writes.
  /// - Parameters:
  ///   - waited: The time waited for the lock, in nanoseconds.
  ///   - commits: 1 if a committing thread makes the checkpoint, and so waits for it; otherwise 0.
  private func checkpoint(
    _ mode: SQLiteCheckpointMode,
    cause: String,
    on handle: SQLiteHandle,
    waited: UInt64,
    madeBy commits: Int = 0
  ) throws -> CheckpointResult {
    let start = MonotonicClock.now
    let before = lock.withLock { copied }
    let writesBefore = handle.writesOfThread
    let result = try handle.checkpoint(mode)
    let end = MonotonicClock.now
    let writes = handle.writesOfThread.flatMap { after in writesBefore.map { after - $0 } }
    return lock.withLock {
      let known = (frames: framesNow, copied: copied)
      let frames = result.framesInWAL ?? known.frames
      let total = result.framesCopied ?? known.copied
      // After truncating the file, SQLite reports 0 frames. All frames have been copied then.
      let isTruncated = mode == .truncate && !result.isBusy
      framesNow = isTruncated ? 0 : frames
      copied = isTruncated ? 0 : total
      if isTruncated { ends.removeAll() }
      let inWAL = isTruncated ? known.frames : frames
      let left = isTruncated ? 0 : max(frames - total, 0)
      let copiedNow = max(inWAL - left - before, 0)
      let outcome: CheckpointResult.Outcome = result.isBusy ? .busy : left > 0 ? .partialPinned : .complete
      var made = CheckpointResult(number: ledger.count + 1, mode: "\(mode)", cause: cause, outcome: outcome)
      made.elapsedNanoseconds = start
      made.waitNanoseconds = waited
      (made.durationNanoseconds, made.laneNanoseconds) = (end - start, end - start)
      (made.framesInWAL, made.framesCopied, made.framesLeft) = (inWAL, copiedNow, left)
      made.bytesCopied = writes?.bytes ?? copiedNow * pageSize
      made.syncs = writes?.syncs
      made.pinnedBy = left > 0 || result.isBusy ? oldest?.name : nil
      made.stalledWriters = writeLock.waitingWriters + commits
      ledger.append(made)
      return made
    }
  }

  /// Records a checkpoint that SQLite could not make.
  private func recordFailure(of mode: SQLiteCheckpointMode, cause: String, at start: UInt64, _ error: any Error) {
    let end = MonotonicClock.now
    lock.withLock {
      var made = CheckpointResult(
        number: ledger.count + 1,
        mode: "\(mode)",
        cause: "\(cause): \(error)",
        outcome: .failed
      )
      made.elapsedNanoseconds = start
      (made.durationNanoseconds, made.laneNanoseconds) = (end - start, end - start)
      (made.framesInWAL, made.framesLeft) = (framesNow, framesNow - copied)
      made.stalledWriters = writeLock.waitingWriters
      ledger.append(made)
    }
  }

  func checkpoints(after number: Int) -> [CheckpointResult] {
    lock.withLock { Array(ledger.dropFirst(number)) }
  }

  func state(newest: UInt64) -> EngineSample {
    let storageBytes = DatabaseFiles.bytesOfSQLite(at: path)
    let walBytes = DatabaseFiles.bytes(at: path, suffixes: ["-wal"])
    let writes = files.writes
    let now = MonotonicClock.now
    return lock.withLock {
      let held = max(framesNow - max(oldest?.frame ?? framesNow, copied), 0)
      var wal = EngineSample.WAL.zero
      (wal.bytes, wal.frames, wal.backlogFrames) = (walBytes, framesNow, framesNow - copied)
      (wal.heldFrames, wal.pinnedBy) = (held, held > 0 ? oldest?.name : nil)
      let connections = pins.samples(newest: newest, now: now).map { number, sample in
        var sample = sample
        sample.framesHeldAlone = framesHeldAlone(by: number)
        return sample
      }
      return EngineSample(
        commit: Int(newest),
        storageBytes: storageBytes,
        wal: wal,
        connections: connections,
        writes: writes
      )
    }
  }

  /// The frame and the name of the connection whose pin is the oldest; of several at one frame, the connection that was
  /// created first.
  private var oldest: (frame: Int, name: String)? {
    guard let (number, frame) = pinnedFrames.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else { return nil }
    return (frame, pins.names[number] ?? "")
  }

  /// Returns the number of frames that only this connection holds: from its pin to the next one, or to the end of the
  /// WAL. It is 0 unless the connection's pin is the oldest.
  private func framesHeldAlone(by number: Int) -> Int {
    guard let own = pinnedFrames[number] else { return 0 }
    let next = pinnedFrames.filter { $0.key != number }.map(\.value).min() ?? framesNow
    return max(next - max(own, copied), 0)
  }
}
