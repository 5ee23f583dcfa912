internal import LatencyMetrics

/// The keys of the language, by which the loader reads, and from which the schema and the reference are generated.
/// `Scalars` has the forms of values.
public enum ScenarioGrammar {
  typealias Key = KeyDescription

  public static let scenario = MappingGrammar(
    noun: "a scenario",
    notes: ScenarioNotes.scenario,
    keys: [
      Key("format", .integer(1...1), required: true, means: "The version of the scenario format."),
      Key(
        "name",
        .name,
        required: true,
        means: "The scenario's name, which must be the name of its file without the extension."
      ),
      Key("summary", .text, required: true, means: "The purpose of the scenario, in one sentence."),
      Key("tags", .names, means: "Words by which scenarios are selected."),
      Key(
        "seed",
        .integer(0...UInt64.max),
        means:
          "The seed of all random numbers. Without this key, the run draws a seed and writes it to its copy of "
          + "the scenario."
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
        means: "Groups of workers that use the connections. The workers of a group have the same load."
      ),
      Key("phases", .list(phase), required: true, means: "The parts of the run, in order, with the actors of each."),
      matrix,
      repetitions,
      Key("measure", .mapping(measure), means: "The sampling interval and the precision of latencies."),
      Key("expect", .expectations, means: "Bounds on metrics, which decide the verdict of the run."),
      Key(
        "invariants",
        .listOfWords(Invariant.words),
        means: "Properties of the data that are checked while the load runs."
      ),
    ]
  )

  /// The most runs of one variant; a confidence interval needs about twenty.
  static let mostRepetitions: UInt64 = 100

  private static let matrix = Key(
    "matrix",
    .matrix,
    means:
      "Paths of settings, each with the values that it takes. Each combination of values is a variant, which "
      + "runs separately."
  )

  private static let repetitions = Key(
    "repeat",
    .integer(1...mostRepetitions),
    default: "1",
    means: "The number of runs of each variant."
  )

  /// The keys that determine the number of runs, which are read before the other keys.
  static let expansion = MappingGrammar(noun: "a scenario", keys: [matrix, repetitions])

  public static let engine = MappingGrammar(
    noun: "an engine",
    example: "{driver: yap}",
    notes: ScenarioNotes.engine,
    keys: [
      Key("driver", .words(DriverKind.words), default: "yap", means: "The engine to drive."),
      Key(
        "synchronous",
        .words(SynchronousLevel.words),
        default: "full",
        unless: .init(keys: ["driver"], values: [DriverKind.null.rawValue]),
        means: "SQLite's `PRAGMA synchronous`, which determines when a commit is synced."
      ),
      Key(
        "defaultObjectPolicy",
        .words(CachePolicySetting.words),
        means: "The policy of the object caches of connections without an `objectPolicy`."
      ),
      Key(
        "defaultMetadataPolicy",
        .words(CachePolicySetting.words),
        means: "The policy of the metadata caches of connections without a `metadataPolicy`."
      ),
      Key("pageSize", Scalars.size, means: "SQLite's page size: a power of two from 512B to 64KiB."),
      Key(
        "mmapSize",
        Scalars.sizeOrZero,
        means: "The maximum size of the part of the database file that each connection maps into memory."
      ),
      Key(
        "journalSizeLimit",
        Scalars.sizeOrZero,
        means: "The maximum size of a WAL file that is kept when the WAL restarts. A longer file is truncated."
      ),
      Key(
        "aggressiveCheckpointAt",
        Scalars.size,
        means: "The size of the WAL above which writers wait for readers, so that the WAL can restart."
      ),
      Key(
        "checkpoint",
        .mapping(checkpoint),
        means: "A checkpoint at a fixed interval, in place of the engine's own checkpoints."
      ),
      Key(
        "busyTimeout",
        Scalars.durationOrZero,
        means: "The maximum wait for a lock of another program, and of the event `checkpoint` for readers."
      ),
    ]
  )

  public static let checkpoint = MappingGrammar(
    noun: "a checkpoint",
    keys: [
      Key("mode", .words(CheckpointModeSetting.words), default: "passive", means: "SQLite's checkpoint mode."),
      Key("every", Scalars.duration, required: true, means: "The interval between checkpoints."),
    ]
  )

