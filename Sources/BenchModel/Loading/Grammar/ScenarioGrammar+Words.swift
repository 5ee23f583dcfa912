/// Words that may take arguments, and what they mean. The parsers of `Scenario/Scalars` read them; a test holds both
/// against each other.
extension ScenarioGrammar {
  static let keyDistributions = [
    CallForm("sequential", "One row after the other, and from the first again."),
    CallForm("uniform", "Every row as often as any other."),
    CallForm(
      "zipfian(0.99)",
      takes: [.number],
      "A true Zipf law over ranks: the row of rank r with a weight of 1 / r^theta."
    ),
    CallForm(
      "scrambledZipfian",
      "YCSB's `zipfian`, bit for bit: flatter, and its hot rows lie all over the collection."
    ),
    CallForm("latest", "YCSB's `latest`, bit for bit: the last row that was loaded is the hottest."),
    CallForm("hotspot(20% 80%)", takes: [.share, .share], "That share of the rows gets that share of the operations."),
    CallForm(
      "exponential(95% 85.7%)",
      takes: [.share, .share],
      "An exponential law: the first argument is the share of the operations that the second's share of the rows gets."
    ),
  ]

  static let sizeDistributions = [
    CallForm(
      "lognormal(1KiB 0.6)",
      takes: [.sizeOrZero, .number],
      "A lognormal law: its median, and the standard deviation of the size's natural logarithm."
    ),
    CallForm(
      "histogram(sizes.csv)",
      takes: [.file],
      "As often as a file in the scenario's folder says: `size,count`, then lines such as `4KiB,120`."
    ),
  ]

  static let steadiness = [
    CallForm("steady(throughput 1% 10s)", takes: [.watchedMetric, .share, .duration], "Nothing changes much any more.")
  ]

  static let viewGroups = [
    CallForm("all", "One group with every row."),
    CallForm("bucket(16)", takes: [.count], "That many groups, by the remainder of the row's number."),
  ]

  static let snapshotMoves = [
    CallForm("onNotification", "As soon as the actor's worker sees that another connection has committed."),
    CallForm("every(16ms)", takes: [.duration], "At a fixed interval."),
    CallForm(
      "behind(1)",
      takes: [.count],
      "With each commit, and always that many commits late; in a pool of one connection more, which take turns."
    ),
    CallForm("after(10s)", takes: [.durationOrZero], "Once, so long after the phase has begun."),
    CallForm("never", "Not at all: the snapshot stays, and keeps the WAL."),
  ]

  static let eventActions = [
    CallForm(
      "checkpoint(truncate)",
      takes: [.checkpointMode],
      "Copies the WAL into the database: `passive` what readers allow; `full` all of it, for which writers wait until "
        + "all readers are at the newest snapshot; `restart` and `truncate` begin the WAL anew as well, or cut it."
    ),
    CallForm("flushMemory", "Every connection gives back its caches, statements and pages."),
    CallForm("vacuum", "Writes the database anew, without gaps; writers wait meanwhile."),
    CallForm("reopen", "Closes the database when nobody is inside, and opens it again; bookmarks and caches are lost."),
    CallForm("kill", "Kills the engine's process in the midst of its work, and opens the database in another one."),
    CallForm("advance(scroll)", takes: [.actorName], "Moves the actor's long-lived snapshots to the newest commit."),
    CallForm(
      "stall(scroll 20s)",
      takes: [.actorName, .duration],
      "The actor's workers hold still for that time, and keep their connections and snapshots."
    ),
    CallForm(
      "register(newest)",
      takes: [.viewName],
      "Makes the view and registers it; writers wait meanwhile. Before, it is not there."
    ),
  ]

  static let operations = [
    CallForm("get", "Reads an object."),
    CallForm("getMetadata", "Reads a row's metadata."),
    CallForm("getRow", "Reads an object and its metadata."),
    CallForm("exists", "Asks whether a row is there."),
    CallForm("enumerate", "Reads every row of the collection."),
    CallForm("set", "Writes an object, and its metadata where the dataset has some."),
    CallForm("setMetadata", "Writes a row's metadata alone."),
    CallForm("replace", "Writes an object, and leaves its metadata as it is."),
    CallForm("touch", "Tells of a row as changed, and writes nothing."),
    CallForm("remove", "Removes a row."),
    CallForm("removeCollection", "Removes every row of the collection."),
    CallForm("readModifyWrite", "Reads an object and writes it anew."),
    CallForm("empty", "Nothing: what a transaction costs by itself."),
    CallForm("begin", "Moves the connection's long-lived snapshot to the newest commit."),
    CallForm("viewAt", "Reads one row of a view, by its place in its group."),
    CallForm("multiGet(20)", takes: [.count], "Reads that many objects in one call."),
    CallForm("scan(100)", takes: [.count], "Reads that many objects, by keys that follow each other."),
    CallForm("transfer(2)", takes: [.count], "Moves an amount between that many rows, which keeps their sum."),
    CallForm("viewRange(20)", takes: [.count], "Reads that many rows of a view that follow each other."),
    CallForm(
      "nestedRead(ui)",
      takes: [.connectionName],
      "Inside the transaction, reads an object in a transaction of that connection."
    ),
    CallForm(
      "nestedWrite(ui)",
      takes: [.connectionName],
      "Inside the transaction, writes an object in a read-write transaction of that connection."
    ),
  ]
}

extension ScenarioGrammar {
  /// Words of the format that cannot be run yet.
  static var plannedWords: [String] {
    let types: [any ScenarioWord.Type] = [
      DriverKind.self, CheckpointModeSetting.self, TransactionCall.self, ConnectionLifetime.self, Invariant.self,
    ]
    let called = [
      (OperationScalar.words, operations), (KeyDistributionScalar.words, keyDistributions),
      (SnapshotMoveScalar.words, snapshotMoves), (ViewGroupScalar.words, viewGroups),
      (EventScalar.words, eventActions),
    ]
    return types.flatMap { $0.plannedWords }
      + called.flatMap { words, forms in words.filter { word in !forms.contains { $0.name == word } } }
  }
}
