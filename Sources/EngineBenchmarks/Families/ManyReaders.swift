internal import BenchResults
internal import Foundation
internal import ThreadingPrimitives
internal import YapEngine

/// P10: one to four readers, each with a connection or handle, with and without a concurrent writer of one row per
/// transaction. The writer writes odd rows. The readers beside it read and check even rows of the same pages.
enum ManyReaders: BenchmarkFamily {
  static let targets: Set<TargetName> = [.engine(10)]

  /// Reads each row in its own transaction and returns the sum of the stamps.
  private typealias Reader = @Sendable ([UInt32]) throws -> UInt64
  /// Changes one row to the fresh value with the given number.
  private typealias Writer = @Sendable (UInt32, Int) throws -> Void

  private struct Side {
    let name: String
    let readers: [Reader]
    let write: Writer
  }

  static func run(on bench: Workbench) throws {
    let sides = try [engineSide(bench), rawSide(bench)]
    let peers = try bench.grdb().map { store in side(of: store) }
    for readers in 1...4 { try measure(sides, on: bench, readers: readers, isBesideWriter: false) }
    for readers in 1...4 {
      try measure(readers == 4 ? sides + peers : sides, on: bench, readers: readers, isBesideWriter: true)
    }
    try measureCores(bench)
  }

  private static func measure(_ sides: [Side], on bench: Workbench, readers: Int, isBesideWriter: Bool) throws {
    let word = (isBesideWriter ? "beside" : "alone") + String(readers)
    // The figures are nanoseconds per read, so the inverse quotient is the ratio of reads per second.
    var answers: [ClaimID: Trial.Figure] = [ClaimID(10, word): .rawToEngine]
    if isBesideWriter, readers == 4 { answers[ClaimID(10, "grdb")] = .grdbToEngine }
    let orders = (0..<readers).map { bench.dataset.order("reader \($0)") { $0 % 2 == 0 } }
    let written = bench.dataset.order("writer") { $0 % 2 == 1 }
    try bench.measure(
      "\(readers) readers" + (isBesideWriter ? " beside a writer" : ""),
      sides.map { side in
        contestant(side.name, on: bench) { stop in
          let readers = zip(side.readers, orders).map { reading($1, until: stop, by: $0) }
          return readers + (isBesideWriter ? [writing(written, until: stop, by: side.write)] : [])
        }
      },
      answers: answers
    )
  }

  /// Creates a contestant of threads that work until its turn ends. Its figure is nanoseconds per operation.
  /// - Parameter bodies: Returns the bodies of the threads, which end once the flag is raised.
  private static func contestant(
    _ name: String,
    on bench: Workbench,
    bodies: @escaping (StopFlag) -> [ThreadCrew.Body]
  ) -> Contestant {
    Contestant(name, .fixed(1)) { _ in
      let stop = StopFlag()
      let until = MonotonicClock.now + bench.scale.readersNanoseconds
      let (operations, took) = try ThreadCrew.run(bodies(stop)) {
        MonotonicClock.sleep(until: until)
        stop.raise()
      }
      return Double(took) / Double(max(operations, 1))
    }
  }

  /// Returns a body that counts the rows that it has read.
  private static func reading(_ order: [UInt32], until stop: StopFlag, by read: @escaping Reader) -> ThreadCrew.Body {
    {
      let cursor = RowCursor(order)
      var reads = 0
      repeat {
        let rows = cursor.take(32)
        try BenchmarkError.check(read(rows), is: Dataset.initialSum(rows), "rows that are not written")
        reads += rows.count
      } while !stop.isRaised
      return reads
    }
  }

  /// Returns a body that counts 0 operations, because only reads count.
  private static func writing(_ order: [UInt32], until stop: StopFlag, by write: @escaping Writer) -> ThreadCrew.Body {
    {
      let cursor = RowCursor(order)
      var number = 0
      repeat {
        try write(cursor.take(1)[0], number)
        number += 1
      } while !stop.isRaised
      return 0
    }
  }

  // MARK: Sides

  private static func engineSide(_ bench: Workbench) throws -> Side {
    let store = try bench.engine()
    let writer = store.client
    let clients = try (0..<4).map { _ in try store.newClient() }
    return Side(
      name: store.name,
      readers: clients.map { client in { try client.readEach($0) } },
      write: { row, number in try writer.commit([row], fresh: number) }
    )
  }

