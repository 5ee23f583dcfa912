import Foundation
import Testing

@testable import BenchComparison

@Suite("Builds of revisions") struct RevisionBuildTests {
  private let folder: TemporaryFolder
  private let builds: RevisionBuild

  /// A checkout of a program of one line, with a commit that builds and one that does not.
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
    try folder.write("print(\n", to: "checkout/Sources/yapbench/main.swift")
    try commit("two")
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

  /// The names in the folder of the compiler.
  private func kept() throws -> [String] {
    let compilers = try FileManager.default.contentsOfDirectory(atPath: builds.cache)
    #expect(compilers.count == 1 && compilers[0].hasPrefix("swift-"))
    return try FileManager.default.contentsOfDirectory(atPath: "\(builds.cache)/\(compilers[0])").sorted()
  }

  @Test func `a revision is built once and kept, and its worktree is removed`() throws {
    let commit = try builds.commit(of: "HEAD~1")
    #expect(commit.count == 40)
    var steps: [String] = []
    let executable = try builds.executable(of: commit) { steps.append($0) }
    #expect(steps.count == 2)
    #expect(try ChildProcess.run(executable, []).output == "1\n")
    #expect(try builds.executable(of: commit) { steps.append($0) } == executable)
    #expect(steps.count == 2)
    #expect(try kept() == [commit, "\(commit).lock"])
  }

  @Test func `a revision that does not build is an error with the compiler's words, and leaves nothing`() throws {
    let commit = try builds.commit(of: "HEAD")
    let error = #expect(throws: RevisionNotBuilt.self) { _ = try builds.executable(of: commit) { _ in } }
    #expect(error?.description.contains("does not build") == true)
    #expect(error?.words.isEmpty == false)
    #expect(try kept() == ["\(commit).lock"])
  }

  @Test func `an unknown revision is missing input`() throws {
    let error = #expect(throws: ComparisonError.self) { _ = try builds.commit(of: "no-such-branch") }
    #expect(error?.kind == .missing)
  }
}
