/// Notes for an author about parts of the language that belong to no single key. Markdown, a paragraph each.
enum ScenarioNotes {
  static let scenario = [
    """
    A scenario is a YAML file: named **connections**, named **actors** that use them, and named **phases** in which
    actors act. `yapbench check FILE` finds every mistake, each with its line and column; nothing in a file is ever
    ignored. A file has at most 1 MiB, 10,000 values (aliases written out) and 32 levels; tags, merge keys and a second
    document are refused.
    """,
    """
    Each phase, actor, thread and purpose has a stream of randomness of its own, split from the seed, so that a change
    of one leaves the others alone.
    """,
    """
    `--set PATH=VALUE` changes one value for one run: `phases.stall.for=2m`, `actors.scroll.load.rate=500/s`. Elements
    of a list go by their `name` or their index from 0; a section of the format that the file leaves out is made, but no
    new connection, actor or phase.
    """,
  ]

  static let matrix = [
    """
    Each path, written as for `--set`, takes each of its values; every combination is a variant (64 at most), named for
    the ends of its paths: `defaultObjectPolicy=share,objectCacheLimit=2k`. Every variant is checked whole before
    anything runs, and a mistake that only some of them have says which.
    """,
    """
    Each run has a fresh database and the same seed, so that all variants do the same work. They run in rounds: each
    round runs every variant once, in an order drawn from the seed, because a machine's speed drifts. A broken
    expectation ends nothing; a violated invariant or a failure of the engine ends all; an interruption keeps the
    finished runs. The most severe exit code of all runs is returned, and the verdict names its variant and repetition.
    """,
    """
    `--only share` (or `--only defaultObjectPolicy=share`, or several settings with commas between them) takes these
    variants alone; it may be repeated. `--smoke` runs each variant once. What the matrix varies cannot be changed by
    `--set` as well; the matrix itself can.
    """,
    """
    The report holds the variants side by side. A figure is the median of the repetitions, with the least and the
    greatest of them; a percentile is never averaged, but taken from all repetitions' durations together. Memory is not
    compared: what earlier runs have measured lies in the same process.
    """,
  ]

  static let engine = ["The driver `null` does nothing, and so measures the harness itself; it has no options."]

  static let collection = [
    """
    `raw` stores the bytes themselves. `json` stores a document of ten fields with the value in it, decoded into an
    instance of a class: a read pays for a real decode. It takes about 4/3 of the size and 250 B more.
    """
  ]

  static let connection = [
    """
    Where the policies of the connection that writes and of the one that reads differ, the stricter acts: `containment`
    before `copy` before `share`. So a comparison of policies sets the engine's default.
    """
  ]

  static let actor = [
    """
    One arrival is one transaction. An actor whose long-lived snapshot moves by itself moves it on its own worker, which
    is timed as the operation `advance`; one that enters a phase with `never` keeps the snapshot it has, or takes the
    newest if it has none. It cannot write: a write would end the read.
    """,
    """
    A connection keeps its bookmark from phase to phase. In a phase that does not list its actor it is not moved, so it
    stays pinned there, and keeps the WAL.
    """,
    """
    `nestedRead` and `nestedWrite` begin a transaction inside of the actor's own, on another connection or, to see it
    refused, on the same; of a pool it is the one with the worker's number. What the engine refuses, as nested or
    because threads would wait for each other without end, is counted in `deadlocks` and ends nothing: the actor's own
    transaction is rolled back, the operation's time ends there, and the next arrival comes. The actor's own transaction
    is one that writes only if another of its operations writes, or with `transaction: {kind: readWrite}`. All of it
    needs the engine in the harness's own process, and so goes with no `kill` and no `reopen`.
    """,
    """
    What invariants check of an answer takes the worker's time after the transaction. It is not in that transaction's
    latency; but a closed load makes fewer transactions for it, and in an open one without spare time the next ones
    wait.
    """,
  ]

  static let load = [
    """
    In an open load that is overloaded, arrivals that were due and did not begin count in `wait` and `response`, with
    the time until the phase's end. A closed load has no `arrival`, and its `response` times leave out the arrivals that
    an open load would have had meanwhile.
    """
  ]

  static let phase = [
    """
    `actors` is a list of names, or a mapping of names to the keys that are different in this phase, whole keys each:
    an override of `load` says all about the load.
    """
  ]

  static let event = [
    """
    Events run on a thread of their own, one after the other: one that is due while another still runs begins late, and
    its `response` counts from when it was due, as for a transaction. A stall does not delay others: while it lasts,
    other events run. The end of the phase ends it; other events are waited for.
    """,
    """
    An event is timed as an operation of an actor `events`, so that `run/events.checkpoint response.max < 1s` can be
    expected. One that fails, such as a checkpoint that readers do not let through in time, ends nothing and is shown
    in the report; so is one that the phase did not reach.
    """,
    """
    A view that an event registers, which one event may do, does not exist before. A read of it at an older snapshot
    finds nothing, which is no mistake; a read at the snapshot of its registration or a later one must find it.
    """,
    """
    A stalled actor's workers hold still between two transactions. What is due meanwhile waits, so that an open load
    shows it in `wait` and `response`; a snapshot that would move by itself stays.
    """,
  ]

  static let expectations = [
    """
    `"PHASE[/ACTOR[.OPERATION]] METRIC[.AGGREGATE] OP VALUE"`, with `<` `<=` `>` `>=` `==`. With `abort ` before it the
    run ends at the first sample at which it does not hold of what the phase has measured so far. A broken expectation
    exits with 99; one of a phase, an actor or a metric that is not there is a mistake. In a smoke run expectations are
    shown and decide nothing.
    """,
    """
    Metrics that are sampled are of a whole phase. What caches count is of a phase (all connections) or of an actor (its
    own): what was added from one sample to the next, so that `sum` is the phase's count. So are `deadlocks`, which an
    operation has too, and what was written (`io.`), of a phase. What an engine's process writes between the last
    sample and its end by `kill` or `reopen` is not counted.
    """,
  ]

  static let invariants = [
    """
    A violation stops the run and exits with 111, whatever else holds. `cacheCoherence` and `noAliasing` are sampled: up
    to a hundred times a second each worker reads the row of its last transaction through the cache and past it, in a
    transaction of its own that is not in its latencies (but in what caches count). For `noAliasing`, connections under
    `containment` and `copy` mark each instance that they are handed so, as a program might change it; those under
    `share` only look. No connection may ever find another connection's mark.
    """
  ]
}
