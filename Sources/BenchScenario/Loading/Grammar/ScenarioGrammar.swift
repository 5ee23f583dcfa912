internal import LatencyMetrics

/// The keys of the language: the loader reads by them, and the schema and the reference are made of them. `Scalars` has
/// the values.
public enum ScenarioGrammar {
  typealias Key = KeyDescription

  public static let scenario = MappingGrammar(
    noun: "a scenario",
    notes: ScenarioNotes.scenario,
    keys: [
      Key("format", .integer(1...1), required: true, means: "The version of the format."),
      Key("name", .name, required: true, means: "The scenario's name, which is its file's name too."),
      Key("summary", .text, required: true, means: "The purpose, in one sentence."),
      Key("tags", .names, means: "Words to select scenarios by."),
      Key(
        "seed",
        .integer(0...UInt64.max),
        means: "Where all randomness comes from; drawn once where it is missing, and written into the run's own copy."
      ),
      Key("engine", .mapping(engine), means: "The engine and its options."),
      Key("dataset", .named(collection), means: "Collections that are loaded before the first phase."),
      Key(
        "views",
        .list(view),
        means: "Views that are registered before the dataset is loaded, or by the event `register`."
      ),
      Key("connections", .named(connection), required: true, means: "Named connections to the engine."),
      Key(
        "actors",
        .named(actor),
        required: true,
        means: "The users of these connections: groups of workers with one load."
      ),
      Key("phases", .list(phase), required: true, means: "The parts of the run, in order, with the actors of each."),
      matrix,
      repetitions,
      Key("measure", .mapping(measure), means: "How the run is measured."),
      Key("expect", .expectations, means: "Claims about the run, which decide how it ends."),
      Key("invariants", .listOfWords(Invariant.words), means: "What must hold while the load runs."),
    ]
  )

  /// The most runs of one variant; a confidence interval needs about twenty.
  static let mostRepetitions: UInt64 = 100

  private static let matrix = Key(
    "matrix",
    .matrix,
    means: "Paths to the values that they take; each combination is a variant, which runs by itself."
  )

  private static let repetitions = Key(
    "repeat",
    .integer(1...mostRepetitions),
    default: "1",
    means: "Runs of each variant."
  )

  /// The keys that make several runs of one scenario.
  static let expansion = MappingGrammar(noun: "a scenario", keys: [matrix, repetitions])

  public static let engine = MappingGrammar(
    noun: "an engine",
    example: "{driver: yap}",
    notes: ScenarioNotes.engine,
    keys: [
      Key("driver", .words(DriverKind.words), default: "yap", means: "Which engine is driven."),
      Key(
        "synchronous",
        .words(SynchronousLevel.words),
        default: "full",
        unless: .init(keys: ["driver"], values: [DriverKind.null.rawValue]),
        means: "SQLite's `PRAGMA synchronous`: when a commit is synced."
      ),
      Key(
        "defaultObjectPolicy",
        .words(CachePolicySetting.words),
        means: "The policy of objects' caches on connections that name none."
      ),
      Key(
        "defaultMetadataPolicy",
        .words(CachePolicySetting.words),
        means: "The policy of metadata's caches on connections that name none."
      ),
      Key("pageSize", Scalars.size, means: "SQLite's page size: a power of two from 512B to 64KiB."),
      Key("mmapSize", Scalars.sizeOrZero, means: "How much of the file is mapped into memory."),
      Key("journalSizeLimit", Scalars.sizeOrZero, means: "To what size the WAL's file is cut back."),
      Key(
        "aggressiveCheckpointAt",
        Scalars.size,
        means: "The size of the WAL above which the checkpointer waits for readers, so that the WAL restarts."
      ),
      Key("checkpoint", .mapping(checkpoint), means: "A checkpoint at a fixed interval, beside the engine's own."),
      Key("busyTimeout", Scalars.durationOrZero, means: "How long SQLite waits for a lock of another program."),
    ]
  )

  public static let checkpoint = MappingGrammar(
    noun: "a checkpoint",
    keys: [
      Key("mode", .words(CheckpointModeSetting.words), default: "passive", means: "How it is asked for."),
      Key("every", Scalars.duration, required: true, means: "The interval."),
    ]
  )

  public static let collection = MappingGrammar(
    noun: "a collection",
    notes: ScenarioNotes.collection,
    keys: [
      Key("rows", Scalars.count, required: true, means: "How many rows are loaded."),
      Key(
        "key",
        .words(KeyForm.words),
        default: "ordered",
        means: "The form of keys: in the order of the rows, or scattered over the tree."
      ),
      Key("value", .mapping(shape), required: true, means: "The size and content of an object."),
      Key("metadata", .mapping(shape), means: "The size and content of a row's metadata; without it there is none."),
      Key("codec", .words(CodecSetting.words), default: "raw", means: "How objects are stored."),
    ]
  )

