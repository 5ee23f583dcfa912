internal import BenchResults

/// Notes for an author about parts of the language that belong to no single key. Each is a paragraph of Markdown.
enum ScenarioNotes {
  static let scenario = [
    """
    A scenario is a YAML file with named **connections**, named **actors** that use them, and named **phases** in which
    actors run. `yapbench check FILE` reports every mistake with its line and column. No part of a file is ignored. A
    file has at most 1 MiB, 10,000 values (with aliases expanded, and those of included files) and 32 levels. Tags,
    merge keys and a second document are rejected.
    """,
    """
    `check` and `run` warn of parts that have no effect: of a connection or a collection that nothing uses, and of a
    phase that waits for commits although nothing in it writes. Warnings do not change the exit code. In a matrix, a
    part is reported only if it has no effect in any variant.
    """,
    """
    Each phase, actor, thread and purpose has its own stream of random numbers, which is derived from the seed. A change
    of one of them does not change the streams of the others.
    """,
    """
    `--set PATH=VALUE` changes one value for one run, for example `phases.stall.for=2m` or
    `actors.scroll.load.rate=500/s`. An element of a list is selected by its `name` or by its index from 0. `--set` adds
    a missing key or section of the format, a connection or an actor only as a whole, and no phase.
    """,
  ]

  static let include = [
    """
    Scenarios share parts in files that each of them includes. This scenario has the dataset, the connections and the
    actors of `shared/chat.yaml`, but a reader with 4 threads:

    ```yaml
    format: 1
    include: ../shared/chat.yaml
    name: four-readers
    summary: Four threads read a chat.
    actors:
      read: {threads: 4}
    phases:
      - {name: run, for: 10s, actors: [read, write]}
    ```

    A path begins in the folder of the file that states it. Of several included files, a later one has priority over an
    earlier one, and the scenario over all. The sections `engine`, `measure` and `matrix` are joined key by key.
    Collections, connections, actors, views and phases are joined by name, and two with one name key by key: a key's
    whole value is replaced, as in the overrides of a phase. Any other value, such as the list `expect`, is replaced.
    The parts of included files come first, in their order.
    """,
    """
    An included file has any keys of a scenario, may include others, and may be a scenario itself: its `name` does not
    count. Anchors are those of one file. Files of arrivals and sizes are in the folder of the scenario, also if an
    included file names them. A folder that is searched for scenarios may contain included files if their names begin
    with `_`, such as `_chat.yaml`. A run's copy of its scenario contains the included parts. `--set` changes these,
    but cannot include a file.
    """,
  ]

  static let matrix = [
    """
    Each path, written as for `--set`, takes each of its values. Every combination is a variant; at most 64 are
    possible. The name of a variant consists of the ends of the paths and the values:
    `defaultObjectPolicy=share,objectCacheLimit=2k`. All variants are checked completely before the first run. The
    message of a mistake that only some variants have names the first of them, unless the mistake is in the matrix
    itself.
    """,
    """
    A value may be a whole mapping or list, which replaces the one at the path. Its text would be a long name, so values
    of every kind may have labels: a mapping of labels to values in place of the list. These variants are `ui=small` and
    `ui=none`:

    ```yaml
    matrix:
      connections.ui:
        small: {objectCacheLimit: 100, metadataCache: off}
        none: {objectCache: off, metadataCache: off}
    ```
    """,
    """
    Each run has a new database and the same seed, so all variants draw the same random numbers. The variants run in
    rounds, because the speed of a machine drifts: each round runs every variant once, in an order drawn from the seed.
    A failed expectation ends no other run. A violated invariant or a failure of the engine ends all runs. An
    interruption keeps the finished runs. The most severe exit code of all runs is returned, and the verdict names its
    variant and repetition.
    """,
    """
    `--only share` (or `--only defaultObjectPolicy=share`, or several settings separated by commas) runs only the
    variants with these settings. It can be given several times. `--smoke` runs each variant once. `--set` cannot change
    a setting that the matrix varies, but it can change the matrix.
    """,
    """
    The report shows the variants side by side. A percentile is that of the durations of all repetitions together. Any
    other figure is the median of the repetitions. Both have the minimum and the maximum of the repetitions. Memory is
    not compared, because the process also holds the measurements of earlier runs.
    """,
  ]

