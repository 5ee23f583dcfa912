extension ScenarioGrammar {
  public static let actor = MappingGrammar(
    "an actor",
    [
      KeyDescription(
        "connection",
        .nameOrNames,
        required: true,
        "Which connection it uses, or which in turn; actors that share one queue for it."
      ),
      KeyDescription("threads", .integer(1...1024), "Workers that take arrivals from one schedule; default 1."),
      KeyDescription("operations", .weights, required: true, "What it does, by weight."),
      KeyDescription("transaction", .mapping(transaction), "What one transaction is."),
      KeyDescription("snapshot", .wordOrMapping(["latest"], snapshot), "Which snapshot it reads; default latest."),
      KeyDescription("connectionLifetime", .words(ConnectionLifetime.supportedWords), "Default kept."),
      KeyDescription("collection", .name, "Where it works."),
      KeyDescription("view", .name, "Which view it reads; default the only one of its collection."),
      KeyDescription("keys", .keyDistribution, "Which keys it picks; default uniform."),
      KeyDescription("load", .wordOrMapping(["closed"], load), "When a transaction starts; default closed."),
      KeyDescription("deadline", .duration, "For rates: an arrival that waits longer is dropped, and counted."),
    ]
  )

  public static let transaction = MappingGrammar(
    "a transaction",
    [
      KeyDescription("kind", .words(TransactionKind.supportedWords), "Default by the operations."),
      KeyDescription("operations", .range, "How many operations it has, drawn for each; default 1."),
      KeyDescription("api", .words(TransactionCall.supportedWords), "Default sync."),
    ]
  )

  public static let snapshot = MappingGrammar(
    "a snapshot",
    [
      KeyDescription(
        "longLived",
        .snapshotMove,
        required: true,
        "When it moves to the newest."
      )
    ]
  )

  public static let load = MappingGrammar(
    "a load",
    [
      KeyDescription("closed", .mapping(closedLoad), "The next starts when the last one has ended."),
      KeyDescription("rate", .rate, "So many arrive, whatever the engine does."),
      KeyDescription("ramp", .mapping(ramp), "From one rate to another over the phase."),
      KeyDescription("burst", .mapping(burst), "A base rate with bursts."),
      KeyDescription("sine", .mapping(sine), "A rate that swings."),
      KeyDescription("trace", .text, "A file in the scenario's folder: on each line a time since the phase began."),
      KeyDescription("arrival", .words(ArrivalProcess.supportedWords), "How arrivals are spread; default constant."),
    ]
  )

  public static let closedLoad = MappingGrammar(
    "a closed load",
    [KeyDescription("think", .duration, required: true, "The pause between two transactions of a worker.")]
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
      KeyDescription("peak", .rate, required: true, "The rate in a burst."),
      KeyDescription("every", .duration, required: true, "From the start of one burst to the next."),
      KeyDescription("for", .duration, required: true, "How long a burst lasts."),
    ]
  )

  public static let sine = MappingGrammar(
    "a sine",
    [
      KeyDescription("low", .rate, required: true, "The lowest rate."),
      KeyDescription("high", .rate, required: true, "The highest rate."),
      KeyDescription("period", .duration, required: true, "From one highest point to the next."),
    ]
  )
}
