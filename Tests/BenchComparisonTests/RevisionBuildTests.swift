import Foundation
import Glibc
import HarnessPrimitives
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
    let identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    _ = try Git(in: builds.checkout).output(identity + arguments)
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
    #expect(try Git(in: builds.checkout).output(["status", "--porcelain"]) == "")
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

  @Test func `a revision of a sparse checkout is built whole`() throws {
    try git("config", "core.sparseCheckout", "true")
    try folder.write("/Package.swift\n", to: "checkout/.git/info/sparse-checkout")
    let executable = try builds.executable(of: builds.commit(of: "HEAD~2")) { _ in }
    #expect(try ChildProcess.run(executable, []).output == "1\n")
  }

  // MARK: Names of revisions

  private func failure(_ builds: RevisionBuild, of revision: String = "HEAD~1") -> ComparisonError? {
    do {
      _ = try builds.commit(of: revision)
      return nil
    } catch { return error as? ComparisonError }
  }

  @Test(arguments: ["no-such-branch", "HEAD~100", "HEAD^2", "", "-x", "--git-dir", "HEAD:Package.swift"])
  func `an unknown revision is missing input, with the remedy`(revision: String) throws {
    let error = try #require(failure(builds, of: revision))
    #expect(error.kind == .missing)
    #expect(error.description.hasPrefix("\(revision): expected a file, or a revision of the checkout"))
    #expect(error.description.hasSuffix("git log --oneline lists revisions"))
  }

  @Test func `a shallow clone is stated, with the command that fetches the rest`() throws {
    let clone = folder.path + "/clone"
    try git("clone", "--quiet", "--depth", "2", "file://" + builds.checkout, clone)
    let shallow = RevisionBuild(checkout: clone, cache: builds.cache)
    #expect(try shallow.commit(of: "HEAD~1").count == 40)
    #expect(failure(shallow, of: "HEAD~2")?.description.contains("git fetch --unshallow") == true)
    let reversed = #expect(throws: ComparisonError.self) { try shallow.commits(from: "HEAD", to: "HEAD~1") }
    #expect(reversed?.description.contains("git fetch --unshallow") == true)
  }

  @Test func `a folder outside of a checkout is stated`() throws {
    let error = try #require(failure(RevisionBuild(checkout: folder.path, cache: builds.cache)))
    #expect(error.kind == .missing && error.description.contains("is in no checkout"))
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"))
  func `a checkout of another owner has git's reason and its remedy`() throws {
    for path in ["", "/.git"] { #expect(chown(builds.checkout + path, 65_534, 65_534) == 0) }
    let error = try #require(failure(builds))
    #expect(error.description.contains("dubious ownership"))
    #expect(error.description.hasSuffix("git config --global --add safe.directory \(builds.checkout)"))
  }

  @Test func `git's hints are not taken for commits`() throws {
    // git prints a hint about this file.
    try folder.write("", to: "checkout/.git/info/grafts")
    let commits = try builds.commits(from: "HEAD~2", to: "HEAD")
    #expect(commits.count == 3 && commits.allSatisfy { $0.count == 40 })
    #expect(try commits.map(builds.subject) == ["one", "two", "three"])
    let error = #expect(throws: ComparisonError.self) { try builds.commits(from: "HEAD", to: "HEAD~1") }
    #expect(error?.kind == .usage && error?.description.contains("shallow") == false)
  }

  @Test(arguments: ["/proc/none", "/dev/null"])
  func `a folder for executables that cannot be used is named before anything is built`(cache: String) throws {
    let builds = RevisionBuild(checkout: builds.checkout, cache: cache)
    let error = #expect(throws: ComparisonError.self) { try builds.executable(of: "HEAD") { _ in } }
    #expect(error?.kind == .output)
    #expect(error?.description.contains("\(cache): ") == true && error?.description.contains("XDG_CACHE_HOME") == true)
  }
}
