import Foundation
import TestSupport
import Testing

@testable import BenchComparison

@Suite("Builds of revisions") struct RevisionBuildTests {
  private let folder: TemporaryFolder
  private let builds: RevisionBuild

  /// Creates a checkout of a small program with three commits: two that build, and one that does not.
  init() throws {
    folder = try TemporaryFolder()
    builds = RevisionBuild(checkout: folder.path + "/checkout", cache: folder.path + "/cache")
    try FileManager.default.createDirectory(
      atPath: folder.path + "/checkout/Sources/yapbench",
      withIntermediateDirectories: true
    )
    try folder.write(
      """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(name: "yapbench", targets: [.executableTarget(name: "yapbench")])
      """,
      to: "checkout/Package.swift"
    )
    try folder.write("print(1)\n", to: "checkout/Sources/yapbench/main.swift")
    try git("init", "--quiet")
    try commit("one")
    try folder.write("print(two)\n", to: "checkout/Sources/yapbench/main.swift")
    try folder.write("let two = 2\n", to: "checkout/Sources/yapbench/Two.swift")
    try commit("two")
    try folder.write("print(\n", to: "checkout/Sources/yapbench/main.swift")
    try commit("three")
  }

  private func git(_ arguments: String...) throws {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-C", builds.checkout]
    let end = try ChildProcess.run("git", identity + arguments)
    #expect(end.exitCode == 0, "\(end.output)")
  }

  private func commit(_ message: String) throws {
    try git("add", "--all")
    try git("commit", "--quiet", "--message", message)
  }

  /// The files of a working tree, beside the executables.
  private let files = ["source", "source.index", "source.lock"]

  /// The folder of the compiler.
  private func cache() throws -> String {
    let compilers = try FileManager.default.contentsOfDirectory(atPath: builds.cache)
    #expect(compilers.count == 1 && compilers[0].hasPrefix("swift-"))
    return "\(builds.cache)/\(compilers[0])"
  }

  private func kept() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: cache()).sorted() }

  @Test func `each revision is built once in one working tree, and the checkout stays unchanged`() throws {
    let commits = try ["HEAD~1", "HEAD~2"].map(builds.commit)
    #expect(commits[0].count == 40)
    var steps: [String] = []
    let two = try builds.executable(of: commits[0]) { steps.append($0) }
    #expect(try ChildProcess.run(two, []).output == "2\n")
    #expect(steps.count == 2)
    // The files that a killed checkout leaves. The Swift file would not compile.
    for (name, text) in [("source/Sources/yapbench/Left.swift", "let two: ="), ("source.index.lock", "")] {
      try text.write(toFile: "\(cache())/\(name)", atomically: false, encoding: .utf8)
    }
    let one = try builds.executable(of: commits[1]) { steps.append($0) }
    #expect(try ChildProcess.run(one, []).output == "1\n")
    #expect(steps.count == 4)
    #expect(try builds.executable(of: commits[0]) { steps.append($0) } == two)
    #expect(steps.count == 4)
    #expect(try kept() == commits.sorted() + files)
    let status = try ChildProcess.run("git", ["-C", builds.checkout, "status", "--porcelain"])
    #expect(status.exitCode == 0 && status.output.isEmpty, "\(status.output)")
  }

  @Test func `damaged objects of an earlier build do not break the build of a revision`() throws {
    let commit = try builds.commit(of: "HEAD~2")
    let objects = try builds.folderOfCompiler() + "/source/.build"
    try FileManager.default.createDirectory(atPath: objects, withIntermediateDirectories: true)
    try "no database".write(toFile: objects + "/build.db", atomically: false, encoding: .utf8)
    var steps: [String] = []
    let executable = try builds.executable(of: commit) { steps.append($0) }
    #expect(try ChildProcess.run(executable, []).output == "1\n")
    #expect(steps.count == 3, "\(steps)")
  }

  @Test
  func `a revision that does not build is an error with the compiler's message, and leaves no executable`() throws {
    let commit = try builds.commit(of: "HEAD")
    let error = #expect(throws: RevisionNotBuilt.self) { _ = try builds.executable(of: commit) { _ in } }
    #expect(error?.description.contains("does not build") == true)
    #expect(error?.words.isEmpty == false)
    #expect(try kept() == files)
  }

  @Test func `an unknown revision is missing input`() throws {
    let error = #expect(throws: ComparisonError.self) { _ = try builds.commit(of: "no-such-branch") }
    #expect(error?.kind == .missing)
  }
}
