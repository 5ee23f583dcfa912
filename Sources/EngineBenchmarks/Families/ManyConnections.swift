internal import YapEngine

/// P15: the cost of idle connections for the others.
enum ManyConnections: BenchmarkFamily {
  static let targets: Set = [15]
  private static let few = "2 connections"
  private static let many = "many connections"

  static func run(on bench: Workbench) throws {
    let stores = try [(few, 2), (many, bench.scale.idleConnections)].map { name, count in
      let store = try bench.engine(name: name)
      // The follower, and idle connections that follow only when they are swept.
      let others = try (1..<count).map { _ in try store.database.newConnection() }
      for connection in others { try connection.read { _ in } }
      store.follower = others[0]
      store.keptConnections = others
      return store
    }
    try bench.measure(
      Trial(
        name: "empty read beside idle connections",
        contestants: stores.map { .emptyReads($0) },
        answers: [ClaimID(15, "read"): .ratio(of: many, to: few)]
      )
    )
    let rows = bench.dataset.order("written")
    try bench.measure(
      Trial(
        name: "1 row, off, beside idle connections",
        contestants: stores.map { .updates($0, rows) },
        answers: [ClaimID(15, "write"): .ratio(of: many, to: few)]
      )
    )
  }
}