  static let engine = [
    """
    The driver `null` does nothing, so its figures are those of the harness itself. It has none of the other keys.
    """
  ]

  static let collection = [
    """
    A row's number determines its key. Loaded rows have the numbers from 0. An `insert` takes the next number, from one
    counter for all actors and threads, inside its transaction, so later commits insert higher numbers. A transaction
    that is rolled back gives its numbers back. A distribution that draws inserted rows draws those that are committed
    at that time, so its draws differ from run to run if another worker inserts.
    """,
    """
    The checks need 24 B of memory for each inserted row. If actors scan the collection and the order of its keys is not
    that of the rows, they need up to 24 B more for each row that may exist.
    """,
    """
    `raw` stores the bytes themselves. `json` stores a document of ten fields that contains the value. A read that no
    cache answers decodes the document into an instance of a class, so it includes the cost of a real decode. The
    document takes about 4/3 of the value's size and 250 B more.
    """,
  ]

  static let connection = [
    """
    If the connection that writes and the connection that reads have different policies, the stricter applies:
    `containment` before `copy` before `share`. To compare policies, set the engine's default.
    """
  ]

  static let actor = [
    """
    One arrival is one transaction. At the start of a phase, an actor's long-lived snapshot moves to the newest commit;
    with `never` it moves only if there is none yet. A move by the actor's own worker is timed as the operation
    `advance`. An actor with a long-lived snapshot cannot write, because a write would end the read.
    """,
    """
    With `snapshot: {longLived: onNotification, react: all}`, the worker that moves the snapshot then reads the objects
    of the changed rows, in one transaction. `notification.toRead` counts from the first commit that changed the row
    since the last move until the row is read: until its user sees the change. Rows that were removed one by one count
    too, rows that were removed with their whole collection do not. The first move of a phase, and moves by `begin` and
    `advance(ACTOR)`, cause no reads.
    """,
    """
    A connection keeps its bookmark from phase to phase. In a phase in which no actor uses the connection, the bookmark
    does not move. It stays pinned, and keeps frames in the WAL.
    """,
    """
    `nestedRead` and `nestedWrite` begin a transaction inside the actor's own transaction. They use another connection
    or, to provoke a rejection, the same one. Of a pool, each worker always uses the same connection. If the engine
    rejects the inner transaction, as nested or because of a deadlock, the rejection is counted in `deadlocks` and does
    not end the run: the actor's own transaction is rolled back, the operation's time ends there, and the worker
    continues with its next transaction. The actor's own transaction is a read-write transaction only if another of its
    operations writes, or with `transaction: {kind: readWrite}`. These operations need the engine in the harness's own
    process, so they exclude `kill` and `reopen`.
    """,
    """
    The worker checks answers for the invariants after the transaction, so the check is not part of its latency. Only
    answers of `enumerate` and `nestedRead` are checked inside the transaction. A closed load makes fewer transactions
    because of the checks, and in an open load without spare time the next transactions wait.
    """,
  ]

