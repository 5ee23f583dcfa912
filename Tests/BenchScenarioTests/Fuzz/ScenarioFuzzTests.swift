internal import Foundation
internal import TestSupport
internal import Testing

@testable import BenchResults
@testable import BenchScenario

@Suite("Damaged scenarios")
struct ScenarioFuzzTests {
  private static let environment = ProcessInfo.processInfo.environment
  /// The number of cases. `Scripts/check` sets 100,000.
  private static let count = environment["YAP_FUZZ_CASES"].flatMap { Int($0) } ?? 300
  /// The number of a single case to repeat.
  private static let single = environment["YAP_FUZZ_CASE"].flatMap { Int($0) }
  private static let seed = environment["YAP_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...UInt64(UInt32.max))

  private static func repeatLine(_ index: Int) -> String {
    "YAP_SEED=\(seed) YAP_FUZZ_CASE=\(index) ./run-tests.sh --filter ScenarioFuzzTests"
  }

  /// The cases are divided into four parts, which run at the same time.
  @Test(
    "are loaded or rejected with reasons, and a loaded scenario that is written loads as the same",
    arguments: 0..<4
  )
  func damaged(_ part: Int) throws {
    let roots = try Self.roots()
    let validator = SchemaValidator(ScenarioSchema.tree)
    let watch = HangWatch(limitSeconds: 60)
    defer { watch.end() }
    let all = Self.single.map { $0..<$0 + 1 } ?? 0..<Self.count
    let indices = all.filter { $0 % 4 == part }
    var loadedCount = 0
    for index in indices {
      watch.begin("scenario \(index); \(Self.repeatLine(index))")
      var mutation = ScenarioMutation(seed: Self.seed &+ UInt64(index))
      let bytes = mutation.mutated(roots[index % roots.count])
      let comment = Comment(
        rawValue: "scenario \(index); \(Self.repeatLine(index))\n" + String(decoding: bytes, as: UTF8.self)
      )
      do {
        let loaded = try ScenarioLoader.load(bytes, file: "s.yaml")
        loadedCount += 1
        try Self.check(loaded, bytes, validator, comment)
      } catch let error as ScenarioDiagnostics {
        Self.check(error, lineCount: SourceText.location(ofByte: bytes.count, in: bytes, file: "").line, comment)
      }
    }
    // Some cases must load, or else the test would check only rejections. Of a few dozen files, all may be rejected by
    // chance.
    #expect(loadedCount > 0 || indices.count < 1_000, "YAP_SEED=\(Self.seed) YAP_FUZZ_CASES=\(Self.count)")
    #expect(loadedCount < indices.count || indices.count < 10)
  }

  private static func check(
    _ loaded: LoadedScenario,
    _ bytes: [UInt8],
    _ validator: SchemaValidator,
    _ comment: Comment
  ) throws {
    var again = try ScenarioLoader.load(text: loaded.expandedYAML)
    #expect(again.warnings.map(\.message).sorted() == loaded.warnings.map(\.message).sorted(), comment)
    // The locations are those of another text.
    again.warnings = loaded.warnings
    #expect(again == loaded, comment)
    let explained = try ScenarioLoader.load(text: loaded.explainedYAML())
    #expect(explained.variants == loaded.variants && explained.repetitions == loaded.repetitions, comment)
    // The loader does not read values that every variant replaces, so the schema may reject them.
    guard loaded.variants.allSatisfy(\.settings.isEmpty) else { return }
    let checked = try #require(SourceText.checked(bytes, file: "s.yaml", log: DiagnosticLog()))
    let node = try #require(YAMLComposer.compose(checked, file: "s.yaml", log: DiagnosticLog()))
    let isAccepted = try validator.accepts(node)
    #expect(isAccepted, comment)
  }

  private static func check(_ problems: ScenarioDiagnostics, lineCount: Int, _ comment: Comment) {
    #expect(!problems.diagnostics.isEmpty, comment)
    for problem in problems.diagnostics {
      let isPlaced = problem.file == "s.yaml" && (1...lineCount).contains(problem.line) && problem.column >= 1
      #expect(isPlaced, Comment(rawValue: "\(problem); \(comment)"))
      let isOneLine = problem.message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
      #expect(isOneLine && (5...4_000).contains(problem.message.count), comment)
    }
    #expect(Set(problems.diagnostics).count == problems.diagnostics.count, comment)
  }

  /// The trees of the project's scenarios and of the small scenario.
  private static func roots() throws -> [YAMLNode] {
    let folder = Repository.root.appendingPathComponent("Scenarios")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yaml") }
    let texts = try names.sorted().map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
    return try (texts + [smallScenario]).map { text in
      try #require(YAMLComposer.compose(Array(text.utf8), file: "s.yaml", log: DiagnosticLog()))
    }
  }
}
