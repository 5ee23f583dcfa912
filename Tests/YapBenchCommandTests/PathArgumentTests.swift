import BenchResults
import ComparisonFixtures
import Foundation
import HarnessPrimitives
import TestSupport
import Testing

@testable import YapBenchCommand

@Suite("Paths that a user has given") struct PathArgumentTests {
  private let trial = Trial()

  // MARK: Every option

  /// An option or an argument of a command, as `--experimental-dump-help` lists it.
  struct Parameter: Sendable, CustomTestStringConvertible {
    let command: [String]
    let option: String?
    let valueName: String
    /// The number of arguments that stand before it.
    let position: Int

    var testDescription: String { (command + [option ?? "<\(valueName)>"]).joined(separator: " ") }
  }

  /// The names of values that are no paths.
  private static let others: Set = [
    "P1,P2", "axis", "bug", "commit", "count", "duration", "format", "i/n", "kind", "level", "metric", "n", "name",
    "name=value",
    "names", "night", "note", "order", "path=value", "plant", "rule", "seed", "shell", "subcommands", "tag", "template",
    "text", "value", "variant", "share", "generate-completion-script",
  ]

  private static let parameters: [Parameter] = {
    let trial = Trial()
    _ = trial.run("--experimental-dump-help")
    guard let root = try? JSONSerialization.jsonObject(with: Data(trial.output.text.utf8)) as? [String: Any],
      let command = root["command"] as? [String: Any]
    else { return [] }
    return parameters(of: command, [])
  }()

  private static func parameters(of command: [String: Any], _ words: [String]) -> [Parameter] {
    let arguments = command["arguments"] as? [[String: Any]] ?? []
    let own = arguments.enumerated().compactMap { index, argument -> Parameter? in
      guard argument["kind"] as? String != "flag", let value = argument["valueName"] as? String else { return nil }
      let names = argument["names"] as? [[String: Any]] ?? []
      let option = names.first.map { ($0["kind"] as? String == "short" ? "-" : "--") + ($0["name"] as? String ?? "") }
      let before = option == nil ? arguments[..<index].count { $0["kind"] as? String == "positional" } : 0
      return Parameter(command: words, option: option, valueName: value, position: before)
    }
    // Hidden commands are those of child processes.
    let commands = (command["subcommands"] as? [[String: Any]] ?? []).filter { $0["shouldDisplay"] as? Bool != false }
    return own + commands.flatMap { parameters(of: $0, words + [$0["commandName"] as? String ?? ""]) }
  }

  private static var paths: [Parameter] { parameters.filter { !others.contains($0.valueName) } }

  @Test func `the options of paths are known`() {
    let names = Set(Self.paths.map(\.valueName))
    #expect(names.isSuperset(of: ["dir", "file", "folder", "database", "run", "path", "build"]), "\(names.sorted())")
    #expect(Self.paths.count > 40)
  }

  @Test(arguments: paths) func `an empty path is refused before anything runs`(parameter: Parameter) throws {
    let others = Array(repeating: "other", count: parameter.position)
    let words = parameter.command + (parameter.option.map { [$0, ""] } ?? others + [""])
    #expect(trial.run(words) == 64)
    let name = parameter.option.map { "\($0) <\(parameter.valueName)>" } ?? "<\(parameter.valueName)>"
    #expect(trial.errors.lines.first == "Error: The value '' is invalid for '\(name)'", "\(trial.errors.text)")
  }

  // MARK: Meaning

  @Test(arguments: [
    ("h", "h"), ("/h", "/h"), (".", "."), ("../h", "../h"), ("é", "é"), ("a:b", "a:b"), ("files/h", "files/h"),
    (":memory:", "./:memory:"), (":", "./:"), ("file:h", "./file:h"), ("FILE:h?mode=ro", "./FILE:h?mode=ro"),
    ("-h", "./-h"), ("-", "./-"), ("--out", "./--out"),
  ])
  func `a path means the same to SQLite, to other programs and to the system`(given: String, text: String) {
    #expect(PathArgument(argument: given)?.text == text)
  }

  @Test func `a build may be a revision that begins with a colon`() {
    #expect(BuildArgument(argument: ":/fix")?.text == ":/fix")
    #expect(BuildArgument(argument: "") == nil)
  }

  // MARK: The program

  /// Runs commands of a shell in a new folder.
  private func run(_ script: String) throws -> (end: RunningProgram.End, names: [String]) {
    let folder = try TemporaryFolder()
    let night = try StableJSON.document(ComparisonOutcome.madeUp([.madeUp(changedBy: 1)], base: "base", head: "head"))
    try folder.write(String(decoding: night, as: UTF8.self), to: "night.json")
    let values = ["folder": folder.path, "YAP_RUN_WITH_TEST_POINTS": "1", "project": Project.path]
    let end = try RunningProgram().run("cd \"$folder\" || exit 99; " + script, values)
    return (end, try folder.names())
  }

  @Test(arguments: ["h", "é", "-", "hh", "./h", ":memory:", "file:h.sqlite", "file:", "h?a=b"])
  func `a history has the path that was given, for writing and for reading`(path: String) throws {
    let (end, names) = try run(
      """
      "$program" history add night.json --file='\(path)' && "$program" history list --file='\(path)' &&
      "$program" history prune --keep 9 --file='\(path)' && "$program" history show head --file='\(path)' &&
      "$program" history trend --file='\(path)' && test -f './\(path)'
      """
    )
    #expect(end.code == 0 && !end.bySignal, "\(end.errors)")
    let name = path.replacing("./", with: "")
    let expected = [name, name + ".lock", "history.csv", "night.json", "trend.html", "trend.md"]
    #expect(names == expected.sorted())
  }

  @Test func `reports, exports and records of one character are files of that name`() throws {
    let (end, names) = try run(
      """
      "$program" run --smoke --out r "$project/Scenarios/selftest/null.yaml" && cp r/2*/run.json j &&
      "$program" report j --out p && "$program" export j --format junit --out x &&
      "$program" export r/2* --format hgrm --out y
      """
    )
    #expect(end.code == 0, "\(end.errors)")
    #expect(Set(names).isSuperset(of: ["r", "j", "p", "x", "y"]))
  }

  @Test(arguments: [
    ("history list --file h", 66), ("history list --file h/", 66), ("report j", 66), ("report j/", 66),
    ("export j --format junit --out x", 66), ("new .", 64), ("new a/b", 73), ("check c", 66), ("inspect d", 66),
    ("verify d", 66), ("merge m", 66), ("compare b c", 66), ("history add c", 66),
  ])
  func `a missing path of one character is an error and no crash`(command: String, code: Int32) throws {
    let (end, names) = try run("\"$program\" \(command)")
    #expect(end.code == code && !end.bySignal, "\(end.errors)")
    #expect(names == ["night.json"])
  }
}
