internal import Foundation

/// The words of reports and their meanings, as a page beside the reports and as a document.
package enum ReportWords {
  static let fileName = "words.html"

  private static let groups: [(title: String, words: [(word: String, meaning: String)])] = [
    (
      "Data",
      [
        ("row, key, collection", "the stored unit; its name in a collection; a named group of rows"),
        ("object, metadata", "the two parts of a row"),
        ("commit", "a read-write transaction that succeeded; commits are numbered from 1"),
        ("driver, engine", "the part of this program that operates an engine, such as `yap` or `sqlite`; the engine"),
        (
          "synchronous",
          "when a commit is on the disk: `full` at its end, `normal` after the next checkpoint, `off` when "
            + "the system writes it"
        ),
        ("trait", "a part of the program that is chosen when it is built, such as the driver `lmdb`"),
      ]
    ),
    (
      "Snapshots",
      [
        ("snapshot", "the state of the database after a commit; its number is the commit's"),
        ("bookmark", "a long-lived read transaction: its snapshot moves only when the client moves it"),
        ("advance, jump", "the move of a bookmark to the newest snapshot"),
        ("pin", "an open read transaction; the WAL keeps all frames that were committed after its snapshot"),
        ("lag", "the number of commits after a pinned snapshot"),
        ("notification", "the keys that a commit has changed, as they are delivered to the client"),
      ]
    ),
    (
      "WAL and checkpoints",
      [
        ("WAL", "SQLite's write-ahead log: the file to which commits append changed pages"),
        ("frame", "a changed page in the WAL, with its header"),
        ("backlog", "the frames that are not yet in the database file"),
        ("held, alone, together", "frames that pins keep from being copied: only one connection, or several"),
        (
          "WAL area",
          "the size of the WAL integrated over time; its parts are attributed to the connections that keep "
            + "frames, to frames that are not copied yet, and to reusable space"
        ),
        ("checkpoint", "copies frames from the WAL to the database file"),
        ("reset", "makes the next commit restart the WAL at its beginning"),
        ("mode `passive`", "copies what readers allow, and does not wait for them"),
        (
          "mode `guarded`",
          "as `passive`, beside commits: a read transaction of the checkpointer keeps the WAL from "
            + "restarting while it copies"
        ),
        ("mode `full`", "waits until every reader is at the newest snapshot, and copies everything"),
        ("mode `restart`", "also waits until no reader reads from the WAL, so that the next commit restarts it"),
        ("mode `truncate`", "also truncates the file to 0 bytes"),
        ("cause `opening`", "an earlier run, possibly after a crash, left a WAL"),
        ("cause `backlog`", "enough frames can be copied"),
        ("cause `rest`", "nothing was committed for a while"),
        ("cause `interval`", "the scenario requests checkpoints at an interval"),
        ("cause `limit`", "the WAL has reached `aggressiveCheckpointAt`, so writers wait until it can restart"),
        ("cause `wal_autocheckpoint`", "on drivers `sqlite` and `grdb`: a commit has reached 1,000 frames"),
        ("cause `call`", "an event of the scenario"),
        ("cause `close`", "on drivers `sqlite` and `grdb`: the database is closed"),
        ("outcome `complete`", "every frame is in the database file"),
        ("outcome `reset`", "the same, and no reader reads from the WAL, so it restarts"),
        (
          "outcome `overtaken`",
          "all frames that the WAL had at the start are copied; the others were committed during "
            + "the checkpoint"
        ),
        (
          "outcome `partialPinned`",
          "a pinned snapshot, or a reader that the engine does not know, prevented copying "
            + "the rest"
        ),
        ("outcome `gaveUp`", "a reader did not reach the newest snapshot while writers waited for it"),
        ("outcome `busy`", "SQLite needed a lock that another connection held"),
        ("outcome `failed`", "SQLite failed"),
      ]
    ),
    (
      "Caches",
      [
        ("policy", "what a cached value becomes when another connection changes its row"),
        ("containment", "the policy that drops the value; the next read decodes the row"),
        ("share", "the policy that replaces the value by the other connection's object"),
        ("copy", "the policy that replaces the value by a copy of the other connection's object"),
        (
          "hit, miss, reread",
          "a read that the cache answered; one that read the file; one that read the file because "
            + "the value was dropped"
        ),
      ]
    ),
    (
      "Load and times",
      [
        (
          "scenario, variant, repetition",
          "a file that describes a load; one combination of its settings; one run of it"
        ),
        ("phase, actor, worker", "a part of a run; a group of workers with one load; a thread"),
        ("open, closed load", "transactions that are due at given times; transactions that follow each other"),
        ("arrival, dropped", "the time at which a transaction is due; one that began after its deadline is not made"),
        ("wait, service, response", "due until begun; begun until ended; due until ended"),
        ("lane", "a lock that is granted first come, first served: each connection has one, and all writes pass one"),
        ("throughput, operations", "transactions per second; operations per second"),
        ("p50, p99", "the duration that 50 or 99 of 100 do not exceed"),
        ("write amplification", "bytes written to the files for each byte that was stored"),
      ]
    ),
    (
      "Verdicts",
      [
        (
          "expectation, margin", "a bound that the scenario states; the distance of the value from it, as a share of it"
        ),
        ("invariant", "a property of the data that must always hold, such as `knownAnswers`"),
        ("PASSED, FAILED", "all expectations hold; one does not"),
        ("WRONG DATA", "an invariant was violated"),
        ("INVALID", "the load generator or the machine may have decided about an expectation"),
        (
          "disturbance, without waits",
          "other processes used the processors or the disk; a figure as it would be "
            + "without the waits of the workers"
        ),
        ("steal", "the share of the processors' time that the host gave to other machines"),
        ("smoke run", "a run of a few seconds, which measures nothing"),
      ]
    ),
  ]

  /// The document `Documentation/words.md`.
  package static var markdown: String {
    let parts = groups.map { group in
      (["## \(group.title)", "", "| word | meaning |", "| --- | --- |"]
        + group.words.map { "| \($0.word) | \($0.meaning) |" })
        .joined(separator: "\n")
    }
    return "# The words of reports\n\n" + parts.joined(separator: "\n\n") + "\n"
  }

  /// Writes the page into the folder of all runs, unless it is there.
  /// - Throws: `ReportError`.
  static func write(in folder: String) throws {
    let (path, page) = ("\(folder)/\(fileName)", Data(page.utf8))
    guard (try? Data(contentsOf: URL(fileURLWithPath: path))) != page else { return }
    try OutputFile.replace(page, at: path)
  }

  private static var page: String {
    let parts = groups.map { group -> String in
      let rows = group.words.map { word, meaning in
        HTMLText.element("dt", content: html(word)) + HTMLText.element("dd", content: html(meaning))
      }
      return HTMLText.element("h2", content: group.title) + "\n"
        + HTMLText.element("dl", [("class", "words")], content: rows.joined(separator: "\n"))
    }
    let index = HTMLText.element("a", [("href", ReportIndex.fileName)], content: "All runs")
    let body = "<p class=\"links\">\(index)</p>\n<h1>The words of reports</h1>\n" + parts.joined(separator: "\n")
    return HTMLPage.text(title: "The words of reports", body: body, style: style, script: "", nonce: "words")
  }

  private static let style = """
    .words{display:grid;grid-template-columns:minmax(120px,max-content) 1fr;gap:4px 16px}
    .words dt{font-weight:600}.words dd{margin:0}
    """

  /// Returns a text as HTML, with code between backquotes.
  private static func html(_ text: String) -> String {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, part in
      let escaped = HTMLText.escaped(String(part))
      return index.isMultiple(of: 2) ? escaped : HTMLText.element("code", content: escaped)
    }.joined()
  }
}
