public import BenchResults
internal import Foundation

/// The command that repeats a run: with the run's seed, and the scenario in its folder, which includes all overrides.
///
/// It must be run in the project's folder. Paths in that folder are relative if it was found; others are absolute.
public struct RepeatCommand: Sendable {
  private static let script = "run-bench.sh"

  private let reportFolder: String
  private let dataFolder: String?
  private let currentFolder: String
  /// nil if the project's folder was not found.
  private let project: String?

  /// - Parameters:
  ///   - reportFolder: The folder that contains the runs' folders.
  ///   - dataFolder: The value of `--data-dir`, because another disk gives other figures; nil to omit the option.
  public init(reportFolder: String, dataFolder: String? = nil) {
    self.init(
      reportFolder: reportFolder,
      dataFolder: dataFolder,
      currentFolder: FileManager.default.currentDirectoryPath
    )
  }

  init(reportFolder: String, dataFolder: String?, currentFolder: String) {
    let reports = Self.absolute(reportFolder, in: currentFolder)
    self.reportFolder = reports
    self.dataFolder = dataFolder.map { Self.absolute($0, in: currentFolder) }
    self.currentFolder = currentFolder
    project = [currentFolder, (reports as NSString).deletingLastPathComponent].first {
      FileManager.default.fileExists(atPath: "\($0)/\(Self.script)")
    }
  }

  /// - Parameter folder: The run's folder.
  public func text(for result: ScenarioResult, in folder: String) -> String {
    text(result.first, choosing: result.choices, in: folder)
  }

  /// Returns the command that repeats one of several runs: its variant, once.
  func text(forRun run: RunResult, in folder: String) -> String {
    text(run, choosing: run.variant.map { [$0] } ?? [], arguments: ["--set", "repeat=1"], in: folder)
  }

  private func text(
    _ run: RunResult,
    choosing choices: [String],
    arguments: [String] = [],
    in folder: String
  ) -> String {
    var words = ["./" + Self.script]
    if run.isSmoke { words.append("--smoke") }
    words += ["--seed", String(run.seed)]
    for choice in choices { words += ["--only", ShellWord.quoted(choice)] }
    words += arguments
    // `--out` is omitted if it has the script's default.
    if project.map({ reportFolder != $0 + "/Reports" }) ?? true { words += ["--out", shown(reportFolder)] }
    if let dataFolder { words += ["--data-dir", shown(dataFolder)] }
    words.append(shown(Self.absolute(folder, in: currentFolder) + "/scenario.yaml"))
    return words.joined(separator: " ")
  }

  private static func absolute(_ path: String, in folder: String) -> String {
    URL(fileURLWithPath: path, relativeTo: URL(fileURLWithPath: folder, isDirectory: true)).standardizedFileURL.path
  }

  private func shown(_ path: String) -> String {
    var path = path
    if let project, path == project {
      path = "."
    } else if let project, path.hasPrefix(project + "/") {
      path = String(path.dropFirst(project.count + 1))
      if path.hasPrefix("-") { path = "./" + path }
    }
    return ShellWord.quoted(path)
  }
}

/// A word of a shell's command line.
package enum ShellWord {
  /// Returns the text, in single quotes if necessary. In quotes, `InertText.line` replaces control characters.
  package static func quoted(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789_./:=@%+,-".unicodeScalars.contains(scalar))
    }
    return isPlain ? text : "'" + InertText.line(text).replacing("'", with: #"'\''"#) + "'"
  }
}