  static let load = [
    """
    Evenly spread arrivals are due in the middles of their intervals: with `rate: 2/s` after 250 ms, 750 ms, and so on.
    A phase has as many of them as its rate times its length, rounded, and an engine that keeps up serves all: its
    `throughput.mean` is the rate. A time of a `trace` that is not before the end of the phase causes no arrival.
    """,
    """
    In an overloaded open load, arrivals that were due and did not begin count in `wait` and `response`, with the time
    until they were dropped, or until the end of the phase and a worker is free. If a count ends the phase, only the
    dropped ones count. A closed load has no `arrival`, and only `service` times: it omits the waits that arrivals
    would have had during a slow transaction. In the `response` of a phase, its service times count as response times.
    """,
    """
    Every load starts from its beginning in each phase. A `ramp` and the peaks of bursts change over the planned
    duration of the phase: `for`, or `within` if the phase waits for `until`. If the phase ends earlier, the report
    states the rate that a ramp or stages had then, which is the figure `load.endRate`. Stages have durations of their
    own. This load rises to 500/s within 10 s, stays there for 30 s, jumps to 2000/s for 5 s, and falls to 0:

    ```yaml
    load:
      stages:
        - {to: 500/s, for: 10s}
        - {to: 500/s, for: 30s}
        - {from: 2000/s, to: 2000/s, for: 5s}
        - {to: 0/s, for: 10s}
    ```
    """,
  ]

  static let phase = [
    """
    A phase ends at the first of its conditions: `for`, `operations`, `commits`, `rows`, `until`, or, if actors have an
    `operationCount`, when all of these have done theirs. At least one is required, and `until` needs a time limit
    beside it: `within` or `for`. With `for: 60s` and `operations: 200k`, the phase ends after 60 s or 200,000
    operations. The report states which condition ended a phase that has several.
    """,
    """
    The last transaction may have more operations or rows than are left, so a count (also an `operationCount`) is exact
    if it is a multiple of the operations of a transaction. The count `operations` of a phase is shared by its actors as
    their speeds determine. Give an actor an `operationCount` if its work must be the same in each variant: the others
    work until it is done, and finish the transactions that they have begun. An actor with such a count does that many
    operations in each phase in which it acts. For `rows`, `transfer(2)` is two rows; `touch` and `removeCollection` are
    none. For `commits`, each nested write is one more.
    """,
    """
    `actors` is a list of names, or a mapping of names to the keys that differ in this phase. An override replaces the
    whole value of a key: an override of `load` replaces the complete load.
    """,
  ]

  static let event = [
    """
    Events run one after the other, on a thread of their own. An event that is due while another one runs begins late.
    Its `response` counts from when it was due, as for a transaction. A stall does not delay other events, which run
    while it lasts. The end of the phase ends stalls. The phase waits for any other event that has begun.
    """,
    """
    An event at `commits(50)` begins when the phase's 50th commit is acknowledged, after the events at times that are
    due. Of several events whose counts are reached, the one that the file lists first begins first. Its `response`
    counts from its begin.
    """,
    """
    An event is timed as an operation of an actor `events`, so an expectation can name it:
    `run/events.checkpoint response.max < 1s`. An event that fails, such as a checkpoint that readers block for too
    long, ends the run only if the database is damaged or the engine cannot be reopened. The report shows failed events,
    and events that the phase did not reach.
    """,
    """
    Only one event may register a view, and the view does not exist before that event. A read of the view at an older
    snapshot finds nothing, which is correct. A read at the snapshot of the registration or a later one must find it.
    """,
    """
    The workers of a stalled actor pause between two transactions. Arrivals that are due in the meantime wait, so an
    open load shows the stall in `wait` and `response`. A snapshot that moves by itself does not move during the stall.
    """,
  ]

  static let operations = [
    """
    Each operation has a weight from 1 to 1000000, which is its frequency relative to the other operations of its actor.
    """,
    """
    An operation uses the `collection` of its actor, or the one that it names: `threads.touch` is the operation `touch`
    in the collection `threads`, and has this name in expectations and reports too. So
    `operations: {messages.insert: 1, threads.touch: 1}` with `transaction: {operations: each}` inserts a message and
    touches a thread in one transaction. Operations on views and nested transactions use the actor's `collection` only.
    """,
    """
    All operations draw rows of their collection by the actor's `keys`, except those that state `keys` of their own, in
    a mapping in place of the weight. This application reads the newest messages, and updates any profile:

    ```yaml
    operations:
      messages.get: {weight: 80, keys: latest}
      profiles.set: {weight: 20, keys: zipfian(0.99)}
    ```

    Such an operation has its own stream of random numbers, and with `sequential` its own position, so the rows of the
    other operations stay the same. `--set` and a matrix reach its keys as `actors.app.operations.messages.get.keys`,
    also if the file states the weight alone.
    """,
  ]

