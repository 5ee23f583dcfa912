/// The dependencies between transactions.
struct DependencyGraph {
  enum Kind: String, CaseIterable {
    /// The second transaction has overwritten what the first has written.
    case ww
    /// The second transaction has read what the first has written.
    case wr
    /// The second transaction has overwritten what the first has read.
    case rw
    /// Both belong to the same connection, in this order.
    case process
    /// The second transaction must see what was acknowledged before it began, and the first had ended by then.
    case time
  }

  struct Edge: Equatable {
    var from: Int
    var to: Int
    var kind: Kind
  }

  /// The outgoing edges of each node. The nodes of transactions are followed by nodes that stand for moments.
  private(set) var edges: [[(to: Int, kind: Kind)]]
  private(set) var edgeCount = 0

  init(nodes: Int) { edges = Array(repeating: [], count: nodes) }

  mutating func add(_ kind: Kind, from: Int, to: Int) {
    guard from != to else { return }
    edges[from].append((to, kind))
    edgeCount += 1
  }

  /// Adds the order of the transactions of each connection, and the order of time.
  ///
  /// A fresh transaction follows each transaction that had ended before it began. Instead of an edge from each of them,
  /// each end of a transaction is a node that follows the previous end, so that there are few edges.
  mutating func addOrder(of transactions: [ListTransaction]) {
    let committed = transactions.indices.filter { transactions[$0].outcome == .committed }
    var last: [Int: Int] = [:]
    for number in committed.sorted(by: { transactions[$0].begun < transactions[$1].begun }) {
      if let before = last.updateValue(number, forKey: transactions[number].process) {
        add(.process, from: before, to: number)
      }
    }
    let byEnd = committed.sorted { transactions[$0].ended < transactions[$1].ended }
    let firstEnd = edges.count
    edges += Array(repeating: [], count: byEnd.count)
    for (index, number) in byEnd.enumerated() {
      add(.time, from: number, to: firstEnd + index)
      if index > 0 { add(.time, from: firstEnd + index - 1, to: firstEnd + index) }
    }
    for number in committed where transactions[number].isFresh {
      let begun = transactions[number].begun
      var (low, high) = (0, byEnd.count)
      while low < high {
        let middle = (low + high) / 2
        if transactions[byEnd[middle]].ended < begun { low = middle + 1 } else { high = middle }
      }
      if low > 0 { add(.time, from: firstEnd + low - 1, to: number) }
    }
  }
}

extension DependencyGraph {
  /// Returns the sets of nodes of which each reaches each other one, without single nodes. (Tarjan, 1972, without
  /// recursion.)
  func components(of kinds: Set<Kind>) -> [[Int]] {
    var index = Array(repeating: -1, count: edges.count)
    var low = index
    var isOpen = Array(repeating: false, count: edges.count)
    var open: [Int] = []
    var next = 0
    var components: [[Int]] = []
    for root in edges.indices where index[root] < 0 {
      var calls: [(node: Int, edge: Int)] = [(root, 0)]
      while let (node, edge) = calls.last {
        if edge == 0, index[node] < 0 {
          index[node] = next
          low[node] = next
          next += 1
          open.append(node)
          isOpen[node] = true
        }
        guard edge < edges[node].count else {
          calls.removeLast()
          if let caller = calls.last?.node { low[caller] = min(low[caller], low[node]) }
          guard low[node] == index[node] else { continue }
          var component: [Int] = []
          while let last = open.popLast() {
            isOpen[last] = false
            component.append(last)
            if last == node { break }
          }
          if component.count > 1 { components.append(component) }
          continue
        }
        calls[calls.count - 1].edge += 1
        let (to, kind) = edges[node][edge]
        guard kinds.contains(kind) else { continue }
        if index[to] < 0 { calls.append((to, 0)) } else if isOpen[to] { low[node] = min(low[node], index[to]) }
      }
    }
    return components
  }
}
