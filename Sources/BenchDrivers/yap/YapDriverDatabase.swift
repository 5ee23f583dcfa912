internal import BenchResults
public import BenchScenario
internal import Foundation
internal import YapEngine

/// `YapEngine`, used through its public interface, except for the byte and sync counts of checkpoints.
final class YapDriverDatabase: DriverDatabase {
  private let database: YapDatabase
  private let codecs: CollectionCodecs
  private let listeners = CommitListeners()
  // It is only passed back to the notification center.
  private nonisolated(unsafe) let observer: any NSObjectProtocol
  private let files: CountedFiles
  private let path: String
  let configuration: EngineConfiguration

  init(
    _ engine: EngineSettings,
    dataset: [DatasetCollection],
    views: [ViewSettings],
    path: String,
    tests: EngineTestSettings
  ) throws {
    var options = YapDatabaseOptions(engine)
    options.testHooks = tests.hooks()
    codecs = CollectionCodecs(dataset)
    // Payloads of collections without a codec of their own are stored unchanged, as by the SQLite driver.
    options.defaultObjectCodec = .bytes
    options.defaultMetadataCodec = .bytes
    options.objectCodecs = codecs.engineCodecs
    files = try CountedFiles(ofDatabaseAt: path)
    self.path = path
    configuration = EngineConfiguration(options, engine)
    database = try YapDatabase(path: path, options: options)
    let center = NotificationCenter.default
    observer = center.addObserver(forName: .YapDatabaseModified, object: database, queue: nil) { [listeners] in
      guard let commit = YapDatabaseModification($0) else { return }
      listeners.notify(CommitNotification(commit.snapshot, writtenAt: commit.writtenAtNanoseconds))
    }
    for view in views { try register(view) }
  }

  func register(_ view: ViewSettings) throws {
    try database.register(YapDatabaseView(view, codecs), withName: view.name)
  }

  var commit: UInt64 { database.snapshot }
  var pageSize: Int { database.pageSize }

  func connect(_ settings: ConnectionSettings) throws -> any DriverConnection {
    let connection = try database.newConnection(name: settings.name)
    if let policy = settings.objectPolicy { connection.objectPolicy = YapDatabasePolicy(policy) }
    if let policy = settings.metadataPolicy { connection.metadataPolicy = YapDatabasePolicy(policy) }
    connection.objectCacheEnabled = settings.objectCache
    connection.metadataCacheEnabled = settings.metadataCache
    if let limit = settings.objectCacheLimit { connection.objectCacheLimit = limit }
    if let limit = settings.metadataCacheLimit { connection.metadataCacheLimit = limit }
    if let permitted = settings.permitted {
      connection.permittedTransactions = YapDatabasePermittedTransactions(permitted)
    }
    return YapDriverConnection(connection, codecs)
  }

  func observe() -> EngineSample? {
    let statistics = database.statistics
    var wal = EngineSample.WAL.zero
    (wal.bytes, wal.frames) = (statistics.walBytes, statistics.walFrames)
    wal.backlogFrames = statistics.walBacklogFrames
    wal.heldFrames = statistics.walFramesHeld
    wal.pinnedBy = statistics.walPinnedBy?.name
    let connections = statistics.connections.map { connection in
      var sample = EngineSample.Connection(name: connection.name)
      sample.ageCommits = Int(connection.pinnedSnapshot.map { statistics.snapshot - min($0, statistics.snapshot) } ?? 0)
      sample.ageNanoseconds = connection.snapshotAgeNanoseconds
      sample.pinnedNanoseconds = connection.pinnedSnapshot == nil ? nil : connection.pinnedNanoseconds
      sample.framesHeldAlone = connection.framesHeldAlone
      sample.pendingCommits = Int(connection.pendingCommits)
      sample.pendingBytes = connection.pendingBytes
      var caches = EngineSample.Caches.zero
      caches.object = EngineSample.CacheCounts(connection.caches.objects)
      caches.metadata = EngineSample.CacheCounts(connection.caches.metadata)
      sample.caches = caches
      return sample
    }
    return EngineSample(
      commit: Int(statistics.snapshot),
      storageBytes: DatabaseFiles.bytesOfSQLite(at: path),
      wal: wal,
      connections: connections,
      writes: files.writes
    )
  }

