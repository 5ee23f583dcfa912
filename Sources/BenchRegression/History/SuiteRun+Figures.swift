package import BenchResults

extension SuiteRun {
  /// - Parameters:
  ///   - result: All runs of the scenario, of one machine.
  ///   - night: The name of the night's folder.
  package init(_ result: ScenarioResult, night: String) {
    self.init(result, night: night, figures: Self.figures(of: result))
  }

  /// Returns the figures that decide a comparison. Runs with wrong data or an untrusted measurement have none, except
  /// for those that are untrusted because of the machine: these lack only the times that it disturbed.
  private static func figures(of result: ScenarioResult) -> [Figure] {
    var trusted = result
    trusted.runs.removeAll { run in
      switch run.verdict.exitCode {
      case .passed, .expectationFailed: run.isSmoke
      case .measurementInvalid: !run.isDisturbed
      default: true
      }
    }
    let figures = RunFigures.figures(of: trusted).filter { figure in
      [.primary, .count].contains(figure.role) && !figure.isDisturbed
    }
    return Dictionary(grouping: figures, by: \.name).sorted { $0.key < $1.key }.map { name, values in
      Figure(name: name, unit: values[0].unit, better: values[0].better, value: values.map(\.value).median)
    }
  }
}
