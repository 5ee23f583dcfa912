internal import Foundation
internal import Testing

/// Applies the style guide to every file of the repository.
@Suite("The repository is tidy")
struct RepositoryTests {
  private let tree = SourceTree.repository

  private func expectNone(_ findings: [Finding], sourceLocation: SourceLocation = #_sourceLocation) {
    guard !findings.isEmpty else { return }
    let list = findings.map(\.description).joined(separator: "\n")
    Issue.record("\(list)", sourceLocation: sourceLocation)
  }

  @Test("the tree is complete")
  func wholeTree() {
    let paths = Set(tree.paths)
    #expect(paths.isSuperset(of: ["Package.swift", ".ci/run", "Sources", "Tests/TidyTests/RepositoryTests.swift"]))
    #expect(tree.files(in: .swift).count > 100)
    #expect(tree.files(in: .c).contains { $0.isIn("Benchmarks") })
    #expect(tree.files(in: .shell).contains { $0.path == ".ci/run" })
    #expect(!paths.contains { $0.hasPrefix(".git/") || $0.hasPrefix(".build") })
  }

  @Test("no file is longer than 400 lines, or 500 for a program of one file")
  func files() { expectNone(Limits.longFiles(tree.sources)) }

  @Test("every brace is matched, so that functions can be measured")
  func braces() { expectNone(Limits.loneBraces(tree.files(in: .swift) + tree.files(in: .c))) }

  @Test("no function is longer than 70 lines")
  func functions() { expectNone(Limits.longFunctions(tree.sources)) }

  @Test("no function has more than two parameters without a label")
  func unlabelledParameters() { expectNone(Limits.unlabelledParameters(tree.sources)) }

  @Test("no comment is a clause in place of a noun")
  func nounClauses() { expectNone(PlainEnglish.nounClauses(tree.sources)) }

  @Test("comments name the thread, connection or caller that acts")
  func hiddenSubjects() { expectNone(PlainEnglish.hiddenSubjects(tree.sources)) }

  @Test("at most two comment lines in 1,000 say \"that of\", \"those of\" or \"meanwhile\"")
  func backReferences() {
    expectNone(PlainEnglish.backReferences(tree.files(in: .swift).filter { $0.isIn("Sources") }, budget: 2))
  }

  @Test("no line is wider than 120 columns")
  func lines() { expectNone(Limits.longLines(tree.sources)) }

  private func layers() throws -> Layers {
    let architecture = try #require(tree.files.first { $0.path == "ARCHITECTURE.md" })
    let manifest = try #require(tree.files.first { $0.path == "Package.swift" })
    return Layers(layers: TargetLayer.all(in: architecture), manifest: ManifestTarget.all(in: manifest))
  }

  @Test("targets import only their dependencies and the system's modules of their layer")
  func imports() throws { try expectNone(layers().wrongImports(tree.files)) }

  @Test("every target has a layer, and dependencies lead to lower layers")
  func targets() throws {
    let layers = try layers()
    #expect(layers.layers.count > 20 && layers.manifest.count > 40)
    expectNone(layers.wrongTargets())
  }

  @Test("banned words are not used")
  func bannedWords() { expectNone(BannedWords.bannedWords(tree.files)) }

  @Test("no conversion from floating point to a whole number traps")
  func conversions() { expectNone(TrappingConversions.trappingConversions(tree.files)) }

  @Test("every trap has an explanation")
  func traps() { expectNone(BannedWords.unexplainedTraps(tree.files)) }

  @Test("every unchecked promise has its reason on the line above")
  func promises() { expectNone(BannedWords.unexplainedPromises(tree.files)) }

  @Test("no name of a type or a file is meaningless")
  func meaninglessNames() { expectNone(BannedWords.emptyNames(tree.files)) }

  @Test("every relative link leads to a file")
  func links() {
    let paths = Set(tree.paths)
    expectNone(Links.brokenLinks(tree.files) { paths.contains($0) })
  }

  @Test("no path has a space")
  func spaces() { expectNone(Places.pathsWithSpaces(tree.paths)) }

  @Test("no file contains a path of one machine")
  func machinePlaces() { expectNone(Places.machinePlaces(tree.files)) }

  @Test("a test runs the code of the documentation")
  func documentedCode() {
    #expect(tree.files.filter { $0.isIn(DocumentedCode.documentation) }.count > 5)
    expectNone(DocumentedCode.samplesWithoutTest(tree.files))
  }

  @Test("the page of names from YapDatabase names public declarations of the engine")
  func names() throws {
    let page = try #require(tree.files.first { $0.path == NamesPage.path })
    #expect(page.lines.flatMap { NamesPage.names(in: $0, isSame: false) }.count > 100)
    expectNone(NamesPage.missingNames(page, in: tree.files))
  }

  @Test("the table of rules names tests that exist")
  func rules() throws {
    let table = try #require(tree.files.first { $0.path == RuleTable.path })
    #expect(table.lines.filter { $0.contains(" › ") }.count > 50)
    expectNone(RuleTable.missingTests(table, in: tree.files))
  }
}
