import Dispatch
import Foundation
import Glibc
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

/// Objects of a client's whose end uses the database, wherever the engine lets the last reference go.
///
/// In processes of their own, which end themselves when they hang.
@Suite struct ReleaseTests {
  /// Where the last reference is held.
  enum Place: String, CaseIterable, Codable, Sendable {
    /// In the writer's cache, and it is pushed out.
    case cache
    /// In a commit, under share; everybody has followed it, and the notification is the last.
    case carried
    /// In a commit's custom object.
    case custom
    /// In a reader's cache, from which following drops it.
    case followed
    /// In a connection that ends.
    case connection
  }

  @Test(arguments: Place.allCases)
  func `an object may use the database at its end, wherever it was held`(place: Place) async {
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
      // The database goes on.
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

/// Uses the database when it ends: what it may, it does, and what it may not is an error and no circle of waits.
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
      // Where a transaction is being ended on this thread a second is refused.
      let refusal = code { try connection.readWrite { try $0.setObject(bytes("seen"), forKey: "seen") } }
      let isFine = refusal == nil || refusal == .nestedTransaction || refusal == .closed
      uses.append(isFine ? "used" : "\(String(describing: refusal))")
    } catch {
      uses.append((error as? YapDatabaseError)?.code == .closed ? "used" : "\(error)")
    }
  }
}
