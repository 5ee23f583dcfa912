extension Metric {
  /// In the order of the language.
  public static let allCases: [Metric] =
    [
      throughput, response, service, wait, laneWait, writeLaneWait, notificationLag, duration, deadlocks,
      walBytes, walFrames, walBacklogFrames, walByteSeconds, pinFrames, pinBytes, pinSeconds,
      snapshotAgeCommits, snapshotAgeSeconds, changesPendingCommits, changesPendingBytes,
    ] + cacheCounts + [
      memoryResident, memoryAllocated, memoryAllocationsPerOperation, harnessLate, harnessDropped, harnessOverhead,
      checkpointCount, checkpointWait, checkpointDuration, checkpointFramesCopied, checkpointBytesCopied,
      cpuUser, cpuSystem, cpuContextSwitches, cpuSteal, pressureIO,
      ioLogicalBytes, ioWALBytesWritten, ioDatabaseBytesWritten, ioSyncs, ioWALSyncs, ioDatabaseSyncs, ioSyncTime,
      ioWriteAmplification, recoveryDuration, recoveryFrames,
    ]

  // MARK: Transactions

  public static let throughput = Metric("throughput", .perSecond, aggregates: .rates, of: .actor, from: .throughput)
    .means("Transactions a second of a phase or an actor, operations of one operation.")
  public static let response =
    Metric("response", .nanoseconds, aggregates: .durations, of: .actor, from: .times(.response))
    .means("From when a transaction was due to its end.")
  public static let service =
    Metric("service", .nanoseconds, aggregates: .durations, of: .actor, from: .times(.service))
    .means("From when it began to its end; the only one that operations inside of a longer transaction have.")
  public static let wait = Metric("wait", .nanoseconds, aggregates: .durations, of: .actor, from: .times(.wait))
    .means("From when it was due to when it began; a closed load has none.")
  public static let laneWait =
    Metric("lane.wait", .nanoseconds, aggregates: .durations, of: .actor, from: .laneWaits, with: .withData)
    .means(
      "How long a transaction waited for its connection, which serves one after the other; asynchronous calls are not "
        + "timed."
    )
  public static let writeLaneWait =
    Metric("writeLane.wait", .nanoseconds, aggregates: .durations, of: .actor, from: .laneWaits, with: .withData)
    .means("How long a read-write transaction waited for other writers, and for checkpoints in its way.")
  public static let notificationLag =
    Metric("notification.lag", .nanoseconds, aggregates: .durations, from: .notificationLag, with: withNotifications)
    .means("From when a commit was written to when its notification was delivered.")
  public static let duration = Metric("duration", .nanoseconds, aggregates: .one, from: .phaseDuration)
    .means("How long the phase took.")
  public static let deadlocks = Metric("deadlocks", .count, of: .actor, from: .deadlocks)
    .means("Transactions inside of others that the engine refused, as nested or because of a deadlock (`nestedRead`).")

  private static let withNotifications =
    MetricDrivers.yap(sqliteLacks: "a connection of SQLite does not learn what another has changed")

  // MARK: The WAL, and connections that are behind

  public static let walBytes = Metric("wal.bytes", .bytes, from: .wal(\.bytes), with: .withData)
    .means("The size of the WAL's file.")
  public static let walFrames = Metric("wal.frames", .count, from: .wal(\.frames), with: .withData)
    .means("Frames in the WAL.")
  public static let walBacklogFrames =
    Metric("wal.backlogFrames", .count, from: .wal(\.backlogFrames), with: .withData)
    .means("Frames that are not yet copied into the database.")
  public static let walByteSeconds =
    Metric("wal.byteSeconds", .number, aggregates: .one, from: .walArea, with: .withData)
    .means("The area under `wal.bytes`.")
  public static let pinFrames =
    Metric("pin.frames", .count, from: .pin { pin, _ in Double(pin.framesHeldAlone) }, with: .withData)
    .means("Frames that the connection with the oldest snapshot holds alone.")
  public static let pinBytes =
    Metric("pin.bytes", .bytes, from: .pin { Double($0.framesHeldAlone * $1) }, with: .withData)
    .means("The same in bytes.")
  public static let pinSeconds =
    Metric("pin.seconds", .number, from: .pin { pin, _ in Double(pin.pinnedNanoseconds ?? 0) / 1e9 }, with: .withData)
    .means("How long that snapshot has been held.")
  public static let snapshotAgeCommits =
    Metric("snapshot.ageCommits", .count, from: .greatest { Double($0.ageCommits) }, with: .withData)
    .means("Commits between the newest and the connection that is furthest behind.")
  public static let snapshotAgeSeconds =
    Metric("snapshot.ageSeconds", .number, from: .greatest { Double($0.ageNanoseconds) / 1e9 }, with: .withData)
    .means("The same in seconds.")
  public static let changesPendingCommits =
    Metric("changes.pendingCommits", .count, from: .greatest { Double($0.pendingCommits) }, with: withPendingChanges)
    .means("Commits that wait in memory for the connection that is furthest behind.")
  public static let changesPendingBytes =
    Metric("changes.pendingBytes", .bytes, from: .greatest { Double($0.pendingBytes) }, with: withPendingChanges)
    .means("Bytes that wait for it.")

  private static let withPendingChanges = MetricDrivers.yap(sqliteLacks: "nothing waits in memory for a connection")

  // MARK: Caches

  private static let cacheCounts =
    metrics(of: "object", in: \.object) + metrics(of: "metadata", in: \.metadata)

  private static func metrics(of part: String, in cache: MetricSource.CacheCount.Cache) -> [Metric] {
    let drivers = MetricDrivers.yap(sqliteLacks: "it has no caches of objects")
    return EngineSample.CacheCounts.all.map { count in
      let source = MetricSource.cacheCount(MetricSource.CacheCount(cache: cache, count: count.path))
      let name = "cache.\(part).\(count.name)"
      return Metric(name, .count, aggregates: .increments, of: .actor, from: source, with: drivers)
        .means(count.meaning)
    }
  }

  // MARK: The process and the harness

  public static let memoryResident =
    Metric("memory.resident", .bytes, from: .sample { sample, _ in Double(sample.residentBytes) })
    .means("The process's resident memory.")
  public static let memoryAllocated =
    Metric("memory.allocated", .bytes, from: .sample { sample, _ in sample.allocatedBytes.map { Double($0) } })
    .means("Bytes that the allocator has handed out.")
  public static let memoryAllocationsPerOperation =
    Metric("memory.allocationsPerOperation", .number, aggregates: .one, of: .actor, from: .allocations)
    .means("How often an actor's threads allocate for an operation, the harness's own share included. Needs jemalloc.")
  public static let harnessLate = Metric("harness.late", .nanoseconds, aggregates: .durations, from: .lateness)
    .means("How late free workers began: the harness's own fault.")
  public static let harnessDropped =
    Metric("harness.dropped", .count, aggregates: .one, of: .actor, from: .droppedArrivals)
    .means("Arrivals that were dropped because they waited longer than the actor's `deadline`.")
  public static let harnessOverhead = Metric("harness.overhead", .nanoseconds, aggregates: .one, from: .harnessOverhead)
    .means("The harness's own time for a transaction: random numbers, clocks, checks.")

  // MARK: Checkpoints

  public static let checkpointCount =
    Metric("checkpoint.count", .count, aggregates: .one, from: .checkpointCount, with: .withData)
    .means("Checkpoints that were made.")
  public static let checkpointWait =
    Metric("checkpoint.wait", .nanoseconds, from: .checkpoints { Double($0.waitNanoseconds) }, with: .withData)
    .means("How long a checkpoint waited for the write lane, or for readers.")
  public static let checkpointDuration =
    Metric("checkpoint.duration", .nanoseconds, from: .checkpoints { Double($0.durationNanoseconds) }, with: .withData)
    .means("How long a checkpoint took.")
  public static let checkpointFramesCopied =
    Metric("checkpoint.framesCopied", .count, from: .checkpoints { Double($0.framesCopied) }, with: .withData)
    .means("Frames that checkpoints have copied.")
  public static let checkpointBytesCopied =
    Metric("checkpoint.bytesCopied", .bytes, from: .checkpoints { Double($0.bytesCopied) }, with: .withData)
    .means("The same in bytes.")

  // MARK: Processors, the machine, and the database's files

  public static let cpuUser = process("cpu.user", .nanoseconds) { Double($0.userCPUNanoseconds) }
    .means("Processor time of the process, outside of the kernel.")
  public static let cpuSystem = process("cpu.system", .nanoseconds) { Double($0.systemCPUNanoseconds) }
    .means("Processor time of the process, in the kernel.")
  public static let cpuContextSwitches = process("cpu.contextSwitches", .count) { Double($0.contextSwitches) }
    .means("How often a thread of the process gave up its core, or lost it.")
  public static let cpuSteal = process("cpu.steal", .nanoseconds) { Double($0.stolenNanoseconds) }
    .means("Processor time that the machine's host gave to others.")
  public static let pressureIO = process("pressure.io", .nanoseconds) { $0.ioPressureNanoseconds.map { Double($0) } }
    .means("How long tasks of the machine have waited for a disk.")

  private static func process(
    _ name: String,
    _ unit: MetricUnit,
    count: @escaping @Sendable (EngineSample) -> Double?
  ) -> Metric { Metric(name, unit, aggregates: .increments, from: .processCount(count)) }

  public static let ioLogicalBytes =
    Metric("io.logicalBytes", .bytes, aggregates: .increments, from: .logicalBytes, with: .withData)
    .means("Keys, objects and metadata that the actors' transactions have stored.")
  public static let ioWALBytesWritten = files("io.walBytesWritten", .bytes) { $0.wal.bytes }
    .means("Bytes that were written to the WAL: frames with their headers.")
  public static let ioDatabaseBytesWritten = files("io.databaseBytesWritten", .bytes) { $0.database.bytes }
    .means("Bytes that were written to the database's file, by checkpoints mostly.")
  public static let ioSyncs = files("io.syncs", .count) { $0.syncs }
    .means("How often one of the database's files was synced.")
  public static let ioWALSyncs = files("io.walSyncs", .count) { $0.wal.syncs }
    .means("Of these, syncs of the WAL.")
  public static let ioDatabaseSyncs = files("io.databaseSyncs", .count) { $0.database.syncs }
    .means("Of these, syncs of the database's file.")
  public static let ioSyncTime = files("io.syncTime", .nanoseconds) { $0.syncNanoseconds }
    .means("The time of all syncs together.")
  public static let ioWriteAmplification =
    Metric("io.writeAmplification", .number, aggregates: .one, from: .writeAmplification, with: .withData)
    .means("Bytes written to the WAL and the database's file for each byte of `io.logicalBytes`, over the whole phase.")

  private static func files(
    _ name: String,
    _ unit: MetricUnit,
    count: @escaping @Sendable (FileWrites) -> Int
  ) -> Metric { Metric(name, unit, aggregates: .increments, from: .fileCount(count), with: .withData) }

  // MARK: Recovery

  public static let recoveryDuration =
    Metric("recovery.duration", .nanoseconds, from: .recoveries { Double($0.durationNanoseconds) })
    .means("From the start of opening to the end of the first read, after `kill` or `reopen`.")
  public static let recoveryFrames =
    Metric("recovery.frames", .count, from: .recoveries { Double($0.frames) })
    .means("Frames in the file of the WAL then, also those that had been copied.")
}
