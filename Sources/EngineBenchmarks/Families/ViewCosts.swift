internal import Foundation
internal import HarnessPrimitives
internal import YapEngine

/// P14: the upkeep of a view at an insert, and the row changes that a list needs after updates.
enum ViewCosts: BenchmarkFamily {
  static let targets: Set<TargetName> = [.engine(14)]
  private static let without = "without a view"
  private static let with = "with a view"

  static func run(on bench: Workbench) throws {
    let stores = try [without, with].map { try ViewedStore(bench.engine(name: $0), bench.dataset) }
    try stores[1].register()
    try bench.measure(
      "insert of 1 row, off",
      stores.map { store in .inserts(store) },
      answers: [ClaimID(14, "upkeep"): .ratio(of: with, to: without)]
    )
    let list = try ViewedList(stores[1])
    try bench.measure(
      "row changes of a list",
      Contestant("row changes", .fixed(bench.scale.viewUpdates)) { try Double(list.changes(of: $0)) },
      as: ClaimID(14, "changes")
    )
  }
}

extension Contestant {
  /// Creates a contestant that inserts new rows, each in its own transaction. It removes them afterwards.
  static func inserts(_ store: ViewedStore) -> Contestant {
    .timed(store.name) { count in
      store.newRows(count)
    } body: { rows in
      try store.insert(rows)
    } check: { rows, _ in
      try store.remove(rows)
    }
  }
}

/// A store whose rows a view may sort by random numbers in their values.
final class ViewedStore {
  static let view = "sorted"
  /// The position, in a value, of the number by which the view sorts.
  private static let sortedOffset = 8

  let store: EngineStore
  let dataset: Dataset
  private var random: RandomStream

  var name: String { store.name }

  init(_ store: EngineStore, _ dataset: Dataset) {
    self.store = store
    self.dataset = dataset
    random = RandomStream(seed: 1, "new rows")
  }

  func register() throws {
    let sorting = YapDatabaseViewSorting.withObjectBlock { _, _, _, _, left, _, _, right in
      let (left, right) = (Self.number(in: left), Self.number(in: right))
      return left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
    }
    let view = YapDatabaseView(grouping: .withKeyBlock { _, _, _ in "all" }, sorting: sorting, versionTag: "1")
    try store.database.register(view, withName: Self.view)
  }

  /// Reads all rows on the writer's handle, so that its page cache does not grow afterwards.
  func fillPageCache() throws {
    try store.client.connection.readWrite { transaction in
      try transaction.enumerateKeysAndObjects(inCollection: Dataset.collection) { _, _, _ in }
    }
  }

  private static func number(in object: Any) -> UInt64 {
    guard let bytes = object as? [UInt8] else { return 0 }
    return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: sortedOffset, as: UInt64.self) }
  }

  /// Returns rows with keys that the dataset does not have, and with values that have random places in the view.
  func newRows(_ count: Int) -> [(key: String, value: [UInt8])] {
    (0..<count).map { _ in ("+" + String(random.next(), radix: 16), randomValue()) }
  }

  func randomValue() -> [UInt8] {
    var value = [UInt8](repeating: 0, count: max(dataset.valueBytes, 2 * Self.sortedOffset))
    value.withUnsafeMutableBytes {
      $0.storeBytes(of: random.next(), as: UInt64.self)
      $0.storeBytes(of: random.next(), toByteOffset: Self.sortedOffset, as: UInt64.self)
    }
    return value
  }

  func insert(_ rows: [(key: String, value: [UInt8])]) throws {
    for row in rows {
      try store.client.connection.readWrite { transaction in
        try transaction.setObject(row.value, forKey: row.key, inCollection: Dataset.collection)
      }
    }
  }

  func remove(_ rows: [(key: String, value: [UInt8])]) throws {
    try store.client.connection.readWrite { transaction in
      try transaction.removeObjects(forKeys: rows.map(\.key), inCollection: Dataset.collection)
    }
    let count = try store.client.connection.read { try $0.numberOfKeys(inCollection: Dataset.collection) }
    try BenchmarkError.check(count, is: dataset.rowCount, "rows after the removal of the inserted ones")
  }
}

/// A list that shows a view, as a user interface does.
final class ViewedList {
  private let viewed: ViewedStore
  private let connection: YapDatabaseConnection
  private let mappings = YapDatabaseViewMappings(groups: ["all"], view: ViewedStore.view)
  private let cursor: RowCursor

  init(_ viewed: ViewedStore) throws {
    self.viewed = viewed
    connection = try viewed.store.database.newConnection(name: "list")
    cursor = RowCursor(viewed.dataset.order("listed"))
    try connection.beginLongLivedReadTransaction()
    try connection.read { try mappings.update(with: $0) }
  }

  /// Changes rows in one commit, so that they move in the view.
  /// - Returns: The nanoseconds of the computation of the row changes.
  func changes(of count: Int) throws -> UInt64 {
    let rows = cursor.take(count)
    try viewed.store.client.connection.readWrite { transaction in
      for row in rows {
        let key = viewed.dataset.keys[Int(row)]
        try transaction.setObject(viewed.randomValue(), forKey: key, inCollection: Dataset.collection)
      }
    }
    let modifications = try connection.beginLongLivedReadTransaction()
    return try connection.read { transaction in
      guard let view = try transaction.ext(ViewedStore.view) as? YapDatabaseViewTransaction else {
        throw BenchmarkError(.failed, "the view is not registered")
      }
      let (changes, took) = try RunQueue.timed { try view.changes(for: modifications, with: mappings) }
      try BenchmarkError.check(changes.rowChanges.count, is: count, "row changes")
      return took
    }
  }
}
