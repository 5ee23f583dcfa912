internal import LatencyMetrics

/// The keys of the format, described once: the loader reads by them, and a schema can be made of them.
public enum ScenarioGrammar {
  public static let formatVersion: UInt64 = 1

  public static let scenario = MappingGrammar(
    "a scenario",
    [
      KeyDescription("format", .integer(1...1), required: true, "The version of the format."),
      KeyDescription("name", .name, required: true, "The scenario's name, which is its file's name too."),
      KeyDescription("summary", .text, required: true, "What it shows, in one sentence."),
      KeyDescription("tags", .names, "Words to select scenarios by."),
      KeyDescription("seed", .integer(0...UInt64.max), "Where all randomness comes from."),
      KeyDescription("engine", .mapping(engine), "The engine and its options."),
      KeyDescription("dataset", .named(collection), "What is loaded before the first phase."),
      KeyDescription("views", .list(view), "Views that are registered before the dataset is loaded."),
      KeyDescription("connections", .named(connection), required: true, "Named connections to the engine."),
      KeyDescription("actors", .named(actor), required: true, "Who uses them, and how."),
      KeyDescription("phases", .list(phase), required: true, "Who acts when, in order."),
      matrix,
      repetitions,
      KeyDescription("measure", .mapping(measure), "How the run is measured."),
      KeyDescription(
        "expect",
        .expectations,
        "Claims about the run; with `abort ` before one, the run ends at the first sample at which it does not hold of "
          + "what the phase has measured so far."
      ),
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
    "Runs of each variant; default 1."
  )

  /// What makes several runs of one scenario.
  static let expansion = MappingGrammar("a scenario", [matrix, repetitions])

  public static let engine = MappingGrammar(
    "an engine",
    example: "{driver: yap}",
    [
      KeyDescription("driver", .words(DriverKind.supportedWords), "Which engine; default yap."),
      KeyDescription("synchronous", .words(SynchronousLevel.supportedWords), "When a commit is synced; default full."),
      KeyDescription(
        "defaultObjectPolicy",
        .words(CachePolicySetting.supportedWords),
        "The policy of objects' caches."
      ),
      KeyDescription(
        "defaultMetadataPolicy",
        .words(CachePolicySetting.supportedWords),
        "The policy of metadata's caches."
      ),
      KeyDescription("pageSize", .size, "SQLite's page size: a power of two from 512B to 64KiB."),
      KeyDescription("mmapSize", .size, "How much of the file is mapped into memory."),
      KeyDescription("journalSizeLimit", .size, "To what size the WAL's file is cut back."),
      KeyDescription("aggressiveCheckpointAt", .size, "The size of the WAL at which checkpoints become eager."),
      KeyDescription("checkpoint", .mapping(checkpoint), "A checkpoint at a fixed interval."),
      KeyDescription("busyTimeout", .duration, "How long SQLite waits for a lock."),
    ]
  )

  public static let checkpoint = MappingGrammar(
    "a checkpoint",
    [
      KeyDescription("mode", .words(CheckpointModeSetting.supportedWords), "How it is asked for; default passive."),
      KeyDescription("every", .duration, required: true, "The interval."),
    ]
  )

  public static let collection = MappingGrammar(
    "a collection",
    [
      KeyDescription("rows", .count, required: true, "How many rows are loaded."),
      KeyDescription("key", .words(KeyForm.supportedWords), "What keys look like; default ordered."),
      KeyDescription("value", .mapping(shape), required: true, "What an object looks like."),
      KeyDescription("metadata", .mapping(shape), "What a row's metadata looks like; default none."),
      KeyDescription("codec", .words(CodecSetting.supportedWords), "How objects are stored; default raw."),
    ]
  )

  public static let shape = MappingGrammar(
    "the shape of a value",
    example: "{size: 512B}",
    [
      KeyDescription("size", .sizeDistribution, required: true, "Its size with the header of 32B."),
      KeyDescription("compressible", .fraction, "Which fraction of its bytes is zeros, from 0 to 1; default 0."),
    ]
  )

  public static let view = MappingGrammar(
    "a view",
    example: "{name: latest, collection: messages, sort: commit}",
    [
      KeyDescription("name", .name, required: true, "The view's name."),
      KeyDescription("collection", .name, required: true, "Whose rows it shows."),
      KeyDescription("group", .viewGroup, "Which group a row is in; default all."),
      KeyDescription("sort", .words(ViewSort.supportedWords), "The field that gives a row its place; default row."),
    ]
  )

  public static let connection = MappingGrammar(
    "a connection",
    example: "{}",
    [
      KeyDescription(
        "count",
        .integer(1...UInt64(ConnectionSettings.largestPool)),
        "A pool of that many, taken in turn; default 1."
      ),
      KeyDescription("objectPolicy", .words(CachePolicySetting.supportedWords), "The policy of its objects' cache."),
      KeyDescription(
        "metadataPolicy",
        .words(CachePolicySetting.supportedWords),
        "The policy of its metadata's cache."
      ),
      KeyDescription("objectCache", .boolean, "Whether it keeps objects; default true."),
      KeyDescription("objectCacheLimit", .count, "How many it keeps; default 250."),
      KeyDescription("metadataCache", .boolean, "Whether it keeps metadata; default true."),
      KeyDescription("metadataCacheLimit", .count, "How many it keeps; default 250."),
      KeyDescription(
        "permitted",
        .listOfWords(PermittedTransaction.supportedWords),
        "The transactions that it may run; default all."
      ),
    ]
  )

  public static let phase = MappingGrammar(
    "a phase",
    [
      KeyDescription("name", .name, required: true, "The phase's name."),
      KeyDescription("for", .duration, "Ends the phase after this time."),
      KeyDescription("operations", .count, "Ends the phase after so many operations."),
      KeyDescription("until", .condition, "Ends the phase once this holds."),
      KeyDescription("within", .duration, "The longest wait for `until`."),
      KeyDescription("actors", .phaseActors(actor), required: true, "Who acts."),
      KeyDescription("record", .boolean, "false labels a warm-up; default true."),
      .planned("events"),
    ]
  )

  private static let digits = LatencyHistogram.supportedDigits

  public static let measure = MappingGrammar(
    "what is measured",
    [
      KeyDescription("every", .duration, "The sampling interval; default 100ms."),
      KeyDescription(
        "histogramDigits",
        .integer(UInt64(digits.lowerBound)...UInt64(digits.upperBound)),
        "Significant digits of latencies; default 3. A histogram takes 5 KB, 37 KB, 270 KB, 3.8 MB or 27 MB."
      ),
    ]
  )
}
