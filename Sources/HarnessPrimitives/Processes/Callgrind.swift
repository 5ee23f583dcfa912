internal import FoundationEssentials

/// Runs of programs under Valgrind's tool Callgrind, which counts the instructions that they execute.
public enum Callgrind {
  /// Returns the program that is missing, with the command that installs it; nil if none is.
  /// - Throws: `ProgramNotStarted`.
  public static func missingProgram() throws(ProgramNotStarted) -> String? {
    for (program, package) in [("valgrind", "valgrind"), ("objcopy", "binutils")] {
      guard try ChildProcess.run("env", [program, "--version"]).exitCode == 0 else {
        return "\(program) is missing; to install it: Scripts/setup \(program):\(package)"
      }
    }
    return nil
  }

  /// Copies a program without its debug sections, which Valgrind may not understand.
  /// - Throws: `ProgramNotStarted`.
  public static func strip(_ program: String, to path: String) throws(ProgramNotStarted) -> FinishedProcess {
    try ChildProcess.run("objcopy", ["--strip-debug", program, path])
  }

  /// Runs a program to its end, about 50 times slower than without Callgrind. Dictionaries have a fixed seed and
  /// jemalloc returns no memory, because random seeds and returns of memory would change the counts.
  /// - Parameters:
  ///   - symbols: The symbols of the functions that are counted, with all that they call. `*` matches any text.
  ///   - path: The path of the profile. The file is written if the program ends by itself.
  ///   - interruptIf: Is called about ten times per second or more often, until it returns true and the process gets
  ///     SIGINT.
  /// - Returns: The end of the process, and its profile; an empty one without a file.
  /// - Throws: `ProgramNotStarted`.
  public static func run(
    _ program: String,
    _ arguments: [String],
    counting symbols: [String],
    profile path: String,
    interruptIf: () -> Bool = { false }
  ) throws(ProgramNotStarted) -> (end: FinishedProcess, profile: CallgrindProfile) {
    let options =
      ["--tool=callgrind", "--callgrind-out-file=\(path)"] + symbols.map { "--toggle-collect=\($0)" }
    let end = try ChildProcess.run(
      "valgrind",
      options + [program] + arguments,
      variables: [
        "SWIFT_DETERMINISTIC_HASHING": "1", "MALLOC_CONF": "dirty_decay_ms:-1,muzzy_decay_ms:-1",
      ],
      interruptIf: interruptIf
    )
    let text = (try? String(contentsOf: URL(filePath: path), encoding: .utf8)) ?? ""
    return (end, CallgrindProfile(text))
  }
}

/// The instructions of a run, as Valgrind's tool Callgrind writes them.
///
/// Format: https://valgrind.org/docs/manual/cl-format.html, with one event, the executed instructions.
public struct CallgrindProfile: Equatable, Sendable {
  /// Calls of one function by another, or sums of such calls.
  public struct Calls: Equatable, Sendable {
    public var count: Int
    /// Instructions of the called function and of all that it called.
    public var instructions: Int

    public init(count: Int = 0, instructions: Int = 0) {
      self.count = count
      self.instructions = instructions
    }
  }

  public struct Edge: Hashable, Sendable {
    /// Symbols, as the linker knows them.
    public var caller: String
    public var callee: String

    public init(caller: String, callee: String) {
      self.caller = caller
      self.callee = callee
    }
  }

  public private(set) var edges: [Edge: Calls] = [:]
  /// The counted instructions of all functions.
  public private(set) var total = 0

  public init(_ text: String) {
    var reader = Reader()
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) { reader.read(Substring(line)) }
    edges = reader.edges
    total = reader.total
  }

  /// Returns the calls of the functions whose symbols begin with one of the prefixes. Calls between these functions
  /// are not counted.
  /// - Parameters:
  ///   - prefixes: beginnings of symbols.
  ///   - exceptions: callers whose calls are left out, by the beginnings of their symbols.
  public func calls(of prefixes: [String], exceptCallsBy exceptions: [String] = []) -> Calls {
    func begins(_ symbol: String, with prefixes: [String]) -> Bool { prefixes.contains { symbol.hasPrefix($0) } }
    return edges.reduce(into: Calls()) { sum, edge in
      guard begins(edge.key.callee, with: prefixes), !begins(edge.key.caller, with: prefixes + exceptions) else {
        return
      }
      sum.count += edge.value.count
      sum.instructions += edge.value.instructions
    }
  }

  /// Parses the lines. A name is written with its number where it first appears, and only as its number afterwards.
  private struct Reader {
    private var names: [Substring: String] = [:]
    private var function = ""
    private var callee = ""
    /// The number of calls whose cost is on the next line.
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