  static let expectations = [
    """
    An expectation has the form `"PHASE[/ACTOR[.OPERATION]] METRIC[.AGGREGATE] OP VALUE"`, in which OP is `<` `<=` `>`
    `>=` or `==`. With `abort ` before it, the run ends at the first sample at which the expectation does not hold for
    what the phase has measured so far. A failed expectation makes the run exit with 99. An expectation about a phase,
    an actor or a metric that does not exist is a mistake. A smoke run shows its expectations without judging them.
    The figures of `show` have the part before OP alone: `"run/import operations"`.
    """,
    """
    VALUE is a value with a unit, a share such as `1%` (of metrics that have shares), or another figure of the same run
    with an optional factor: `"recover/write response.p99 < 2 * calm/write response.p99"`. An expectation that begins
    with a variant in brackets, such as `"[share] run/show service.p50 < 5us"`, concerns only the variants that `--only
    share` would select. Brackets before the second figure compare two variants:
    `"[share] run/show service.p50 <= 0.5 * [containment] run/show service.p50"`. The other variant is the one that has
    this value and all other values of the matrix in common with the first.
    """,
    """
    VALUE may also be a multiple of a cost of the machine, which each run measures before it begins:
    `"run/import service.p50 < 3 * machine.sync"`. Such a limit fits a slow machine as well as a fast one. It suits
    medians: the slowest transactions wait for other things, and a sync delays only those that sync. The costs:
    """,
    MachineCosts.Kind.allCases.map { "- `machine.\($0.rawValue)`: \($0.meaning)" }.joined(separator: "\n"),
    """
    Variants are compared by the ratios of their figures, one for each repetition. The expectation passes or fails only
    with 6 pairs or more, and only if the whole 95% interval of the ratio is on one side of the factor. Otherwise the
    report says "cannot tell", which fails only with `--strict`. More repetitions (`repeat`) make the interval narrower.
    If a figure is 0, there is no ratio, and all pairs must agree.
    """,
    """
    With the driver `yap`, the name of an operation that reads one row (`get`, `getMetadata`, `getRow`, `viewAt`) can
    end with the outcome in the connection's caches: `run/show.get.reread service.p50 < 50us`. `hit`: the caches
    answered. `reread`: the row was read from the file, because its cached value was dropped when another connection
    changed the row. `miss`: the row was read from the file for any other reason. Under `share` and `copy` a changed row
    is a hit. The reads with one outcome have a `service` and a `throughput.mean`. They have none in an engine that
    `kill` or `reopen` runs in a separate process.
    """,
    """
    Sampled metrics describe a whole phase. The counts of caches describe a phase (all connections) or an actor (its
    connections). Their values are the increments from one sample to the next, so `sum` is the count of the phase. The
    same applies to `deadlocks`, which operations have too, and to the metrics `cpu.`, `pressure.` and `io.` of a phase.
    Writes of an engine's process between its last sample and its end by `kill` or `reopen` are not counted.
    """,
  ]

  static let invariants = [
    """
    A violation stops the run, which exits with 111 regardless of all other results. `cacheCoherence` and `noAliasing`
    are sampled: up to a hundred times per second, each worker reads the row of its last transaction from the cache and,
    for `cacheCoherence`, also directly from the file. It does so in a separate transaction, which does not count in the
    latencies but counts in the metrics of caches. For `noAliasing`, connections under `containment` and `copy` mark
    each unmarked instance that they receive in this way, as a program might change it. Connections under `share` only
    read the marks. No connection may find the mark of another connection.
    """
  ]
}
