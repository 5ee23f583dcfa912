/// The tables of words that may take arguments. The loader, the schema and the reference know a word only by its row.
extension Scalars {
  static let keyDistributions = WordTable<KeyDistribution>(
    expected: "a key distribution such as sequential, uniform, zipfian(0.99), scrambledZipfian, latest, "
      + "hotspot(20% 80%) or exponential(95% 85.7%)",
    words: [
      Word("sequential", .sequential)
        .means("The loaded rows in order, again and again. Threads start at different rows."),
      Word("uniform", .uniform).means("Every loaded row with the same probability."),
      Word("zipfian(THETA)", like: "zipfian(0.99)", takes: theta) { .zipfian(theta: $0) }
        .means(
          "An exact Zipf law over ranks, whose exponent theta is the argument: the row of rank r has the weight 1 "
            + "/ r^theta. The first loaded row has rank 1. Inserted rows are not drawn."
        ),
      Word("scrambledZipfian", .scrambledZipfian)
        .means(
          "YCSB's `zipfian`, bit for bit: a flatter law whose hot rows are scattered over the loaded rows and the room "
            + "for `inserts`. A row that is not inserted yet is drawn again, so more room than needed costs time."
        ),
      Word("latest", .latest)
        .means(
          "YCSB's `latest`, bit for bit: the newest row is the hottest. A row counts once its insert and those of all "
            + "rows before it have been committed."
        ),
      Word("hotspot(DATA OPERATIONS)", like: "hotspot(20% 80%)", takes: share, share) {
        .hotspot(dataShare: $0, operationShare: $1)
      }
      .means(
        "The first argument's share of the loaded rows receives the second argument's share of the operations. These "
          + "are the first rows of the collection, for all of its actors. Inserted rows are not drawn."
      ),
      Word("exponential(PERCENTILE FRACTION)", like: "exponential(95% 85.7%)", takes: percentile, share) {
        .exponential(percentile: $0, fraction: $1)
      }
      .means(
        "YCSB's exponential law: the newest row is the hottest, and the law is cut off after the oldest row. Without "
          + "the cut, the newest rows would receive the first argument's share of the operations. The number of these "
          + "rows is the second argument's share of the loaded rows."
      ),
    ]
  )
  private static let theta = number.limited(to: "a theta above 0 and at most 10") { $0 > 0 && $0 <= 10 }
  /// No bound contains 100% of an exponential law's draws.
  private static let percentile = share.limited(to: "a percentile below 100%") { $0 < 1 }

  static let keyDistribution = keyDistributions.scalar("keyDistribution", reference: "[keys](#keys)")
    .means("The distribution from which the rows of an operation are drawn.")

  static let keyForms = WordTable<KeyForm>(
    expected: "a form of keys such as ordered, hashed or ycsbHashed(1)",
    words: [
      Word("ordered", .ordered).means("`r` and twelve digits. The order of the keys is that of the rows."),
      Word("hashed", .hashed)
        .means("Thirteen letters and digits, so that consecutive rows are scattered over the B-tree."),
      Word("ycsbOrdered(DIGITS)", like: "ycsbOrdered(1)", takes: paddedDigits) { .ycsbOrdered(digits: $0) }
        .means(
          "YCSB's keys for `insertorder=ordered`: `user` and the number of the row, with zeros before it up to that "
            + "number of digits, which is YCSB's `zeropadding`."
        ),
      Word("ycsbHashed(DIGITS)", like: "ycsbHashed(1)", takes: paddedDigits) { .ycsbHashed(digits: $0) }
        .means("YCSB's keys for `insertorder=hashed`: the same with the FNV hash of the row's number."),
    ]
  )
  static let mostPaddedDigits = 100
  private static let paddedDigits = boundedCount(1...mostPaddedDigits, expected: "from 1 to \(mostPaddedDigits) digits")

  static let keyForm = keyForms.scalar("keyForm", reference: "[a form](#forms-of-keys)")
    .means("The form of a collection's keys.")

