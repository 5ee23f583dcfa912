internal import BenchResults
internal import CRawSQLite
internal import ThreadingPrimitives
internal import YapEngine

/// P13: the cost of an idle connection.
enum IdleConnections: BenchmarkFamily {
  static let targets: Set<TargetName> = [.engine(13)]

  static func run(on bench: Workbench) throws {
    try measureMemory(bench)
    let store = try bench.engine()
    let path = try bench.files.copy(.original)
    try bench.measure(
      "making a connection",
      [
        Contestant("pooled", .fixed(200)) { count in
          var took: UInt64 = 0
          for _ in 0..<count {
            let begun = MonotonicClock.now
            let connection = try store.database.newConnection()
            took += MonotonicClock.now - begun
            // When this connection is released, the pool takes its handle, and gives it to the next connection.
            try connection.read { _ in }
          }
          return Double(took) / Double(count)
        },
        Contestant("opened in C", .fixed(20)) { count in
          var took: UInt64 = 0
          for _ in 0..<count {
            let begun = MonotonicClock.now
            let raw = try RawStore(path: path, layout: CRAW_ORIGINAL, dataset: bench.dataset)
            took += MonotonicClock.now - begun
            raw.close()
          }
          return Double(took) / Double(count)
        },
      ],
      answers: [ClaimID(13, "making"): .ratio(of: "pooled", to: "opened in C")]
    )
  }

  private static func measureMemory(_ bench: Workbench) throws {
    guard BuildTraits.hasJemalloc else { return }
    var options = YapDatabaseOptions.synchronous(.off)
    options.handlePoolLimit = 0
    let store = try bench.engine(options)
    let row = Array(bench.dataset.order("idle").prefix(1))
    try bench.measure(
      "memory of a connection",
      Contestant("idle", .fixed(bench.scale.idleConnections)) { count in
        let before = BuildTraits.allocatedBytes
        let clients = try (0..<count).map { _ in
          let client = try store.newClient()
          _ = try client.readTogether(row)
          return client
        }
        let bytes = BuildTraits.allocatedBytes - before
        return Double(bytes) / Double(clients.count)
      },
      as: ClaimID(13, "memory"),
      unit: .bytes
    )
  }
}

/// P15: the cost of idle connections for the others.
enum ManyConnections: BenchmarkFamily {
  static let targets: Set<TargetName> = [.engine(15)]
  private static let few = "2 connections"
  private static let many = "many connections"

  static func run(on bench: Workbench) throws {
    let stores = try [(few, 2), (many, bench.scale.idleConnections)].map { name, count in
      let store = try bench.engine(name: name)
      // The first is the follower. The others are idle: they follow only when they are swept.
      let others = try (1..<count).map { _ in try store.newClient() }
      for client in others { try client.connection.read { _ in } }
      store.follower = others[0]
      store.keptClients = others
      return store
    }
    try bench.measure(
      "empty read beside idle connections",
      stores.map { .emptyReads($0) },
      answers: [ClaimID(15, "read"): .ratio(of: many, to: few)]
    )
    let rows = bench.dataset.order("written")
    try bench.measure(
      "1 row, off, beside idle connections",
      stores.map { .updates($0, rows) },
      answers: [ClaimID(15, "write"): .ratio(of: many, to: few)]
    )
  }
}
