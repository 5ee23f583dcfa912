internal import BenchModel
internal import BenchReports
internal import EngineBenchmarks

/// Shows the engine's targets and the figures that tell whether they are held.
struct BenchListAction {
  /// All where empty.
  var targets: Set<Int>

  func perform(in context: CommandContext) -> Int32 {
    for target in PerformanceTarget.all where targets.isEmpty || targets.contains(target.number) {
      context.output.line("\(target.name)  \(target.text)")
      let rows = target.claims.map { claim in
        ["    " + claim.what, BenchFigures.limit(of: claim), claim.obstacle.map { "(\($0))" } ?? ""]
      }
      for line in AlignedColumns.lines(rows) { context.output.line(line.trimmedEnd) }
    }
    return ExitStatus.allHeld.rawValue
  }
}

extension String {
  fileprivate var trimmedEnd: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
