internal import BenchScenario

/// The scenario with which the self-test tries the campaign of loads.
enum SelfTestScenario {
  /// Returns a scenario of 1.5 s.
  /// - Parameter policy: The cache policy of all connections.
  static func loaded(policy: String) throws -> LoadedScenario {
    try ScenarioLoader.load(
      text: """
        format: 1
        name: self-test
        summary: Readers and writers of a few rows and documents.
        engine: {driver: yap, synchronous: off, defaultObjectPolicy: \(policy), aggressiveCheckpointAt: 128KiB}
        dataset:
          rows: {rows: 50, inserts: 20k, value: {size: 200B}}
          documents: {rows: 20, value: {size: 100B}, codec: json}
        connections: {reading: {}, other: {}, moving: {}, writing: {}}
        actors:
          reader: {connection: [reading, other], threads: 2, operations: {get: 1}, collection: documents}
          counter: {connection: moving, operations: {get: 1}, collection: rows, load: {rate: 1000/s}}
          writer: {connection: writing, operations: {set: 1}, collection: documents, load: {rate: 500/s}}
          add: {connection: writing, operations: {set: 2, insert: 2, remove: 1}, collection: rows, load: {rate: 500/s}}
        phases:
          - {name: run, for: 1500ms, actors: [reader, counter, writer, add]}
        """
    )
  }
}
