internal import BenchResults
internal import CRawSQLite
internal import Foundation
internal import ThreadingPrimitives
internal import YapEngine

/// A group of benchmarks. Its stores stay open until the last benchmark of the group has ended.
protocol BenchmarkFamily {
  /// The targets that the family measures.
  static var targets: Set<TargetName> { get }
  static func run(on bench: Workbench) throws
}

/// The environment of all families of benchmarks: opens stores that contain the rows, and measures trials.
final class Workbench {
  let scale: BenchmarkScale
  let dataset: Dataset
  let files: StoreFiles
  private let runner: RoundRunner
  private let requested: Set<ClaimID>
  /// The number of operations whose instructions are counted; nil if times are measured.
  private let countedOperations: Int?
  private let contestant: String?
  private let onProgress: (BenchmarkProgress) -> Void
  private var stores: [any RowStore] = []
  private(set) var records: [TrialRecord] = []
  /// The number of turns whose instructions are counted.
  private(set) var countedTurns = 0
  /// For each measured claim, the index of its trial in `records`, and the computation of its figure.
  private var answers: [ClaimID: (record: Int, figure: Trial.Figure)] = [:]
  /// For each claim that other load made meaningless, the reason.
  private var disturbances: [ClaimID: String] = [:]

  /// Creates an environment that measures claims, or does only the work of one whose instructions are counted.
  init(
    _ options: BenchmarkOptions,
    claims: [Claim],
    interruption: StopFlag = StopFlag(),
    onProgress: @escaping (BenchmarkProgress) -> Void = { _ in }
  ) {
    scale = options.scale
    dataset = Dataset(rows: scale.rows, valueBytes: scale.valueBytes, seed: options.seed)
    files = StoreFiles(folder: options.folder, dataset: dataset)
    runner = RoundRunner(
      rounds: options.rounds,
      batchNanoseconds: scale.batchNanoseconds,
      seed: options.seed,
      interruption: interruption,
      probe: SyncProbe(path: options.folder + "/probe")
    )
    contestant = options.contestant
    requested = Set(claims.map(\.id))
    countedOperations = claims.lazy.compactMap(\.countedOperations).first
    self.onProgress = onProgress
  }

  func isRequested(_ target: TargetName) -> Bool { requested.contains { $0.target == target } }

  /// Measures contestants side by side, unless none of the claims that they answer was requested.
  func measure(
    _ name: String,
    _ contestants: [Contestant],
    answers: [ClaimID: Trial.Figure],
    longTurns: LongTurns? = nil,
    waitsForDisk: Bool = false,
    unit: FigureUnit = .nanoseconds
  ) throws {
    let wanted = answers.filter { requested.contains($0.key) }
    if wanted.isEmpty { return }
    if let operations = countedOperations {
      for case .value(let name) in wanted.values {
        try contestants.first { $0.name == name }?.countTurn(of: operations)
        countedTurns += 1
      }
      return
    }
    let trial = Trial(
      name: name,
      contestants: contestants.filter { contestant == nil || $0.name == contestant },
      longTurns: longTurns,
      waitsForDisk: waitsForDisk,
      unit: unit
    )
    onProgress(.trial(trial.name))
    let record: TrialRecord
    do { record = try runner.run(trial) } catch let error as BenchmarkError where error.code == .disturbed {
      for claim in wanted.keys { disturbances[claim] = error.description }
      return
    }
    for (claim, figure) in wanted { self.answers[claim] = (records.count, figure) }
    records.append(record)
  }

  /// Measures one contestant, whose figure answers a claim.
  func measure(_ name: String, _ contestant: Contestant, as claim: ClaimID, unit: FigureUnit = .nanoseconds) throws {
    try measure(name, [contestant], answers: [claim: .value(of: contestant.name)], unit: unit)
  }

  /// Returns the result of a claim by the trials so far.
  func result(of claim: Claim) -> ClaimResult {
    guard let answer = answers[claim.id] else {
      return ClaimResult(claim, of: nil, rounds: nil, disturbance: disturbances[claim.id])
    }
    let record = records[answer.record]
    let disturbance = record.slowAppends(besides: records)
    return ClaimResult(claim, of: record, rounds: record.rounds(of: answer.figure), disturbance: disturbance)
  }

  // MARK: Stores. They are closed when their family has ended.

