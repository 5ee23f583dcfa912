import HarnessPrimitives
import SQLiteBinding
import TestSupport

@testable import YapEngine

/// Random steps of several connections on a database with views, each compared with a model that has the registered
/// views and their rows at every snapshot.
///
/// The trial checks for any mix of changes, bookmarks, rollbacks, clearings, registrations and reopenings that every
/// transaction sees exactly the views of its snapshot, also during its own changes. Only joint commits use several
/// threads.
final class ViewTrial {
  struct Follower {
    let connection: YapDatabaseConnection
    /// The state that its long-lived read sees; nil outside a long-lived read.
    var bookmark: ViewWorld?
    /// A list of one of the views, as a user interface shows it.
    let list: MappedList
  }

  struct Deliberate: Error {}

  private let path: String
  private let options: YapDatabaseOptions
  let fault = CommitFault()
  var random: RandomStream
  var database: YapDatabase
  var followers: [Follower] = []
  var world = ViewWorld()
  private var stepCount = 0

  init(path: String, options: YapDatabaseOptions, seed: UInt64) throws {
    self.path = path
    var options = options
    options.testHooks.joinsAlways = true
    fault.install(&options)
    self.options = options
    random = RandomStream(seed: seed)
    database = try YapDatabase(path: path, options: options)
  }

  /// - Returns: The first difference between the engine and the model.
  func run(steps: Int) -> Discrepancy? {
    let found = Discrepancy.first {
      for kind in ViewKind.allCases { try register(kind) }
      var rounds = 1
      while stepCount < steps {
        try step()
        if stepCount * 20 > rounds * steps {
          rounds += 1
          try reopen()
        }
      }
      try reopen()
      try database.close()
    }
    return found.map { Discrepancy("after \(stepCount) steps: \($0)") }
  }

  private func step() throws {
    stepCount += 1
    guard !followers.isEmpty else { return try connect() }
    let follower = random.below(followers.count)
    switch random.below(42) {
    case 40...41: _ = database.sweepIdleConnections()
    case 0...1: if followers.count < 5 { try connect() }
    case 2: if followers.count > 2 { followers.remove(at: follower) }
    case 3...6:
      let isFirst = followers[follower].bookmark == nil
      let modifications = try followers[follower].connection.beginLongLivedReadTransaction()
      followers[follower].bookmark = world
      try followers[follower].list.move(followers[follower].connection, isFirst ? nil : modifications)
    case 7...8:
      try followers[follower].connection.endLongLivedReadTransaction()
      followers[follower].bookmark = nil
    case 9: try changeRegistration()
    case 10...22: if followers[follower].bookmark == nil { try write(follower) }
    case 23...24: try writeTogether()
    default: try read(follower)
    }
  }

  private func connect() throws {
    let connection = try database.newConnection()
    connection.objectCacheLimit = [0, 1, 10, 250][random.below(4)]
    connection.metadataCacheEnabled = !random.chance(oneIn: 4)
    followers.append(Follower(connection: connection, bookmark: nil, list: MappedList(&random)))
  }

  private func read(_ follower: Int) throws {
    let world = followers[follower].bookmark ?? world
    try followers[follower].connection.read { transaction in
      let checks = ViewChecks(transaction: transaction, world: world)
      for _ in 0..<3 { try checks.check(&random) }
      if random.chance(oneIn: 10) { try checks.checkEverything() }
      try CacheCoherence(transaction: transaction).check()
    }
  }

  // MARK: Registration

  private func register(_ kind: ViewKind) throws {
    let isMissingOne = kind == .byRow && world.views[.byObject] == nil
    let variant = random.below(2)
    do {
      try database.register(kind.view(variant), withName: kind.rawValue)
      try Discrepancy.check(world.views[kind] == nil && !isMissingOne, true, "whether \(kind) could be registered")
      world.views[kind] = variant
    } catch let error as YapDatabaseError where error.code == .alreadyRegistered {
      try Discrepancy.check(world.views[kind] != nil, true, "whether \(kind) was registered before")
    } catch let error as YapDatabaseError where error.code == .notRegistered {
      try Discrepancy.check(isMissingOne, true, "whether \(kind) misses another")
    }
  }

