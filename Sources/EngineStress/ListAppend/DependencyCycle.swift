/// A cycle of dependencies, which proves that no serial order of the transactions exists.
struct DependencyCycle: Equatable {
  var kind: ListAnomaly.Kind
  /// Whether it has edges of the order of time or of connections.
  var needsOrder: Bool
  /// In the order of the cycle.
  var edges: [DependencyGraph.Edge]
}

extension DependencyGraph {
  private static let order: Set<Kind> = [.process, .time]
  /// The kinds of cycles without an anti-dependency, with the dependencies that they consist of.
  private static let plainCycles: [(kind: ListAnomaly.Kind, dependencies: Set<Kind>)] = [
    (.g0, [.ww]), (.g1c, [.ww, .wr]),
  ]

  /// Returns one cycle for each set of transactions that reach each other, of the first kind that is found in the order
  /// G0, G1c, G-single, G2: first of dependencies alone, then with the order of time and of connections.
  func cycles() -> [DependencyCycle] {
    components(of: Set(Kind.allCases)).compactMap { nodes in
      let isMember = Set(nodes)
      for kinds in [[], Self.order] as [Set<Kind>] {
        for (kind, dependencies) in Self.plainCycles {
          if let edges = cycle(among: isMember, of: dependencies.union(kinds)) {
            return make(kind, edges)
          }
        }
        let allowed = kinds.union([.ww, .wr])
        for from in nodes {
          for (to, kind) in edges[from] where kind == .rw && isMember.contains(to) {
            guard let path = path(from: to, to: from, among: isMember, of: allowed) else { continue }
            return make(.singleAntiDependency, [Edge(from: from, to: to, kind: .rw)] + path)
          }
        }
        if let edges = cycle(among: isMember, of: allowed.union([.rw])) { return make(.g2, edges) }
      }
      return nil
    }
  }

  private func make(_ kind: ListAnomaly.Kind, _ edges: [Edge]) -> DependencyCycle {
    DependencyCycle(
      kind: kind,
      needsOrder: edges.contains { Self.order.contains($0.kind) },
      edges: withoutMoments(edges)
    )
  }

  /// Joins the edges that lead over moments of time into one.
  private func withoutMoments(_ edges: [Edge]) -> [Edge] {
    // Begins with an edge from a transaction: each cycle has one, because moments follow each other.
    guard let start = edges.firstIndex(where: { $0.kind != .time }) else { return edges }
    var joined: [Edge] = []
    var begun: Int?
    for edge in edges[start...] + edges[..<start] {
      guard edge.kind == .time else {
        if let from = begun { joined.append(Edge(from: from, to: edge.from, kind: .time)) }
        begun = nil
        joined.append(edge)
        continue
      }
      begun = begun ?? edge.from
    }
    if let begun { joined.append(Edge(from: begun, to: edges[start].from, kind: .time)) }
    return joined
  }

  /// Returns a shortest cycle through one of the nodes; nil if there is none.
  private func cycle(among nodes: Set<Int>, of kinds: Set<Kind>) -> [Edge]? {
    for component in components(of: kinds) where component.allSatisfy(nodes.contains) {
      let members = Set(component)
      guard let first = component.min() else { continue }
      for (to, kind) in edges[first] where kinds.contains(kind) && members.contains(to) {
        guard let path = path(from: to, to: first, among: members, of: kinds) else { continue }
        return [Edge(from: first, to: to, kind: kind)] + path
      }
    }
    return nil
  }

  /// Returns a shortest path; nil if there is none. Empty if both nodes are the same.
  private func path(from: Int, to: Int, among nodes: Set<Int>, of kinds: Set<Kind>) -> [Edge]? {
    var arrivals: [Int: Edge] = [:]
    var queue = [from]
    var next = 0
    while next < queue.count {
      let node = queue[next]
      next += 1
      if node == to {
        var path: [Edge] = []
        var last = to
        while last != from, let edge = arrivals[last] {
          path.append(edge)
          last = edge.from
        }
        return path.reversed()
      }
      for (target, kind) in edges[node]
      where kinds.contains(kind) && nodes.contains(target) && target != from && arrivals[target] == nil {
        arrivals[target] = Edge(from: node, to: target, kind: kind)
        queue.append(target)
      }
    }
    return nil
  }
}
