@testable import YapEngine

/// A change of a row whose object and metadata another connection has cached.
enum PolicyAction: String, CaseIterable {
  case set, setWithoutMetadata, setInstanceThatCannotBeCopied, replaceObject, replaceMetadata, removeMetadata
  case touch, touchObject, remove, clear, clearEverything, rollBack
  // Changes that also remove rows, which takes another path through the change set.
  case setBesideRemoval, setBesideClearing, setAfterRemoval, setAfterClearing, setAfterClearingEverything
  case replaceBesideRemoval, setManyOthers

  enum Fate { case kept, changed, changedToNothing, changedWithoutCopy, gone }

  var object: Fate {
    switch self {
    case .replaceMetadata, .removeMetadata, .touch, .touchObject, .rollBack, .setManyOthers: .kept
    case .remove, .clear, .clearEverything: .gone
    case .setInstanceThatCannotBeCopied: .changedWithoutCopy
    default: .changed
    }
  }

  var metadata: Fate {
    switch self {
    case .replaceObject, .replaceBesideRemoval, .touch, .touchObject, .rollBack, .setManyOthers: .kept
    case .remove, .clear, .clearEverything: .gone
    case .setWithoutMetadata, .removeMetadata: .changedToNothing
    case .setInstanceThatCannotBeCopied: .changedWithoutCopy
    default: .changed
    }
  }
}

/// The effect of a writer's change on a reader's caches for one choice of policies, compared by identity with the
/// rules.
final class PolicyTrial {
  /// The policies of the database, of the collection and of the two connections, if they have one.
  struct Choice: CustomStringConvertible {
    var database: YapDatabasePolicy
    var collection: YapDatabasePolicy?
    var writer: YapDatabasePolicy?
    var reader: YapDatabasePolicy?

    /// The effective policy by the rule: the connection's policy precedes the collection's, which precedes the
    /// database's, and the stricter one of the two connections applies.
    var effective: YapDatabasePolicy {
      let both = [writer ?? collection ?? database, reader ?? collection ?? database]
      return both.contains(.containment) ? .containment : both.contains(.copy) ? .copy : .share
    }

    var description: String { "\(database) \(collection as Any) \(writer as Any) \(reader as Any)" }
  }

  private static let collection = "c"

  private let database: YapDatabase
  private let writer: YapDatabaseConnection
  private let reader: YapDatabaseConnection
  /// Whether the instances return themselves as their copies.
  private let copiesNothing: Bool
  private var count = 0

  /// Creates a trial with these policies of objects. Metadata has other policies, so that confusion is detected.
  init(
    path: String,
    database: YapDatabasePolicy,
    collection: YapDatabasePolicy?,
    _ falsifications: Set<Falsification>
  ) throws {
    var options = YapDatabaseOptions.quick
    copiesNothing = falsifications.contains(.copyHandsOutTheOriginal)
    options.defaultObjectCodec = Instance.codec(CopyableInstance.self)
    options.defaultMetadataCodec = Instance.codec(CopyableInstance.self)
    options.defaultObjectPolicy = database
    options.defaultMetadataPolicy = Self.other(database)
    options.objectPolicies[Self.collection] = collection
    options.metadataPolicies[Self.collection] = collection.map(Self.other)
    self.database = try YapDatabase(path: path, options: options)
    writer = try self.database.newConnection(name: "writer")
    reader = try self.database.newConnection(name: "reader")
  }

  func close() throws { try database.close() }

  /// The policy of metadata, which always differs from that of objects.
  static func other(_ policy: YapDatabasePolicy) -> YapDatabasePolicy {
    switch policy {
    case .containment: .share
    case .share: .copy
    case .copy: .containment
    }
  }

  private func instance(_ text: String) -> Instance {
    count += 1
    return copiesNothing ? UncopiedInstance("\(text) \(count)") : CopyableInstance("\(text) \(count)")
  }

  func play(_ action: PolicyAction, _ choice: Choice) throws {
    writer.objectPolicy = choice.writer
    writer.metadataPolicy = choice.writer.map(Self.other)
    reader.objectPolicy = choice.reader
    reader.metadataPolicy = choice.reader.map(Self.other)
    try writer.readWrite { transaction in
      try transaction.removeAllObjectsInAllCollections()
      for key in ["k", "other", "unread"] {
        try transaction.setObject(
          instance(key),
          forKey: key,
          inCollection: Self.collection,
          withMetadata: instance("m")
        )
      }
      try transaction.setObject(instance("elsewhere"), forKey: "k", inCollection: "elsewhere")
    }
    let before = try reader.read { transaction in
      _ = try transaction.row(forKey: "other", inCollection: Self.collection)
      return try transaction.row(forKey: "k", inCollection: Self.collection)
    }
    let object = instance("new")
    let metadata = instance("new m")
    let stored = try change(action, object, metadata)
    try reader.read { _ in }
    var metadataChoice = choice
    metadataChoice.database = Self.other(choice.database)
    metadataChoice.collection = choice.collection.map(Self.other)
    metadataChoice.writer = choice.writer.map(Self.other)
    metadataChoice.reader = choice.reader.map(Self.other)
    let row = try rowKey("k")
    try check(
      "object",
      action.object,
      choice.effective,
      reader.caches.objects.peek(row),
      before: before?.object,
      stored.object
    )
    try check(
      "metadata",
      action.metadata,
      metadataChoice.effective,
      reader.caches.metadata.peek(row),
      before: before?.metadata,
      stored.metadata
    )
    let unread = try rowKey("unread")
    let isPushed = reader.caches.objects.contains(unread) || reader.caches.metadata.contains(unread)
    try Discrepancy.check(isPushed, false, "a row in the cache that was never read")
    try checkReads(action, stored, before)
  }

