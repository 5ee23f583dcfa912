import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import YapEngine

/// Processes that are killed at critical points. Acknowledged commits survive, and every commit is complete or absent.
@Suite(.enabled(if: TestHooks.areBuiltIn)) struct CrashTests {
  private static let points = Interleaving.writerPoints + CheckpointInterleaving.checkpointerPoints

  @Test(arguments: points.map(\.rawValue))
  func `a process that is killed at a step of a commit or of a checkpoint leaves whole commits`(
    point: String
  ) async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path + "/test.sqlite"
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, point = point as String] in
      reported { try CrashTests.commitUntilKilled(path, at: point) }
    }
    // The file does not exist if the process was killed before its first commit.
    let told = (try? String(contentsOfFile: path + "-told", encoding: .utf8)).flatMap { UInt64($0) } ?? 0
    let isWritten: Bool? =
      switch TestPoint(rawValue: point) {
      case .commitNumbered, .commitAnnounced: false
      case .commitWritten, .commitRegistered: true
      default: nil
      }
    let found = Discrepancy.first { try Self.check(path, acknowledged: told...told + 1, isWritten: isWritten) }
    #expect(found == nil)
  }

  /// Several threads write at the same time, and each records its acknowledged commits.
  @Test(arguments: (Interleaving.writerPoints + [.transactionJoined]).map(\.rawValue))
  func `a process that is killed at a step of a joint commit leaves whole commits`(point: String) async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path + "/test.sqlite"
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, point = point as String] in
      reported { try CrashTests.commitTogetherUntilKilled(path, at: point) }
    }
    let told = (0..<3).compactMap { number in
      (try? String(contentsOfFile: "\(path)-told\(number)", encoding: .utf8)).flatMap { UInt64($0) }
    }
    let newest = told.max() ?? 0
    let found = Discrepancy.first { try Self.check(path, acknowledged: newest...newest + 3, isWritten: nil) }
    #expect(found == nil)
  }

  /// Records the number of each acknowledged commit, until the process reaches the point for the sixth time.
  private static func commitUntilKilled(_ path: String, at point: String) throws {
    var options = YapDatabaseOptions.quick
    options.aggressiveCheckpointAt = 16 << 10
    options.testHooks.checkpointsAlways = true
    let reached = KillCount()
    options.testHooks.onReach = { found, _ in
      guard found.rawValue == point, reached.value.add(1, ordering: .relaxed).newValue == 6 else { return }
      kill(getpid(), SIGKILL)
    }
    let database = try YapDatabase(path: path, options: options)
    let writer = try database.newConnection(name: "writer")
    for _ in 0..<1_000_000 {
      let number = try writer.readWrite { transaction in
        try NumberedState.write(transaction)
        return transaction.snapshot
      }
      try "\(number)".write(toFile: path + "-told", atomically: true, encoding: .utf8)
    }
    throw Discrepancy("the point was not reached")
  }

  private static func commitTogetherUntilKilled(_ path: String, at point: String) throws {
    var options = YapDatabaseOptions.quick
    options.testHooks.joinsAlways = true
    let reached = KillCount()
    options.testHooks.onReach = { found, _ in
      guard found.rawValue == point, reached.value.add(1, ordering: .relaxed).newValue == 6 else { return }
      kill(getpid(), SIGKILL)
    }
    let database = try YapDatabase(path: path, options: options)
    let writers = try (0..<3).map { _ in try database.newConnection() }
    for _ in 0..<1_000 {
      let told = writeTogether(writers.map { Writing($0) { try NumberedState.write($0) } }).map(\.number)
      for (number, told) in told.enumerated() {
        try "\(told ?? 0)".write(toFile: "\(path)-told\(number)", atomically: true, encoding: .utf8)
      }
    }
    throw Discrepancy("the point was not reached")
  }

  /// - Parameters:
  ///   - acknowledged: The newest acknowledged commit, and the last commit that may exist.
  ///   - isWritten: Whether the last commit exists; nil if that is unknown.
  private static func check(_ path: String, acknowledged: ClosedRange<UInt64>, isWritten: Bool?) throws {
    let database = try YapDatabase(path: path, options: .quick)
    let newest = database.snapshot
    if let isWritten {
      try Discrepancy.check(newest, isWritten ? acknowledged.upperBound : acknowledged.lowerBound, "newest commit")
    } else if !acknowledged.contains(newest) {
      throw Discrepancy("found commit \(newest), expected \(acknowledged)")
    }
    try database.newConnection().read { transaction in
      try Discrepancy.check(transaction.snapshot, newest, "snapshot")
      try NumberedState.check(transaction)
    }
    let integrity = try database.newConnection().handle.text("PRAGMA integrity_check")
    try Discrepancy.check(integrity, "ok", "integrity of the file")
    try database.close()
  }
}

private final class KillCount: Sendable {
  let value = Atomic<Int>(0)
}
