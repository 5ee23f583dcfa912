extension ScenarioGrammar {
  public static let actor = MappingGrammar(
    noun: "an actor",
    notes: ScenarioNotes.actor,
    keys: [
      Key(
        "connection",
        .nameOrNames,
        required: true,
        means:
          "The connection to use, or several connections to use in turn. Actors that share a connection queue for "
          + "it."
      ),
      Key(
        "threads",
        .integer(1...1024),
        default: "1",
        means: "The number of workers. With an open load, they take arrivals from one schedule."
      ),
      Key("operations", .weights, required: true, means: "The operations, each with its weight."),
      Key("transaction", .mapping(transaction), means: "The kind and size of the actor's transactions."),
      Key(
        "snapshot",
        .wordOrMapping(["latest"], snapshot),
        default: "latest",
        means: "The snapshot to read: the newest at the start of each transaction (`latest`), or a long-lived one."
      ),
      Key(
        "connectionLifetime",
        .words(ConnectionLifetime.words),
        default: "kept",
        means: "Whether the connection is kept, or is opened for each transaction and closed after it."
      ),
      Key(
        "collection",
        .name,
        means:
          "The collection to work on. Every operation except `empty` and `begin` needs one, unless it names its own."
      ),
      Key("view", .name, means: "The view to read. Without this key, the only view of the collection is read."),
      Key("keys", Scalars.keyDistribution, default: "uniform", means: "The distribution from which rows are drawn."),
      Key(
        "load",
        .wordOrMapping(["closed"], load),
        default: "closed",
        means:
          "The schedule of transactions: each after the end of the previous one (`closed`), or at given times or "
          + "rates."
      ),
      Key(
        "deadline",
        Scalars.duration,
        means:
          "For open loads: the maximum wait of an arrival. An arrival that waits longer is dropped and counted in "
          + "`harness.dropped`."
      ),
    ]
  )

  public static let transaction = MappingGrammar(
    noun: "a transaction",
    keys: [
      Key(
        "kind",
        .words(TransactionKind.words),
        means: "The kind; by default `readWrite` if an operation other than `nestedWrite` writes, otherwise `read`."
      ),
      Key(
        "operations",
        Scalars.transactionSize,
        default: "1",
        means:
          "The number of operations, drawn for each transaction. With `each`, every transaction performs all "
          + "operations of the actor, each as often as its weight, in the order of the file."
      ),
      Key(
        "api",
        .words(TransactionCall.words),
        default: "sync",
        means: "Whether the engine's synchronous or asynchronous calls are used."
      ),
    ]
  )

  public static let snapshot = MappingGrammar(
    noun: "a snapshot",
    keys: [
      Key(
        "longLived",
        Scalars.snapshotMove,
        required: true,
        means: "The rule by which the snapshot moves to the newest commit."
      ),
      Key(
        "react",
        Scalars.reaction,
        means:
          "After each move, the rows of the actor's collection that the commits in between have changed are read "
          + "again, at most this many. Timed as `notification.toRead`. Needs `longLived: onNotification` or `every`."
      ),
    ]
  )

  public static let load = MappingGrammar(
    noun: "a load",
    exactlyOne: ["closed", "rate", "ramp", "stages", "burst", "sine", "trace"],
    notes: ScenarioNotes.load,
    keys: [
      Key(
        "closed",
        .mapping(closedLoad),
        means: "Each transaction of a worker starts after the end of the previous one."
      ),
      Key("rate", Scalars.rate, means: "A constant rate of arrivals, which do not wait for the engine; at most 50M/s."),
      Key("ramp", .mapping(ramp), means: "A rate that changes linearly over the phase."),
      Key(
        "stages",
        .list(stage),
        means:
          "A rate that changes linearly in each stage. After the last stage it stays at that stage's `to`. At most "
          + "\(RateStages.most) stages."
      ),
      Key("burst", .mapping(burst), means: "A base rate, with a burst at a peak rate at the end of each period."),
      Key("sine", .mapping(sine), means: "A rate that oscillates between two values, starting at the lower one."),
      Key(
        "trace",
        .text,
        means:
          "The name of a file in the scenario's folder. Each line is the time of an arrival, such as `12.5ms`, "
          + "counted from the start of the phase and before its end."
      ),
      Key(
        "arrival",
        .words(ArrivalProcess.words),
        default: "constant",
        unless: .init(keys: ["closed", "trace"]),
        means: "The spacing of arrivals: even (`constant`), or independent as from many users (`poisson`)."
      ),
    ]
  )

  public static let closedLoad = MappingGrammar(
    noun: "a closed load",
    example: "{think: 5ms}",
    keys: [
      Key("think", Scalars.durationOrZero, required: true, means: "The pause between two transactions of a worker.")
    ]
  )

  public static let ramp = MappingGrammar(
    noun: "a ramp",
    keys: [
      Key("from", Scalars.rate, required: true, means: "The rate at the start of the phase."),
      Key("to", Scalars.rate, required: true, means: "The rate at the end of the phase."),
    ]
  )

  public static let stage = MappingGrammar(
    noun: "a stage",
    example: "{to: 500/s, for: 10s}",
    keys: [
      Key("to", Scalars.stageRate, required: true, means: "The rate at the end of the stage."),
      Key("for", Scalars.duration, required: true, means: "The duration of the stage."),
      Key(
        "from",
        Scalars.stageRate,
        means: "The rate at the start of the stage; by default that at the end of the stage before it, or `0/s`."
      ),
    ]
  )

  public static let burst = MappingGrammar(
    noun: "a burst",
    keys: [
      Key("base", Scalars.rate, required: true, means: "The rate between bursts."),
      Key("peak", Scalars.rate, required: true, means: "The rate during bursts, not lower than `base`."),
      Key(
        "lastPeak",
        Scalars.rate,
        means:
          "The rate during the last burst of the phase, not lower than `base`. The rate changes by the same amount "
          + "from each burst to the next. By default all bursts have the rate `peak`."
      ),
      Key(
        "every",
        Scalars.duration,
        required: true,
        means: "The time from the start of one burst to the start of the next."
      ),
      Key("for", Scalars.duration, required: true, means: "The duration of a burst, shorter than `every`."),
    ]
  )

  public static let sine = MappingGrammar(
    noun: "a sine",
    keys: [
      Key("low", Scalars.rate, required: true, means: "The lowest rate."),
      Key("high", Scalars.rate, required: true, means: "The highest rate, not lower than `low`."),
      Key("period", Scalars.duration, required: true, means: "The time from one maximum to the next."),
    ]
  )
}
