internal import BenchModel
internal import BenchReports
internal import Foundation

/// Writes a scenario's file from a template.
struct NewAction {
  /// With `.yaml` or without.
  var path: String
  var template: ScenarioTemplate

  func perform(in context: CommandContext) -> Int32 {
    let file = path.hasSuffix(".yaml") ? path : path + ".yaml"
    let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
    do throws(ScalarProblem) {
      _ = try NameScalar.parse(name)
    } catch {
      context.errors.error("\(file): \(error.message)")
      return ExitStatus.usage.rawValue
    }
    do {
      try write(template.text(name: name), to: file)
    } catch {
      context.errors.error("\(file): \(Self.problem(error))")
      return ExitStatus.cannotCreateOutput.rawValue
    }
    context.output.line(InertText.line("\(file): written"))
    context.output.line(InertText.line("next: \(Program.name) explain \(file)"))
    context.output.line(InertText.line("      \(Program.name) run --smoke \(file)"))
    return ExitStatus.allHeld.rawValue
  }

  /// - Throws: where the file is there already, or cannot be created.
  private func write(_ text: String, to file: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: file), options: .withoutOverwriting)
  }

  private static func problem(_ error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case CocoaError.fileWriteFileExists: "it is there already, and is not written over; choose another name"
    case CocoaError.fileNoSuchFile: "there is no such folder; create it, or name one that is there"
    default: "it could not be created: \(error.localizedDescription)"
    }
  }
}
