extension Metric {
  /// All metrics, in the order of the reference.
  public static let allCases: [Metric] =
    [
      throughput, operations, loadEndRate, response, service, wait, laneWait, writeLaneWait, notificationLag,
      notificationToRead, duration, deadlocks,
      storageBytes, walBytes, walFrames, walBacklogFrames, walByteSeconds, pinFrames, pinBytes, pinSeconds,
      snapshotAgeCommits, snapshotAgeSeconds, changesPendingCommits, changesPendingBytes,
    ] + cacheCounts + [
      memoryResident, memoryAllocated, memoryAllocationsPerOperation, harnessLate, harnessDropped, harnessOverhead,
      checkpointCount, checkpointWait, checkpointDuration, checkpointFramesCopied, checkpointBytesCopied,
      cpuUser, cpuSystem, cpuContextSwitches, cpuSteal, cpuThrottled, pressureCPU, pressureIO,
      ioLogicalBytes, ioWALBytesWritten, ioDatabaseBytesWritten, ioSyncs, ioWALSyncs, ioDatabaseSyncs, ioSyncTime,
      ioWriteAmplification, recoveryDuration, recoveryFrames,
    ] + ofLMDB + ofRocksDB

  // MARK: Transactions

  public static let throughput = Metric("throughput", .perSecond, aggregates: .rates, of: .actor, from: .throughput)
    .means(
      "Transactions per second of a phase or an actor, or operations per second of one operation. `min` and `max` are "
        + "those of whole seconds."
    )
  public static let operations = Metric("operations", .perSecond, aggregates: .one, of: .actor, from: .operations)
    .means(
      "Operations per second of a phase or an actor: of transactions that write or read one row with each operation, "
        + "the rate of rows."
    )
    .titled("operations/s")
  public static let loadEndRate =
    Metric("load.endRate", .perSecond, aggregates: .one, of: .actor, from: .endRate)
    .means(
      "The rate of arrivals that a `ramp` or `stages` had when a count or condition ended the phase; none if its time "
        + "ended it. The engine may have done less: see `throughput.max`."
    )
    .titled("rate at the end")
  public static let response =
    durations("response", from: .times(.response))
    .means("Time from when a transaction is due until it ends. A closed load has only `service` times.")
  public static let service =
    durations("service", from: .times(.service))
    .means(
      "Time from the start of a transaction until it ends. In a transaction with several operations, each "
        + "operation has only this time."
    )
  public static let wait = durations("wait", from: .times(.wait))
    .means("Time from when a transaction is due until it starts. A closed load has no waits.")
  public static let laneWait = durations("lane.wait", from: .laneWaits { $0.laneWait }, with: .rows)
    .means(
      "Time for which a transaction waits for its connection, which runs one transaction at a time. "
        + "Asynchronous calls are not timed."
    )
  public static let writeLaneWait = durations("writeLane.wait", from: .laneWaits { $0.writeLaneWait }, with: .rows)
    .means("Time for which a read-write transaction waits for other writers and for checkpoints.")
  public static let notificationLag =
    durations("notification.lag", of: .phase, from: .notificationLag, with: .changes)
    .means("Time from the write of a commit to the delivery of its notification.")
  public static let notificationToRead =
    durations("notification.toRead", from: .notificationReads { $0.notificationToRead }, with: .changes)
    .means(
      "Time from the first commit that changed a row until an actor with `react` has read the row again, which "
        + "includes the notification and the move of the snapshot."
    )
  public static let duration = Metric("duration", .nanoseconds, aggregates: .one, from: .phaseDuration)
    .means("Duration of the phase.")
  public static let deadlocks = Metric("deadlocks", .count, of: .actor, from: .deadlocks)
    .means(
      "Number of nested transactions (`nestedRead`, `nestedWrite`) that the engine rejected, as nested or "
        + "because of a deadlock."
    )