  private func rowKey(_ key: String) throws -> RowKey {
    guard let collection = database.names.find(ByteString(Self.collection)) else { throw Discrepancy("no collection") }
    return RowKey(collection: collection.number, key: ByteString(key))
  }

  /// - Returns: The row's new instances.
  private func change(
    _ action: PolicyAction,
    _ object: Instance,
    _ metadata: Instance
  ) throws -> (object: Instance, metadata: Instance?) {
    let lone = (Instance(object.content), Instance(metadata.content))
    let collection = Self.collection
    try writer.readWrite { transaction in
      func set(_ object: Any, _ metadata: Any?) throws {
        try transaction.setObject(object, forKey: "k", inCollection: collection, withMetadata: metadata)
      }
      switch action {
      case .set: try set(object, metadata)
      case .setWithoutMetadata: try set(object, nil)
      case .setInstanceThatCannotBeCopied:
        try set(object, metadata)  // which are no longer carried
        try set(lone.0, lone.1)
      case .replaceObject: try transaction.replaceObject(object, forKey: "k", inCollection: collection)
      case .replaceMetadata: try transaction.replaceMetadata(metadata, forKey: "k", inCollection: collection)
      case .removeMetadata: try transaction.replaceMetadata(nil, forKey: "k", inCollection: collection)
      case .touch: try transaction.touchRow(forKey: "k", inCollection: collection)
      case .touchObject: try transaction.touchObject(forKey: "k", inCollection: collection)
      case .remove:
        try set(object, metadata)
        try transaction.removeObject(forKey: "k", inCollection: collection)
      case .clear: try transaction.removeAllObjects(inCollection: collection)
      case .clearEverything: try transaction.removeAllObjectsInAllCollections()
      case .rollBack:
        try set(object, metadata)
        try transaction.rollback()
      case .setBesideRemoval:
        try set(object, metadata)
        try transaction.removeObject(forKey: "other", inCollection: collection)
        try transaction.setObject(object, forKey: "unread", inCollection: collection, withMetadata: metadata)
      case .setBesideClearing:
        try set(object, metadata)
        try transaction.removeAllObjects(inCollection: "elsewhere")
      case .setAfterRemoval:
        try transaction.removeObject(forKey: "k", inCollection: collection)
        try set(object, metadata)
      case .setAfterClearing:
        try transaction.removeAllObjects(inCollection: collection)
        try set(object, metadata)
      case .setAfterClearingEverything:
        try transaction.removeAllObjectsInAllCollections()
        try set(object, metadata)
      case .replaceBesideRemoval:
        try transaction.replaceObject(object, forKey: "k", inCollection: collection)
        try transaction.removeObject(forKey: "other", inCollection: collection)
      case .setManyOthers:
        for index in 0..<10 { try transaction.setObject(object, forKey: "\(index)", inCollection: collection) }
      }
    }
    return action == .setInstanceThatCannotBeCopied ? lone : (object, metadata)
  }

  /// - Parameter found: The reader's cached value after it has followed; nil if there is none.
  private func check(
    _ half: String,
    _ fate: PolicyAction.Fate,
    _ policy: YapDatabasePolicy,
    _ found: Any??,
    before: Any?,
    _ stored: Instance?
  ) throws {
    let instance = found?.flatMap { $0 as? Instance }
    func demand(_ isSo: Bool, _ what: String) throws {
      if !isSo { throw Discrepancy("\(half) under \(policy): \(what); found \(found as Any)") }
    }
    switch (fate, policy) {
    case (.kept, _): try demand(instance != nil && instance === before as? Instance, "is not what was there")
    case (.gone, _), (_, .containment), (.changedWithoutCopy, .copy): try demand(found == nil, "is still there")
    case (.changedToNothing, _): try demand(found != nil && instance == nil, "should say that there is nothing")
    case (_, .share): try demand(instance === stored, "is not the instance that was stored")
    case (_, .copy):
      try demand(instance != nil && instance !== stored, "is not a copy")
      try demand(instance?.content == stored?.content, "is not equal to what was stored")
    }
  }

  /// Checks that reads return the stored values, whatever the caches contain.
  private func checkReads(
    _ action: PolicyAction,
    _ stored: (object: Instance, metadata: Instance?),
    _ before: (object: Any, metadata: Any?)?
  ) throws {
    func content(_ fate: PolicyAction.Fate, _ before: Any?, _ stored: Instance?) -> [UInt8]? {
      switch fate {
      case .kept: (before as? Instance)?.content
      case .gone, .changedToNothing: nil
      case .changed, .changedWithoutCopy: stored?.content
      }
    }
    for connection in [reader, writer] {
      try connection.read { transaction in
        let object = try transaction.object(forKey: "k", inCollection: Self.collection) as? Instance
        let metadata = try transaction.metadata(forKey: "k", inCollection: Self.collection) as? Instance
        let expected = content(action.object, before?.object, stored.object)
        try Discrepancy.check(object?.content, expected, "object read by \(connection.name)")
        let expectedMetadata = content(action.metadata, before?.metadata, stored.metadata)
        try Discrepancy.check(metadata?.content, expectedMetadata, "metadata read by \(connection.name)")
      }
    }
  }
}
