/// Samples as `run.json` holds them: not one after the other, but a column of text (`PackedColumn`) for each figure, as
/// half an hour of twenty connections has seven million numbers. Results of older versions hold a list, and are read.
@propertyWrapper
public struct PackedSamples: Codable, Sendable {
  /// No more are read: a few bytes of a damaged file can say that there are many. It is more than two days at ten a
  /// second.
  public static var mostSamples: Int { 2_000_000 }

  public var wrappedValue: [EngineSample]

  public init(wrappedValue: [EngineSample]) {
    self.wrappedValue = wrappedValue
  }

  public init(from decoder: any Decoder) throws {
    if let list = try? decoder.unkeyedContainer(), list.count != nil {
      // Through columns, so that the same is refused.
      wrappedValue = try SampleColumns([EngineSample](from: decoder)).samples()
    } else {
      wrappedValue = try SampleColumns(from: decoder).samples()
    }
  }

  public func encode(to encoder: any Encoder) throws {
    try SampleColumns(wrappedValue).encode(to: encoder)
  }
}

/// The columns, with a number in each for every sample. Texts are numbers of `texts`.
private struct SampleColumns: Codable {
  private typealias Columns = [String: String]

  private static var phase: String { "phase" }
  /// Says of a list by names that there is one, also where it is empty. It comes before every name.
  private static var presence: String { "" }
  private static var pinnedBy: String { "wal.pinnedBy" }

  private var count: Int
  private var texts: [String] = []
  private var figures: Columns = [:]
  /// In the order in which they came; one for each of `connections`.
  private var connectionNames: [String] = []
  private var connections: [Columns] = []
  private var finishedTransactions: Columns = [:]
  /// nil in results of older versions.
  private var logicalBytes: Columns?
  private var deadlocks: [String: Columns]

  init(_ samples: [EngineSample]) {
    count = samples.count
    var texts = ColumnTexts()
    func column(_ number: (EngineSample) -> Int?) -> String {
      var column = PackedColumn()
      for sample in samples { column.append(number(sample)) }
      return column.finished()
    }
    for figure in PackedFigure<EngineSample>.all { figures[figure.name] = column(figure.get) }
    figures[Self.phase] = column { texts.number(of: $0.phase) }
    figures[Self.pinnedBy] = column { $0.wal?.pinnedBy.map { texts.number(of: $0) } }
    deadlocks = [:]
    let actors = Set(samples.flatMap(\.finishedTransactions.keys))
    for actor in actors { finishedTransactions[actor] = column { $0.finishedTransactions[actor] } }
    logicalBytes = [Self.presence: column { $0.logicalBytes.map { _ in 0 } }]
    for actor in Set(samples.flatMap { $0.logicalBytes?.keys.map(\.self) ?? [] }) {
      logicalBytes?[actor] = column { $0.logicalBytes?[actor] }
    }
    for actor in Set(samples.flatMap { $0.deadlocks?.keys.map(\.self) ?? [] }) {
      let operations = Set(samples.flatMap { $0.deadlocks?[actor]?.keys.map(\.self) ?? [] })
      deadlocks[actor] = [Self.presence: column { $0.deadlocks?[actor].map { _ in 0 } }]
      for operation in operations { deadlocks[actor]?[operation] = column { $0.deadlocks?[actor]?[operation] } }
    }
    self.texts = texts.texts
    packConnections(samples)
  }

  /// A connection that is opened for one transaction has the name of another, so that a name may stand in a sample
  /// several times.
  private struct ConnectionKey: Hashable {
    let name: String
    /// Which one of that name in the sample, from 0.
    let number: Int

    static func all(in sample: EngineSample) -> [Self] {
      var counts: [String: Int] = [:]
      return sample.connections.map { connection in
        counts[connection.name, default: -1] += 1
        return Self(name: connection.name, number: counts[connection.name] ?? 0)
      }
    }
  }