  private func changeRegistration() throws {
    let kind = ViewKind.allCases[random.below(ViewKind.allCases.count)]
    guard world.views[kind] != nil, random.chance(oneIn: 2) else { return try register(kind) }
    try database.unregister(kind.rawValue)
    world.views[kind] = nil
    if kind == .byObject { world.views[.byRow] = nil }
    try Discrepancy.check(
      Set(database.registeredExtensionNames),
      Set(world.views.keys.map(\.rawValue)),
      "registered extensions"
    )
  }

  // MARK: Writing

  enum Ending { case commit, rollback, error }

  func randomEnding() -> Ending {
    random.chance(oneIn: 8) ? .rollback : random.chance(oneIn: 8) ? .error : .commit
  }

  private func write(_ follower: Int) throws {
    let ending = randomEnding()
    var changed: ViewWorld?
    do {
      try followers[follower].connection.readWrite { transaction in
        changed = try change(transaction, world, ending)
      }
    } catch is Deliberate {}
    if ending == .commit, let changed { world = changed }
  }

  func change(
    _ transaction: YapDatabaseReadWriteTransaction,
    _ world: ViewWorld,
    _ ending: Ending
  ) throws -> ViewWorld {
    var views = world.views
    var writes = ViewWrites(transaction: transaction, rows: world.rows)
    let count = random.below(8)
    let rollbackAt = random.below(count + 1)
    for index in 0...count {
      if index == rollbackAt, ending == .rollback { try transaction.rollback() }
      if index < count { try writes.make(&random) }
      if random.chance(oneIn: 25) { try rearrange(&views, transaction) }
      if random.chance(oneIn: 3) {
        let seen = ViewWorld(rows: writes.rows, views: views)
        try ViewChecks(transaction: transaction, world: seen).check(&random)
      }
    }
    try ViewChecks(transaction: transaction, world: world).checkLandmarks()
    if ending == .error { throw Deliberate() }
    return ViewWorld(rows: writes.rows, views: views)
  }

  /// Gives a view the closures of its other variant.
  private func rearrange(_ views: inout [ViewKind: Int], _ transaction: YapDatabaseReadWriteTransaction) throws {
    let kind = [ViewKind.byObject, .byMetadata, .byKey][random.below(3)]
    guard let variant = views[kind], let view = try transaction.view(kind.rawValue) else { return }
    let new = kind.view(1 - variant)
    let isNew =
      kind == .byObject
      ? try view.setGrouping(new.grouping, sorting: new.sorting, versionTag: new.versionTag)
      : try view.setSorting(new.sorting, versionTag: new.versionTag)
    try Discrepancy.check(isNew, true, "whether \(kind) got its other closures")
    try Discrepancy.check(try view.versionTag(), new.versionTag, "version tag of \(kind)")
    views[kind] = 1 - variant
  }

  // MARK: Reopening

  private func reopen() throws {
    followers = []
    try database.close()
    let handle = try SQLiteHandle(path: path)
    try Discrepancy.check(try handle.text("PRAGMA integrity_check"), "ok", "integrity of the file")
    try handle.close()
    database = try YapDatabase(path: path, options: options)
    // These may include views of an earlier run in which no row was changed.
    let stored = Set(world.views.keys.filter { $0 != .byMetadata }.map(\.rawValue))
    let found = Set(database.previouslyRegisteredExtensionNames)
    try Discrepancy.check(found.isSuperset(of: stored), true, "whether \(found) has all of \(stored)")
    try connect()
    try connect()
    let before = world.views
    world.views = [:]
    for kind in ViewKind.allCases {
      // Mostly the same variant; sometimes another one, or only after a change, or none.
      switch random.below(8) {
      case 0...1: try register(kind)
      case 2: try write(0)
      case 3: break
      default:
        guard let variant = before[kind], kind != .byRow || world.views[.byObject] != nil else { continue }
        try database.register(kind.view(variant), withName: kind.rawValue)
        world.views[kind] = variant
      }
    }
    try followers[0].connection.read { transaction in
      try ViewChecks(transaction: transaction, world: world).checkEverything()
    }
  }
}