  private static func rawSide(_ bench: Workbench) throws -> Side {
    let stores = try bench.raws(5)
    let writer = stores[4]
    return Side(
      name: writer.name,
      readers: stores.prefix(4).map { store in { try store.readEach($0) } },
      write: { row, number in try writer.update([row], rowsEach: 1, fresh: number) }
    )
  }

  private static func side(of store: any RowStore) -> Side {
    Side(
      name: store.name,
      readers: Array(repeating: { try store.readEach($0) }, count: 4),
      write: { row, number in try store.update([row], rowsEach: 1, fresh: number) }
    )
  }

  // MARK: Cores

  private static let dictionary = "reads from a dictionary"

  /// Measures cached reads with one reader, and with one reader per core, at most 4. Readers from dictionaries show how
  /// much the cores themselves slow each other down: some are two threads of one core, which share its units.
  private static func measureCores(_ bench: Workbench) throws {
    let store = try bench.engine()
    let rows = Array(bench.dataset.order("cores").prefix(bench.scale.hotRows))
    let cores = min(ProcessInfo.processInfo.activeProcessorCount, 4)
    let readers = try (0..<cores).map { _ -> Reader in
      let client = try store.newClient().withOwnKeys()
      client.connection.objectCacheLimit = rows.count
      return { try client.readEach($0) }
    }
    try bench.measure(
      "cached reads on every core",
      [
        slowdown(ContestantName.engine, of: readers, reading: rows, on: bench),
        slowdown(
          dictionary,
          of: (0..<cores).map { _ in reader(fromDictionaryOf: rows, bench.dataset) },
          reading: rows,
          on: bench
        ),
      ],
      answers: [ClaimID(10, "cores"): .ratio(of: dictionary, to: ContestantName.engine)],
      unit: .number
    )
  }

  /// Creates a contestant whose figure is the time of a read with all readers, as a multiple of one reader's time.
  private static func slowdown(
    _ name: String,
    of readers: [Reader],
    reading rows: [UInt32],
    on bench: Workbench
  ) -> Contestant {
    func reads(_ readers: some Sequence<Reader>) -> Contestant {
      contestant(name, on: bench) { stop in readers.map { reading(rows, until: stop, by: $0) } }
    }
    let (one, all) = (reads(readers.prefix(1)), reads(readers))
    return Contestant(name, all.batch) { batch in
      let alone = try one.measure(batch)
      return try all.measure(batch) * Double(readers.count) / alone
    }
  }

  /// The dictionary and its values belong to one reader, so that readers do not count references to the same objects.
  private static func reader(fromDictionaryOf rows: [UInt32], _ dataset: Dataset) -> Reader {
    let values = Dictionary(uniqueKeysWithValues: rows.map { ($0, dataset.initialValue(of: Int($0))) })
    return { rows in
      rows.reduce(0) { sum, row in
        sum &+ (values[row]?.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) } ?? .max)
      }
    }
  }
}

/// Runs threads concurrently.
enum ThreadCrew {
  /// Returns the number of operations that it performed.
  typealias Body = @Sendable () throws -> Int

  private struct Outcome {
    var operations = 0
    var failure: (any Error)?
    var lastEnd: UInt64 = 0
  }

  /// Runs each body on its own thread. All begin together.
  /// - Parameter meanwhile: Runs on the calling thread, beside the bodies.
  /// - Returns: The total number of operations, and the nanoseconds from the common start to the end of the last body.
  static func run(_ bodies: [Body], meanwhile: () -> Void = {}) throws -> (operations: Int, nanoseconds: UInt64) {
    let gate = StartGate()
    let outcome = Guarded(Outcome())
    let threads = try bodies.map { body in
      try WorkerThread(name: "bench") {
        gate.wait()
        let result = Result { try body() }
        let end = MonotonicClock.now
        outcome.withLock { outcome in
          switch result {
          case .success(let operations): outcome.operations += operations
          case .failure(let error): outcome.failure = outcome.failure ?? error
          }
          outcome.lastEnd = max(outcome.lastEnd, end)
        }
      }
    }
    let begun = MonotonicClock.now
    gate.open()
    meanwhile()
    for thread in threads { thread.join() }
    let end = outcome.withLock { $0 }
    if let failure = end.failure { throw failure }
    return (end.operations, end.lastEnd - begun)
  }
}
