internal import CRawSQLite
internal import YapEngine

/// The environment of a family of benchmarks: loaded stores, and the measurement of trials.
final class Workbench {
  let scale: BenchmarkScale
  let dataset: Dataset
  private let files: StoreFiles
  private let runner: RoundRunner
  private let isWanted: (ClaimID) -> Bool
  private let contestant: String?
  private let onProgress: (BenchmarkProgress) -> Void
  private var stores: [any RowStore] = []
  private(set) var records: [TrialRecord] = []
  /// For each claim, the record and the figure that answer it.
  private(set) var answers: [ClaimID: (record: Int, figure: Trial.Figure)] = [:]

  init(
    scale: BenchmarkScale,
    dataset: Dataset,
    files: StoreFiles,
    runner: RoundRunner,
    isWanted: @escaping (ClaimID) -> Bool,
    contestant: String?,
    onProgress: @escaping (BenchmarkProgress) -> Void
  ) {
    self.scale = scale
    self.dataset = dataset
    self.files = files
    self.runner = runner
    self.isWanted = isWanted
    self.contestant = contestant
    self.onProgress = onProgress
  }

  /// Measures a trial, unless none of its claims was requested.
  func measure(_ trial: Trial) throws {
    let wanted = trial.answers.filter { isWanted($0.key) }
    if wanted.isEmpty { return }
    var trial = trial
    if let contestant { trial.contestants.removeAll { $0.name != contestant } }
    onProgress(.trial(trial.name))
    let record = try runner.run(trial)
    for (claim, figure) in wanted { answers[claim] = (records.count, figure) }
    records.append(record)
  }

  // MARK: Stores. They are closed when their family has ended.

  func engine(_ options: YapDatabaseOptions = .synchronous(.off), name: String? = nil) throws -> EngineStore {
    try keep(EngineStore(path: files.copy(.engine), dataset, options: options, name: name))
  }

  func raw(
    _ layout: craw_layout = CRAW_ORIGINAL,
    synchronous: RawStore.Synchronous = .off,
    autocheckpoint: Int32 = RawStore.usualAutocheckpoint,
    name: String? = nil
  ) throws -> RawStore {
    let path = try files.copy(layout == CRAW_ORIGINAL ? .original : .numbered)
    return try keep(
      RawStore(path: path, layout, dataset, synchronous: synchronous, autocheckpoint: autocheckpoint, name: name)
    )
  }

  /// Opens several handles on one file.
  func raws(_ count: Int) throws -> [RawStore] {
    let path = try files.copy(.original)
    return try (0..<count).map { _ in try keep(RawStore(path: path, CRAW_ORIGINAL, dataset)) }
  }

  /// Returns no store or one, depending on the build.
  func grdb() throws -> [any RowStore] {
    #if GRDB
      return [try keep(GRDBStore(path: files.copy(.original), dataset))]
    #else
      return []
    #endif
  }

  private func keep<Store: RowStore>(_ store: Store) -> Store {
    stores.append(store)
    return store
  }

  func closeStores() throws {
    for store in stores { try store.close() }
    stores = []
    files.removeCopies()
  }
}

/// The progress of a session.
public enum BenchmarkProgress: Sendable, Equatable {
  /// Benchmarks of these targets begin, such as `P4 P5`.
  case family(String)
  case trial(String)
}