/// Random changes of rows that are made in a transaction and in the model.
struct ViewWrites {
  let transaction: YapDatabaseReadWriteTransaction
  /// The rows that the transaction must see.
  var rows: ViewRows

  mutating func make(_ random: inout RandomStream) throws {
    let slot = random.below(ViewKeyspace.slotCount)
    let value = UInt16(random.below(200))
    let metadata = random.chance(oneIn: 3) ? nil : UInt16(random.below(50))
    switch random.below(40) {
    case 0...12: try set(slot, ViewRows.Row(object: value, metadata: metadata))
    case 13...16:
      // Many rows at once, so that pages split and merge.
      for _ in 0..<random.below(30) {
        let row = ViewRows.Row(object: UInt16(random.below(200)), metadata: metadata)
        try set(random.below(ViewKeyspace.slotCount), row)
      }
    case 17...21:
      try transaction.replaceObject(object(value, slot), forKey: key(slot), inCollection: collection(slot))
      rows.rows[slot]?.object = value
    case 22...26:
      try transaction.replaceMetadata(
        metadata.map { object($0, slot) },
        forKey: key(slot),
        inCollection: collection(slot)
      )
      rows.rows[slot]?.metadata = metadata
    case 27: try transaction.touchRow(forKey: key(slot), inCollection: collection(slot))
    case 28: try touchInView()
    case 29...33: try remove(slot)
    case 34...36:
      let first = slot / 30 * 30
      let slots = (first..<min(first + 30, ViewKeyspace.slotCount)).filter {
        $0 / ViewKeyspace.keysEach == slot / ViewKeyspace.keysEach
      }
      try transaction.removeObjects(forKeys: slots.map(key), inCollection: collection(slot))
      for slot in slots { rows.rows[slot] = nil }
    case 37:
      guard random.chance(oneIn: 3) else { return try remove(slot) }
      try transaction.removeAllObjects(inCollection: collection(slot))
      for other in rows.rows.indices where other / ViewKeyspace.keysEach == slot / ViewKeyspace.keysEach {
        rows.rows[other] = nil
      }
    case 38:
      guard random.chance(oneIn: 6) else { return try remove(slot) }
      try transaction.removeAllObjectsInAllCollections()
      rows = ViewRows()
    default:
      // The row is removed, and a row is stored, possibly in the same slot.
      try remove(slot)
      try set(random.below(ViewKeyspace.slotCount), ViewRows.Row(object: value, metadata: nil))
      try set(slot, ViewRows.Row(object: value, metadata: metadata))
    }
  }

  private mutating func set(_ slot: Int, _ row: ViewRows.Row) throws {
    try transaction.setObject(
      object(row.object, slot),
      forKey: key(slot),
      inCollection: collection(slot),
      withMetadata: row.metadata.map { object($0, slot) }
    )
    rows.rows[slot] = row
  }

  private mutating func remove(_ slot: Int) throws {
    try transaction.removeObject(forKey: key(slot), inCollection: collection(slot))
    rows.rows[slot] = nil
  }

  private func touchInView() throws {
    guard let view = try transaction.ext("byKey") as? YapDatabaseViewTransaction else { return }
    try view.touchRows(inGroup: "", range: 2..<5)
    try view.touchObjects(inGroup: "\u{e9}", range: 0..<1)
    try view.touchMetadata(inGroup: "none")
  }

  /// An instance that can be copied in the first collection, and bytes in the others.
  private func object(_ value: UInt16, _ slot: Int) -> Any {
    slot < ViewKeyspace.keysEach ? CopyableInstance(ViewKeyspace.bytes(value)) : ViewKeyspace.bytes(value)
  }

  private func key(_ slot: Int) -> String { ViewKeyspace.key(of: slot) }
  private func collection(_ slot: Int) -> String { ViewKeyspace.collection(of: slot) }
}

extension YapDatabaseOptions {
  /// Options for the trial of views, which stores instances of classes in some of its collections.
  static var views: YapDatabaseOptions {
    var options = quick
    options.objectCodecs = [ViewKeyspace.collections[0]: Instance.codec(CopyableInstance.self)]
    options.metadataCodecs = options.objectCodecs
    return options
  }
}