  /// - Parameters:
  ///   - path: The file; nil for a new one with the rows of the environment's dataset.
  ///   - dataset: The rows that the store reads and writes; nil for the environment's.
  func engine(
    _ options: YapDatabaseOptions = .synchronous(.off),
    name: String? = nil,
    at path: String? = nil,
    of dataset: Dataset? = nil
  ) throws -> EngineStore {
    let path = try path ?? files.copy(.engine)
    var options = options
    if countedOperations != nil {
      // The instructions of a commit would depend on the time at which the checkpointer runs.
      options.checkpointing = .every(nanoseconds: .max)
      options.aggressiveCheckpointAt = .max
    }
    return try keep(EngineStore(path: path, dataset: dataset ?? self.dataset, options: options, name: name))
  }

  /// - Parameters:
  ///   - path: The file; nil for a new one with the rows of the environment's dataset.
  ///   - dataset: The rows that the store reads and writes; nil for the environment's.
  func raw(
    _ layout: craw_layout = CRAW_ORIGINAL,
    synchronous: YapDatabaseOptions.Synchronous = .off,
    autocheckpoint: Int32 = RawStore.usualAutocheckpoint,
    name: String? = nil,
    at path: String? = nil,
    of dataset: Dataset? = nil
  ) throws -> RawStore {
    let path = try path ?? files.copy(layout == CRAW_ORIGINAL ? .original : .numbered)
    return try keep(
      RawStore(
        path: path,
        layout: layout,
        dataset: dataset ?? self.dataset,
        synchronous: synchronous,
        autocheckpoint: autocheckpoint,
        name: name
      )
    )
  }

  /// Opens several handles on one file.
  func raws(_ count: Int) throws -> [RawStore] {
    let path = try files.copy(.original)
    return try (0..<count).map { _ in try keep(RawStore(path: path, layout: CRAW_ORIGINAL, dataset: dataset)) }
  }

  /// Returns a store of GRDB; an empty array if the program was built without GRDB.
  func grdb() throws -> [any RowStore] {
    #if GRDB
      return [try keep(GRDBStore(path: files.copy(.original), dataset: dataset))]
    #else
      return []
    #endif
  }

  /// Opens a driver's database, and its loop in C over a file of its own. Both load the same rows.
  func driver(_ kind: MeasuredDriver) throws -> (driver: DriverStore, loop: LoopStore) {
    let driver = try keep(DriverStore(kind, path: files.newPath(kind.rawValue), dataset: dataset))
    let loop = try keep(LoopStore(kind, path: files.newPath(kind.rawValue), dataset: dataset))
    try driver.load()
    try loop.load()
    return (driver, loop)
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

/// Loaded database files: each kind is loaded once, and copied for each store that needs its own file.
final class StoreFiles {
  enum Kind: String {
    case engine, original, numbered
  }

  let folder: String
  private let dataset: Dataset
  private var loaded: Set<Kind> = []
  private var copies: [String] = []
  /// The number of the last copy. Numbers are not reused, so that each copy of a session has its own path.
  private var lastCopy = 0

  init(folder: String, dataset: Dataset) {
    self.folder = folder
    self.dataset = dataset
  }

  /// Returns the path of a new file with all rows.
  func copy(_ kind: Kind) throws -> String {
    let template = "\(folder)/\(kind.rawValue).sqlite"
    if loaded.insert(kind).inserted { try load(kind, at: template) }
    let path = newPath(kind.rawValue)
    try FileManager.default.copyItem(atPath: template, toPath: path)
    return path
  }

  /// Returns the path of a file that does not exist yet.
  func newPath(_ name: String) -> String {
    lastCopy += 1
    let path = "\(folder)/\(name)-\(lastCopy).sqlite"
    copies.append(path)
    return path
  }

  /// Removes the files, except for the loaded ones that were copied. All their stores must be closed.
  func removeCopies() {
    for path in copies { Self.remove(path) }
    copies = []
  }

  /// Removes a database or a folder.
  static func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm", "-lock"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
  }

  private func load(_ kind: Kind, at path: String) throws {
    switch kind {
    case .engine:
      let store = try EngineStore(path: path, dataset: dataset, options: .synchronous(.off))
      try store.load()
      try store.close()
    case .original, .numbered:
      let store = try RawStore(path: path, layout: kind == .original ? CRAW_ORIGINAL : CRAW_NUMBERED, dataset: dataset)
      try store.load()
      store.close()
    }
  }
}
