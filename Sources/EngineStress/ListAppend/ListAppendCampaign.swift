package import BenchResults
internal import Foundation
internal import HarnessPrimitives
internal import ThreadingPrimitives
internal import YapEngine

/// Appends and reads of lists, checked without the engine's numbers of commits. A case is a history of some thousand
/// transactions on a new database.
package struct ListAppendCampaign: StressCampaign {
  /// The number of transactions of a case.
  package static let transactionsPerCase = 20_000

  /// The path of a folder that gets a file with each case's history; nil for none.
  private let historyFolder: String?
  /// The number of transactions of a case.
  package var transactions = Self.transactionsPerCase

  package init(historyFolder: String? = nil) { self.historyFolder = historyFolder }

  package var kind: StressKind { .listAppend }
  package var arguments: [String] { [] }
  package var synchronous: String { "off, normal, full" }

  package var countNames: [String] {
    [
      "transactions", "read-write transactions", "fresh reads", "reads of a bookmark", "transactions rolled back",
      "appends", "lists read", "lists compared", "dependencies",
    ]
  }

  package var requirements: [StressRequirement] {
    [
      StressRequirement("appends", else: "nothing was appended"),
      StressRequirement("reads of a bookmark", else: "no bookmark was read"),
      StressRequirement("lists compared", else: "no list was compared"),
      StressRequirement("dependencies", else: "no graph was searched for cycles"),
    ]
  }

  package var untested: [String] {
    [
      "Reads of ranges and views have no place in the histories; the campaign of scenarios checks them.",
      "A bookmark's read must fit into the serial order, but not into the order of time.",
    ]
  }

  package func run(_ testCase: StressCase) throws -> CaseOutcome {
    var random = testCase.random("database")
    let level = [YapDatabaseOptions.Synchronous.off, .off, .normal, .full][random.below(4)]
    var options = LedgeredDatabase.options(synchronous: level)
    options.defaultObjectPolicy = [.containment, .share, .copy][random.below(3)]
    let database = try YapDatabase(path: testCase.folder + "/lists.sqlite", options: options)
    var shape = ListWorkload.Shape()
    shape.transactions = transactions
    shape.threads = 2 + random.below(5)
    shape.keys = 2 + random.below(10)
    shape.operations = 2 + random.below(5)
    let workload = ListWorkload(database, shape, seed: random.next())
    let history = try workload.run(until: testCase.interruption)
    try database.close(timeout: .seconds(60))
    var outcome = Self.outcome(of: history)
    if let folder = historyFolder ?? (outcome.failures.isEmpty ? nil : testCase.folder) {
      let text = ElleHistory.lines(history).joined(separator: "\n") + "\n"
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/case-\(testCase.number).edn"))
    }
    if testCase.interruption.isRaised { outcome.counts = [:] }
    return outcome
  }

  /// Checks a history.
  static func outcome(of history: [ListTransaction]) -> CaseOutcome {
    var outcome = CaseOutcome()
    outcome.count("transactions", history.count)
    for transaction in history {
      let writes = transaction.operations.contains { if case .append = $0 { true } else { false } }
      if transaction.outcome == .rolledBack { outcome.count("transactions rolled back") }
      outcome.count(writes ? "read-write transactions" : transaction.isFresh ? "fresh reads" : "reads of a bookmark")
      for operation in transaction.operations {
        if case .append = operation { outcome.count("appends") } else { outcome.count("lists read") }
      }
    }
    let check = ListHistoryCheck(history)
    outcome.count("lists compared", check.readCount)
    outcome.count("dependencies", check.edgeCount)
    outcome.failures = check.anomalies.map(\.description)
    return outcome
  }
}
