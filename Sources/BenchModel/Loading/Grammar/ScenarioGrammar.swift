internal import LatencyMetrics

/// The language of scenarios, described once: the loader reads by it, and the schema and the reference are made of it.
public enum ScenarioGrammar {
  public static let formatVersion: UInt64 = 1

  public static let scenario = MappingGrammar(
    "a scenario",
    notes: ScenarioNotes.scenario,
    [
      KeyDescription("format", .integer(1...1), required: true, "The version of the format."),
      KeyDescription("name", .name, required: true, "The scenario's name, which is its file's name too."),
      KeyDescription("summary", .text, required: true, "What it shows, in one sentence."),
      KeyDescription("tags", .names, "Words to select scenarios by."),
      KeyDescription(
        "seed",
        .integer(0...UInt64.max),
        "Where all randomness comes from; drawn once where it is missing, and written into the run's own copy."
      ),
      KeyDescription("engine", .mapping(engine), "The engine and its options."),
      KeyDescription("dataset", .named(collection), "Collections that are loaded before the first phase."),
      KeyDescription(
        "views",
        .list(view),
        "Views that are registered before the dataset is loaded, or by the event `register`."
      ),
      KeyDescription("connections", .named(connection), required: true, "Named connections to the engine."),
      KeyDescription("actors", .named(actor), required: true, "Who uses them, and how."),
      KeyDescription("phases", .list(phase), required: true, "Who acts when, in order."),
      matrix,
      repetitions,
      KeyDescription("measure", .mapping(measure), "How the run is measured."),
      KeyDescription("expect", .expectations, "Claims about the run, which decide how it ends."),
      KeyDescription("invariants", .listOfWords(Invariant.supportedWords), "What must hold while the load runs."),
    ]
  )

  /// Runs of one variant at most: an interval of confidence needs about twenty.
  static let mostRepetitions: UInt64 = 100

  private static let matrix = KeyDescription(
    "matrix",
    .matrix,
    "Paths to the values that they take; each combination is a variant, which runs by itself."
  )

  private static let repetitions = KeyDescription(
    "repeat",
    .integer(1...mostRepetitions),
    default: "1",
    "Runs of each variant."
  )

  /// What makes several runs of one scenario.
  static let expansion = MappingGrammar("a scenario", [matrix, repetitions])

  public static let engine = MappingGrammar(
    "an engine",
    example: "{driver: yap}",
    notes: ScenarioNotes.engine,
    [
      KeyDescription("driver", .words(DriverKind.supportedWords), default: "yap", "Which engine is driven."),
      KeyDescription(
        "synchronous",
        .words(SynchronousLevel.supportedWords),
        default: "full",
        unless: .init(keys: ["driver"], values: [DriverKind.null.rawValue]),
        "SQLite's `PRAGMA synchronous`: when a commit is synced."
      ),
      KeyDescription(
        "defaultObjectPolicy",
        .words(CachePolicySetting.supportedWords),
        "The policy of objects' caches on connections that name none."
      ),
      KeyDescription(
        "defaultMetadataPolicy",
        .words(CachePolicySetting.supportedWords),
        "The policy of metadata's caches on connections that name none."
      ),
      KeyDescription("pageSize", .size, "SQLite's page size: a power of two from 512B to 64KiB."),
      KeyDescription("mmapSize", .sizeOrZero, "How much of the file is mapped into memory."),
      KeyDescription("journalSizeLimit", .sizeOrZero, "To what size the WAL's file is cut back."),
      KeyDescription(
        "aggressiveCheckpointAt",
        .size,
        "The size of the WAL above which the checkpointer waits for readers, so that the WAL begins anew."
      ),
      KeyDescription("checkpoint", .mapping(checkpoint), "A checkpoint at a fixed interval, beside the engine's own."),
      KeyDescription("busyTimeout", .durationOrZero, "How long SQLite waits for a lock of another program."),
    ]
  )

  public static let checkpoint = MappingGrammar(
    "a checkpoint",
    [
      KeyDescription(
        "mode",
        .words(CheckpointModeSetting.supportedWords),
        default: "passive",
        "How it is asked for."
      ),
      KeyDescription("every", .duration, required: true, "The interval."),
    ]
  )

  public static let collection = MappingGrammar(
    "a collection",
    notes: ScenarioNotes.collection,
    [
      KeyDescription("rows", .count, required: true, "How many rows are loaded."),
      KeyDescription(
        "key",
        .words(KeyForm.supportedWords),
        default: "ordered",
        "What keys look like: in the order of the rows, or all over the tree."
      ),
      KeyDescription("value", .mapping(shape), required: true, "What an object looks like."),
      KeyDescription("metadata", .mapping(shape), "What a row's metadata looks like; none where it is left out."),
      KeyDescription("codec", .words(CodecSetting.supportedWords), default: "raw", "How objects are stored."),
    ]
  )

