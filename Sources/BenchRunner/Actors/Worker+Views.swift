internal import BenchDrivers
internal import BenchModel

extension Worker {
  /// Reads rows of a view, beginning at the index that the drawn row would have if no row were missing, and checks that
  /// each is in its group, in order, and as the snapshot must show it.
  mutating func readView(
    _ operation: PlannedOperation,
    count: Int,
    _ collection: CheckedCollection,
    _ transaction: any DriverTransaction
  ) throws {
    guard let view = actor.view else { return }
    if let registration = actor.registration {
      let isThere = try transaction.hasView(view.name)
      answers.add(isThere: isThere, registration)
      guard isThere else { return }
    }
    let row = plan.rows[operation.firstRow]
    let group = view.group.name(ofRow: row)
    var last: GeneratedFields?
    try transaction.viewRange(view.name, group: group, from: row / view.group.count, count: count) { key, object in
      guard answers.isNeeded else { return }
      guard let shown = collection.keys.row(of: key, below: collection.rows) else {
        return answers.report("the view \"\(view.name)\" shows the key \"\(key)\", which belongs to no row")
      }
      answers.add(object, shown, .object, collection)
      guard let fields = GeneratedFields(object) else { return }
      if view.group.name(ofRow: fields.row) != group {
        answers.report("the view \"\(view.name)\" shows \(key) in group \(group), where it does not belong")
      }
      if let last, !last.isBefore(fields, by: view.sort) {
        answers.report("the view \"\(view.name)\" shows \(key) behind a row that comes after it")
      }
      last = fields
    }
  }
}
