internal import CRawSQLite
internal import YapEngine

/// P8: transactions of many rows.
enum BatchWrites: BenchmarkFamily {
  static let targets: Set = [8]

  static func run(on bench: Workbench) throws {
    let rows = bench.dataset.order("written")
    for (rowsEach, word) in [(100, "hundred"), (bench.scale.largeBatch, "many")] {
      let engine = try bench.engine()
      engine.follower = try engine.database.newConnection(name: "follower")
      let stores: [any RowStore] = try [engine, bench.raw(), bench.raw(CRAW_NUMBERED)]
      try bench.measure(
        Trial(
          name: "\(rowsEach) rows, off",
          contestants: stores.map { store in
            let updates = Contestant.updates(store, rows, rowsEach: rowsEach)
            // A round runs whole transactions; one of the larger transactions is a complete turn.
            return rowsEach == 100 ? updates : Contestant(store.name, .fixed(rowsEach), measure: updates.measure)
          },
          answers: [
            ClaimID(8, word): .ratio(of: ContestantName.engine, to: ContestantName.raw),
            ClaimID(8, word + "Table"): .ratio(of: ContestantName.engine, to: ContestantName.table),
          ]
        )
      )
    }
  }
}
