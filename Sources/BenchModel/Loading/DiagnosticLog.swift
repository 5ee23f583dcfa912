/// Collects problems, so that one never hides another.
///
/// A class, because every part that is being decoded writes into the same one.
final class DiagnosticLog {
  private(set) var entries: [(place: Place, message: String)] = []

  /// Grows with each problem; a part that left it as it was has none.
  var count: Int { entries.count }

  func report(_ message: String, at place: Place) {
    entries.append((place, message))
  }

  /// Runs a scalar's parser, and reports at its place what it refuses.
  func reporting<Value>(at place: Place, _ parse: () throws(ScalarProblem) -> Value) -> Value? {
    do {
      return try parse()
    } catch {
      report(error.message, at: place)
      return nil
    }
  }

  /// - Throws: everything reported, sorted and each once: an actor's problem is found again in every phase that
  ///   changes the actor.
  func throwIfAny() throws(ScenarioDiagnostics) {
    guard !entries.isEmpty else { return }
    var seen: Set<Diagnostic> = []
    let sorted = entries.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
    let diagnostics = sorted.map { entry in
      let place = entry.element.place
      return Diagnostic(file: place.file, line: place.line, column: place.column, message: entry.element.message)
    }
    throw ScenarioDiagnostics(diagnostics.filter { seen.insert($0).inserted })
  }
}
