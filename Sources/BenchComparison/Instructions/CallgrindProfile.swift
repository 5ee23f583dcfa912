/// The instructions of a run, as Valgrind's tool Callgrind writes them.
///
/// Format: https://valgrind.org/docs/manual/cl-format.html, with one event, the executed instructions.
struct CallgrindProfile: Equatable {
  /// The calls of one function by another.
  struct Calls: Equatable {
    var count = 0
    /// Instructions of the called function and of all that it called.
    var instructions = 0
  }

  struct Edge: Hashable {
    /// Symbols, as the linker knows them.
    var caller: String
    var callee: String
  }

  private(set) var edges: [Edge: Calls] = [:]
  /// Instructions of all functions.
  private(set) var total = 0

  init(_ text: String) {
    var reader = Reader()
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) { reader.read(Substring(line)) }
    edges = reader.edges
    total = reader.total
  }

  /// Returns the calls of the functions whose symbols begin with one of the prefixes, without their calls of each
  /// other.
  /// - Parameter exceptions: callers whose calls are left out, by the beginnings of their symbols.
  func calls(of prefixes: [String], exceptCallsBy exceptions: [String] = []) -> Calls {
    func begins(_ symbol: String, with prefixes: [String]) -> Bool { prefixes.contains { symbol.hasPrefix($0) } }
    return edges.reduce(into: Calls()) { sum, edge in
      guard begins(edge.key.callee, with: prefixes), !begins(edge.key.caller, with: prefixes + exceptions) else {
        return
      }
      sum.count += edge.value.count
      sum.instructions += edge.value.instructions
    }
  }

  /// Parses the lines. A name is written in full where it first appears, and as its number afterwards.
  private struct Reader {
    private var names: [Substring: String] = [:]
    private var function = ""
    private var callee = ""
    /// The number of calls whose cost the next line has.
    private var pendingCalls: Int?
    private(set) var edges: [Edge: Calls] = [:]
    private(set) var total = 0

    mutating func read(_ line: Substring) {
      if line.hasPrefix("fn=") {
        function = name(line.dropFirst(3))
      } else if line.hasPrefix("cfn=") {
        callee = name(line.dropFirst(4))
      } else if line.hasPrefix("calls=") {
        pendingCalls = Int(line.dropFirst(6).prefix { $0.isNumber })
      } else if let first = line.first, first.isNumber || "+-*".contains(first) {
        addCost(line)
      }
    }

    /// Parses a line of costs: a position and the instructions, of the function itself or of the preceding calls.
    private mutating func addCost(_ line: Substring) {
      let fields = line.split(separator: " ")
      let cost = fields.count > 1 ? Int(fields[1]) ?? 0 : 0
      guard let calls = pendingCalls else {
        total += cost
        return
      }
      pendingCalls = nil
      edges[Edge(caller: function, callee: callee), default: Calls()].count += calls
      edges[Edge(caller: function, callee: callee), default: Calls()].instructions += cost
    }

    private mutating func name(_ text: Substring) -> String {
      guard text.hasPrefix("("), let end = text.firstIndex(of: ")") else { return String(text) }
      let number = text[...end]
      let written = text[text.index(after: end)...].drop { $0 == " " }
      if !written.isEmpty { names[number] = String(written) }
      return names[number] ?? ""
    }
  }
}
