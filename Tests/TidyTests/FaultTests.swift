internal import Testing

/// Each check is run on a text with its fault, and on a text without it.
@Suite("Each check catches its fault")
struct FaultTests {
  private func file(_ text: String, _ path: String = "Sources/YapEngine/A.swift") -> SourceFile {
    SourceFile(path: path, text: text)
  }

  private func lines(_ findings: [Finding]) -> [Int] { findings.map(\.line) }

  @Test("a finding is printed as a location to which an editor can jump")
  func place() {
    #expect(Finding(path: "a/b.swift", line: 3, what: "it is wrong").description == "a/b.swift:3: it is wrong")
  }

  @Test("a file that is too long")
  func longFile() {
    let line = "a\n"
    #expect(Limits.longFiles([file(String(repeating: line, count: 400))]) == [])
    #expect(
      Limits.longFiles([file(String(repeating: line, count: 401))]).map(\.description) == [
        "Sources/YapEngine/A.swift:401: the file has 401 lines; at most 400 are allowed"
      ]
    )
    let program = [500, 501].map { file(String(repeating: line, count: $0), "Benchmarks/a.c") }
    #expect(lines(Limits.longFiles(program)) == [501])
  }

  @Test(
    "a function that is too long, in any language",
    arguments: [
      ("a.swift", "struct A {\nfunc f() {\n", "}\n}\n", 2), ("a.swift", "var f: Int {\n", "}\n", 1),
      ("a.c", "\nint f(void) {\n", "}\n", 2), ("a.sh", "\nf() {\n", "}\n", 2),
    ]
  )
  func longFunction(_ path: String, _ start: String, _ end: String, _ line: Int) {
    let body = { (count: Int) in start + String(repeating: "  f(\"}\")\n", count: count) + end }
    #expect(Limits.longFunctions([file(body(68), path)]) == [])
    #expect(
      Limits.longFunctions([file(body(69), path)]) == [
        Finding(path: path, line: line, what: "f has 71 lines; at most 70 are allowed")
      ]
    )
  }

  @Test("a line that is too wide, in characters and not in bytes")
  func longLine() {
    let text = String(repeating: "é", count: 120) + "\n" + String(repeating: "é", count: 121)
    #expect(lines(Limits.longLines([file(text)])) == [2])
  }

  @Test("a parameter list whose calls are values without names")
  func unlabelledParameter() {
    let text = """
      func a(_ x: Int, _ y: (Int, Int), z: Int) {}
      struct B {
        init(
          _ x: [Int], _ y: Int = f(1, 2),
          _ z: Int
        ) {}
        func c<T: P<Int>>(_ a: T, _ b: Int, _ c: () -> (Int, Int)) {}
        let d = B(1, 2, 3)  // func e(_ a: Int, _ b: Int, _ c: Int)
      }
      """
    #expect(lines(Limits.unlabelledParameters([file(text)])) == [3, 7])
  }

  @Test(
    "a comment that is a clause in place of a noun",
    arguments: [
      "/// What ends a phase.", "// Who has the lane.", "let a = 1  // Whoever comes first.", "/* What is left. */",
      "/// - Parameter name: What it is called.",
    ]
  )
  func nounClause(_ text: String) {
    #expect(lines(PlainEnglish.nounClauses([file("let b = 1\n" + text)])) == [2])
  }

  @Test(
    "a comment that only looks like such a clause",
    arguments: [
      "/// Whatever the order.", "let a = \"// What ends it.\"", "/// The lane, and what it is for.", "What()",
    ]
  )
  func noNounClause(_ text: String) {
    #expect(PlainEnglish.nounClauses([file(text)]) == [])
  }

  @Test("a comment that hides its subject")
  func hiddenSubject() {
    let text = "// Nobody waits.\nlet told = 1\nf(\"tell\")  /* It is told. */\n// retold\n/// Tells of each commit."
    #expect(lines(PlainEnglish.hiddenSubjects([file(text)])) == [1, 3, 5])
    #expect(PlainEnglish.hiddenSubjects([file("nobody", "a.md")]) == [])
  }

  @Test("comments that refer back, in more lines than the budget")
  func backReference() {
    let text = "// The size, and that of a row.\n/// Those\n/// of 1.\n// Meanwhile it waits.\nlet a = 1  // that"
    #expect(lines(PlainEnglish.backReferences([file(text)], budget: 399)) == [1, 4])
    #expect(PlainEnglish.backReferences([file(text)], budget: 400) == [])
    #expect(PlainEnglish.backReferences([file("let those = \"that of\"\n// a")], budget: 0) == [])
  }

  private let layers = Layers(
    layers: [("C", 0), ("A", 1), ("B", 2), ("yapbench", 8)].map { TargetLayer(target: $0, layer: $1, line: 1) },
    manifest: [
      ManifestTarget(name: "C", line: 1, dependencies: []),
      ManifestTarget(name: "A", line: 2, dependencies: ["C"]),
      ManifestTarget(name: "B", line: 3, dependencies: ["A", "Y"]),
      ManifestTarget(name: "yapbench", line: 4, dependencies: ["B"]),
      ManifestTarget(name: "Shared", line: 5, dependencies: ["A"], isOfTests: true),
      // A test target that starts the program depends on it.
      ManifestTarget(name: "BTests", line: 6, dependencies: ["B", "Shared", "yapbench", "Z"], isOfTests: true),
    ]
  )

  private func wrongImports(_ text: String, in target: String) -> [String] {
    let folder = target.hasSuffix("Tests") ? "Tests" : "Sources"
    return layers.wrongImports([file(text, "\(folder)/\(target)/A.swift")]).map(\.what)
  }

  @Test("an import that is not declared, or that is not of the layer")
  func wrongImport() {
    let end = ": Package.swift does not declare it"
    #expect(wrongImports("internal import C\npublic import struct Synchronization.Atomic", in: "A") == [])
    #expect(wrongImports("import B // up", in: "A") == ["A may not import B" + end])
    #expect(wrongImports("internal import Foundation", in: "A") == ["A may not import Foundation" + end])
    #expect(wrongImports("internal import Foundation\nimport Y\n// import Z", in: "B") == [])
    #expect(wrongImports("import C", in: "B") == ["B may not import C" + end])
    #expect(wrongImports("@preconcurrency public import func Zzz.f", in: "B") == ["B may not import Zzz" + end])
    #expect(wrongImports("@testable import B\nimport Testing\nimport Shared", in: "BTests") == [])
    #expect(wrongImports("@testable import A", in: "BTests") == ["BTests may not import A" + end])
    #expect(wrongImports("import Foundation\nimport B", in: "Shared") == ["Shared may not import B" + end])
    #expect(wrongImports("", in: "D") == ["Package.swift declares no target D"])
  }

  @Test("a target without a layer, and a dependency that does not lead to a lower layer")
  func wrongTargets() {
    #expect(layers.wrongTargets() == [])
    let faults = [
      ManifestTarget(name: "B", line: 1, dependencies: ["B", "Shared"]),
      ManifestTarget(name: "A", line: 2, dependencies: ["A", "B"]),
      ManifestTarget(name: "D", line: 3, dependencies: []),
      ManifestTarget(name: "Shared", line: 4, dependencies: [], isOfTests: true),
      ManifestTarget(name: "ATests", line: 5, dependencies: ["A", "B"], isOfTests: true),
      ManifestTarget(name: "DTests", line: 6, dependencies: ["D"], isOfTests: true),
      ManifestTarget(name: "yapbench", line: 7, dependencies: ["B"]),
      ManifestTarget(name: "B", line: 8, dependencies: ["A", "GRDB", "ArgumentParser"]),
      ManifestTarget(name: "YapEngine", line: 9, dependencies: ["CPlatform", "A"]),
    ]
    let engine = TargetLayer(target: "YapEngine", layer: 2, line: 1)
    #expect(
      Layers(layers: layers.layers + [engine], manifest: faults).wrongTargets().map(\.description) == [
        "ARCHITECTURE.md:1: Package.swift declares no target C",
        "Package.swift:1: B, in layer 2, may not depend on B, in layer 2",
        "Package.swift:1: B, in layer 2, may not depend on Shared, for tests",
        "Package.swift:2: A, in layer 1, may not depend on B, in layer 2",
        "Package.swift:3: ARCHITECTURE.md has no layer of D",
        "Package.swift:5: ATests may not depend on B",
        "Package.swift:6: ARCHITECTURE.md has no layer of the target that DTests tests",
        "Package.swift:8: B may not depend on GRDB, whatever their layers",
        "Package.swift:8: B may not depend on ArgumentParser, whatever their layers",
        "Package.swift:9: YapEngine may not depend on A, whatever their layers",
      ]
    )
  }

  @Test("the layers are read from the table")
  func layersOfTable() {
    let text = "| layer | target |\n| ---: | --- |\n| 0 | `A`, `B` | of `x` |\n| 12 | `C` | c |\n| 3 | none | d |"
    let found = TargetLayer.all(in: SourceFile(path: "ARCHITECTURE.md", text: text))
    #expect(
      found.map(\.target) == ["A", "B", "C"] && found.map(\.layer) == [0, 0, 12] && found.map(\.line) == [3, 3, 4]
    )
  }

  @Test(
    "a banned word",
    arguments: [
      "try! f()", "Thread.sleep(forTimeInterval: 1)", "try await Task.sleep(for: x)", "usleep(1)", "sleep(1)",
      "print(1)", "{ print(1) }", "sleep( 1)", "Swift.print(1)", "Glibc.sleep(1)", "debugPrint(1)", "// TODO: later",
      "// TODO later", "x() // TODO",
      "\"FIXME\"", "// XXX", "(path as NSString).deletingLastPathComponent",
    ]
  )
  func bannedWord(_ text: String) {
    #expect(lines(BannedWords.bannedWords([file("\n" + text)])) == [2])
  }

  @Test(
    "text that only looks like a banned word",
    arguments: [
      "// try! it", "\"print(\"", "sleep(until: deadline)", "MonotonicClock.sleep(until: 5)", "reprint(1)",
      "sheet.print(1)", "clock_nanosleep(1)", "// MASTODON", "let kTODOS = 1", "try f()",
      "url.deletingLastPathComponent()", "// deletingLastPathComponent",
    ]
  )
  func goodWord(_ text: String) {
    #expect(BannedWords.bannedWords([file(text)]) == [])
  }

  @Test("tests may print and have to-dos, but not sleep; the command may print; the engine is public")
  func bannedWordsByFolder() {
    let published = "@inlinable public func f() {}"
    #expect(lines(BannedWords.bannedWords([file(published, "Sources/BenchRunner/A.swift")])) == [1])
    #expect(BannedWords.bannedWords([file(published, "Sources/YapEngine/A.swift")]) == [])
    let text = "print(1) // TODO\ntry! f()\nThread.sleep(forTimeInterval: 1)"
    #expect(lines(BannedWords.bannedWords([file(text, "Tests/ATests/A.swift")])) == [2, 3])
    let pause = "MonotonicClock.sleep(until: 5)"
    #expect(lines(BannedWords.bannedWords([file(pause, "Tests/ATests/A.swift")])) == [1])
    #expect(BannedWords.bannedWords([file(pause, "Tests/TestSupport/Watchdog.swift")]) == [])
    #expect(BannedWords.bannedWords([file("print(1)", "Sources/YapBenchCommand/A.swift")]) == [])
    #expect(lines(BannedWords.bannedWords([file("usleep(1);", "Sources/CPlatform/A.c")])) == [1])
  }

  @Test(
    "a second way to start a process",
    arguments: [
      "let process = Process()", "Foundation.Process()", "posix_spawnp(&child)", "Glibc.posix_spawn(&child)",
      "waitpid(child, &status, 0)", "if (fork() == 0)", "execve(path, words, NULL);",
    ]
  )
  func processStart(_ text: String) {
    #expect(lines(BannedWords.bannedWords([file(text, "Sources/A/A.swift")])) == [1])
    #expect(BannedWords.bannedWords([file(text, "Tests/ATests/A.swift")]) == [])
    #expect(BannedWords.bannedWords([file("let process = EngineProcess()", "Sources/A/A.swift")]) == [])
  }

  @Test("a trap without an explanation")
  func trap() {
    let text = """
      fatalError("\\(error)")
      // It cannot go on.
      fatalError("\\(error)")
      fatalError("the lane has no owner")
      fatalError() // unreachable
      """
    #expect(lines(BannedWords.unexplainedTraps([file(text)])) == [1])
  }

  @Test("an unchecked promise without a reason")
  func promise() {
    let text = """
      class A: @unchecked Sendable {
        // Set once.
        nonisolated(unsafe) let a: Int

        nonisolated(unsafe) let b: Int
        // `@unchecked Sendable` in a comment is none.
        let c = "nonisolated(unsafe)"
      """
    #expect(lines(BannedWords.unexplainedPromises([file(text)])) == [1, 5])
  }

  @Test(
    "a conversion that traps",
    arguments: [
      "Int(x.rounded())", "UInt64(time * 1e9)", "Int(Double(a) / 3)", "0...Int(high / step(0.5))", "Int(pow(10, n))",
      "\"width \\(Int(log10(n)))\"", "Int(\n  ratio\n)\nlet ratio: Double", "func f(_ share: Double) { Int(share) }",
      "let bytes = Double(count)\nInt64(bytes)", "var all: [Double]\nInt(all[0])", "Int(0x1p3)", "UInt(x.squareRoot())",
    ]
  )
  func trappingConversion(_ text: String) {
    #expect(TrappingConversions.trappingConversions([file(text)]).count == 1)
    #expect(TrappingConversions.trappingConversions([file(text, "Tests/A/A.swift")]) == [])
    #expect(TrappingConversions.trappingConversions([file(text, TrappingConversions.checked)]) == [])
  }

  @Test(
    "text that only looks like a conversion that traps",
    arguments: [
      "Int(saturating: x.rounded())", "Int(exactly: 1.5)", "UInt64(clamping: count)", "Int(count)", "Int(0x1e5)",
      "// Int(1.5)", "json.Int(1.5)", "PrintInt(1.5)", "Int(text, radix: 16)", "Int()", "typealias A = Int",
      "func f(_ value: Double) {}\nfunc g(_ value: UInt32) { Int(value) }",
    ]
  )
  func goodConversion(_ text: String) {
    #expect(TrappingConversions.trappingConversions([file(text)]) == [])
  }

  @Test("a meaningless name")
  func emptyName() {
    let text =
      "final class LaneManager {}\nstruct StringUtils {}\nextension FileManager {}\nlet x = FileManager.default"
    #expect(lines(BannedWords.emptyNames([file(text)])) == [1, 2])
    #expect(lines(BannedWords.emptyNames([file("", "Sources/A/LaneHelper.swift")])) == [1])
  }

  @Test("a broken link")
  func link() {
    let text = """
      [ok](guide.md) [also](../README.md#top) ![picture](<img/a b.svg>) [web](https://example.org/x.md) [here](#there)
      [gone](gone.md) ![gone](img/gone.svg "title") `[code](code.md)`
      ```sh
      [fenced](fenced.md)
      ```
      [root](/README.md) [encoded](a%20b.md) [mail](mailto:a@example.org) [brackets](a(b).md)
      [named]: gone.md
      [out](../../out.md)
      """
    let there: Set = ["Documentation/guide.md", "README.md", "Documentation/img/a b.svg", "Documentation/a(b).md"]
    let found = Links.brokenLinks([file(text, "Documentation/a.md")]) { there.contains($0) }
    #expect(
      found.map(\.description) == [
        "Documentation/a.md:2: the link gone.md leads nowhere",
        "Documentation/a.md:2: the link img/gone.svg leads nowhere",
        "Documentation/a.md:6: the link a%20b.md leads nowhere",
        "Documentation/a.md:7: the link gone.md leads nowhere",
        "Documentation/a.md:8: the link ../../out.md leads out of the repository",
      ]
    )
  }

  @Test("a sample of the documentation that no test contains")
  func untestedSample() {
    let page = file("# A\n```swift\nimport X\nlet a = 1\n\nlet b = 2\n```\n```sh\nls\n```\n", "README.md")
    let path = DocumentedCode.tests + "/A.swift"
    #expect(DocumentedCode.samples(in: page) == [.init(line: 2, code: ["let a = 1", "let b = 2"])])
    #expect(DocumentedCode.samplesWithoutTest([page, file("  let a = 1\n  let b = 2\n", path)]) == [])
    #expect(lines(DocumentedCode.samplesWithoutTest([page, file("let a = 1\nlet c = 1\nlet b = 2", path)])) == [2])
    #expect(lines(DocumentedCode.samplesWithoutTest([page, file("let a = 1\nlet b = 2", "Tests/A.swift")])) == [2])
  }

  @Test("a path with a space")
  func space() {
    #expect(Places.pathsWithSpaces(["a/b.swift", "a b/c.swift"]).map(\.path) == ["a b/c.swift"])
  }

  @Test("a path of one machine")
  func machinePlace() {
    let home = "/" + "home/"
    let text = "cd \(home)me\nx=\(home)me\n~\(home)x https://example.org\(home)x\n/" + "tmp/wt-1\n/tmp/x"
    #expect(lines(Places.machinePlaces([file(text, "a.md")])) == [1, 2, 4])
  }

  @Test("a rule whose test does not exist")
  func ruleWithoutTest() {
    let tests = file("@Suite struct ATests {\n  func `it works`() {}\n}", "Tests/T/ATests.swift")
    let table = { (cell: String) in file("| rule |\n| 1 | it | \(cell) |", RuleTable.path) }
    #expect(RuleTable.missingTests(table("ATests › it works; … › it works (in part); —"), in: [tests]) == [])
    #expect(lines(RuleTable.missingTests(table("ATests › it works; … › it fails"), in: [tests])) == [2])
    #expect(lines(RuleTable.missingTests(table("BTests › it works"), in: [tests])) == [2])
  }
}
