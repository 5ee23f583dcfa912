import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

/// The bound on the memory of changed values that wait for a connection that is behind.
@Suite struct WaitingValuesTests {
  private func values(_ bytes: Int) -> CommitValues {
    var values = ChangedValues()
    let value = CarriedValue(1, under: .share, encodedBytes: bytes - 64, counters: ValueCounters())
    values.set(value, for: .object, at: 0, in: ByteString("c"))
    return CommitValues(values, of: .set(.empty))
  }

  /// - Returns: The bytes of the values that were dropped.
  private func add(_ values: CommitValues, of snapshot: Int, to waiting: inout WaitingValues) -> Int {
    waiting.add(values, of: UInt64(snapshot)).reduce(0) { bytes, dropped in
      defer { dropped.drop() }
      return bytes + (dropped.isDropped ? 0 : dropped.estimatedBytes)
    }
  }

  @Test func `values that every connection has followed are not counted`() {
    var waiting = WaitingValues(limit: nil)
    let all = (0..<4).map { _ in values(100) }
    for (number, values) in all.enumerated() { _ = add(values, of: number, to: &waiting) }
    let followed = waiting.removeFollowed(through: 2)
    #expect(followed.count == 3 && zip(followed, all).allSatisfy { $0 === $1 })
    #expect(waiting.bytes == 100)
    #expect(waiting.removeFollowed(through: 2).isEmpty)
  }

  @Test func `the oldest values are dropped until the rest is under the limit`() {
    var waiting = WaitingValues(limit: 300)
    let all = [values(100), values(100), values(100), values(150), values(1_000), values(100)]
    var dropped: [Int] = []
    for (number, values) in all.enumerated() { dropped.append(add(values, of: number, to: &waiting)) }
    #expect(dropped == [0, 0, 0, 200, 1_250, 0])
    #expect(all.map(\.isDropped) == [true, true, true, true, true, false])
    #expect(waiting.bytes == 100)
  }

  @Test func `values for which no connection waits are not counted`() {
    var waiting = WaitingValues(limit: 300)
    let first = [values(100), values(100), values(100)]
    for (number, values) in first.enumerated() { _ = add(values, of: number, to: &waiting) }
    for values in first.prefix(2) { values.drop() }
    #expect(add(values(200), of: 3, to: &waiting) == 0)
    #expect(waiting.bytes == 300)
    #expect(first[2].current != nil)
  }

  @Test func `without a limit all values wait, and with a limit of 0 none do`() {
    var endless = WaitingValues(limit: nil)
    var none = WaitingValues(limit: 0)
    for number in 0..<100 {
      #expect(add(values(1 << 30), of: number, to: &endless) == 0)
      #expect(add(values(65), of: number, to: &none) == 65)
    }
    #expect(endless.bytes == 100 << 30)
    #expect(none.bytes == 0)
  }

  @Test func `a long-lived read bounds the values that wait, but not the keys`() throws {
    var options = YapDatabaseOptions.quick
    options.defaultObjectCodec = Instance.codec(Instance.self)
    options.defaultObjectPolicy = .share
    options.waitingValuesLimit = 10_000
    try withDatabase(options) { database in
      let writer = try database.newConnection(name: "writer")
      let reader = try database.newConnection(name: "reader")
      writer.objectCacheLimit = 1
      let keys = (0..<40).map { "\($0)" }
      writer.objectPolicy = .containment  // so that no value of this commit waits, however late its notification
      try writer.readWrite { transaction in
        for key in keys { try transaction.setObject(Instance("old"), forKey: key) }
      }
      writer.objectPolicy = nil
      try reader.beginLongLivedReadTransaction()
      try reader.read { transaction in for key in keys { _ = try transaction.object(forKey: key) } }
      func pendingBytes() -> Int { database.statistics.connections.first { $0.name == "reader" }?.pendingBytes ?? 0 }
      #expect(pendingBytes() == 0)
      // Each value has 1,064 bytes, and its commit and row about 270, so nine fit below the limit.
      weak var first: Instance?
      for key in keys {
        let instance = Instance([UInt8](repeating: 7, count: 1_000))
        if key == keys[0] { first = instance }
        try writer.readWrite { try $0.setObject(instance, forKey: key) }
      }
      #expect(first == nil)
      #expect(database.statistics.droppedValueBytes == 31 * 1_064)
      #expect((9 * 1_064..<9 * 1_064 + 40 * 320).contains(pendingBytes()))
      #expect(try reader.beginLongLivedReadTransaction().count == 40)
      #expect(pendingBytes() == 0)
      #expect(reader.caches.objects.count == 9)
      #expect(reader.counters.objects.updatedByPolicy.value == 9)
      #expect(reader.counters.objects.dropped.value == 31)
      try reader.read { transaction in
        for key in keys { try #expect((transaction.object(forKey: key) as? Instance)?.content.count == 1_000) }
      }
    }
  }

  @Test func `values are released when all connections have followed their commit, also the newest`() throws {
    var options = YapDatabaseOptions.quick
    options.defaultObjectCodec = Instance.codec(Instance.self)
    options.defaultObjectPolicy = .share
    try withDatabase(options) { database in
      let writer = try database.newConnection()
      let idle = try database.newConnection()
      weak var stored: Instance?
      do {
        let instance = Instance("big")
        stored = instance
        try writer.readWrite { try $0.setObject(instance, forKey: "a") }
      }
      writer.objectCacheEnabled = false
      #expect(eventually { stored == nil })
      #expect(idle.snapshot == 1)
    }
  }

  @Test func `no value is carried under containment`() throws {
    var options = YapDatabaseOptions.quick
    options.defaultMetadataCodec = .bytes
    try withDatabase(options) { database in
      let writer = try database.newConnection()
      try writer.readWrite { try $0.setObject(bytes("a"), forKey: "a", withMetadata: bytes("m")) }
      #expect(database.registry.withLock { $0.newest }.values == nil)
      writer.metadataPolicy = .copy
      try writer.readWrite { try $0.setObject(bytes("a"), forKey: "a", withMetadata: bytes("m")) }
      #expect(database.registry.withLock { $0.newest }.cumulativeValueBytes == 65)
    }
  }

  @Test func `a modification that a client keeps contains no values`() throws {
    var options = YapDatabaseOptions.quick
    options.defaultObjectCodec = Instance.codec(Instance.self)
    options.defaultObjectPolicy = .share
    try withDatabase(options) { database in
      let writer = try database.newConnection()
      let reader = try database.newConnection()
      try reader.beginLongLivedReadTransaction()
      try writer.readWrite { try $0.setObject(Instance("a"), forKey: "a") }
      let kept = try reader.beginLongLivedReadTransaction()
      guard case .rows = kept[0].changes else { return #expect(Bool(false), "a commit of one row") }
      #expect(reader.hasChange(forKey: "a", in: kept))
    }
  }
}
