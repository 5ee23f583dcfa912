/// The samples of a run. `run.json` has a column for each figure, with a number for each sample: as objects, the
/// samples of half an hour of 16 actors would take 140 MB, and 700 MB of memory to read.
@propertyWrapper
public struct SampleColumns: Codable, Sendable {
  public var wrappedValue: [EngineSample]

  public init(wrappedValue: [EngineSample]) { self.wrappedValue = wrappedValue }

  private enum Key: String, CodingKey {
    case phase, pinnedBy, figures, connections, deadlocks
    case finishedTransactions, dueArrivals, droppedArrivals, logicalBytes, engineFigures
  }

  /// The columns with a count for each actor or figure of the engine.
  private static var namedCounts: [(Key, WritableKeyPath<EngineSample, [String: Int]>)] {
    [
      (.finishedTransactions, \.finishedTransactions), (.dueArrivals, \.dueArrivals),
      (.droppedArrivals, \.droppedArrivals), (.logicalBytes, \.logicalBytes), (.engineFigures, \.figures),
    ]
  }

  private enum ConnectionKey: String, CodingKey {
    case name, figures
  }

  // MARK: Writing

  public func encode(to encoder: any Encoder) throws {
    let samples = wrappedValue
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(samples.map(\.phase), forKey: .phase)
    let pinned = samples.map { $0.wal?.pinnedBy }
    if pinned.contains(where: { $0 != nil }) { try container.encode(pinned, forKey: .pinnedBy) }
    var figures = container.nestedContainer(keyedBy: ColumnKey.self, forKey: .figures)
    try figures.encode(Figure<EngineSample>.ofSamples, of: samples)
    var connections = container.nestedUnkeyedContainer(forKey: .connections)
    for connection in NumberedName.all(in: samples) {
      var container = connections.nestedContainer(keyedBy: ConnectionKey.self)
      try container.encode(connection.name, forKey: .name)
      var figures = container.nestedContainer(keyedBy: ColumnKey.self, forKey: .figures)
      try figures.encode(Figure<EngineSample.Connection>.ofConnections, of: samples.map(connection.connection(in:)))
    }
    for (key, counts) in Self.namedCounts {
      try container.encode(Self.columns(samples.map { $0[keyPath: counts] }), forKey: key)
    }
    let actors = Set(samples.flatMap(\.deadlocks.keys))
    let deadlocks = actors.map { actor in (actor, Self.columns(samples.map { $0.deadlocks[actor] ?? [:] })) }
    try container.encode(Dictionary(uniqueKeysWithValues: deadlocks), forKey: .deadlocks)
  }

  private static func columns(_ counts: [[String: Int]]) -> [String: Column] {
    let names = Set(counts.flatMap(\.keys))
    return Dictionary(uniqueKeysWithValues: names.map { name in (name, Column(counts.map { $0[name] })) })
  }

  /// A connection in all samples. Several connections may have the same name, such as connections for one transaction
  /// each.
  private struct NumberedName: Hashable {
    let name: String
    /// The number of connections of the same name that precede it in a sample.
    let number: Int

    static func all(in samples: [EngineSample]) -> [Self] {
      var found: [Self] = []
      var known: Set<Self> = []
      for sample in samples {
        var counts: [String: Int] = [:]
        for connection in sample.connections {
          let one = Self(name: connection.name, number: counts[connection.name, default: 0])
          counts[connection.name, default: 0] += 1
          if known.insert(one).inserted { found.append(one) }
        }
      }
      return found
    }

    func connection(in sample: EngineSample) -> EngineSample.Connection? {
      var before = number
      for connection in sample.connections where connection.name == name {
        if before == 0 { return connection }
        before -= 1
      }
      return nil
    }
  }

