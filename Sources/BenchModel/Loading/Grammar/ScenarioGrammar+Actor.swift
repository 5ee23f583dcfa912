extension ScenarioGrammar {
  public static let actor = MappingGrammar(
    "an actor",
    notes: ScenarioNotes.actor,
    [
      KeyDescription(
        "connection",
        .nameOrNames,
        required: true,
        "Which connection it uses, or which in turn; actors that share one queue for it."
      ),
      KeyDescription("threads", .integer(1...1024), default: "1", "Workers that take arrivals from one schedule."),
      KeyDescription("operations", .weights, required: true, "What it does, by weight."),
      KeyDescription("transaction", .mapping(transaction), "What one transaction is."),
      KeyDescription(
        "snapshot",
        .wordOrMapping(["latest"], snapshot),
        default: "latest",
        "Which snapshot it reads: the newest at the start of each transaction, or one that stays."
      ),
      KeyDescription(
        "connectionLifetime",
        .words(ConnectionLifetime.supportedWords),
        default: "kept",
        "Whether the connection outlives a transaction."
      ),
      KeyDescription("collection", .name, "Where it works; every operation but `empty` needs one."),
      KeyDescription("view", .name, "Which view it reads; the only one of its collection where it is left out."),
      KeyDescription("keys", .keyDistribution, default: "uniform", "Which rows it picks."),
      KeyDescription("load", .wordOrMapping(["closed"], load), default: "closed", "When a transaction starts."),
      KeyDescription("deadline", .duration, "For rates: an arrival that waits longer is dropped, and counted."),
    ]
  )

  public static let transaction = MappingGrammar(
    "a transaction",
    [
      KeyDescription(
        "kind",
        .words(TransactionKind.supportedWords),
        "`readWrite` where an operation writes, else `read`."
      ),
      KeyDescription("operations", .range, default: "1", "How many operations it has, drawn for each."),
      KeyDescription("api", .words(TransactionCall.supportedWords), default: "sync", "How it is called."),
    ]
  )

  public static let snapshot = MappingGrammar(
    "a snapshot",
    [KeyDescription("longLived", .snapshotMove, required: true, "When it moves to the newest commit.")]
  )

  public static let load = MappingGrammar(
    "a load",
    exactlyOne: ["closed", "rate", "ramp", "burst", "sine", "trace"],
    notes: ScenarioNotes.load,
    [
      KeyDescription("closed", .mapping(closedLoad), "The next starts when the last one has ended."),
      KeyDescription("rate", .rate, "So many arrive, whatever the engine does; at most 50M/s."),
      KeyDescription("ramp", .mapping(ramp), "From one rate to another over the phase."),
      KeyDescription("burst", .mapping(burst), "A base rate; each period ends with a burst."),
      KeyDescription("sine", .mapping(sine), "A rate that swings, and begins at its lowest."),
      KeyDescription("trace", .text, "A file in the scenario's folder: on each line a time since the phase began."),
      KeyDescription(
        "arrival",
        .words(ArrivalProcess.supportedWords),
        default: "constant",
        unless: .init(keys: ["closed", "trace"]),
        "How arrivals are spread around the rate: evenly, or independently as from many users."
      ),
    ]
  )

  public static let closedLoad = MappingGrammar(
    "a closed load",
    [KeyDescription("think", .durationOrZero, required: true, "The pause between two transactions of a worker.")]
  )

  public static let ramp = MappingGrammar(
    "a ramp",
    [
      KeyDescription("from", .rate, required: true, "The rate when the phase begins."),
      KeyDescription("to", .rate, required: true, "The rate when it ends."),
    ]
  )

  public static let burst = MappingGrammar(
    "a burst",
    [
      KeyDescription("base", .rate, required: true, "The rate between bursts."),
      KeyDescription("peak", .rate, required: true, "The rate in a burst; not lower than the base."),
      KeyDescription("every", .duration, required: true, "From the start of one burst to the next."),
      KeyDescription("for", .duration, required: true, "How long a burst lasts; shorter than `every`."),
    ]
  )

  public static let sine = MappingGrammar(
    "a sine",
    [
      KeyDescription("low", .rate, required: true, "The lowest rate."),
      KeyDescription("high", .rate, required: true, "The highest rate; not lower than the lowest."),
      KeyDescription("period", .duration, required: true, "From one highest point to the next."),
    ]
  )
}