  private static func durations(
    _ name: String,
    of scope: Scope = .actor,
    from source: MetricSource,
    with feature: DriverFeature? = nil
  ) -> Metric { Metric(name, .nanoseconds, aggregates: .durations, of: scope, from: source, with: feature) }

  // MARK: The files, the WAL, and connections that are behind

  public static let storageBytes =
    Metric("storage.bytes", .bytes, from: .sample(\.storageBytes), with: .rows)
    .means("Size of all files of the database.").titled("storage peak")
  public static let walBytes = Metric("wal.bytes", .bytes, from: .wal(\.bytes), with: .wal)
    .means(
      "Size of the WAL file, with the space of frames that are copied already. After loading, all frames are copied, "
        + "and the next commits overwrite them."
    ).titled("WAL peak")
    .exported(as: "wal", unit: "bytes", help: "Size of the WAL file at the end.")
  public static let walFrames = Metric("wal.frames", .count, from: .wal(\.frames), with: .wal)
    .means("Number of frames in the WAL.")
  public static let walBacklogFrames =
    Metric("wal.backlogFrames", .count, from: .wal(\.backlogFrames), with: .wal)
    .means("Number of frames that are not yet copied to the database file.")
    .exported(
      as: "wal_backlog",
      unit: "frames",
      help: "Frames of the WAL that are not in the database file at the end."
    )
  public static let walByteSeconds =
    Metric("wal.byteSeconds", .byteSeconds, aggregates: .one, from: .walArea, with: .wal)
    .means("Size of the WAL file integrated over time, in byte-seconds.").titled("WAL area")
  public static let pinFrames =
    connection("pin.frames", .count, of: .oldestPin, with: .wal) { pin, _ in pin.framesHeldAlone }
    .means("Number of frames that only the connection with the oldest snapshot keeps from being copied.")
  public static let pinBytes =
    connection("pin.bytes", .bytes, of: .oldestPin, with: .wal) { $0.framesHeldAlone * $1 }
    .means("Size of the frames that only the connection with the oldest snapshot keeps from being copied.")
  public static let pinSeconds =
    connection("pin.seconds", .seconds, of: .oldestPin, with: .wal) { pin, _ in
      pin.pinnedNanoseconds.map { Int(clamping: $0) }
    }
    .means("Seconds for which the oldest snapshot has been pinned; 0 if it keeps no frames from being copied.")
  public static let snapshotAgeCommits =
    connection("snapshot.ageCommits", .count, of: .greatest, with: .rows) { one, _ in one.ageCommits }
    .means("Number of commits after the snapshot of the connection that is furthest behind.")
    .titled("max lag, commits")
    .exported(as: "connection_age", unit: "commits", help: "Commits that the connection was behind at the end.")
  public static let snapshotAgeSeconds =
    connection("snapshot.ageSeconds", .seconds, of: .greatest, with: .rows) { one, _ in
      Int(clamping: one.ageNanoseconds)
    }
    .means("Seconds since the first commit after the snapshot of the connection that is furthest behind.")
  public static let changesPendingCommits =
    connection("changes.pendingCommits", .count, of: .greatest, with: .caches) { one, _ in one.pendingCommits }
    .means("Number of commits whose change sets wait in memory for one connection; the maximum over all connections.")
  public static let changesPendingBytes =
    connection("changes.pendingBytes", .bytes, of: .greatest, with: .caches) { one, _ in one.pendingBytes }
    .means("Memory of the commits and values that wait for one connection; the maximum over all connections.")

  private static func connection(
    _ name: String,
    _ unit: FigureUnit,
    of choice: MetricSource.ConnectionChoice,
    with feature: DriverFeature,
    value: @escaping @Sendable (EngineSample.Connection, _ frameBytes: Int) -> Int?
  ) -> Metric { Metric(name, unit, from: .connection(choice, value), with: feature) }

  // MARK: Caches

  private static let cacheCounts =
    metrics(of: "object", in: \.object) + metrics(of: "metadata", in: \.metadata)