  public static let shape = MappingGrammar(
    "the shape of a value",
    example: "{size: 512B}",
    [
      KeyDescription(
        "size",
        .sizeDistribution,
        required: true,
        "Its size, at least 32B and at most 1GB: every value starts with a header of 32B that proves what was read."
      ),
      KeyDescription("compressible", .fraction, default: "0", "Which fraction of its bytes is zeros."),
    ]
  )

  public static let view = MappingGrammar(
    "a view",
    example: "{name: latest, collection: messages, sort: commit}",
    [
      KeyDescription("name", .name, required: true, "The view's name."),
      KeyDescription("collection", .name, required: true, "Whose rows it shows."),
      KeyDescription("group", .viewGroup, default: "all", "Which group a row is in."),
      KeyDescription(
        "sort",
        .words(ViewSort.supportedWords),
        default: "row",
        "The field that gives a row its place in its group."
      ),
    ]
  )

  /// How a Boolean says no.
  private static let off = ["false", "off", "no"]

  public static let connection = MappingGrammar(
    "a connection",
    example: "{}",
    notes: ScenarioNotes.connection,
    [
      KeyDescription(
        "count",
        .integer(1...UInt64(ConnectionSettings.largestPool)),
        default: "1",
        "A pool of that many, taken in turn."
      ),
      KeyDescription(
        "objectPolicy",
        .words(CachePolicySetting.supportedWords),
        "The policy of its objects' cache; the engine's default where it is left out."
      ),
      KeyDescription(
        "metadataPolicy",
        .words(CachePolicySetting.supportedWords),
        "The policy of its metadata's cache; the engine's default where it is left out."
      ),
      KeyDescription("objectCache", .boolean, default: "true", "Whether it keeps objects."),
      KeyDescription(
        "objectCacheLimit",
        .count,
        default: "250",
        unless: .init(keys: ["objectCache"], values: off),
        "How many objects it keeps."
      ),
      KeyDescription("metadataCache", .boolean, default: "true", "Whether it keeps metadata."),
      KeyDescription(
        "metadataCacheLimit",
        .count,
        default: "250",
        unless: .init(keys: ["metadataCache"], values: off),
        "Of how many rows it keeps the metadata."
      ),
      KeyDescription(
        "permitted",
        .listOfWords(PermittedTransaction.supportedWords),
        "The transactions that it may run; all where it is left out."
      ),
    ]
  )

  public static let phase = MappingGrammar(
    "a phase",
    exactlyOne: ["for", "operations", "until"],
    together: ["until", "within"],
    notes: ScenarioNotes.phase,
    [
      KeyDescription("name", .name, required: true, "The phase's name; no two have the same."),
      KeyDescription("for", .duration, "Ends the phase after this time."),
      KeyDescription("operations", .count, "Ends the phase after so many operations of all its actors together."),
      KeyDescription("until", .condition, "Ends the phase once this holds of a sample."),
      KeyDescription("within", .duration, "The longest wait for `until`; if it is not enough, the run exits with 99."),
      KeyDescription("actors", .phaseActors(actor), required: true, "Who acts, and what is different for this phase."),
      KeyDescription("record", .boolean, default: "true", "`false` for a warm-up, which no figure mixes in."),
      KeyDescription("events", .list(event), "What is done once while the phase runs, each at its time."),
    ]
  )

  public static let event = MappingGrammar(
    "an event",
    example: "{at: 5s, do: vacuum}",
    notes: ScenarioNotes.event,
    [
      KeyDescription("at", .durationOrZero, required: true, "When it begins: so long after the phase has begun."),
      KeyDescription("do", .eventAction, required: true, "What it does."),
    ]
  )

  private static let digits = LatencyHistogram.supportedDigits

  public static let measure = MappingGrammar(
    "what is measured",
    [
      KeyDescription(
        "every",
        .duration,
        default: "100ms",
        "The sampling interval. A run keeps at most 2,000,000 samples: phases that need more are refused, and where "
          + "their length is not known, every second sample is left out as often as there are too many."
      ),
      KeyDescription(
        "histogramDigits",
        .integer(UInt64(digits.lowerBound)...UInt64(digits.upperBound)),
        default: "3",
        "Significant digits of latencies. A histogram in full use takes 8 KiB, 36 KiB, 264 KiB, 3.6 MiB or 26 MiB; one "
          + "of durations within a factor of 1,000 about a third of it."
      ),
    ]
  )
}