  func checkpoints(after number: Int) -> [CheckpointResult] {
    database.checkpoints(after: number).map { CheckpointResult($0, pageSize: pageSize) }
  }

  func checkpoint(_ mode: CheckpointModeSetting) throws -> CheckpointResult {
    let timeout = Duration.nanoseconds(Int64(clamping: database.options.busyTimeoutNanoseconds))
    let made = try database.checkpoint(YapDatabaseCheckpoint.Mode(mode), timeout: timeout)
    return CheckpointResult(made, pageSize: pageSize)
  }

  func vacuum() throws { try database.newConnection(name: EventResult.actorName).vacuum() }

  func onCommit(_ handler: @escaping @Sendable (CommitNotification) -> Void) {
    // Notifications of earlier commits, such as the registration of a view, may still be pending.
    listeners.add(after: database.snapshot, handler)
  }

  func isDamage(_ error: any Error) -> Bool { (error as? YapDatabaseError)?.code == .corrupt }

  func isDeadlock(_ error: any Error) -> Bool {
    guard let code = (error as? YapDatabaseError)?.code else { return false }
    return code == .nestedTransaction || code == .deadlock
  }

  func close() throws {
    NotificationCenter.default.removeObserver(observer)
    try database.close()
  }
}

extension CheckpointResult {
  fileprivate init(_ checkpoint: YapDatabaseCheckpoint, pageSize: Int) {
    self.init(
      number: checkpoint.number,
      mode: checkpoint.isBesideCommits ? "guarded" : checkpoint.mode.rawValue,
      cause: checkpoint.cause.rawValue,
      outcome: CheckpointResult.Outcome(checkpoint.outcome)
    )
    elapsedNanoseconds = checkpoint.startedAtNanoseconds
    waitNanoseconds = checkpoint.waitNanoseconds
    durationNanoseconds = checkpoint.durationNanoseconds
    framesInWAL = checkpoint.framesInWAL
    framesCopied = checkpoint.framesCopied
    framesLeft = checkpoint.framesLeft
    bytesCopied = checkpoint.bytesWritten ?? checkpoint.framesCopied * pageSize
    syncs = checkpoint.syncs
    pinnedBy = checkpoint.pinnedBy
    laneNanoseconds = checkpoint.laneNanoseconds
    overlappingCommits = checkpoint.overlappingCommits
    stalledWriters = checkpoint.stalledWriters
  }
}

extension YapDatabaseCheckpoint.Mode {
  init(_ setting: CheckpointModeSetting) {
    self =
      switch setting {
      case .passive: .passive
      case .full: .full
      case .restart: .restart
      case .truncate: .truncate
      }
  }
}

extension EngineSample.CacheCounts {
  fileprivate init(_ values: YapDatabaseStatistics.Caches.Values) {
    self = .zero
    hits = values.hits
    misses = values.misses
    updatedByPolicy = values.updatedByPolicy
    dropped = values.dropped
    readAgain = values.readAgain
    decoded = values.decoded
    copied = values.copied
  }
}