  static let snapshotMoves = WordTable<SnapshotMove>(
    expected: "one of onNotification, every(16ms), behind(1), after(10s), never",
    words: [
      Word("onNotification", .onNotification)
        .means("As soon as the actor's worker detects a commit of another connection."),
      Word("every(DURATION)", like: "every(16ms)", takes: duration) { .every(nanoseconds: $0) }
        .means("At a fixed interval."),
      Word("behind(COMMITS)", like: "behind(1)", takes: commits) { .behind(commits: $0) }
        .means(
          "At each commit, one connection of the pool in turn, so that reads are about that many commits behind. The "
            + "pool must have one connection more than that number."
        ),
      Word("after(DURATION)", like: "after(10s)", takes: durationOrZero) { .after(nanoseconds: $0) }
        .means("Once, at that time after the start of the phase."),
      Word("never", .never).means(
        "Never: the snapshot that the actor takes at the start of its first phase stays and pins the WAL."
      ),
    ]
  )
  private static let mostCommits = ConnectionSettings.largestPool - 1
  private static let commits = boundedCount(1...mostCommits, expected: "from 1 to \(mostCommits) commits")

  static let snapshotMove = snapshotMoves.scalar("snapshotMove", reference: "[a move](#moves-of-a-snapshot)")
    .means("The rule by which a long-lived snapshot moves to the newest commit.")

  /// The most rows that are read again in reaction to one move; `Int.max` for `all`.
  static let reaction = Scalar("reaction", expected: "all, or a count of rows such as 20", by: parseReaction)
    .written("all|" + count.description.pattern, like: "all", "20")
    .with(\.leastNumber, 1)
    .with(\.reference, "`all` or count")
    .means("All changed rows, or the most rows to read after one move.")

  private static func parseReaction(_ text: String) throws(ScalarProblem) -> Int {
    if text == "all" { return .max }
    guard let rows = try? countOrZero.parse(text), rows > 0 else {
      throw ScalarProblem(expected: reaction.description.expectation, found: text)
    }
    return rows
  }

  private static let groups = boundedCount(1...1_000_000, expected: "from 1 to 1000000 groups")

  static let viewGroup = WordTable<ViewGroup>(
    expected: "all, or bucket(16)",
    words: [
      Word("all", .all).means("One group with all rows."),
      Word("bucket(COUNT)", like: "bucket(16)", takes: groups) { .bucket($0) }
        .means("That many groups. The group of a row is the remainder of its number divided by the argument."),
    ]
  )
  .scalar("viewGroup", reference: "[a group](#groups-of-a-view)").means(
    "The rule that assigns the rows of a view to groups."
  )

  private static let eventTimeWords = WordTable<EventTime>(
    expected: "a time such as 5s, commits(50) or checkpoints(3)",
    words: [
      Word("commits(COUNT)", like: "commits(50)", takes: count) { .commits($0) }
        .means("As soon as the phase has acknowledged that many commits."),
      Word("checkpoints(COUNT)", like: "checkpoints(3)", takes: count) { .checkpoints($0) }
        .means(
          "As soon as the phase has recorded that many checkpoints, including attempts that copied nothing. They are "
            + "counted each millisecond."
        ),
    ]
  )

  static let eventTime: Scalar<EventTime> = {
    let words = eventTimeWords.scalar("eventTime", reference: "[a time](#times-of-events)").description
    return Scalar(words, by: parseEventTime)
      .with(\.pattern, words.pattern + "|" + durationOrZero.description.pattern)
      .with(\.examples, ["5s"] + words.examples)
      .means("The time of an event.")
  }()

  private static func parseEventTime(_ text: String) throws(ScalarProblem) -> EventTime {
    let isWord = text.contains("(") || text.first?.isLetter ?? false
    return isWord ? try eventTimeWords.parse(text) : .time(nanoseconds: try durationOrZero.parse(text))
  }

