import TestSupport
import Testing

@testable import BenchDrivers
@testable import BenchResults
@testable import BenchScenario

extension DriverKind {
  /// The drivers of this build that keep data.
  static var storing: [DriverKind] { allCases.filter { $0.keepsData && Drivers.missing($0) == nil } }

  /// The drivers in `storing` that have SQLite's WAL.
  static var withWAL: [DriverKind] { storing.filter { $0.has(.wal) } }
}

/// The behaviour that every driver that keeps data has.
@Suite("A driver that keeps data") struct StoringDriverTests {
  private func withDatabase(
    _ driver: DriverKind,
    codec: CodecSetting = .raw,
    _ body: (any DriverDatabase) throws -> Void
  ) throws {
    let shape = ValueShape(size: .fixed(bytes: 64))
    let dataset = [DatasetCollection(name: "rows", rows: 10, value: shape, metadata: shape, codec: codec)]
    try withTemporaryFolder { folder in
      let settings = EngineSettings(driver: driver, synchronous: .off)
      let database = try Drivers.open(settings, dataset: dataset, path: folder + "/file.database")
      try body(database)
      try database.close()
    }
  }

  @Test(arguments: DriverKind.storing, CodecSetting.allCases)
  func `stores and reads rows`(_ driver: DriverKind, codec: CodecSetting) throws {
    try withDatabase(driver, codec: codec) { database in
      let connection = try database.connect(ConnectionSettings(name: "one"))
      try connection.readWrite { transaction in
        #expect(transaction.snapshot == 1)
        try transaction.set([1, 2, 3], metadata: [9], "a", in: "rows")
        try transaction.set([4], metadata: nil, "c", in: "rows")
        try #expect(transaction.object("a", in: "rows") == [1, 2, 3])
        try #expect(transaction.count(in: "rows") == 2)
      }
      try connection.readWrite { transaction in
        try transaction.replace([5, 6], "a", in: "rows")
        try transaction.replace([7], "b", in: "rows")
        try transaction.setMetadata([8], "c", in: "rows")
        try transaction.setMetadata([8], "d", in: "rows")
      }
      // These transactions change nothing, so they make no commit.
      try connection.readWrite { try $0.remove("z", in: "rows") }
      try connection.readWrite { _ in }
      #expect(database.commit == 2)
      try connection.read { transaction in
        #expect(transaction.snapshot == 2)
        try #expect(transaction.object("a", in: "rows") == [5, 6])
        try #expect(transaction.metadata("a", in: "rows") == [9])
        let row = try #require(try transaction.row("c", in: "rows"))
        #expect(row.object == [4] && row.metadata == [8])
        try #expect(!transaction.exists("b", in: "rows") && transaction.exists("c", in: "rows"))
        try #expect(transaction.count(in: "rows") == 2)
        var scanned: [String] = []
        try transaction.scan(["a", "b", "c", "d"], in: "rows") { scanned.append("\($0) \($1 ?? [])") }
        #expect(scanned == ["0 [5, 6]", "1 []", "2 [4]", "3 []"])
      }
      try connection.readWrite { try $0.removeAll(in: "rows") }
      try connection.read { try #expect($0.count(in: "rows") == 0) }
    }
  }

  @Test(arguments: DriverKind.storing)
  func `a transaction that throws changes nothing`(_ driver: DriverKind) throws {
    struct Stop: Error {}
    try withDatabase(driver) { database in
      let connection = try database.connect(ConnectionSettings(name: "one"))
      #expect(throws: Stop.self) {
        try connection.readWrite { transaction in
          try transaction.set([1], metadata: nil, "a", in: "rows")
          throw Stop()
        }
      }
      try connection.readWrite { try #expect(!$0.exists("a", in: "rows")) }
      #expect(throws: (any Error).self) { try connection.read { try $0.remove("a", in: "rows") } }
      #expect(database.commit == 0)
    }
  }

  @Test(arguments: DriverKind.storing)
  func `notifies of each commit once, in order, from any connection`(_ driver: DriverKind) throws {
    try withDatabase(driver) { database in
      let commits = SharedList<UInt64>()
      database.onCommit { commits.append($0.commit) }
      let writers = try (0..<3).map { try database.connect(ConnectionSettings(name: "\($0)")) }
      try onThreads(3) { index in
        for number in 0..<50 {
          _ = try? writers[index].readWrite { try $0.set([UInt8(number)], metadata: nil, "\(index)", in: "rows") }
        }
      }
      #expect(eventually { commits.all.count >= 150 })
      #expect(commits.all == Array(1...150))
    }
  }

  @Test(arguments: DriverKind.storing)
  func `a read and a bookmark keep their snapshots while others write`(_ driver: DriverKind) throws {
    try withDatabase(driver) { database in
      let reader = try database.connect(ConnectionSettings(name: "reader"))
      let bookmark = try database.connect(ConnectionSettings(name: "bookmark"))
      let writer = try database.connect(ConnectionSettings(name: "writer"))
      func write(_ value: UInt8) throws {
        try writer.readWrite { transaction in
          for key in ["a", "b"] { try transaction.set([value], metadata: nil, key, in: "rows") }
        }
      }
      try write(1)
      try #expect(bookmark.advance().snapshot == 1)
      try reader.read { transaction in
        try #expect(transaction.object("a", in: "rows") == [1])
        try write(2)
        try writer.readWrite { try $0.remove("a", in: "rows") }
        try #expect(transaction.object("b", in: "rows") == [1] && transaction.count(in: "rows") == 2)
        #expect(transaction.snapshot == 1)
      }
      try reader.read { transaction in
        try #expect(transaction.object("b", in: "rows") == [2] && transaction.count(in: "rows") == 1)
        #expect(transaction.snapshot == 3)
      }
      try bookmark.read { transaction in
        try #expect(transaction.object("a", in: "rows") == [1] && transaction.object("b", in: "rows") == [1])
        #expect(transaction.snapshot == 1)
      }
      let state = try #require(database.observe())
      let pin = try #require(state.connections.first { $0.name == "bookmark" })
      #expect(pin.ageCommits == 2 && pin.pinnedNanoseconds != nil)
      try #expect(bookmark.advance().snapshot == 3)
      try bookmark.read { try #expect(!$0.exists("a", in: "rows")) }
      try bookmark.endLongLivedRead()
      try write(4)
      try bookmark.read { try #expect($0.object("a", in: "rows") == [4]) }
    }
  }

  /// Two threads move amounts between rows while others add up all rows.
  @Test(arguments: DriverKind.storing)
  func `every snapshot has the sum that transfers keep`(_ driver: DriverKind) throws {
    let keys = (0..<10).map { "account-\($0)" }
    try withDatabase(driver) { database in
      try database.connect(ConnectionSettings(name: "first")).readWrite { transaction in
        for key in keys { try transaction.set([20], metadata: nil, key, in: "rows") }
      }
      let connections = try (0..<4).map { try database.connect(ConnectionSettings(name: "\($0)")) }
      let problems = SharedList<String>()
      try onThreads(4) { index in
        do {
          for round in 0..<100 {
            if index < 2 {
              let (from, to) = (keys[(3 * round + index) % 5], keys[5 + (7 * round + index) % 5])
              try connections[index].readWrite { transaction in
                let balances = try [from, to].map { try transaction.object($0, in: "rows")?.first ?? 0 }
                guard balances[0] > 0 else { return }
                try transaction.set([balances[0] - 1], metadata: nil, from, in: "rows")
                try transaction.set([balances[1] + 1], metadata: nil, to, in: "rows")
              }
            } else {
              if index == 3, round % 10 == 0 { _ = try connections[index].advance() }
              try connections[index].read { transaction in
                var sum = 0
                try transaction.objects(keys, in: "rows") { sum += Int($1?.first ?? 0) }
                if sum != 200 { problems.append("the sum was \(sum) at \(transaction.snapshot)") }
              }
            }
          }
        } catch { problems.append("\(error)") }
      }
      #expect(problems.all == [])
      try connections[3].endLongLivedRead()
    }
  }
}
