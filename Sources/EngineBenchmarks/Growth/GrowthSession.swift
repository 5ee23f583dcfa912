package import BenchResults
internal import CRawSQLite
internal import Foundation
package import ThreadingPrimitives
internal import YapEngine

/// The choice of growth measurements.
package struct GrowthOptions: Sendable {
  /// The axes and their sizes, in the order in which they are measured.
  package var axes: [(axis: GrowthAxis, sizes: [Int])]
  package var rounds = 5
  package var seed: UInt64 = 1
  /// The approximate duration of a turn.
  package var batchNanoseconds: UInt64 = 60_000_000
  /// The folder of the databases during the session. It must exist and be empty.
  package var folder: String

  package init(folder: String, axes: [(axis: GrowthAxis, sizes: [Int])]) {
    self.folder = folder
    self.axes = axes
  }
}

/// Measures how the cost of operations grows with sizes, beside C over the engine's table, in rounds.
package enum GrowthSession {
  /// - Parameter onProgress: Receives a line at the beginning of each size.
  /// - Throws: `BenchmarkError` or an error of a store. An interruption is not an error: the report then lacks sizes.
  package static func perform(
    _ options: GrowthOptions,
    interruption: StopFlag = StopFlag(),
    onProgress: @escaping @Sendable (String) -> Void = { _ in }
  ) throws -> GrowthReport {
    try checkDisk(options)
    var report = GrowthReport(seed: options.seed, rounds: options.rounds)
    for (axis, sizes) in options.axes {
      let bench = GrowthBench(axis: axis, options: options, interruption: interruption, onProgress: onProgress)
      let result = Result { try axis.measure(sizes, on: bench) }
      let ending = Result { try bench.removeStores() }
      report.axes.append(GrowthReport.Axis(axis: axis, panels: bench.panels))
      do { try result.get() } catch is BenchmarkInterrupted {
        report.isInterrupted = true
        return report
      }
      try ending.get()
    }
    return report
  }

  /// - Throws: `failed` if a size needs more space than the disk has.
  private static func checkDisk(_ options: GrowthOptions) throws {
    var status = statvfs()
    guard statvfs(options.folder, &status) == 0 else { return }
    let free = Int(status.f_bavail) * Int(status.f_frsize)
    for (axis, sizes) in options.axes {
      guard let size = sizes.max(), axis.diskBytes(of: size) > free else { continue }
      throw BenchmarkError(
        .failed,
        "the axis \(axis.rawValue) needs \(axis.diskBytes(of: size) >> 20) MiB of disk space, and \(free >> 20) MiB "
          + "are free: choose another --data-dir, other axes with --only, or smaller sizes with --max-rows or --quick"
      )
    }
  }
}

/// The environment of the measurement of an axis: opens loaded stores, and measures them side by side.
final class GrowthBench {
  private let axis: GrowthAxis
  private let options: GrowthOptions
  private let runner: RoundRunner
  private let onProgress: (String) -> Void
  private var stores: [any RowStore] = []
  private var lastStore = 0
  private(set) var panels: [GrowthReport.Panel] = []

  init(
    axis: GrowthAxis,
    options: GrowthOptions,
    interruption: StopFlag,
    onProgress: @escaping (String) -> Void
  ) {
    self.axis = axis
    self.options = options
    self.onProgress = onProgress
    runner = RoundRunner(
      rounds: options.rounds,
      batchNanoseconds: options.batchNanoseconds,
      seed: options.seed,
      interruption: interruption,
      probe: SyncProbe(path: options.folder + "/probe")
    )
  }

  var rounds: Int { options.rounds }

  /// The number of rounds for work that takes much longer than a turn.
  func rounds(forOperations operations: Int, inTurn usual: Int) -> Int {
    max(1, min(options.rounds, options.rounds * usual / max(operations, 1)))
  }

  /// Reports that the measurement of a size begins.
  /// - Throws: `BenchmarkInterrupted`.
  func begin(_ size: Int) throws {
    try throwIfInterrupted()
    onProgress("\(axis.rawValue) \(size)")
  }

  func throwIfInterrupted() throws { try runner.throwIfInterrupted() }

  func dataset(rows: Int, valueBytes: Int = 100) -> Dataset {
    Dataset(rows: rows, valueBytes: valueBytes, seed: options.seed, isSorted: true)
  }

  // MARK: Stores

  /// Opens the engine over a new file with all rows.
  func engine(
    _ dataset: Dataset,
    _ settings: YapDatabaseOptions = .synchronous(.off),
    name: String? = nil
  ) throws -> EngineStore {
    let path = newPath("engine")
    let loading = try EngineStore(path: path, dataset: dataset, options: settings)
    try loading.load()
    try loading.close()
    return try keep(EngineStore(path: path, dataset: dataset, options: settings, name: name))
  }

  /// Opens C over the engine's table, in a new file with all rows.
  /// - Parameter handles: The number of handles on the file. The first one loads the rows.
  func table(
    _ dataset: Dataset,
    handles: Int = 1,
    autocheckpoint: Int32 = RawStore.usualAutocheckpoint
  ) throws -> (stores: [RawStore], path: String) {
    let path = newPath("table")
    let stores = try (0..<handles).map { number in
      let store = try keep(
        RawStore(path: path, layout: CRAW_NUMBERED, dataset: dataset, autocheckpoint: autocheckpoint)
      )
      if number == 0 { try store.load() }
      return store
    }
    try stores[0].checkpoint()
    return (stores, path)
  }

  private func newPath(_ name: String) -> String {
    lastStore += 1
    return "\(options.folder)/\(name)-\(lastStore).sqlite"
  }

  private func keep<Store: RowStore>(_ store: Store) -> Store {
    stores.append(store)
    return store
  }

  /// Closes the stores and removes their files.
  func removeStores() throws {
    for store in stores { try store.close() }
    stores = []
    for name in try FileManager.default.contentsOfDirectory(atPath: options.folder) {
      try FileManager.default.removeItem(atPath: options.folder + "/" + name)
    }
  }

  // MARK: Panels

  /// Measures contestants in rounds, as a point of the panel with the given title.
  func measure(_ title: String, at size: Int, _ contestants: [Contestant]) throws {
    let record = try runner.run(Trial(name: "\(axis) \(size) \(title)", contestants: contestants))
    add(record.figures, to: title, at: size, unit: .nanoseconds, contestants.map(\.name))
  }

  /// Adds the figures of the engine, one per round, as a point of the panel with the given title.
  func add(_ figures: [Double], to title: String, at size: Int, unit: FigureUnit) {
    add([ContestantName.engine: figures], to: title, at: size, unit: unit, [ContestantName.engine])
  }

  /// Adds the memory that the process has allocated since `before`, for each of `count` objects, if it is known.
  func addMemory(since before: Int, of count: Int, to title: String, at size: Int) {
    if let bytes = BuildTraits.memory(since: before, of: count) { add([bytes], to: title, at: size, unit: .bytes) }
  }

  private func add(
    _ figures: [String: [Double]],
    to title: String,
    at size: Int,
    unit: FigureUnit,
    _ contestants: [String]
  ) {
    let point = GrowthReport.Point(size: size, figures: figures)
    if let index = panels.firstIndex(where: { $0.title == title }) {
      panels[index].points.append(point)
    } else {
      panels.append(GrowthReport.Panel(title: title, unit: unit, contestants: contestants, points: [point]))
    }
  }
}