  public static let collection = MappingGrammar(
    noun: "a collection",
    notes: ScenarioNotes.collection,
    keys: [
      Key("rows", Scalars.count, required: true, means: "The number of rows to load."),
      Key(
        "inserts",
        Scalars.count,
        means: "The most rows that actors add with `insert`, all phases together. A run that needs more fails."
      ),
      Key("key", Scalars.keyForm, default: "ordered", means: "The form of the keys."),
      Key("value", .mapping(shape), required: true, means: "The size and content of each row's object."),
      Key(
        "metadata",
        .mapping(shape),
        means: "The size and content of each row's metadata. Without this key, rows have no metadata."
      ),
      Key("codec", .words(CodecSetting.words), default: "raw", means: "The stored form of objects."),
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
          "The size of a value, from 32B to 1GB. Every value starts with a header of 32B, with which reads are "
          + "verified."
      ),
      Key(
        "compressible",
        Scalars.fraction,
        default: "0",
        means: "The fraction of the bytes after the header that are zeros. The other bytes are random."
      ),
    ]
  )

  public static let view = MappingGrammar(
    noun: "a view",
    example: "{name: latest, collection: messages, sort: commit}",
    keys: [
      Key("name", .name, required: true, means: "The name of the view."),
      Key("collection", .name, required: true, means: "The collection whose rows the view contains."),
      Key("group", Scalars.viewGroup, default: "all", means: "The rule that assigns rows to groups."),
      Key(
        "sort",
        .words(ViewSort.words),
        default: "row",
        means:
          "The field by which the rows of a group are sorted: the number of the row, the commit that wrote it, or "
          + "its size."
      ),
    ]
  )

  /// The words that mean `false`.
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
        means: "The number of connections in the pool, which actors use in turn."
      ),
      Key(
        "objectPolicy",
        .words(CachePolicySetting.words),
        means: "The policy of the object cache. Without this key, `defaultObjectPolicy` applies."
      ),
      Key(
        "metadataPolicy",
        .words(CachePolicySetting.words),
        means: "The policy of the metadata cache. Without this key, `defaultMetadataPolicy` applies."
      ),
      Key("objectCache", .boolean, default: "true", means: "Whether the connection caches objects."),
      Key(
        "objectCacheLimit",
        Scalars.count,
        default: "250",
        unless: .init(keys: ["objectCache"], values: off),
        means: "The maximum number of objects in the cache."
      ),
      Key("metadataCache", .boolean, default: "true", means: "Whether the connection caches metadata."),
      Key(
        "metadataCacheLimit",
        Scalars.count,
        default: "250",
        unless: .init(keys: ["metadataCache"], values: off),
        means: "The maximum number of rows whose metadata is cached."
      ),
      Key(
        "permitted",
        .listOfWords(PermittedTransaction.words),
        means: "The kinds of transactions that the connection permits. Without this key, all are permitted."
      ),
    ]
  )

  public static let phase = MappingGrammar(
    noun: "a phase",
    exactlyOne: ["for", "operations", "until"],
    together: ["until", "within"],
    notes: ScenarioNotes.phase,
    keys: [
      Key("name", .name, required: true, means: "The name of the phase, unique in the scenario."),
      Key("for", Scalars.duration, means: "The duration after which the phase ends."),
      Key(
        "operations",
        Scalars.count,
        means: "The number of operations, of all actors together, after which the phase ends."
      ),
      Key("until", Scalars.condition, means: "The condition that ends the phase. It is evaluated at each sample."),
      Key(
        "within",
        Scalars.duration,
        means: "The maximum time to wait for `until`. If the condition is not reached, the run exits with 99."
      ),
      Key(
        "actors",
        .phaseActors(actor),
        required: true,
        means: "The actors of the phase, and the keys that the phase overrides."
      ),
      Key(
        "record",
        .boolean,
        default: "true",
        means: "Whether the phase is recorded. `false` makes it a warm-up, which most of the report omits."
      ),
      Key("events", .list(event), means: "Actions that run once, each at a time of the phase."),
    ]
  )

  public static let event = MappingGrammar(
    noun: "an event",
    example: "{at: 5s, do: vacuum}",
    notes: ScenarioNotes.event,
    keys: [
      Key(
        "at",
        Scalars.eventTime,
        required: true,
        means: "The time of the event, counted from the start of the phase, or a number of commits or checkpoints."
      ),
      Key("do", Scalars.eventAction, required: true, means: "The action to perform."),
    ]
  )

  private static let digits = LatencyHistogram.supportedDigits

  public static let measure = MappingGrammar(
    noun: "the measurement settings",
    keys: [
      Key(
        "every",
        Scalars.duration,
        default: "100ms",
        means:
          "The sampling interval. A run keeps at most 2,000,000 samples. Phases of known length that need more "
          + "are rejected. In phases of unknown length, every second sample is dropped and the interval doubles each "
          + "time the limit is reached."
      ),
      Key(
        "histogramDigits",
        .integer(UInt64(digits.lowerBound)...UInt64(digits.upperBound)),
        default: "3",
        means:
          "The number of significant digits of latencies. With 1 to 5 digits, a fully used histogram takes 8 KiB, "
          + "36 KiB, 264 KiB, 3.6 MiB or 26 MiB. With 2 digits or more, a histogram of durations within a factor of "
          + "1,000 takes about a third of that."
      ),
    ]
  )
}
