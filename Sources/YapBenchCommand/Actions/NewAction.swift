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
    if let problem = Self.problem(of: file) {
      context.errors.error("\(file): \(problem)")
      return ExitStatus.cannotCreateOutput.rawValue
    }
    do {
      try ExportedFiles.write(template.text(name: name), to: file, overwrites: false)
    } catch {
      let failure = Failure(error)
      context.errors.error(failure.text)
      return failure.status.rawValue
    }
    context.output.line(InertText.line("\(file): written"))
    context.output.line(InertText.line("next: \(Program.name) explain \(file)"))
    context.output.line(InertText.line("      \(Program.name) run --smoke \(file)"))
    return ExitStatus.allHeld.rawValue
  }

  /// What would keep it from being made; nil for nothing.
  private static func problem(of file: String) -> String? {
    // A link that leads nowhere counts as there.
    if (try? FileManager.default.attributesOfItem(atPath: file)) != nil {
      return "it is there already, and is not written over; choose another name"
    }
    let parent = (file as NSString).deletingLastPathComponent
    guard FileManager.default.fileExists(atPath: parent.isEmpty ? "." : parent) else {
      return "there is no such folder; create it, or name one that is there"
    }
    return nil
  }
}
