import TestSupport
import Testing

@testable import YapEngine

/// Instances that pass from a writer's thread to readers' threads while all of them run.
@Suite struct PolicyThreadsTests {
  private static let keys = ["a", "b", "c"]

  /// Under copy the writer mutates stored instances, and readers mutate instances that they have read. No other
  /// connection may see that.
  @Test(arguments: [YapDatabasePolicy.share, .copy])
  func `a reader's cached values are of its snapshot`(_ policy: YapDatabasePolicy) throws {
    var options = YapDatabaseOptions.quick
    options.defaultObjectCodec = Instance.codec(CopyableInstance.self)
    options.defaultMetadataCodec = Instance.codec(CopyableInstance.self)
    options.defaultObjectPolicy = policy
    options.defaultMetadataPolicy = policy
    options.waitingValuesLimit = 20_000
    // A multiple of five, whose last commit removes rows.
    let commits = UInt64(TestScale.count(600) * 5)
    try withDatabase(options) { database in
      let crew = Crew()
      let writer = try database.newConnection(name: "writer")
      try crew.add(writer.name) {
        for number in 1...commits where !crew.hasFailed {
          let stored = try writer.readWrite { try Self.write(number, $0) }
          if policy == .copy { for instance in stored { instance.content = bytes("mutated by the writer") } }
        }
      }
      let readers = try (0..<3).map { try database.newConnection(name: "reader \($0)") }
      for (index, reader) in readers.enumerated() {
        reader.objectCacheLimit = [0, 2, 250][index]
        try crew.add(reader.name) {
          while reader.snapshot < commits, !crew.hasFailed {
            if index == 2 { try reader.beginLongLivedReadTransaction() }
            for _ in 0..<2 { try reader.read { try Self.check($0, mutating: policy == .copy) } }
          }
        }
      }
      #expect(crew.run() == nil)
      // On a busy machine each read may have followed a commit that removed all rows. This one removes none, and the
      // reader, whose cache has no limit, has cached them.
      _ = try writer.readWrite { try Self.write(commits + 1, $0) }
      try readers[0].read { try Self.check($0, mutating: policy == .copy) }
      #expect(readers[0].counters.objects.updatedByPolicy.value > 0)
      #expect(readers[0].counters.metadata.updatedByPolicy.value > 0)
    }
  }

  private static func write(
    _ number: UInt64,
    _ transaction: YapDatabaseReadWriteTransaction
  ) throws -> [CopyableInstance] {
    var stored: [CopyableInstance] = []
    // Every fifth commit also removes rows, which takes another path through the change set.
    if number % 5 == 0 { try transaction.removeAllObjects() }
    for key in keys {
      let object = CopyableInstance("\(key)\(number)")
      let metadata = CopyableInstance("m\(number)")
      try transaction.setObject(object, forKey: key, withMetadata: metadata)
      stored += [object, metadata]
    }
    return stored
  }

  private static func check(_ transaction: YapDatabaseReadTransaction, mutating: Bool) throws {
    let number = transaction.snapshot
    for key in keys {
      let row = try transaction.row(forKey: key)
      if number == 0 { return try Discrepancy.check(row == nil, true, "a row before the first commit") }
      guard let object = row?.object as? Instance, let metadata = row?.metadata as? Instance else {
        throw Discrepancy("row \(key) is not there at snapshot \(number)")
      }
      for (instance, expected) in [(object, "\(key)\(number)"), (metadata, "m\(number)")] {
        try Discrepancy.check(instance.content, bytes(expected), "content at snapshot \(number)")
        guard mutating else { continue }
        instance.content = bytes("mutated by a reader")
        instance.content = bytes(expected)
      }
    }
  }
}
