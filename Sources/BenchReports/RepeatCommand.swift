package import BenchResults
internal import Foundation

/// The command that repeats a run: with the same program, the run's seed, and the scenario in its folder, which
/// includes all overrides. All paths are absolute, so it can be run in every folder.
package struct RepeatCommand: Sendable {
  private let program: String
  private let reportFolder: String
  private let dataFolder: String?
  private let options: [String]
  private let currentFolder: String

  /// - Parameters:
  ///   - reportFolder: The folder that contains the runs' folders.
  ///   - dataFolder: The value of `--data-dir`, because another disk gives other figures; nil to omit the option.
  ///   - options: The other options of the run, such as `--keep-database`.
  package init(reportFolder: String, dataFolder: String? = nil, options: [String] = []) {
    self.init(
      program: Self.ownProgram,
      reportFolder: reportFolder,
      dataFolder: dataFolder,
      options: options,
      currentFolder: FileManager.default.currentDirectoryPath
    )
  }

  init(program: String, reportFolder: String, dataFolder: String?, options: [String] = [], currentFolder: String) {
    self.program = program
    self.reportFolder = Self.absolute(reportFolder, in: currentFolder)
    self.dataFolder = dataFolder.map { Self.absolute($0, in: currentFolder) }
    self.options = options
    self.currentFolder = currentFolder
  }

  /// The path of the running program.
  private static var ownProgram: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
  }

  /// Returns the command line that runs this program.
  package static func line(_ words: [String]) -> String {
    ([ownProgram] + words).map(ShellWord.quoted).joined(separator: " ")
  }

  /// The command of a shard makes its runs of all scenarios.
  /// - Parameter folder: The run's folder.
  package func text(for result: ScenarioResult, in folder: String) -> String {
    if let shard = result.shard {
      var files = shard.files
      if let group = shard.group { files[group] = Self.absolute(folder, in: currentFolder) + "/scenario.yaml" }
      let words = [program] + shard.command(of: shard.number, folder: ["--out", reportFolder], files: files)
      return words.map(ShellWord.quoted).joined(separator: " ")
    }
    return text(result.first, of: result, choosing: result.choices, in: folder)
  }

  /// Returns the command that repeats one of several runs: its variant, once.
  func text(forRun run: RunResult, of result: ScenarioResult, in folder: String) -> String {
    text(run, of: result, choosing: run.variant.map { [$0] } ?? [], changes: ["--set", "repeat=1"], in: folder)
  }

  private func text(
    _ run: RunResult,
    of result: ScenarioResult,
    choosing choices: [String],
    changes: [String] = [],
    in folder: String
  ) -> String {
    var words = [program, "run"]
    if run.isSmoke { words.append("--smoke") }
    words += ["--seed", String(run.seed)]
    if let engines = result.engines { words += ["--driver", engines.drivers.joined(separator: ",")] }
    for choice in choices { words += ["--only", choice] }
    words += changes + options + ["--out", reportFolder]
    if let dataFolder { words += ["--data-dir", dataFolder] }
    words.append(Self.absolute(folder, in: currentFolder) + "/scenario.yaml")
    return words.map(ShellWord.quoted).joined(separator: " ")
  }

  private static func absolute(_ path: String, in folder: String) -> String {
    URL(fileURLWithPath: path, relativeTo: URL(fileURLWithPath: folder, isDirectory: true)).standardizedFileURL.path
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
