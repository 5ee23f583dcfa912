/// Checks a history of transactions on lists: every read must be a beginning of the longest read of its key, and the
/// dependencies between transactions must have no cycle.
///
/// The order of a key's versions follows from one read alone, so the checker needs nothing but the history.
package struct ListHistoryCheck: Sendable {
  /// The most anomalies that are described.
  static let shownAnomalies = 20

  private struct Append {
    var transaction: Int
    /// Whether it is the transaction's last append to the key.
    var isLast: Bool
  }

  private let transactions: [ListTransaction]
  /// The longest list that a committed transaction has read, by key.
  private var longest: [Int: [UInt32]] = [:]
  private var appends: [UInt32: Append] = [:]
  package private(set) var anomalies: [ListAnomaly] = []
  /// The number of reads that were compared.
  package private(set) var readCount = 0
  /// The number of edges of the graph.
  package private(set) var edgeCount = 0

  /// - Parameter transactions: The transactions of all connections, in any order. Among them must be a read of each key
  ///   after its last append.
  package init(_ transactions: [ListTransaction]) {
    self.transactions = transactions
    collectAppends()
    collectLongest()
    checkReads()
    checkAppends()
    // Without an order of the versions, there is no graph.
    guard anomalies.isEmpty else { return }
    let graph = dependencies()
    edgeCount = graph.edgeCount
    for cycle in graph.cycles() { add(cycle.kind, needsOrder: cycle.needsOrder, describe(cycle)) }
  }

  private mutating func add(_ kind: ListAnomaly.Kind, needsOrder: Bool = false, _ text: String) {
    guard anomalies.count < Self.shownAnomalies else { return }
    anomalies.append(ListAnomaly(kind: kind, needsOrder: needsOrder, text: text))
  }

  // MARK: Values

  private mutating func collectAppends() {
    for (number, transaction) in transactions.enumerated() {
      var last: [Int: UInt32] = [:]
      for case .append(let key, let value) in transaction.operations {
        appends[value] = Append(transaction: number, isLast: true)
        if let earlier = last.updateValue(value, forKey: key) { appends[earlier]?.isLast = false }
      }
    }
  }

  private mutating func collectLongest() {
    for transaction in transactions where transaction.outcome == .committed {
      for case .read(let key, let values) in transaction.operations where values.count > longest[key]?.count ?? -1 {
        longest[key] = values
      }
    }
    for (key, values) in longest.sorted(by: { $0.key < $1.key }) {
      var seen: Set<UInt32> = []
      for value in values where !seen.insert(value).inserted {
        add(.duplicate, "key \(key) has the value \(value) twice: \(Self.text(values))")
      }
    }
  }

  private mutating func checkReads() {
    for (number, transaction) in transactions.enumerated() {
      // The list of each key as the transaction must see it, once it has read it.
      var known: [Int: [UInt32]] = [:]
      // The end of the list of each key that the transaction has appended to and not read yet.
      var ends: [Int: [UInt32]] = [:]
      for operation in transaction.operations {
        switch operation {
        case .append(let key, let value):
          if known[key]?.append(value) == nil { ends[key, default: []].append(value) }
        case .read(let key, let values):
          readCount += 1
          if let expected = known[key], expected != values {
            add(
              .internalRead,
              "\(name(number)) read key \(key) as \(Self.text(values)) instead of \(Self.text(expected))"
            )
          }
          if let end = ends.removeValue(forKey: key), !values.suffix(end.count).elementsEqual(end) {
            add(
              .internalRead,
              "\(name(number)) read key \(key) as \(Self.text(values)), which does not end with its own appends "
                + Self.text(end)
            )
          }
          known[key] = values
          if transaction.outcome == .committed { check(values, of: key, readBy: number) }
        }
      }
    }
  }

  private mutating func check(_ values: [UInt32], of key: Int, readBy reader: Int) {
    if !values.elementsEqual((longest[key] ?? []).prefix(values.count)) {
      add(
        .incompatibleOrder,
        "\(name(reader)) read key \(key) as \(Self.text(values)), another one as \(Self.text(longest[key] ?? []))"
      )
    }
    for value in values {
      guard let append = appends[value] else {
        add(.garbage, "\(name(reader)) read \(value) in key \(key), which no transaction has appended")
        continue
      }
      if transactions[append.transaction].outcome == .rolledBack, append.transaction != reader {
        add(.g1a, "\(name(reader)) read \(value) of the rolled-back \(name(append.transaction)) in key \(key)")
      }
    }
    if let last = values.last, let append = appends[last], !append.isLast, append.transaction != reader {
      add(.g1b, "\(name(reader)) read key \(key) in the middle of \(name(append.transaction)), after \(last)")
    }
  }

  private mutating func checkAppends() {
    // The first transaction that has read a version and appended to it, by the version's key and length.
    var extended: [[Int]: Int] = [:]
    for (number, transaction) in transactions.enumerated() where transaction.outcome == .committed {
      var read: [Int: Int] = [:]
      var appended: Set<Int> = []
      for operation in transaction.operations {
        switch operation {
        case .read(let key, let values): if !appended.contains(key), read[key] == nil { read[key] = values.count }
        case .append(let key, let value):
          if longest[key]?.contains(value) != true {
            add(.lostAppend, "\(name(number)) has appended \(value) to key \(key), which no read returned")
          }
          guard appended.insert(key).inserted, let version = read[key] else { continue }
          if let other = extended.updateValue(number, forKey: [key, version]) {
            add(
              .lostUpdate,
              "\(name(other)) and \(name(number)) have both read key \(key) with \(version) values and appended to it"
            )
          }
        }
      }
    }
  }

  // MARK: Dependencies

  private func dependencies() -> DependencyGraph {
    var graph = DependencyGraph(nodes: transactions.count)
    for values in longest.values {
      for (earlier, later) in zip(values, values.dropFirst()) {
        guard let from = appends[earlier]?.transaction, let to = appends[later]?.transaction else { continue }
        graph.add(.ww, from: from, to: to)
      }
    }
    for (number, transaction) in transactions.enumerated() where transaction.outcome == .committed {
      var own: Set<Int> = []
      for operation in transaction.operations {
        switch operation {
        case .append(let key, _): own.insert(key)
        case .read(let key, let values):
          if own.contains(key) { continue }
          if let last = values.last, let writer = appends[last]?.transaction {
            graph.add(.wr, from: writer, to: number)
          }
          guard let list = longest[key], values.count < list.count, let next = appends[list[values.count]] else {
            continue
          }
          graph.add(.rw, from: number, to: next.transaction)
        }
      }
    }
    graph.addOrder(of: transactions)
    return graph
  }

  private func describe(_ cycle: DependencyCycle) -> String {
    let steps = cycle.edges.map { "\(name($0.from)) → \($0.kind.rawValue) → " }.joined()
    return steps + (cycle.edges.first.map { name($0.from) } ?? "")
  }

  private func name(_ number: Int) -> String {
    let transaction = transactions[number]
    return "transaction \(number) of connection \(transaction.process)" + (transaction.isFresh ? "" : " (bookmark)")
  }

  private static func text(_ values: [UInt32]) -> String {
    let shown = values.suffix(6).map(String.init).joined(separator: " ")
    return values.count > 6 ? "[\(values.count - 6) values, \(shown)]" : "[\(shown)]"
  }
}
