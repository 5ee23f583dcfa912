/// Counts of the writes to a database's files, by kind of file, through all handles.
public struct FileWrites: Codable, Sendable, Equatable {
  public struct Counts: Codable, Sendable, Equatable {
    public var bytes = 0
    public var syncs = 0
    public var syncNanoseconds = 0

    public static let zero = Self()
  }

  /// Writes of the WAL's header and frames. A frame counts each time that it is written.
  public var wal = Counts()
  /// Writes of the database file.
  public var database = Counts()
  /// Writes of the rollback journal, which a new database has until it is put into WAL mode.
  public var journal = Counts()

  public static let zero = Self()

  public var syncs: Int { wal.syncs + database.syncs + journal.syncs }
  public var syncNanoseconds: Int { wal.syncNanoseconds + database.syncNanoseconds + journal.syncNanoseconds }

  public static func += (left: inout Self, right: Self) { left = left.combined(with: right, by: +) }
  public static func - (left: Self, right: Self) -> Self { left.combined(with: right, by: -) }

  private func combined(with other: Self, by combine: (Int, Int) -> Int) -> Self {
    func counts(_ kind: KeyPath<Self, Counts>) -> Counts {
      let (left, right) = (self[keyPath: kind], other[keyPath: kind])
      return Counts(
        bytes: combine(left.bytes, right.bytes),
        syncs: combine(left.syncs, right.syncs),
        syncNanoseconds: combine(left.syncNanoseconds, right.syncNanoseconds)
      )
    }
    return Self(wal: counts(\.wal), database: counts(\.database), journal: counts(\.journal))
  }
}

/// The writes of one phase, between the first and the last of its samples with counts of files.
public struct PhaseWrites: Sendable {
  /// Bytes of the stored keys, objects and metadata.
  public let logicalBytes: Int
  public let files: FileWrites

  /// - Parameter samples: the phase's samples.
  /// - Returns: nil if no sample has counts.
  public init?(_ samples: [EngineSample]) {
    let counted = samples.filter { $0.writes != nil }
    guard let first = counted.first, let last = counted.last, let before = first.writes, let after = last.writes,
      let stored = Metric.ioLogicalBytes.writeCount(in: last),
      let storedBefore = Metric.ioLogicalBytes.writeCount(in: first)
    else { return nil }
    logicalBytes = stored - storedBefore
    files = after - before
  }

  /// Bytes written to the WAL and to the database file for each logical byte; nil if nothing was stored.
  ///
  /// Checkpoints of the phase may copy frames of earlier phases, and may leave frames of this one in the WAL.
  public var amplification: Double? {
    logicalBytes > 0 ? Double(files.wal.bytes + files.database.bytes) / Double(logicalBytes) : nil
  }
}
