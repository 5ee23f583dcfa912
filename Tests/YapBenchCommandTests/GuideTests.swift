import BenchResults
import BenchScenario
import Foundation
import TestSupport
import Testing

@testable import YapBenchCommand

/// Follows `Documentation/first-scenario.md`: writes its files, runs its commands and compares their output. Only the
/// runs are made up, because they take long.
struct GuideTests {
  private enum Step: Equatable {
    case file(String)
    case addition(String)
    case commands([String])
    case output([String])
  }

  @Test func `Every file, command and output of the guide is as it says`() throws {
    let text = try String(contentsOfFile: Project.path + "/Documentation/first-scenario.md", encoding: .utf8)
    let steps = Self.steps(text)
    let folder = try TemporaryFolder()
    let file = folder.path + "/evening.yaml"
    let made = MadeUpRunner()
    var scenario = ""
    var printed: [String] = []
    var commandCount = 0
    for step in steps {
      switch step {
      case .file(let text):
        scenario = try String(contentsOfFile: folder.write(text, to: "evening.yaml"), encoding: .utf8)
      case .addition(let text): _ = try folder.write(scenario + text, to: "evening.yaml")
      case .commands(let commands):
        for command in commands where command.hasPrefix("yapbench ") {
          var trial = Trial()
          trial.runner = made.runner
          let arguments = Self.arguments(command).map { argument in
            ["evening.yaml", "evening-reports"].contains(argument) ? folder.path + "/" + argument : argument
          }
          // Commands without --out write their reports into the test's folder too.
          let reports = arguments.first == "run" && !arguments.contains("--out") ? ["--out", folder.path + "/out"] : []
          let code = Program.run(arguments + reports, in: .captured(by: trial))
          #expect(code == (trial.errors.text.contains(" error: ") ? 65 : 0), "\(command)\n\(trial.errors.text)")
          printed = (trial.output.lines + trial.errors.lines).map {
            $0.replacingOccurrences(of: file, with: "evening.yaml")
          }
          commandCount += 1
        }
      case .output(let lines):
        let isShown = lines.first?.hasPrefix("  ") == true
        // Indented lines are a part of the output.
        let expected = isShown ? lines.map { $0.isEmpty ? "" : String($0.dropFirst(2)) } : lines
        #expect(isShown ? printed.containsRun(expected) : printed == expected, "\(printed.joined(separator: "\n"))")
      }
    }
    #expect(commandCount == 11)
    #expect(made.runs.count == 4)
    #expect(made.runs.last?.loaded.scenario.expectations.count == 4)
  }

  private static func steps(_ text: String) -> [Step] {
    var steps: [Step] = []
    var open: (kind: String, lines: [String])?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      guard line.hasPrefix("```") else {
        open?.lines.append(line)
        continue
      }
      guard let block = open else {
        open = (String(line.dropFirst(3)), [])
        continue
      }
      let text = block.lines.map { $0 + "\n" }.joined()
      switch block.kind {
      case "yaml": steps.append(.file(text))
      case "yaml append": steps.append(.addition(text))
      case "sh": steps.append(.commands(block.lines))
      default: steps.append(.output(block.lines))
      }
      open = nil
    }
    return steps
  }

  /// The words of a command, without the program, redirections and comments.
  private static func arguments(_ command: String) -> [String] {
    var words: [String] = []
    var word = ""
    var isQuoted = false
    for character in command + " " {
      if character == "'" {
        isQuoted.toggle()
      } else if character == " ", !isQuoted {
        if word == ">" || word == "#" { break }
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        word.append(character)
      }
    }
    return Array(words.dropFirst())
  }
}

extension [String] {
  fileprivate func containsRun(_ run: [String]) -> Bool {
    guard run.count <= count else { return false }
    return (0...(count - run.count)).contains { Array(self[$0..<$0 + run.count]) == run }
  }
}
