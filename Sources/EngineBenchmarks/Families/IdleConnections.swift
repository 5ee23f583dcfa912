internal import ThreadingPrimitives
internal import YapEngine

#if Jemalloc
  internal import CJemalloc
#endif

/// P13: the cost of an idle connection.
enum IdleConnections: BenchmarkFamily {
  static let targets: Set = [13]

  static func run(on bench: Workbench) throws {
    try measureMemory(bench)
    let store = try bench.engine()
    try bench.measure(
      Trial(
        name: "making a connection",
        contestants: [
          Contestant("pooled", .fixed(200)) { count in
            var took: UInt64 = 0
            for _ in 0..<count {
              let begun = MonotonicClock.now
              let connection = try store.database.newConnection()
              took += MonotonicClock.now - begun
              // At the end of this connection its handle goes to the pool, where the next connection takes it.
              try connection.read { _ in }
            }
            return Double(took) / Double(count)
          }
        ],
        answers: [ClaimID(13, "making"): .value(of: "pooled")]
      )
    )
  }

  private static func measureMemory(_ bench: Workbench) throws {
    #if Jemalloc
      var options = YapDatabaseOptions.synchronous(.off)
      options.handlePoolLimit = 0
      let store = try bench.engine(options)
      let dataset = bench.dataset
      let row = dataset.order("idle").prefix(1)
      try bench.measure(
        Trial(
          name: "memory of a connection",
          contestants: [
            Contestant("idle", .fixed(bench.scale.idleConnections)) { count in
              let before = allocatedBytes()
              let connections = try (0..<count).map { _ in
                let connection = try store.database.newConnection()
                _ = try EngineStore.readTogether(Array(row), on: connection, dataset)
                return connection
              }
              let bytes = allocatedBytes() - before
              return Double(bytes) / Double(connections.count)
            }
          ],
          answers: [ClaimID(13, "memory"): .value(of: "idle")],
          unit: .bytes
        )
      )
    #endif
  }

  #if Jemalloc
    /// The bytes that the process has allocated, according to jemalloc.
    static func allocatedBytes() -> Int {
      _ = cjemalloc_refresh()
      return Int(cjemalloc_read("stats.allocated"))
    }
  #endif
}
