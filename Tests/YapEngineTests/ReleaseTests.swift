import Dispatch
import Foundation
import Glibc
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

/// Objects of a client that use the database in `deinit`, wherever the engine releases the last reference.
///
/// The tests run in processes of their own, which exit if they hang.
@Suite struct ReleaseTests {
  /// The holder of the last reference.
  enum Place: String, CaseIterable, Codable, Sendable {
    /// The writer's cache, from which the object is evicted.
    case cache
    /// A commit, under the policy share. All connections have followed it, and its notification is released last.
    case carried
    /// A commit's custom object.
    case custom
    /// A reader's cache, from which following drops the object.
    case followed
    /// A connection that is released.
    case connection
  }

  @Test(arguments: Place.allCases)
  func `an object may use the database in its deinit, whatever held it`(place: Place) async {
    await #expect(processExitsWith: .success) { [place = place as Place] in
      reported { try ReleaseTests.release(from: place) }
    }
  }

  private static func release(from place: Place) throws {
    try endProcess(afterNanoseconds: 60_000_000_000, exitCode: 97)
    var options = YapDatabaseOptions.quick
    options.defaultObjectPolicy = place == .followed ? .containment : .share
    let uses = SharedList<String>()
    let codec = YapDatabaseCodec { _, _, _, write in
      try [UInt8(1)].withUnsafeBytes(write)
    } decode: { _, _, _ in
      Guest(uses)
    }
    options.objectCodecs["guests"] = codec
    try withDatabase(options) { database in
      try play(place, database, uses)
      guard eventually({ !uses.all.isEmpty }) else { throw Discrepancy("no object ended: the test shows nothing") }
      let found = uses.all.filter { $0 != "used" }
      try Discrepancy.check(found, [], "what the objects met")
      // The database still works.
      try database.newConnection().readWrite { try $0.setObject(bytes("after"), forKey: "after") }
    }
  }

  private static func play(_ place: Place, _ database: YapDatabase, _ uses: SharedList<String>) throws {
    let writer = try database.newConnection(name: "writer")
    let reader = try database.newConnection(name: "reader")
    if place != .cache { writer.objectCacheEnabled = false }
    reader.objectCacheLimit = 2
    writer.objectCacheLimit = 2
    for round in 0..<40 {
      try writer.readWrite { transaction in
        let guest = Guest(uses)
        guest.database.withLock { $0 = database }
        if place == .custom {
          try transaction.setCustomObject(guest)
        } else {
          try transaction.setObject(guest, forKey: "\(round % 5)", inCollection: "guests")
        }
      }
      switch place {
      case .followed:
        try reader.read { transaction in
          let guest = try transaction.object(forKey: "\(round % 5)", inCollection: "guests") as? Guest
          guest?.database.withLock { $0 = database }
        }
      case .connection:
        try database.newConnection().read { transaction in
          let guest = try transaction.object(forKey: "\(round % 5)", inCollection: "guests") as? Guest
          guest?.database.withLock { $0 = database }
        }
      default: try reader.read { _ in }
      }
    }
  }
}

/// Uses the database in `deinit`. Allowed calls succeed, and other calls fail without a deadlock.
private final class Guest: Sendable {
  let database = Guarded<YapDatabase?>(nil)
  private let uses: SharedList<String>

  init(_ uses: SharedList<String>) { self.uses = uses }

  deinit {
    guard let database = database.withLock({ $0 }) else { return }
    do {
      _ = database.statistics
      _ = database.snapshot
      let connection = try database.newConnection(name: "of a guest")
      connection.objectCacheLimit = 7
      try connection.read { _ in }
      // If this thread is ending a transaction, a second one is rejected.
      let refusal = code { try connection.readWrite { try $0.setObject(bytes("seen"), forKey: "seen") } }
      let isFine = refusal == nil || refusal == .nestedTransaction || refusal == .closed
      uses.append(isFine ? "used" : "\(String(describing: refusal))")
    } catch {
      uses.append((error as? YapDatabaseError)?.code == .closed ? "used" : "\(error)")
    }
  }
}
