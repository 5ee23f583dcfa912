internal import ThreadingPrimitives
internal import YapEngine

/// P11: B has cached a row, A commits another value, and B reads the row.
enum HandOvers: BenchmarkFamily {
  static let targets: Set = [11]

  static func run(on bench: Workbench) throws {
    let pairs = try [YapDatabasePolicy.share, .copy].map { try Pair(bench, $0) }
    try bench.measure(
      Trial(
        name: "first read after a commit elsewhere",
        contestants: pairs.map { pair in
          Contestant(pair.name, .fixed(bench.scale.handOvers)) { count in
            let times = try pair.handOver(count).sorted()
            return Double(times[times.count / 2])
          }
        },
        answers: [ClaimID(11, "share"): .value(of: "share"), ClaimID(11, "copy"): .value(of: "copy")]
      )
    )
    try bench.measure(
      Trial(
        name: "decodes after a commit elsewhere",
        contestants: [
          Contestant("both", .fixed(bench.scale.handOvers)) { count in
            var decodes = 0
            for pair in pairs {
              let before = try pair.decodes()
              _ = try pair.handOver(count)
              decodes += try pair.decodes() - before
            }
            return Double(decodes) / Double(2 * count)
          }
        ],
        answers: [ClaimID(11, "decodes"): .value(of: "both")],
        unit: .count
      )
    )
  }

  private final class Pair {
    let name: String
    private let store: EngineStore
    private let reader: YapDatabaseConnection
    private let dataset: Dataset
    private let cursor: RowCursor
    private var done = 0

    init(_ bench: Workbench, _ policy: YapDatabasePolicy) throws {
      name = policy.rawValue
      var options = YapDatabaseOptions.synchronous(.off)
      options.defaultObjectPolicy = policy
      store = try bench.engine(options, name: name)
      reader = try store.database.newConnection(name: "reader")
      dataset = bench.dataset
      let rows = Array(dataset.order("handed over").prefix(100))
      cursor = RowCursor(rows)
      _ = try EngineStore.readTogether(rows, on: reader, dataset)
    }

    /// - Returns: The duration in nanoseconds of each read that followed a commit.
    func handOver(_ count: Int) throws -> [UInt64] {
      var times: [UInt64] = []
      for row in cursor.take(count) {
        try store.commit([row], fresh: done)
        let begun = MonotonicClock.now
        let stamp = try EngineStore.readEach([row], on: reader, dataset)
        times.append(MonotonicClock.now - begun)
        try BenchmarkError.check(stamp, is: Dataset.freshStamp(done), "a row that was just handed over")
        done += 1
      }
      return times
    }

    func decodes() throws -> Int { try store.objectCounters(of: reader).decoded }
  }
}
