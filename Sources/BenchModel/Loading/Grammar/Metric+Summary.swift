extension Metric {
  /// What it tells, for the reference.
  var summary: String {
    switch self {
    case .throughput: "Transactions a second of a phase or an actor, operations of one operation."
    case .response: "From when a transaction was due to its end."
    case .service: "From when it began to its end; the only one that operations inside of a longer transaction have."
    case .wait: "From when it was due to when it began; a closed load has none."
    case .laneWait:
      "How long a transaction waited for its connection, which serves one after the other; asynchronous calls are not "
        + "timed."
    case .writeLaneWait: "How long a read-write transaction waited for other writers, and for checkpoints in its way."
    case .notificationLag: "From when a commit was written to when its notification was delivered."
    case .duration: "How long the phase took."
    case .deadlocks:
      "Transactions inside of others that the engine refused, as nested or because of a deadlock (`nestedRead`)."
    case .walBytes: "The size of the WAL's file."
    case .walFrames: "Frames in the WAL."
    case .walBacklogFrames: "Frames that are not yet copied into the database."
    case .walByteSeconds: "The area under `wal.bytes`."
    case .pinFrames: "Frames that the connection with the oldest snapshot holds alone."
    case .pinBytes: "The same in bytes."
    case .pinSeconds: "How long that snapshot has been held."
    case .snapshotAgeCommits: "Commits between the newest and the connection that is furthest behind."
    case .snapshotAgeSeconds: "The same in seconds."
    case .changesPendingCommits: "Commits that wait in memory for the connection that is furthest behind."
    case .changesPendingBytes: "Bytes that wait for it."
    case .memoryResident: "The process's resident memory."
    case .memoryAllocated: "What the allocator has handed out."
    case .memoryAllocationsPerOperation:
      "How often an actor's threads allocate for an operation, the harness's own share included. Needs jemalloc."
    case .harnessLate: "How late free workers began: the harness's own fault."
    case .harnessDropped: "Arrivals that were dropped because they waited longer than the actor's `deadline`."
    case .harnessOverhead: "What the harness itself takes for a transaction: random numbers, clocks, checks."
    case .checkpointCount: "Checkpoints that were made."
    case .checkpointWait: "How long a checkpoint waited for the write lane, or for readers."
    case .checkpointDuration: "How long a checkpoint took."
    case .checkpointFramesCopied: "Frames that checkpoints have copied."
    case .checkpointBytesCopied: "The same in bytes."
    case .cpuUser: "Processor time of the process, outside of the kernel."
    case .cpuSystem: "Processor time of the process, in the kernel."
    case .cpuContextSwitches: "How often a thread of the process gave up its core, or lost it."
    case .cpuSteal: "Processor time that the machine's host gave to others."
    case .pressureIO: "How long tasks of the machine have waited for a disk."
    case .ioLogicalBytes: "Keys, objects and metadata that the actors' transactions have stored."
    case .ioWALBytesWritten: "Bytes that were written to the WAL: frames with their headers."
    case .ioDatabaseBytesWritten: "Bytes that were written to the database's file, by checkpoints mostly."
    case .ioSyncs: "How often one of the database's files was synced."
    case .ioWALSyncs: "Of these, syncs of the WAL."
    case .ioDatabaseSyncs: "Of these, syncs of the database's file."
    case .ioSyncTime: "What the syncs took, all of them together."
    case .ioWriteAmplification:
      "Bytes written to the WAL and the database's file for each byte of `io.logicalBytes`, over the whole phase."
    case .recoveryDuration: "From the start of opening to the end of the first read, after `kill` or `reopen`."
    case .recoveryFrames: "Frames in the file of the WAL then, also those that had been copied."
    default: cacheSummary
    }
  }

  private var cacheSummary: String {
    switch self {
    case .cacheObjectHits, .cacheMetadataHits: "Reads that the cache answered."
    case .cacheObjectMisses, .cacheMetadataMisses: "Reads that it could not answer."
    case .cacheObjectUpdatedByPolicy, .cacheMetadataUpdatedByPolicy: "Values taken over from another's commit."
    case .cacheObjectDropped, .cacheMetadataDropped: "Values dropped for another's commit."
    case .cacheObjectReadAgain, .cacheMetadataReadAgain: "Reads of what had been dropped."
    case .cacheObjectDecoded, .cacheMetadataDecoded: "Values decoded from the file."
    default: "Copies made for a policy."
    }
  }
}