  private mutating func packConnections(_ samples: [EngineSample]) {
    var places: [ConnectionKey: Int] = [:]
    for key in samples.lazy.flatMap(ConnectionKey.all) where places[key] == nil {
      places[key] = places.count
      connectionNames.append(key.name)
    }
    let figures = PackedFigure<EngineSample.Connection>.all
    var columns = connectionNames.map { _ in figures.map { _ in PackedColumn() } }
    for sample in samples {
      var present: [EngineSample.Connection?] = connectionNames.map { _ in nil }
      for (key, connection) in zip(ConnectionKey.all(in: sample), sample.connections) {
        if let place = places[key] { present[place] = connection }
      }
      for (place, connection) in present.enumerated() {
        for (index, figure) in figures.enumerated() { columns[place][index].append(connection.flatMap(figure.get)) }
      }
    }
    connections = columns.map { columns in
      Dictionary(uniqueKeysWithValues: zip(figures.map(\.name), columns.map { $0.finished() }))
    }
  }

  func samples() throws -> [EngineSample] {
    let empty = EngineSample(
      elapsedNanoseconds: 0,
      phase: "",
      commit: 0,
      wal: nil,
      connections: [],
      finishedTransactions: [:],
      residentBytes: 0,
      allocatedBytes: nil,
      userCPUNanoseconds: 0,
      systemCPUNanoseconds: 0
    )
    let reader = ColumnReader(count: count, texts: texts, rows: "samples")
    guard (0...PackedSamples.mostSamples).contains(count) else { throw reader.error("a count of \(count)") }
    // Before room is made for so many: a column shows that they are there.
    let phases = try reader.numbers(figures[Self.phase], Self.phase)
    var samples = [EngineSample](repeating: empty, count: count)
    for (index, number) in phases.enumerated() { samples[index].phase = try reader.text(number, Self.phase) }
    for figure in PackedFigure<EngineSample>.all {
      guard let column = figures[figure.name] else { continue }
      for (index, number) in try reader.numbers(column, figure.name).enumerated() {
        if let number { figure.set(&samples[index], number) }
      }
    }
    for (index, number) in try reader.numbers(figures[Self.pinnedBy], Self.pinnedBy).enumerated() where number != nil {
      samples[index].wal?.pinnedBy = try reader.text(number, Self.pinnedBy)
    }
    // Not more room than is needed: there are many samples.
    for index in samples.indices {
      samples[index].connections.reserveCapacity(connectionNames.count)
      samples[index].finishedTransactions.reserveCapacity(finishedTransactions.count)
    }
    guard connectionNames.count == connections.count else { throw reader.error("connections without a name") }
    for (name, columns) in zip(connectionNames, connections) {
      try unpackConnection(name, columns, reader, into: &samples)
    }
    for (actor, column) in finishedTransactions {
      for (index, number) in try reader.numbers(column, actor).enumerated() {
        samples[index].finishedTransactions[actor] = number
      }
    }
    for (actor, column) in (logicalBytes ?? [:]).sorted(by: { $0.key < $1.key }) {
      for (index, number) in try reader.numbers(column, actor).enumerated() where number != nil {
        if actor == Self.presence {
          samples[index].logicalBytes = [:]
        } else {
          samples[index].logicalBytes?[actor] = number
        }
      }
    }
    for (actor, columns) in deadlocks {
      for (operation, column) in columns.sorted(by: { $0.key < $1.key }) {
        for (index, number) in try reader.numbers(column, actor).enumerated() where number != nil {
          var counts = samples[index].deadlocks ?? [:]
          if operation == Self.presence { counts[actor] = [:] } else { counts[actor]?[operation] = number }
          samples[index].deadlocks = counts
        }
      }
    }
    return samples
  }

  private func unpackConnection(
    _ name: String,
    _ columns: Columns,
    _ reader: ColumnReader,
    into samples: inout [EngineSample]
  ) throws {
    let figures = PackedFigure<EngineSample.Connection>.all
    guard let first = figures.first else { return }
    let present = try reader.numbers(columns[first.name], "\(name).\(first.name)")
    let empty = EngineSample.Connection(
      name: name,
      ageCommits: 0,
      ageNanoseconds: 0,
      pinnedNanoseconds: nil,
      framesHeldAlone: 0,
      pendingCommits: 0,
      pendingBytes: 0
    )
    // In a row of their own: millions of figures, each found in a list of a list, would take seconds.
    var connections = [EngineSample.Connection](repeating: empty, count: count)
    for figure in figures {
      guard let column = columns[figure.name] else { continue }
      for (index, number) in try reader.numbers(column, "\(name).\(figure.name)").enumerated() {
        if let number { figure.set(&connections[index], number) }
      }
    }
    for (index, number) in present.enumerated() where number != nil {
      samples[index].connections.append(connections[index])
    }
  }
}
