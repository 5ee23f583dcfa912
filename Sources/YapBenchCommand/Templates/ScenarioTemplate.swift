internal import ArgumentParser

/// A commented scenario that `new` writes.
enum ScenarioTemplate: String, CaseIterable, ExpressibleByArgument {
  case stalledReader = "stalled-reader"
  case writeBurst = "write-burst"
  case policyComparison = "policy-comparison"
  case crash
  case ycsb

  /// A description in a few words, for the help.
  var summary: String { row.summary }

  func text(name: String) -> String { row.text.replacing("{{name}}", with: name) }

  private var row: (summary: String, text: String) {
    switch self {
    case .stalledReader: ("a reader keeps its snapshot while a writer commits", Self.stalledReaderText)
    case .writeBurst: ("readers during bursts of commits", Self.writeBurstText)
    case .policyComparison: ("three cache policies side by side", Self.policyComparisonText)
    case .crash: ("the engine is killed and reopened", Self.crashText)
    case .ycsb: ("half reads, half updates, as in YCSB's workload A", Self.ycsbText)
    }
  }
}

extension ScenarioTemplate {
  static let stalledReaderText = """
    # A reader that keeps its snapshot: the effect on the WAL and on the other connections.
    #
    #   yapbench check {{name}}.yaml       reports every mistake with its line and column
    #   yapbench explain {{name}}.yaml     shows all defaults and a timeline
    #   yapbench run --smoke {{name}}.yaml tests that it runs (a moment, no figures)
    #   yapbench run {{name}}.yaml         runs it and writes a report
    format: 1
    name: {{name}}                     # the file's name
    summary: A reader stops moving its snapshot while a writer commits.
    tags: [wal, long-lived]
    seed: 1                            # the same seed produces the same work

    engine:
      driver: yap
      synchronous: normal              # off | normal | full: when a commit is synced
      aggressiveCheckpointAt: 4MiB     # above this the checkpointer waits for readers

    dataset:                           # loaded before the first phase
      messages: {rows: 20k, value: {size: 400B}}

    connections:                       # actors on one connection share its queue
      ui:   {objectCacheLimit: 500}
      sync: {}

    actors:
      scroll:
        connection: ui
        snapshot: {longLived: onNotification}   # stays on one snapshot, and moves after a commit
        operations: {get: 95, multiGet(20): 5}  # weights
        collection: messages
        keys: zipfian(0.99)
        load: {rate: 1000/s, arrival: poisson}  # arrivals do not wait for the engine
      import:
        connection: sync
        transaction: {operations: 1..8}         # the number of writes in each commit
        operations: {set: 8, remove: 2}
        collection: messages
        load: {rate: 200/s}

    phases:
      - {name: warm, for: 2s, actors: [scroll, import], record: false}   # not part of any figure
      - name: stall
        for: 20s
        actors:
          scroll: {snapshot: {longLived: never}}   # does not move in this phase
          import: {}
      # Once the reader moves again, all frames must be copied to the database file.
      - {name: drain, until: "wal.backlogFrames == 0", within: 20s, actors: [scroll]}

    expect:                            # if one fails, `yapbench run` exits with 99
      - "stall/import response.p99 < 50ms"
      - "stall wal.bytes.max < 256MiB"
      - "drain duration < 5s"

    # Checked during the run; wrong data ends it with exit code 111.
    invariants: [knownAnswers, snapshotStability, monotonicSnapshots, exactlyOnceNotifications]

    """

  static let policyComparisonText = """
    # Three cache policies side by side: the cost of a remote update for the connection that displays the row.
    #
    #   yapbench check {{name}}.yaml                lists the variants
    #   yapbench run --only share {{name}}.yaml     runs only the variant share
    #   yapbench run {{name}}.yaml                  runs all variants, interleaved, several times each
    format: 1
    name: {{name}}
    summary: The cost of a remote update for the connection that displays the row, under each cache policy.
    tags: [policy, cache]
    seed: 1
    engine: {driver: yap, synchronous: normal}

    dataset:
      # json is really decoded, and its values are instances of a class, to which the policies apply.
      messages: {rows: 10k, value: {size: 400B}, codec: json}

    connections:
      ui:   {objectCacheLimit: 2000}
      sync: {}

    actors:
      show:
        connection: ui
        snapshot: {longLived: onNotification}
        operations: {get: 1}
        collection: messages
        keys: zipfian(0.99)
        load: closed                   # a transaction starts when the previous one has ended
      update:
        connection: sync
        operations: {set: 1}
        collection: messages
        keys: zipfian(0.99)
        load: {rate: 500/s}

    phases:
      - {name: warm, for: 2s, actors: [show, update], record: false}
      - {name: run, for: 10s, actors: [show, update]}

    # Every combination of these values is a variant. The stricter policy of writer and reader applies, so the default
    # of both is varied.
    matrix:
      engine.defaultObjectPolicy: [containment, copy, share]
    repeat: 3                          # the report shows the median, minimum and maximum

    expect:
      - "run/update throughput.mean > 450/s"

    invariants: [knownAnswers, cacheCoherence, noAliasing]

    """
}
