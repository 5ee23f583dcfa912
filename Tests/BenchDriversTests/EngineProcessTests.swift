import Foundation
import HarnessPrimitives
import TestSupport
import Testing
import ThreadingPrimitives

@testable import BenchDrivers
@testable import BenchResults
@testable import BenchScenario

@Suite("An engine in a process of its own") struct EngineProcessTests {
  static let drivers = DriverKind.storing
  private static let shape = ValueShape(size: .fixed(bytes: 64))
  private static let dataset = [
    DatasetCollection(name: "rows", rows: 10, value: shape, metadata: shape),
    DatasetCollection(name: "documents", rows: 10, value: shape, codec: .json),
  ]

  private func withPath(_ body: (_ path: String) throws -> Void) throws {
    try withTemporaryFolder { try body($0 + "/file.sqlite") }
  }

  private func withProcess(
    _ driver: DriverKind,
    views: [ViewSettings] = [],
    _ body: (EngineProcess) throws -> Void
  ) throws {
    try withPath { path in
      let process = try EngineProcess(
        EngineSettings(driver: driver, synchronous: .off),
        dataset: Self.dataset,
        views: views,
        path: path
      )
      try body(process)
      try process.close()
    }
  }

  /// Calls every function of a driver, and returns the results as text.
  private func script(_ database: any DriverDatabase, isYap: Bool) throws -> [String] {
    var lines: [String] = []
    let connection = try database.connect(ConnectionSettings(name: "one", objectCacheLimit: 3))
    let large = (0..<3_000).map { UInt8(truncatingIfNeeded: $0) }
    let label = (0..<64).map { UInt8($0) }
    try connection.readWrite { transaction in
      lines.append("number \(transaction.snapshot)")
      for number in 0..<40 { try transaction.set(large, metadata: [UInt8(number)], "k\(number + 10)", in: "rows") }
      try transaction.set(label, metadata: nil, "d", in: "documents")
      try transaction.replace([1, 2], "k11", in: "rows")
      try transaction.setMetadata([7], "k12", in: "rows")
      if isYap { try transaction.touch("k13", in: "rows") }
      try transaction.remove("k14", in: "rows")
      lines.append("own \(try transaction.object("k11", in: "rows") ?? [])")
    }
    let writeEmpty = { (transaction: any DriverTransaction) throws in
      try transaction.set([], metadata: [], "empty", in: "rows")
    }
    if isYap { try connection.asyncReadWrite(writeEmpty) } else { try connection.readWrite(writeEmpty) }
    let reads = { (transaction: any DriverTransaction) throws in
      lines.append("at \(transaction.snapshot), \(try transaction.count(in: "rows")) rows")
      lines.append(
        "\(try transaction.object("k11", in: "rows") ?? []) \(try transaction.object("no", in: "rows") ?? [9])"
      )
      lines.append("\(try transaction.metadata("k12", in: "rows") ?? []) \(try transaction.exists("k14", in: "rows"))")
      lines.append("\(try transaction.storedObject("k11", in: "rows") ?? [])")
      lines.append("\(try transaction.storedMetadata("k11", in: "rows") ?? [])")
      let rows = try ["empty", "k15", "no"].map { try transaction.row($0, in: "rows") }
      lines.append("\(rows.map { ($0?.object.count ?? -1, $0?.metadata ?? [9]) })")
      try transaction.objects(["k11", "no", "k20"], in: "rows") { lines.append("\($0) \($1?.count ?? -1)") }
      try transaction.scan((10..<45).map { "k\($0)" }, in: "rows") { lines.append("\($0) \($1?.count ?? -1)") }
      var keys: [String] = []
      try transaction.enumerate("rows") { key, object in keys.append("\(key) \(object.count)") }
      try transaction.enumerateRows("rows") { key, object, metadata in
        keys.append("\(key) \(object.count) \(metadata ?? [])")
      }
      lines += keys.sorted()
      lines.append("\(try transaction.object("d", in: "documents") == label)")
      if isYap {
        try transaction.viewRange("byRow", group: "0", from: 0, count: 5) { lines.append("\($0) \($1.count)") }
      }
    }
    try connection.read(reads)
    if isYap { try connection.asyncRead(reads) } else { try connection.read(reads) }
    let first = try connection.advance()
    lines.append("stands on \(first.snapshot)")
    let other = try database.connect(ConnectionSettings(name: "two"))
    for _ in 0..<3 { try other.readWrite { try $0.set([3], metadata: nil, "k11", in: "rows") } }
    try connection.read { lines.append("still \(try $0.object("k11", in: "rows") ?? [])") }
    let advance = try connection.advance()
    lines.append("moves to \(advance.snapshot), told of \(advance.jumped)")
    try connection.endLongLivedRead()
    try other.readWrite { try $0.removeAll(in: "rows") }
    try connection.read { lines.append("\(try $0.count(in: "rows")) left") }
    lines.append("commit \(database.commit), page \(database.pageSize)")
    return lines
  }