  static let eventActions = WordTable<PhaseEvent.Action>(
    expected: "an event such as checkpoint(truncate), vacuum, advance(ACTOR) or stall(ACTOR 20s)",
    words: [
      Word("checkpoint(MODE)", like: "checkpoint(truncate)", takes: checkpointMode) { .checkpoint($0) }
        .means(
          "Copies the WAL to the database file. `passive` copies the frames that readers allow. `full` copies all "
            + "frames; writers wait until all readers are at the newest snapshot. `restart` also makes the next "
            + "commit restart the WAL. `truncate` also truncates the WAL file to 0 bytes."
        ),
      Word("flushMemory", .flushMemory).means("All connections release pages and, with `yap`, caches and statements."),
      Word("vacuum", .vacuum).means("Rewrites the database without gaps. Writers wait until the vacuum ends."),
      Word("reopen", .reopen)
        .means("Closes the database when no transaction is open, and opens it in a new process, without bookmarks."),
      Word("kill", .kill)
        .means("Kills the engine's process without waiting for transactions, and opens the database in a new process."),
      Word("advance(ACTOR)", like: "advance(scroll)", takes: actorName) { .advance(actor: $0) }
        .means("Moves the actor's long-lived snapshots to the newest commit."),
      Word("stall(ACTOR DURATION)", like: "stall(scroll 20s)", takes: actorName, duration) {
        .stall(actor: $0, nanoseconds: $1)
      }
      .means("Pauses the actor's workers for that time. They keep their connections and snapshots."),
      Word("register(VIEW)", like: "register(newest)", takes: viewName) { .register(view: $0) }
        .means(
          "Creates the view and registers it. Writers wait until the registration ends. The view does not exist "
            + "before it."
        ),
    ]
  )
  private static let checkpointMode = Scalar(
    "checkpointMode",
    expected: CheckpointModeSetting.expectation,
    by: CheckpointModeSetting.parse
  )
  .with(\.pattern, CheckpointModeSetting.words.joined(separator: "|"))

  static let eventAction = eventActions.scalar("eventAction", reference: "[an action](#actions-of-events)")
    .means("The action of an event.")
}

extension Scalars {
  /// A distribution of sizes, or the name of the file that contains one.
  enum SizeLaw: Sendable {
    case known(SizeDistribution)
    case histogram(file: String)
  }

  private static let sizeLaws = WordTable<SizeLaw>(
    expected: "a size such as 512B, a range such as 64B..4KiB, lognormal(1KiB 0.6), or histogram(FILE)",
    words: [
      Word("lognormal(MEDIAN SIGMA)", like: "lognormal(1KiB 0.6)", takes: sizeOrZero, sigma) {
        .known(.lognormal(medianBytes: $0, sigma: $1))
      }
      .means("A lognormal distribution: its median, and the standard deviation of the size's natural logarithm."),
      Word("histogram(FILE)", like: "histogram(sizes.csv)", takes: file) { .histogram(file: $0) }
        .means(
          "The distribution in a file of the scenario's folder, which has the header `size,count`, then lines "
            + "such as `4KiB,120`."
        ),
    ]
  )
  private static let sigma = number.limited(to: "a sigma of at most 5") { $0 <= 5 }

  /// A size, a range of sizes, a lognormal distribution, or the name of a file with a distribution.
  static let sizeLaw: Scalar<SizeLaw> = {
    let words = sizeLaws.scalar("sizeDistribution", reference: "[a size](#sizes-of-values)").description
    let size = sizeOrZero.description.pattern
    return Scalar(words, by: parseSizeLaw)
      .with(\.pattern, words.pattern + "|" + size + #"(?:\.\."# + size + ")?")
      .with(\.examples, ["512B", "64B..4KiB"] + words.examples)
      .means("One size, a range from which sizes are drawn uniformly, or a distribution.")
  }()

  private static func parseSizeLaw(_ text: String) throws(ScalarProblem) -> SizeLaw {
    let call = try CalledWord(text)
    if text.contains("(") || sizeLaws.names.contains(call.name) { return try sizeLaws.parse(text) }
    let range = try parseRange(text, by: sizeOrZero.parse)
    let (lower, upper) = (range.lowerBound, range.upperBound)
    return .known(lower == upper ? .fixed(bytes: lower) : .uniform(lowerBytes: lower, upperBytes: upper))
  }

  /// Reads an operation with or without the name of its collection, such as `threads.touch` or `touch`.
  static func operation(_ text: String) throws(ScalarProblem) -> (collection: String?, kind: OperationKind) {
    // A dot in parentheses is one of a range.
    guard let dot = text.prefix(while: { $0 != "(" }).firstIndex(of: ".") else {
      return (nil, try operations.parse(text))
    }
    return (try name.parse(String(text[..<dot])), try operations.parse(String(text[text.index(after: dot)...])))
  }

  /// A regular expression that matches every text that `operation` accepts.
  static let operationPattern = #"(?:\#(namePattern)\.)?\#(operations.descriptions.pattern)"#
}