  /// Returns the counts of this name of both caches, such as "misses".
  package static func cacheCounts(named count: String) -> [Metric] {
    ["object", "metadata"].compactMap { Metric(rawValue: "cache.\($0).\(count)") }
  }

  private static func metrics(of part: String, in cache: MetricSource.CacheCount.Cache) -> [Metric] {
    return EngineSample.CacheCounts.all.map { count in
      let source = MetricSource.cacheCount(MetricSource.CacheCount(cache: cache, count: count.path))
      let name = "cache.\(part).\(count.name)"
      let metric = Metric(name, .count, aggregates: .increments, of: .actor, from: source, with: .caches)
        .means(count.meaning)
      return count.isPartOfReads ? metric.hasShare(of: "reads of the cache") : metric
    }
  }

  // MARK: The process and the harness

  public static let memoryResident =
    Metric("memory.resident", .bytes, from: .sample(\.residentBytes))
    .means("Resident memory of the process. Mapped pages of a file, such as those of LMDB, count as resident.")
    .exported(as: "memory_resident", unit: "bytes", help: "Resident memory of the process at the end.")
  public static let memoryAllocated =
    Metric("memory.allocated", .bytes, from: .sample(\.allocatedBytes))
    .means("Memory that the process has allocated and not freed. Needs jemalloc.")
    .exported(as: "memory_allocated", unit: "bytes", help: "Bytes that the process had allocated at the end.")
  public static let memoryAllocationsPerOperation =
    Metric("memory.allocationsPerOperation", .number, aggregates: .one, of: .actor, from: .allocations)
    .means("Number of allocations of an actor's threads per operation, including those of the harness. Needs jemalloc.")
    .titled("allocations per operation")
  public static let harnessLate = durations("harness.late", of: .phase, from: .lateness)
    .means("Delay with which a free worker starts a transaction that is due. The harness causes it, not the engine.")
  public static let harnessDropped =
    Metric("harness.dropped", .count, aggregates: .one, of: .actor, from: .droppedArrivals)
    .hasShare(of: "arrivals that were due")
    .means("Number of arrivals that were dropped because they waited longer than the actor's `deadline`.")
  public static let harnessOverhead = Metric("harness.overhead", .nanoseconds, aggregates: .one, from: .harnessOverhead)
    .means("The harness's own time per transaction: drawing random numbers, reading clocks, recording.")

  // MARK: Checkpoints

  public static let checkpointCount =
    Metric("checkpoint.count", .count, aggregates: .one, from: .checkpointCount, with: .checkpoints)
    .means("Number of checkpoint attempts.")
    .exported(as: "checkpoints", help: "Checkpoints by their outcome.")
  public static let checkpointWait =
    Metric("checkpoint.wait", .nanoseconds, from: .checkpoints { Double($0.waitNanoseconds) }, with: .checkpoints)
    .means("Time for which a checkpoint waited for the write lane. The wait for readers belongs to the duration.")
  public static let checkpointDuration =
    Metric(
      "checkpoint.duration",
      .nanoseconds,
      from: .checkpoints { Double($0.durationNanoseconds) },
      with: .checkpoints
    )
    .means("Duration of a checkpoint.")
  public static let checkpointFramesCopied =
    Metric("checkpoint.framesCopied", .count, from: .checkpoints { Double($0.framesCopied) }, with: .checkpoints)
    .means("Number of frames that a checkpoint copied.")
  public static let checkpointBytesCopied =
    Metric("checkpoint.bytesCopied", .bytes, from: .checkpoints { Double($0.bytesCopied) }, with: .checkpoints)
    .means("Bytes that a checkpoint wrote to the database file.")
    .exported(as: "checkpoint_copied", unit: "bytes", help: "Bytes that checkpoints copied to the database file.")

  // MARK: Processors, the machine, and the database's files

