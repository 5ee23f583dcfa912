/// P1: the cost of a read transaction that reads nothing.
enum EmptyReads: BenchmarkFamily {
  static let targets: Set = [1]

  static func run(on bench: Workbench) throws {
    let stores: [any RowStore] = try [bench.engine(), bench.raw()] + bench.grdb()
    try bench.measure(
      Trial(
        name: "empty read",
        contestants: stores.map { .emptyReads($0) },
        answers: [
          ClaimID(1, "raw"): .ratio(of: ContestantName.engine, to: ContestantName.raw),
          ClaimID(1, "grdb"): .ratio(of: ContestantName.grdb, to: ContestantName.engine),
        ]
      )
    )
  }
}
