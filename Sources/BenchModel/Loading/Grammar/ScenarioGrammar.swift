internal import LatencyMetrics

/// The keys of the language: the loader reads by them, and the schema and the reference are made of them. `Scalars` has
/// the values.
public enum ScenarioGrammar {
  typealias Key = KeyDescription

  public static let scenario = MappingGrammar(
    noun: "a scenario",
    notes: ScenarioNotes.scenario,
    keys: [
      Key("format", .integer(1...1), required: true, "The version of the format."),
      Key("name", .name, required: true, "The scenario's name, which is its file's name too."),
      Key("summary", .text, required: true, "The purpose, in one sentence."),
      Key("tags", .names, "Words to select scenarios by."),
      Key(
        "seed",
        .integer(0...UInt64.max),
        "Where all randomness comes from; drawn once where it is missing, and written into the run's own copy."
      ),
      Key("engine", .mapping(engine), "The engine and its options."),
      Key("dataset", .named(collection), "Collections that are loaded before the first phase."),
      Key("views", .list(view), "Views that are registered before the dataset is loaded, or by the event `register`."),
      Key("connections", .named(connection), required: true, "Named connections to the engine."),
      Key("actors", .named(actor), required: true, "The users of these connections: groups of workers with one load."),
      Key("phases", .list(phase), required: true, "The parts of the run, in order, with the actors of each."),
      matrix,
      repetitions,
      Key("measure", .mapping(measure), "How the run is measured."),
      Key("expect", .expectations, "Claims about the run, which decide how it ends."),
      Key("invariants", .listOfWords(Invariant.words), "What must hold while the load runs."),
    ]
  )

  /// The most runs of one variant; a confidence interval needs about twenty.
  static let mostRepetitions: UInt64 = 100

  private static let matrix = Key(
    "matrix",
    .matrix,
    "Paths to the values that they take; each combination is a variant, which runs by itself."
  )

  private static let repetitions = Key("repeat", .integer(1...mostRepetitions), default: "1", "Runs of each variant.")

  /// The keys that make several runs of one scenario.
  static let expansion = MappingGrammar(noun: "a scenario", keys: [matrix, repetitions])

  public static let engine = MappingGrammar(
    noun: "an engine",
    example: "{driver: yap}",
    notes: ScenarioNotes.engine,
    keys: [
      Key("driver", .words(DriverKind.words), default: "yap", "Which engine is driven."),
      Key(
        "synchronous",
        .words(SynchronousLevel.words),
        default: "full",
        unless: .init(keys: ["driver"], values: [DriverKind.null.rawValue]),
        "SQLite's `PRAGMA synchronous`: when a commit is synced."
      ),
      Key(
        "defaultObjectPolicy",
        .words(CachePolicySetting.words),
        "The policy of objects' caches on connections that name none."
      ),
      Key(
        "defaultMetadataPolicy",
        .words(CachePolicySetting.words),
        "The policy of metadata's caches on connections that name none."
      ),
      Key("pageSize", Scalars.size, "SQLite's page size: a power of two from 512B to 64KiB."),
      Key("mmapSize", Scalars.sizeOrZero, "How much of the file is mapped into memory."),
      Key("journalSizeLimit", Scalars.sizeOrZero, "To what size the WAL's file is cut back."),
      Key(
        "aggressiveCheckpointAt",
        Scalars.size,
        "The size of the WAL above which the checkpointer waits for readers, so that the WAL restarts."
      ),
      Key("checkpoint", .mapping(checkpoint), "A checkpoint at a fixed interval, beside the engine's own."),
      Key("busyTimeout", Scalars.durationOrZero, "How long SQLite waits for a lock of another program."),
    ]
  )

  public static let checkpoint = MappingGrammar(
    noun: "a checkpoint",
    keys: [
      Key("mode", .words(CheckpointModeSetting.words), default: "passive", "How it is asked for."),
      Key("every", Scalars.duration, required: true, "The interval."),
    ]
  )

