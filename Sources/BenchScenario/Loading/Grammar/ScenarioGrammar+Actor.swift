extension ScenarioGrammar {
  public static let actor = MappingGrammar(
    noun: "an actor",
    notes: ScenarioNotes.actor,
    keys: [
      Key(
        "connection",
        .nameOrNames,
        required: true,
        means: "Which connection it uses, or which in turn; actors that share one queue for it."
      ),
      Key("threads", .integer(1...1024), default: "1", means: "Workers that take arrivals from one schedule."),
      Key("operations", .weights, required: true, means: "The operations, by weight."),
      Key("transaction", .mapping(transaction), means: "The kind and size of a transaction."),
      Key(
        "snapshot",
        .wordOrMapping(["latest"], snapshot),
        default: "latest",
        means: "Which snapshot it reads: the newest at the start of each transaction, or one that stays."
      ),
      Key(
        "connectionLifetime",
        .words(ConnectionLifetime.words),
        default: "kept",
        means: "Whether the connection outlives a transaction."
      ),
      Key("collection", .name, means: "Where it works; every operation but `empty` needs one."),
      Key("view", .name, means: "Which view it reads; the only one of its collection where it is left out."),
      Key("keys", Scalars.keyDistribution, default: "uniform", means: "Which rows it picks."),
      Key("load", .wordOrMapping(["closed"], load), default: "closed", means: "When a transaction starts."),
      Key("deadline", Scalars.duration, means: "For rates: an arrival that waits longer is dropped, and counted."),
    ]
  )

  public static let transaction = MappingGrammar(
    noun: "a transaction",
    keys: [
      Key("kind", .words(TransactionKind.words), means: "`readWrite` where an operation writes, else `read`."),
      Key("operations", Scalars.range, default: "1", means: "How many operations it has, drawn for each."),
      Key("api", .words(TransactionCall.words), default: "sync", means: "How it is called."),
    ]
  )

  public static let snapshot = MappingGrammar(
    noun: "a snapshot",
    keys: [Key("longLived", Scalars.snapshotMove, required: true, means: "When it moves to the newest commit.")]
  )

  public static let load = MappingGrammar(
    noun: "a load",
    exactlyOne: ["closed", "rate", "ramp", "burst", "sine", "trace"],
    notes: ScenarioNotes.load,
    keys: [
      Key("closed", .mapping(closedLoad), means: "The next starts when the last one has ended."),
      Key("rate", Scalars.rate, means: "So many arrive, whatever the engine does; at most 50M/s."),
      Key("ramp", .mapping(ramp), means: "From one rate to another over the phase."),
      Key("burst", .mapping(burst), means: "A base rate; each period ends with a burst."),
      Key("sine", .mapping(sine), means: "A rate that swings, and begins at its lowest."),
      Key("trace", .text, means: "A file in the scenario's folder: on each line a time since the phase began."),
      Key(
        "arrival",
        .words(ArrivalProcess.words),
        default: "constant",
        unless: .init(keys: ["closed", "trace"]),
        means: "How arrivals are spread around the rate: evenly, or independently as from many users."
      ),
    ]
  )

  public static let closedLoad = MappingGrammar(
    noun: "a closed load",
    keys: [
      Key("think", Scalars.durationOrZero, required: true, means: "The pause between two transactions of a worker.")
    ]
  )

  public static let ramp = MappingGrammar(
    noun: "a ramp",
    keys: [
      Key("from", Scalars.rate, required: true, means: "The rate when the phase begins."),
      Key("to", Scalars.rate, required: true, means: "The rate when it ends."),
    ]
  )

  public static let burst = MappingGrammar(
    noun: "a burst",
    keys: [
      Key("base", Scalars.rate, required: true, means: "The rate between bursts."),
      Key("peak", Scalars.rate, required: true, means: "The rate in a burst; not lower than the base."),
      Key("every", Scalars.duration, required: true, means: "From the start of one burst to the next."),
      Key("for", Scalars.duration, required: true, means: "How long a burst lasts; shorter than `every`."),
    ]
  )

  public static let sine = MappingGrammar(
    noun: "a sine",
    keys: [
      Key("low", Scalars.rate, required: true, means: "The lowest rate."),
      Key("high", Scalars.rate, required: true, means: "The highest rate; not lower than the lowest."),
      Key("period", Scalars.duration, required: true, means: "From one highest point to the next."),
    ]
  )
}