  public static let shape = MappingGrammar(
    noun: "the shape of a value",
    example: "{size: 512B}",
    keys: [
      Key(
        "size",
        Scalars.sizeLaw,
        required: true,
        means:
          "Its size, at least 32B and at most 1GB: every value starts with a header of 32B that proves what was read."
      ),
      Key("compressible", Scalars.fraction, default: "0", means: "Which fraction of its bytes is zeros."),
    ]
  )

  public static let view = MappingGrammar(
    noun: "a view",
    example: "{name: latest, collection: messages, sort: commit}",
    keys: [
      Key("name", .name, required: true, means: "The view's name."),
      Key("collection", .name, required: true, means: "Whose rows it shows."),
      Key("group", Scalars.viewGroup, default: "all", means: "Which group a row is in."),
      Key("sort", .words(ViewSort.words), default: "row", means: "The field that gives a row its place in its group."),
    ]
  )

  /// The words for `false`.
  private static let off = ["false", "off", "no"]

  public static let connection = MappingGrammar(
    noun: "a connection",
    example: "{}",
    notes: ScenarioNotes.connection,
    keys: [
      Key(
        "count",
        .integer(1...UInt64(ConnectionSettings.largestPool)),
        default: "1",
        means: "A pool of that many, taken in turn."
      ),
      Key(
        "objectPolicy",
        .words(CachePolicySetting.words),
        means: "The policy of its objects' cache; the engine's default where it is left out."
      ),
      Key(
        "metadataPolicy",
        .words(CachePolicySetting.words),
        means: "The policy of its metadata's cache; the engine's default where it is left out."
      ),
      Key("objectCache", .boolean, default: "true", means: "Whether it keeps objects."),
      Key(
        "objectCacheLimit",
        Scalars.count,
        default: "250",
        unless: .init(keys: ["objectCache"], values: off),
        means: "How many objects it keeps."
      ),
      Key("metadataCache", .boolean, default: "true", means: "Whether it keeps metadata."),
      Key(
        "metadataCacheLimit",
        Scalars.count,
        default: "250",
        unless: .init(keys: ["metadataCache"], values: off),
        means: "Of how many rows it keeps the metadata."
      ),
      Key(
        "permitted",
        .listOfWords(PermittedTransaction.words),
        means: "The transactions that it may run; all where it is left out."
      ),
    ]
  )

  public static let phase = MappingGrammar(
    noun: "a phase",
    exactlyOne: ["for", "operations", "until"],
    together: ["until", "within"],
    notes: ScenarioNotes.phase,
    keys: [
      Key("name", .name, required: true, means: "The phase's name; no two have the same."),
      Key("for", Scalars.duration, means: "Ends the phase after this time."),
      Key("operations", Scalars.count, means: "Ends the phase after so many operations of all its actors together."),
      Key("until", Scalars.condition, means: "Ends the phase once this holds of a sample."),
      Key(
        "within",
        Scalars.duration,
        means: "The longest wait for `until`; if it is not enough, the run exits with 99."
      ),
      Key("actors", .phaseActors(actor), required: true, means: "The actors of the phase, and their overrides."),
      Key("record", .boolean, default: "true", means: "`false` for a warm-up, which no figure mixes in."),
      Key("events", .list(event), means: "Actions that run once in the phase, each at its time."),
    ]
  )

  public static let event = MappingGrammar(
    noun: "an event",
    example: "{at: 5s, do: vacuum}",
    notes: ScenarioNotes.event,
    keys: [
      Key("at", Scalars.durationOrZero, required: true, means: "When it begins: so long after the phase has begun."),
      Key("do", Scalars.eventAction, required: true, means: "The action."),
    ]
  )

  private static let digits = LatencyHistogram.supportedDigits

  public static let measure = MappingGrammar(
    noun: "what is measured",
    keys: [
      Key(
        "every",
        Scalars.duration,
        default: "100ms",
        means:
          "The sampling interval. A run keeps at most 2,000,000 samples: phases that need more are refused, and where "
          + "their length is not known, every second sample is left out as often as there are too many."
      ),
      Key(
        "histogramDigits",
        .integer(UInt64(digits.lowerBound)...UInt64(digits.upperBound)),
        default: "3",
        means:
          "Significant digits of latencies. A histogram in full use takes 8 KiB, 36 KiB, 264 KiB, 3.6 MiB or 26 MiB; "
          + "one of durations within a factor of 1,000 about a third of it."
      ),
    ]
  )
}