  public static let collection = MappingGrammar(
    noun: "a collection",
    notes: ScenarioNotes.collection,
    keys: [
      Key("rows", Scalars.count, required: true, "How many rows are loaded."),
      Key(
        "key",
        .words(KeyForm.words),
        default: "ordered",
        "The form of keys: in the order of the rows, or scattered over the tree."
      ),
      Key("value", .mapping(shape), required: true, "The size and content of an object."),
      Key("metadata", .mapping(shape), "The size and content of a row's metadata; without it there is none."),
      Key("codec", .words(CodecSetting.words), default: "raw", "How objects are stored."),
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
        "Its size, at least 32B and at most 1GB: every value starts with a header of 32B that proves what was read."
      ),
      Key("compressible", Scalars.fraction, default: "0", "Which fraction of its bytes is zeros."),
    ]
  )

  public static let view = MappingGrammar(
    noun: "a view",
    example: "{name: latest, collection: messages, sort: commit}",
    keys: [
      Key("name", .name, required: true, "The view's name."),
      Key("collection", .name, required: true, "Whose rows it shows."),
      Key("group", Scalars.viewGroup, default: "all", "Which group a row is in."),
      Key("sort", .words(ViewSort.words), default: "row", "The field that gives a row its place in its group."),
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
        "A pool of that many, taken in turn."
      ),
      Key(
        "objectPolicy",
        .words(CachePolicySetting.words),
        "The policy of its objects' cache; the engine's default where it is left out."
      ),
      Key(
        "metadataPolicy",
        .words(CachePolicySetting.words),
        "The policy of its metadata's cache; the engine's default where it is left out."
      ),
      Key("objectCache", .boolean, default: "true", "Whether it keeps objects."),
      Key(
        "objectCacheLimit",
        Scalars.count,
        default: "250",
        unless: .init(keys: ["objectCache"], values: off),
        "How many objects it keeps."
      ),
      Key("metadataCache", .boolean, default: "true", "Whether it keeps metadata."),
      Key(
        "metadataCacheLimit",
        Scalars.count,
        default: "250",
        unless: .init(keys: ["metadataCache"], values: off),
        "Of how many rows it keeps the metadata."
      ),
      Key(
        "permitted",
        .listOfWords(PermittedTransaction.words),
        "The transactions that it may run; all where it is left out."
      ),
    ]
  )

  public static let phase = MappingGrammar(
    noun: "a phase",
    exactlyOne: ["for", "operations", "until"],
    together: ["until", "within"],
    notes: ScenarioNotes.phase,
    keys: [
      Key("name", .name, required: true, "The phase's name; no two have the same."),
      Key("for", Scalars.duration, "Ends the phase after this time."),
      Key("operations", Scalars.count, "Ends the phase after so many operations of all its actors together."),
      Key("until", Scalars.condition, "Ends the phase once this holds of a sample."),
      Key("within", Scalars.duration, "The longest wait for `until`; if it is not enough, the run exits with 99."),
      Key("actors", .phaseActors(actor), required: true, "The actors of the phase, and their overrides."),
      Key("record", .boolean, default: "true", "`false` for a warm-up, which no figure mixes in."),
      Key("events", .list(event), "Actions that run once in the phase, each at its time."),
    ]
  )

  public static let event = MappingGrammar(
    noun: "an event",
    example: "{at: 5s, do: vacuum}",
    notes: ScenarioNotes.event,
    keys: [
      Key("at", Scalars.durationOrZero, required: true, "When it begins: so long after the phase has begun."),
      Key("do", Scalars.eventAction, required: true, "The action."),
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
        "The sampling interval. A run keeps at most 2,000,000 samples: phases that need more are refused, and where "
          + "their length is not known, every second sample is left out as often as there are too many."
      ),
      Key(
        "histogramDigits",
        .integer(UInt64(digits.lowerBound)...UInt64(digits.upperBound)),
        default: "3",
        "Significant digits of latencies. A histogram in full use takes 8 KiB, 36 KiB, 264 KiB, 3.6 MiB or 26 MiB; one "
          + "of durations within a factor of 1,000 about a third of it."
      ),
    ]
  )
}