  public static let cpuUser = process("cpu.user", .nanoseconds) { Int(clamping: $0.userCPUNanoseconds) }
    .means("Processor time of the process in user mode.")
    .exported(as: "cpu", unit: "seconds", label: ("mode", "user"), help: processorTime)
  public static let cpuSystem = process("cpu.system", .nanoseconds) { Int(clamping: $0.systemCPUNanoseconds) }
    .means("Processor time of the process in the kernel.")
    .exported(as: "cpu", unit: "seconds", label: ("mode", "system"), help: processorTime)
  public static let cpuContextSwitches = process("cpu.contextSwitches", .count, count: \.contextSwitches)
    .means("Number of context switches of the process's threads, voluntary or not.")
  public static let cpuSteal = process("cpu.steal", .nanoseconds) { Int(clamping: $0.stolenNanoseconds) }
    .means("Processor time that the machine's host gave to other machines.")
  public static let cpuThrottled =
    process("cpu.throttled", .nanoseconds) { $0.throttledNanoseconds.map { Int(clamping: $0) } }
    .means("Time for which CPU quotas stopped the control groups of the process, summed over the processors.")
  public static let pressureCPU =
    process("pressure.cpu", .nanoseconds) { $0.runDelayNanoseconds.map { Int(clamping: $0) } }
    .means("Time for which threads of the process were ready to run and waited for a processor; their sum.")
  public static let pressureIO =
    process("pressure.io", .nanoseconds) { $0.ioPressureNanoseconds.map { Int(clamping: $0) } }
    .means("Time in which a task on the machine waited for a disk.")

  private static let processorTime = "Processor time of the process since its start."

  private static func process(
    _ name: String,
    _ unit: FigureUnit,
    count: @escaping @Sendable (EngineSample) -> Int?
  ) -> Metric { Metric(name, unit, aggregates: .increments, from: .sampledCount(count)) }

  public static let ioLogicalBytes =
    Metric("io.logicalBytes", .bytes, aggregates: .increments, from: .logicalBytes, with: .rows)
    .means("Size of the keys, objects and metadata that the actors' transactions stored.")
  public static let ioWALBytesWritten = files("io.walBytesWritten", .bytes) { $0.wal.bytes }
    .means("Bytes written to the WAL: frames with their headers.").titled("WAL bytes written")
  public static let ioDatabaseBytesWritten = files("io.databaseBytesWritten", .bytes) { $0.database.bytes }
    .means("Bytes written to the database file, mostly by checkpoints.").titled("database bytes written")
  public static let ioSyncs = files("io.syncs", .count) { $0.syncs }
    .means("Number of syncs of the database's files.").titled("syncs")
  public static let ioWALSyncs = files("io.walSyncs", .count) { $0.wal.syncs }
    .means("Number of syncs of the WAL.")
  public static let ioDatabaseSyncs = files("io.databaseSyncs", .count) { $0.database.syncs }
    .means("Number of syncs of the database file.")
  public static let ioSyncTime = files("io.syncTime", .nanoseconds) { $0.syncNanoseconds }
    .means("Total duration of the syncs of the database's files.")
  public static let ioWriteAmplification =
    Metric("io.writeAmplification", .number, aggregates: .one, from: .writeAmplification, with: .countedFiles)
    .means("Bytes written to the WAL and the database file for each byte of `io.logicalBytes`, over the whole phase.")

  private static func files(
    _ name: String,
    _ unit: FigureUnit,
    count: @escaping @Sendable (FileWrites) -> Int
  ) -> Metric {
    Metric(name, unit, aggregates: .increments, from: .sampledCount { $0.writes.map(count) }, with: .countedFiles)
  }

  // MARK: Recovery

  public static let recoveryDuration =
    Metric("recovery.duration", .nanoseconds, from: .recoveries { Double($0.durationNanoseconds) })
    .means("Time from the start of opening the database after `kill` or `reopen` to the end of the first read.")
  public static let recoveryFrames =
    Metric("recovery.frames", .count, from: .recoveries { Double($0.frames ?? 0) }, with: .wal)
    .means(
      "Number of frames in the WAL file when the database is opened after `kill` or `reopen`, including frames "
        + "that were already copied."
    )
}
