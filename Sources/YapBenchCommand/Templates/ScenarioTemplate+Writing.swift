extension ScenarioTemplate {
  static let writeBurstText = """
    # Bursts of commits: the waits of readers and of the writer, and the size of the WAL.
    #
    #   yapbench check {{name}}.yaml
    #   yapbench explain {{name}}.yaml     shows the bursts on a timeline
    #   yapbench run {{name}}.yaml
    format: 1
    name: {{name}}
    summary: Readers continue while an importer commits in bursts.
    tags: [writes, burst]
    seed: 1
    engine: {driver: yap, synchronous: normal}

    dataset:
      items: {rows: 20k, value: {size: 128B..1KiB}}   # values of different sizes

    connections:
      reading: {}
      writing: {}

    actors:
      look:
        connection: reading
        operations: {get: 1}
        collection: items
        keys: zipfian(0.99)
        load: {rate: 1000/s, arrival: poisson}
      import:
        connection: writing
        transaction: {operations: 10}              # ten writes in each commit
        operations: {set: 9, remove: 1}
        collection: items
        # Operations of a burst wait for each other. The wait is part of `response`.
        load: {burst: {base: 20/s, peak: 500/s, every: 5s, for: 1s}}

    phases:
      - {name: warm, for: 2s, actors: [look, import], record: false}
      - {name: run, for: 20s, actors: [look, import]}

    expect:
      - "run/look response.p99 < 20ms"
      - "run/import response.p99 < 200ms"
      - "abort run wal.bytes.max < 1GiB"           # ends the run at the first sample that fails it

    invariants: [knownAnswers, monotonicSnapshots]

    """

  static let crashText = """
    # The engine is killed while it writes, and reopened: acknowledged commits must still be there.
    #
    #   yapbench check {{name}}.yaml
    #   yapbench run {{name}}.yaml
    format: 1
    name: {{name}}
    summary: The engine's process is killed during commits, and the database is reopened.
    tags: [durability, crash]
    seed: 1
    engine: {driver: yap, synchronous: full}       # every acknowledged commit is on the disk

    dataset:
      items: {rows: 10k, value: {size: 256B}}

    connections:
      reading: {}
      writing: {}

    actors:
      look: {connection: reading, operations: {get: 1}, collection: items, keys: uniform, load: {rate: 500/s}}
      write:
        connection: writing
        operations: {set: 9, remove: 1}
        collection: items
        keys: uniform
        load: closed

    phases:
      - {name: warm, for: 2s, actors: [look, write], record: false}
      - name: run
        for: 20s
        actors: [look, write]
        events:
          - {at: 5s, do: kill}                     # the run continues with the file as it is
          - {at: 12s, do: kill}

    expect:
      - "run recovery.duration.max < 5s"

    invariants: [knownAnswers, monotonicSnapshots]

    """

  static let ycsbText = """
    # YCSB's workload A: half reads, half updates, with YCSB's distribution of keys.
    #
    #   yapbench check {{name}}.yaml
    #   yapbench run {{name}}.yaml
    #   yapbench ycsb WORKLOADFILE         runs YCSB's own files instead
    format: 1
    name: {{name}}
    summary: YCSB's workload A, half reads and half updates.
    tags: [ycsb]
    seed: 1
    engine: {driver: yap, synchronous: normal}

    dataset:
      # recordcount; insertorder and zeropadding; fieldcount x fieldlength
      usertable: {rows: 1000, key: ycsbHashed(1), value: {size: 1000B}}

    connections:
      client: {}

    actors:
      client:
        connection: client
        threads: 1                                 # threadcount
        operations: {get: 50, replace: 50}         # readproportion, updateproportion
        collection: usertable
        # Hot keys all over the table, but flatter than a Zipf distribution; zipfian(0.99) is exactly Zipfian.
        keys: scrambledZipfian
        load: closed                               # with YCSB's target: {rate: TARGET/s}

    phases:
      - {name: run, operations: 100k, actors: [client]}   # operationcount

    invariants: [knownAnswers]

    """
}
