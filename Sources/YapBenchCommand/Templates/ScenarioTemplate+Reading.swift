extension ScenarioTemplate {
  static let stalledReaderText = """
    # A reader that stops moving: what it does to the WAL, and to everybody else.
    #
    #   yapbench check {{name}}.yaml       every mistake, with its line and column
    #   yapbench explain {{name}}.yaml     what it means, with all defaults and a timeline
    #   yapbench run --smoke {{name}}.yaml does it run at all? (a moment, no figures)
    #   yapbench run {{name}}.yaml         the real thing; writes a report
    format: 1
    name: {{name}}                     # the file's name
    summary: A reader stops moving its snapshot while a writer commits.
    tags: [wal, long-lived]
    seed: 1                            # the same seed does the same work

    engine:
      driver: yap
      synchronous: normal              # off | normal | full: when a commit is synced
      aggressiveCheckpointAt: 4MiB     # above this the checkpointer waits for readers

    dataset:                           # loaded before the first phase
      messages: {rows: 20k, value: {size: 400B}}

    connections:                       # actors that share one queue for it
      ui:   {objectCacheLimit: 500}
      sync: {}

    actors:
      scroll:
        connection: ui
        snapshot: {longLived: onNotification}   # stays on one snapshot, and moves when somebody commits
        operations: {get: 95, multiGet(20): 5}  # weights
        collection: messages
        keys: zipfian(0.99)
        load: {rate: 1000/s, arrival: poisson}  # arrivals do not wait for the engine
      import:
        connection: sync
        transaction: {operations: 1..8}         # so many writes in each commit
        operations: {set: 8, remove: 2}
        collection: messages
        load: {rate: 200/s}

    phases:
      - {name: warm, for: 2s, actors: [scroll, import], record: false}   # not in any figure
      - name: stall
        for: 20s
        actors:
          scroll: {snapshot: {longLived: never}}   # for this phase it does not move
          import: {}
      # Once the reader moves again, everything must be copied into the database.
      - {name: drain, until: "wal.backlogFrames == 0", within: 20s, actors: [scroll]}

    expect:                            # a broken one ends `yapbench run` with exit code 99
      - "stall/import response.p99 < 50ms"
      - "stall wal.bytes.max < 256MiB"
      - "drain duration < 5s"

    # Checked while it runs; wrong data ends the run with exit code 111.
    invariants: [knownAnswers, snapshotStability, monotonicSnapshots, exactlyOnceNotifications]

    """

  static let policyComparisonText = """
    # Three cache policies, side by side: what does another connection's update cost the one that displays it?
    #
    #   yapbench check {{name}}.yaml                lists the variants
    #   yapbench run --only share {{name}}.yaml     one of them alone
    #   yapbench run {{name}}.yaml                  all, interleaved, several times each
    format: 1
    name: {{name}}
    summary: What a remote update costs the connection that displays it, under each cache policy.
    tags: [policy, cache]
    seed: 1
    engine: {driver: yap, synchronous: normal}

    dataset:
      # json pays for a real decode, and makes instances of a class, which policies are about.
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
        load: closed                   # the next starts when the last one has ended
      update:
        connection: sync
        operations: {set: 1}
        collection: messages
        keys: zipfian(0.99)
        load: {rate: 500/s}

    phases:
      - {name: warm, for: 2s, actors: [show, update], record: false}
      - {name: run, for: 10s, actors: [show, update]}

    # Every combination of these values is a variant. The stricter policy of writer and reader acts, so the default of
    # both is what varies.
    matrix:
      engine.defaultObjectPolicy: [containment, copy, share]
    repeat: 3                          # the report shows the median, the least and the greatest

    expect:
      - "run/update throughput.mean > 450/s"

    invariants: [knownAnswers, cacheCoherence, noAliasing]

    """
}
