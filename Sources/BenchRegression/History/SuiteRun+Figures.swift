package import BenchResults

extension SuiteRun {
  /// - Parameters:
  ///   - result: All runs of the scenario, of one machine.
  ///   - night: The start of the night.
  package init(_ result: ScenarioResult, night: String) {
    self.init(result, night: night, figures: Self.figures(of: result))
  }

  /// Returns the figures that decide a comparison. Partial runs and runs with wrong data have none. An invalid run has
  /// some only if the machine is the cause: it then lacks the times that the machine disturbed.
  private static func figures(of result: ScenarioResult) -> [Figure] {
    var trusted = result
    trusted.runs.removeAll { run in
      switch run.verdict.exitCode {
      case .passed, .expectationFailed: run.isSmoke || run.isPartial
      case .measurementInvalid: !run.isDisturbed
      default: true
      }
    }
    let figures = RunFigures.figures(of: trusted).filter { figure in
      [.primary, .count].contains(figure.role) && !figure.isDisturbed
    }
    return Dictionary(grouping: figures, by: \.name).sorted { $0.key < $1.key }.map { name, values in
      Figure(name: name, unit: values[0].unit, value: values.map(\.value).median)
    }
  }
}