  @Test(arguments: drivers)
  func `every call has the same result as in the harness's process`(_ driver: DriverKind) throws {
    let views = driver == .yap ? [ViewSettings(name: "byRow", collection: "documents")] : []
    let isYap = !views.isEmpty
    var expected: [String] = []
    try withPath { path in
      let settings = EngineSettings(driver: driver, synchronous: .off)
      let database = try Drivers.open(settings, dataset: Self.dataset, views: views, path: path)
      expected = try script(database, isYap: isYap)
      try database.close()
    }
    #expect(expected.count > 100)
    try withProcess(driver, views: views) { try #expect(script($0, isYap: isYap) == expected) }
  }

  @Test(arguments: drivers)
  func `an error of the block is rethrown, and nothing is stored`(_ driver: DriverKind) throws {
    struct Deliberate: Error {}
    try withProcess(driver) { process in
      let connection = try process.connect(ConnectionSettings(name: "one"))
      #expect(throws: Deliberate.self) {
        try connection.readWrite { transaction in
          try transaction.set([1], metadata: nil, "a", in: "rows")
          throw Deliberate()
        }
      }
      try connection.read { try #expect(!$0.exists("a", in: "rows")) }
    }
  }

  @Test func `a view that is registered later exists, also in the next process`() throws {
    try withProcess(.yap) { process in
      let connection = try process.connect(ConnectionSettings(name: "one"))
      let view = ViewSettings(name: "byRow", collection: "rows")
      try connection.read { try #expect(!$0.hasView("byRow")) }
      try process.register(view)
      try connection.read { try #expect($0.hasView("byRow") && !$0.hasView("other")) }
      #expect(throws: RemoteError.self) { try process.register(view) }
      process.kill()
      _ = try process.reopen()
      try connection.read { try #expect($0.hasView("byRow")) }
    }
  }

  @Test func `the recovered commit is the newest in the file, and not that of a view's registration`() throws {
    try withProcess(.yap, views: [ViewSettings(name: "byRow", collection: "documents")]) { process in
      let connection = try process.connect(ConnectionSettings(name: "one"))
      for _ in 0..<5 { try connection.readWrite { try $0.set([1], metadata: nil, "a", in: "rows") } }
      let newest = process.commit
      #expect(throws: EngineProcessGone.self) {
        try connection.readWrite { transaction in
          #expect(transaction.snapshot == newest + 1)
          try transaction.set([2], metadata: nil, "a", in: "rows")
          process.kill()
        }
      }
      let recovery = try process.reopen()
      #expect(recovery.commit == newest)
      // The registration has the number of the lost commit.
      #expect(process.commit == newest + 1)
      try connection.read { try #expect($0.object("a", in: "rows") == [1]) }
    }
  }

  @Test func `an error of the engine is reported`() throws {
    try withProcess(.yap) { process in
      let reader = try process.connect(ConnectionSettings(name: "reader", permitted: [.syncRead]))
      let error = #expect(throws: RemoteError.self) { try reader.readWrite { _ in } }
      #expect(error?.description.contains("reader") == true)
      #expect(error.map(process.isDamage) == false)
      // The channel can still be used.
      try reader.read { try #expect($0.count(in: "rows") == 0) }
    }
    let refused = #expect(throws: RemoteError.self) {
      try EngineProcess(
        EngineSettings(driver: .yap),
        dataset: [],
        views: [],
        path: "/no/such/folder/file.sqlite"
      )
    }
    #expect(refused?.description.contains("/no/such/folder") == true)
  }

  @Test(arguments: drivers)
  func `observations and notifications cross the process boundary`(_ driver: DriverKind) throws {
    try withProcess(driver) { process in
      let commits = SharedList<UInt64>()
      process.onCommit { commits.append($0.commit) }
      let connection = try process.connect(ConnectionSettings(name: "one"))
      for _ in 0..<20 { try connection.readWrite { try $0.set([1], metadata: nil, "a", in: "rows") } }
      let observation = try #require(process.observe())
      #expect(observation.commit == 20 && (observation.storageBytes ?? 0) > 0)
      #expect(observation.connections.contains { $0.name == "one" })
      #expect(eventually { commits.all.count >= 20 })
      #expect(commits.all == Array(1...20))
    }
  }

  @Test(arguments: drivers, [false, true])
  func `acknowledged commits survive a restart, and the connections still work`(_ driver: DriverKind, isKilled: Bool)
    throws
  {
    try withProcess(driver) { process in
      let commits = SharedList<UInt64>()
      process.onCommit { commits.append($0.commit) }
      let connection = try process.connect(ConnectionSettings(name: "one"))
      let bookmark = try process.connect(ConnectionSettings(name: "two"))
      var acknowledged: UInt64 = 0
      for round in 1...3 {
        _ = try bookmark.advance()
        for _ in 0..<10 {
          try connection.readWrite { transaction in
            acknowledged = transaction.snapshot
            try transaction.set([UInt8(round)], metadata: nil, "r\(transaction.snapshot)", in: "rows")
          }
        }
        let checkpoints = process.checkpoints(after: 0).map(\.number)
        #expect(checkpoints == checkpoints.sorted())
        if isKilled {
          process.kill()
        } else {
          try bookmark.endLongLivedRead()
          try process.close()
        }
        #expect(throws: EngineProcessGone.self) { try connection.read { _ in } }
        #expect(process.observe() == nil && process.checkpoints(after: 0).isEmpty)
        let recovery = try process.reopen()
        #expect(recovery.nanoseconds > 0)
        #expect((recovery.walBytes > 0) == (isKilled && driver.has(.wal)))
        #expect(process.commit == acknowledged)
        // The restart ended the bookmark, so this is a new one.
        try #expect(bookmark.advance().snapshot == acknowledged)
        try connection.read { transaction in
          for commit in 1...acknowledged { try #expect(transaction.exists("r\(commit)", in: "rows")) }
        }
      }
      // News that was under way when the process was killed is lost.
      let numbers = commits.all
      #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
    }
  }

  enum End: CaseIterable { case harnessIsGone, isClosed, isKilled }

  /// `harnessIsGone` only releases the object, which is all that a harness does that ends suddenly.
  @Test(arguments: End.allCases) func `nothing is left of its socket, however it ends`(_ end: End) throws {
    try withPath { path in
      let address = SocketAddress()
      let order = EngineOrder(
        engine: EngineSettings(driver: .yap, synchronous: .off),
        dataset: Self.dataset,
        views: [],
        path: path,
        address: address
      )
      var running: RunningEngine? = try RunningEngine(.this, order, notifying: CommitListeners())
      _ = try address.connect()
      let channel = try #require(running).channel(for: .connect, ConnectionSettings(name: "one")).channel
      switch end {
      case .harnessIsGone: running = nil
      case .isClosed: try running?.close()
      case .isKilled: running?.kill()
      }
      // The channel closes when the process has ended.
      #expect(throws: ChannelClosed.self) { try channel.receive() }
      #expect(throws: POSIXError(.ECONNREFUSED)) { try address.connect() }
    }
  }

  @Test func `a damaged message ends its channel and its transaction, and nothing else`() throws {
    try withPath { path in
      let order = EngineOrder(
        engine: EngineSettings(driver: .yap, synchronous: .off),
        dataset: Self.dataset,
        views: [],
        path: path,
        address: SocketAddress()
      )
      let engine = try RunningEngine(.this, order, notifying: CommitListeners())
      let connect = { try engine.channel(for: .connect, ConnectionSettings(name: "one")).channel }
      let set = try MessageWriter(TransactionCall.set, [1] as [UInt8], nil as [UInt8]?, "a", "rows")
      let begin = {
        let channel = try connect()
        try channel.ask(ConnectionCall.readWrite)
        _ = try channel.ask(set)
        return channel
      }
      let fields = Array(set.framed.dropFirst(4))
      let endless = [TransactionCall.exists.rawValue, 255, 255, 255, 255]
      let damaged = (0..<fields.count).map { Array(fields.prefix($0)) } + [fields + [0], [200], endless]
      for bytes in damaged {
        var message = try MessageWriter()
        for byte in bytes { try message.put(byte) }
        let channel = try begin()
        try channel.send(message)
        #expect(throws: ChannelClosed.self, "\(bytes)") { try channel.receive() }
      }
      for channel in [try connect(), try engine.channel(for: .commit).channel] {
        try channel.send(MessageWriter(200 as UInt8))
        #expect(throws: ChannelClosed.self) { try channel.receive() }
      }
      let channel = try begin()
      let count: Int = try channel.ask(TransactionCall.count, "rows").decoded()
      #expect(count == 1)
      let snapshot: UInt64 = try engine.ask(.commit).decoded()
      #expect(snapshot == 0)
      try channel.ask(TransactionCall.finish)
      try engine.close()
    }
  }

  @Test(arguments: drivers)
  func `a connection whose replies cannot be read is opened again, without its transaction`(_ driver: DriverKind) throws
  {
    try withProcess(driver) { process in
      let connection = try process.connect(ConnectionSettings(name: "one"))
      #expect(throws: DamagedMessage.self) {
        try connection.readWrite { transaction in
          try transaction.set([1], metadata: nil, "a", in: "rows")
          throw DamagedMessage()
        }
      }
      try connection.read { try #expect($0.count(in: "rows") == 0) }
    }
  }

  @Test(arguments: drivers)
  func `a transaction that is interrupted by a kill leaves nothing`(_ driver: DriverKind) throws {
    try withProcess(driver) { process in
      let begun = DispatchSemaphore(value: 0)
      let killed = DispatchSemaphore(value: 0)
      let outcome = Guarded<String>("")
      let writer = try WorkerThread(name: "writer") {
        do {
          let connection = try process.connect(ConnectionSettings(name: "writer"))
          try connection.readWrite { transaction in
            try transaction.set([1], metadata: nil, "a", in: "rows")
            begun.signal()
            killed.wait()
            try transaction.set([1], metadata: nil, "b", in: "rows")
          }
          outcome.withLock { $0 = "committed" }
        } catch { outcome.withLock { $0 = "\(error)" } }
      }
      begun.wait()
      process.kill()
      killed.signal()
      writer.join()
      #expect(outcome.withLock { $0 } == EngineProcessGone().description)
      _ = try process.reopen()
      try process.connect(ConnectionSettings(name: "reader")).read { try #expect($0.count(in: "rows") == 0) }
    }
  }

  @Test(
    arguments: [
      ("/bin/true", "it ended with exit code 0 before it answered; check that it is the yapbench program"),
      ("/no/such/program", "it could not be run (No such file or directory); check the path"),
      ("/etc/passwd", "it could not be run (Permission denied)"),
    ]
  )
  func `a program that is not an engine's host is an error that names the program`(program: String, problem: String)
    throws
  {
    try withPath { path in
      let error = #expect(throws: ProgramNotStarted.self) {
        try EngineProcess(
          EngineSettings(driver: .yap),
          dataset: [],
          views: [],
          path: path,
          program: EngineProcess.Program(path: program)
        )
      }
      let text = error?.description ?? ""
      #expect(text.hasPrefix("\(program): \(problem)"), "\(text)")
    }
  }

  @Test func `the program that tests start is built with them`() {
    let program = EngineProcess.Program.this.path
    #expect(program.hasSuffix("/yapbench"))
    #expect(FileManager.default.isExecutableFile(atPath: program), "\(program)")
  }
}