extension YapDatabaseOptions {
  /// The engine's own options, except for those that a scenario states.
  init(_ engine: EngineSettings) {
    self.init()
    synchronous =
      switch engine.synchronous {
      case .off: .off
      case .normal: .normal
      case .full: .full
      }
    pageSize = engine.pageSizeBytes ?? pageSize
    mmapSize = engine.mmapSizeBytes ?? mmapSize
    usesEngineVFS = engine.engineVFS ?? usesEngineVFS
    journalSizeLimit = engine.journalSizeLimitBytes ?? journalSizeLimit
    aggressiveCheckpointAt = engine.aggressiveCheckpointAtBytes ?? aggressiveCheckpointAt
    busyTimeoutNanoseconds = engine.busyTimeoutNanoseconds ?? busyTimeoutNanoseconds
    defaultObjectPolicy = engine.defaultObjectPolicy.map(YapDatabasePolicy.init) ?? defaultObjectPolicy
    defaultMetadataPolicy = engine.defaultMetadataPolicy.map(YapDatabasePolicy.init) ?? defaultMetadataPolicy
    if let checkpoint = engine.checkpoint { checkpointing = .every(nanoseconds: checkpoint.everyNanoseconds) }
  }
}

extension YapDatabasePolicy {
  init(_ setting: CachePolicySetting) {
    self =
      switch setting {
      case .containment: .containment
      case .share: .share
      case .copy: .copy
      }
  }
}

extension CachePolicySetting {
  /// The policy of the engine's object caches if neither the scenario nor a connection states one.
  public static let usualOfObjects = allCases.first {
    YapDatabasePolicy($0) == YapDatabaseOptions().defaultObjectPolicy
  }
}

extension YapDatabasePermittedTransactions {
  init(_ kinds: [PermittedTransaction]) {
    self = kinds.reduce(into: []) { set, kind in
      switch kind {
      case .syncRead: set.insert(.syncRead)
      case .asyncRead: set.insert(.asyncRead)
      case .syncReadWrite: set.insert(.syncReadWrite)
      case .asyncReadWrite: set.insert(.asyncReadWrite)
      }
    }
  }
}

extension CheckpointResult.Outcome {
  fileprivate init(_ outcome: YapDatabaseCheckpoint.Outcome) {
    switch outcome {
    case .complete: self = .complete
    case .overtaken: self = .overtaken
    case .partialPinned: self = .partialPinned
    case .busy: self = .busy
    case .reset: self = .reset
    case .gaveUp: self = .gaveUp
    case .failed: self = .failed
    }
  }
}

extension YapDatabaseView {
  /// Creates the view that a scenario describes. It groups and sorts by the fields that every generated object has.
  init(_ settings: ViewSettings, _ codecs: CollectionCodecs) {
    @Sendable func fields(_ object: Any) throws -> GeneratedFields {
      guard let fields = codecs.bytes(object, of: settings.collection).flatMap(GeneratedFields.init) else {
        throw DriverError("an object of \"\(settings.collection)\" lacks the generated fields")
      }
      return fields
    }
    var options = Options()
    options.allowedCollections = .only([settings.collection])
    self.init(
      grouping: .withObjectBlock { _, _, _, object in settings.group.name(ofRow: try fields(object).row) },
      sorting: .withObjectBlock { _, _, _, _, left, _, _, right in
        let (left, right) = (try fields(left), try fields(right))
        if left.isBefore(right, by: settings.sort) { return .orderedAscending }
        return right.isBefore(left, by: settings.sort) ? .orderedDescending : .orderedSame
      },
      versionTag: "1",
      options: options
    )
  }
}

extension EngineConfiguration {
  fileprivate init(_ options: YapDatabaseOptions, _ engine: EngineSettings) {
    let interval = engine.checkpoint.map { "every \(Duration.nanoseconds(Int64(clamping: $0.everyNanoseconds)))" }
    self.init(
      library: "SQLite \(DriverBuild.sqliteVersion)",
      options: [
        Option("journal_mode", "WAL"), Option("synchronous", engine.synchronous.rawValue),
        Option("checkpoints", interval ?? "by the engine's checkpointer"),
        Option("aggressiveCheckpointAt", "\(options.aggressiveCheckpointAt) B"),
        Option("mmap_size", "\(options.mmapSize) B"), Option("engineVFS", "\(options.usesEngineVFS)"),
      ]
    )
  }
}
