internal import CRawSQLite

/// P9: enumeration of every key and object of the collection.
enum Enumerations: BenchmarkFamily {
  static let targets: Set = [9]
  private static let byIndex = "raw by its index"

  static func run(on bench: Workbench) throws {
    let engine = try bench.engine()
    let raw = try bench.raw()
    let table = try bench.raw(CRAW_NUMBERED)
    let rows = UInt64(bench.dataset.rowCount)
    func scanning(
      _ name: String,
      _ scan: @escaping () throws -> (count: UInt64, sum: UInt64)
    ) -> Contestant {
      .timed(name, .fixed(Int(rows)), prepare: { $0 }) { _ in
        try scan()
      } check: { _, found in
        try BenchmarkError.check(found.count, is: rows, "rows that \(name) enumerates")
        try BenchmarkError.check(found.sum, is: rows * (rows - 1) / 2, "the sum of the rows that \(name) enumerates")
      }
    }
    try bench.measure(
      Trial(
        name: "enumeration",
        contestants: [
          scanning(ContestantName.engine) { try engine.scan() },
          scanning(ContestantName.raw) { try raw.scan(inTable: true) },
          scanning(byIndex) { try raw.scan(inTable: false) },
          scanning(ContestantName.table) { try table.scan(inTable: false) },
        ],
        answers: [
          ClaimID(9, "raw"): .ratio(of: ContestantName.engine, to: ContestantName.raw),
          ClaimID(9, "index"): .ratio(of: ContestantName.engine, to: byIndex),
          ClaimID(9, "table"): .ratio(of: ContestantName.engine, to: ContestantName.table),
        ]
      )
    )
  }
}
