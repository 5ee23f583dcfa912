internal import Foundation
internal import ThreadingPrimitives
internal import YapEngine

/// P10: several readers, each with its own connection or handle, with and without a concurrent writer of one row per
/// transaction. Readers read even rows and check them; the writer writes odd rows, which are in the same pages.
enum ManyReaders: BenchmarkFamily {
  static let targets: Set = [10]

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
    for readers in 1...4 {
      try bench.measure(trial(bench, sides, readers, isBesideWriter: false))
    }
    for readers in 1...4 {
      try bench.measure(trial(bench, readers == 4 ? sides + peers : sides, readers, isBesideWriter: true))
    }
    try measureCores(bench)
  }

  private static func trial(_ bench: Workbench, _ sides: [Side], _ readers: Int, isBesideWriter: Bool) -> Trial {
    let word = (isBesideWriter ? "beside" : "alone") + String(readers)
    var answers: [ClaimID: Trial.Figure] = [
      // The figures are nanoseconds per read, so the inverse quotient is the ratio of reads per second.
      ClaimID(10, word): .ratio(of: ContestantName.raw, to: ContestantName.engine)
    ]
    if isBesideWriter, readers == 4 {
      answers[ClaimID(10, "grdb")] = .ratio(of: ContestantName.grdb, to: ContestantName.engine)
    }
    return Trial(
      name: "\(readers) readers" + (isBesideWriter ? " beside a writer" : ""),
      contestants: sides.map { contestant($0, bench, readers: readers, isBesideWriter: isBesideWriter) },
      answers: answers
    )
  }

  private static func contestant(
    _ side: Side,
    _ bench: Workbench,
    readers count: Int,
    isBesideWriter: Bool
  ) -> Contestant {
    let orders = (0..<count).map { bench.dataset.order("reader \($0)") { $0 % 2 == 0 } }
    let written = bench.dataset.order("writer") { $0 % 2 == 1 }
    return Contestant(side.name, .fixed(1)) { _ in
      let stop = StopFlag()
      var bodies: [@Sendable () throws -> Int] = []
      for (read, order) in zip(side.readers, orders) { bodies.append { try reading(order, until: stop, read) } }
      if isBesideWriter { bodies.append { try writing(written, until: stop, side.write) } }
      let until = MonotonicClock.now + bench.scale.readersNanoseconds
      let (reads, took) = try ThreadCrew.run(bodies) {
        MonotonicClock.sleep(until: until)
        stop.raise()
      }
      return Double(took) / Double(max(reads, 1))
    }
  }

  /// - Returns: The number of rows read.
  private static func reading(_ order: [UInt32], until stop: StopFlag, _ read: Reader) throws -> Int {
    let cursor = RowCursor(order)
    var reads = 0
    repeat {
      let rows = cursor.take(32)
      try BenchmarkError.check(read(rows), is: Dataset.initialSum(rows), "rows that are not written")
      reads += rows.count
    } while !stop.isRaised
    return reads
  }

  /// - Returns: 0, because only reads count.
  private static func writing(_ order: [UInt32], until stop: StopFlag, _ write: Writer) throws -> Int {
    let cursor = RowCursor(order)
    var number = 0
    repeat {
      try write(cursor.take(1)[0], number)
      number += 1
    } while !stop.isRaised
    return 0
  }

  // MARK: Sides

  private static func engineSide(_ bench: Workbench) throws -> Side {
    let store = try bench.engine()
    let dataset = bench.dataset
    let writer = store.connection
    let connections = try (0..<4).map { _ in try store.database.newConnection() }
    return Side(
      name: store.name,
      readers: connections.map { connection in { try EngineStore.readEach($0, on: connection, dataset) } },
      write: { row, number in try EngineStore.commit([row], fresh: number, on: writer, dataset) }
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

  private static let one = "one reader"
  private static let many = "a reader a core"

  /// Measures cached reads with one reader, and with one reader per core.
  private static func measureCores(_ bench: Workbench) throws {
    let store = try bench.engine()
    let dataset = bench.dataset
    let rows = Array(dataset.order("cores").prefix(bench.scale.hotRows))
    let cores = min(ProcessInfo.processInfo.activeProcessorCount, 4)
    let readers = try (0..<cores).map { _ -> Reader in
      let connection = try store.database.newConnection()
      connection.objectCacheLimit = rows.count
      return { try EngineStore.readEach($0, on: connection, dataset) }
    }
    func contestant(_ name: String, _ readers: [Reader]) -> Contestant {
      Contestant(name, .fixed(1)) { _ in
        let stop = StopFlag()
        let bodies = readers.map { read in { @Sendable () throws -> Int in try reading(rows, until: stop, read) } }
        let until = MonotonicClock.now + bench.scale.readersNanoseconds
        let (reads, took) = try ThreadCrew.run(bodies) {
          MonotonicClock.sleep(until: until)
          stop.raise()
        }
        // The time per read of one reader, so that the quotient is 1 if each reader is as fast as a single one.
        return Double(took) * Double(readers.count) / Double(max(reads, 1))
      }
    }
    try bench.measure(
      Trial(
        name: "cached reads on every core",
        contestants: [contestant(one, Array(readers.prefix(1))), contestant(many, readers)],
        answers: [ClaimID(10, "cores"): .ratio(of: one, to: many)]
      )
    )
  }
}