  // MARK: Reading

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    var samples = try container.decode([String].self, forKey: .phase).map { EngineSample(phase: $0) }
    let figures = try container.nestedContainer(keyedBy: ColumnKey.self, forKey: .figures)
    try figures.decode(Figure<EngineSample>.ofSamples, into: &samples)
    let pinned = try container.decodeIfPresent([String?].self, forKey: .pinnedBy) ?? []
    guard pinned.isEmpty || pinned.count == samples.count else {
      let problem = "expected \(samples.count) names, found \(pinned.count)"
      throw DecodingError.dataCorruptedError(forKey: .pinnedBy, in: container, debugDescription: problem)
    }
    for (index, name) in pinned.enumerated() { samples[index].wal?.pinnedBy = name }
    try Self.makeRoom(for: container.nestedUnkeyedContainer(forKey: .connections), in: &samples)
    var connections = try container.nestedUnkeyedContainer(forKey: .connections)
    while !connections.isAtEnd {
      try Self.readConnection(connections.nestedContainer(keyedBy: ConnectionKey.self), into: &samples)
    }
    for (key, counts) in Self.namedCounts {
      let columns = try container.nestedContainer(keyedBy: ColumnKey.self, forKey: key)
      try columns.readCounts(rows: samples.count) { samples[$0][keyPath: counts][$1] = $2 }
    }
    let deadlocks = try container.nestedContainer(keyedBy: ColumnKey.self, forKey: .deadlocks)
    for actor in deadlocks.allKeys {
      let operations = try deadlocks.nestedContainer(keyedBy: ColumnKey.self, forKey: actor)
      try operations.readCounts(rows: samples.count) {
        samples[$0].deadlocks[actor.stringValue, default: [:]][$1] = $2
      }
    }
    wrappedValue = samples
  }

  /// Returns a column that is null for samples without the connection; nil if the connection is in no sample.
  private static func presence(in figures: KeyedDecodingContainer<ColumnKey>, rows: Int) throws -> Column? {
    try figures.column(Figure<EngineSample.Connection>.ofConnections[0].name, rows: rows)
  }

  /// Reserves the memory of each sample's connections: an array to which they are appended takes up to twice as much.
  private static func makeRoom(for connections: any UnkeyedDecodingContainer, in samples: inout [EngineSample]) throws {
    var connections = connections
    var counts = Array(repeating: 0, count: samples.count)
    while !connections.isAtEnd {
      let container = try connections.nestedContainer(keyedBy: ConnectionKey.self)
      let figures = try container.nestedContainer(keyedBy: ColumnKey.self, forKey: .figures)
      guard let present = try presence(in: figures, rows: samples.count) else { continue }
      for index in counts.indices where present.numbers[index] != nil { counts[index] += 1 }
    }
    for (index, count) in counts.enumerated() { samples[index].connections.reserveCapacity(count) }
  }

  private static func readConnection(
    _ container: KeyedDecodingContainer<ConnectionKey>,
    into samples: inout [EngineSample]
  ) throws {
    let figures = try container.nestedContainer(keyedBy: ColumnKey.self, forKey: .figures)
    let name = try container.decode(String.self, forKey: .name)
    guard let present = try presence(in: figures, rows: samples.count) else { return }
    var rows = Array(repeating: EngineSample.Connection(name: name), count: samples.count)
    try figures.decode(Figure<EngineSample.Connection>.ofConnections, into: &rows)
    for index in samples.indices where present.numbers[index] != nil { samples[index].connections.append(rows[index]) }
  }
}

extension KeyedDecodingContainer<ColumnKey> {
  /// Reads a column for each actor or operation, and passes each of its numbers to `set`.
  fileprivate func readCounts(rows: Int, set: (_ row: Int, _ name: String, _ count: Int) -> Void) throws {
    for key in allKeys {
      guard let column = try column(key.stringValue, rows: rows) else { continue }
      for row in 0..<rows { if let count = column.numbers[row] { set(row, key.stringValue, count) } }
    }
  }
}

// MARK: Figures

extension Figure<EngineSample> {
  fileprivate static var ofSamples: [Self] {
    [
      Self("elapsedNanoseconds", \.elapsedNanoseconds), Self("commit", \.commit),
      Self("storageBytes", optional: \.storageBytes),
      Self("residentBytes", \.residentBytes), Self("allocatedBytes", optional: \.allocatedBytes),
      Self("userCPUNanoseconds", \.userCPUNanoseconds), Self("systemCPUNanoseconds", \.systemCPUNanoseconds),
      Self("engineCPUNanoseconds", optional: \.engineCPUNanoseconds),
      Self("contextSwitches", \.contextSwitches), Self("stolenNanoseconds", \.stolenNanoseconds),
      Self("busyNanoseconds", \.busyNanoseconds), Self("runDelayNanoseconds", optional: \.runDelayNanoseconds),
      Self("throttledPeriods", optional: \.throttledPeriods),
      Self("throttledNanoseconds", optional: \.throttledNanoseconds),
      Self("ioPressureNanoseconds", optional: \.ioPressureNanoseconds),
      Self("foreignDiskBytes", optional: \.foreignDiskBytes), Self("diskSyncs", optional: \.diskSyncs),
    ] + all(Figure<EngineSample.WAL>.ofWAL, in: \.wal, empty: EngineSample.WAL())
      + all(Figure<FileWrites>.ofWrites, in: \.writes, empty: FileWrites())
  }
}

extension Figure<EngineSample.WAL> {
  fileprivate static var ofWAL: [Self] {
    [
      Self(Metric.walBytes.rawValue, \.bytes), Self(Metric.walFrames.rawValue, \.frames),
      Self(Metric.walBacklogFrames.rawValue, \.backlogFrames),
      Self("wal.heldFrames", \.heldFrames),
    ]
  }
}

extension Figure<FileWrites> {
  fileprivate static var ofWrites: [Self] {
    let files: [(name: String, counts: WritableKeyPath<FileWrites, FileWrites.Counts>)] = [
      ("wal", \.wal), ("database", \.database), ("journal", \.journal),
    ]
    return files.flatMap { name, counts in
      [
        Self("writes.\(name).bytes", counts.appending(path: \.bytes)),
        Self("writes.\(name).syncs", counts.appending(path: \.syncs)),
        Self("writes.\(name).syncNanoseconds", counts.appending(path: \.syncNanoseconds)),
      ]
    }
  }
}

extension Figure<EngineSample.Connection> {
  fileprivate static var ofConnections: [Self] {
    let caches = Metric.allCases.compactMap { metric in
      metric.cacheCount.map { Figure<EngineSample.Caches>(metric.rawValue, $0.path) }
    }
    return [
      Self("ageCommits", \.ageCommits, omitsZeros: false), Self("ageNanoseconds", \.ageNanoseconds),
      Self("pinnedNanoseconds", optional: \.pinnedNanoseconds), Self("framesHeldAlone", \.framesHeldAlone),
      Self("pendingCommits", \.pendingCommits), Self("pendingBytes", \.pendingBytes),
    ] + all(caches, in: \.caches, empty: EngineSample.Caches())
  }
}
