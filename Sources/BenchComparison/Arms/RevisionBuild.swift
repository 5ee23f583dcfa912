internal import Foundation
internal import SystemFiles

/// Builds revisions of a checkout, and keeps the executables by commit.
///
/// A revision is built in a temporary worktree beside the kept executables. If two processes need the same revision,
/// the second waits until the first has built it.
public struct RevisionBuild: Sendable {
  /// The checkout that resolves the names of revisions.
  public let checkout: String
  /// The folder of the kept executables.
  public let cache: String

  /// - Parameter cache: `$XDG_CACHE_HOME/yapbench`, or `~/.cache/yapbench`, where nil.
  public init(checkout: String, cache: String? = nil) {
    self.checkout = checkout
    let environment = ProcessInfo.processInfo.environment
    let home = environment["XDG_CACHE_HOME"].flatMap { $0.isEmpty ? nil : $0 }
    self.cache = cache ?? (home ?? NSHomeDirectory() + "/.cache") + "/yapbench/builds"
  }

  /// Returns the commit that a revision names.
  public func commit(of revision: String) throws -> String {
    let end = try ChildProcess.run("git", ["-C", checkout, "rev-parse", "--verify", "--quiet", "\(revision)^{commit}"])
    let commit = end.output.trimmingCharacters(in: .whitespacesAndNewlines)
    guard end.exitCode == 0, !commit.isEmpty else {
      throw ComparisonError(
        .missing,
        "\(revision): this is no file, and no revision of the checkout \(checkout); to see some: git log --oneline"
      )
    }
    return commit
  }

  /// Returns the commits of a range along first parents, the oldest first, both ends included.
  /// - Throws: `ComparisonError` if both are the same commit, or the bad end does not descend from the good one.
  public func commits(from good: String, to bad: String) throws -> [String] {
    let (first, last) = (try commit(of: good), try commit(of: bad))
    guard first != last else {
      throw ComparisonError(.usage, "\(good) and \(bad) are the same commit; expected an older and a newer one")
    }
    let end = try ChildProcess.run(
      "git",
      ["-C", checkout, "rev-list", "--reverse", "--first-parent", "--ancestry-path", "\(first)..\(last)"]
    )
    let commits = end.output.split(separator: "\n").map(String.init)
    guard end.exitCode == 0, commits.last == last else {
      throw ComparisonError(
        .usage,
        "\(bad) does not descend from \(good); expected the good commit first, then the bad one"
      )
    }
    return [first] + commits
  }

  /// Returns the first line of a commit's message.
  public func subject(of commit: String) throws -> String {
    try ChildProcess.run("git", ["-C", checkout, "log", "-1", "--format=%s", commit]).output
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Returns the executable of a commit, and builds it if necessary.
  ///
  /// - Parameter onProgress: receives a line at the beginning of each long step.
  /// - Throws: `RevisionNotBuilt` if the build fails.
  public func executable(of commit: String, onProgress: (String) -> Void) throws -> String {
    let cache = try folderOfCompiler()
    let executable = "\(cache)/\(commit)/yapbench"
    if FileManager.default.isExecutableFile(atPath: executable) { return executable }
    try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: true)
    let lock = try FileLock(at: "\(cache)/\(commit).lock")
    return try withExtendedLifetime(lock) {
      if !FileManager.default.isExecutableFile(atPath: executable) { try build(commit, in: cache, onProgress) }
      return executable
    }
  }

  /// Returns the folder of the executables that the current compiler has built: another one builds other programs.
  func folderOfCompiler() throws -> String {
    let end = try ChildProcess.run("swift", ["--version"])
    guard end.exitCode == 0, let version = end.output.firstMatch(of: /swift-([0-9A-Za-z.-]+)/) else {
      throw ComparisonError(.missing, "swift --version: \(end.lastLines); expected a Swift toolchain")
    }
    return "\(cache)/swift-\(version.1)"
  }

  private func build(_ commit: String, in cache: String, _ onProgress: (String) -> Void) throws {
    let worktree = "\(cache)/\(commit)-worktree"
    try removeWorktree(worktree)
    onProgress("checking out \(commit.prefix(12))")
    let added = try ChildProcess.run(
      "git",
      ["-C", checkout, "worktree", "add", "--detach", "--force", worktree, commit]
    )
    guard added.exitCode == 0 else { throw RevisionNotBuilt(commit: commit, words: added.lastLines) }
    defer { try? removeWorktree(worktree) }
    onProgress("building \(commit.prefix(12)) (some minutes)")
    let built = try ChildProcess.run(
      "swift",
      ["build", "--package-path", worktree, "-c", "release", "--product", "yapbench"]
    )
    let product = "\(worktree)/.build/release/yapbench"
    guard built.exitCode == 0, FileManager.default.isExecutableFile(atPath: product) else {
      throw RevisionNotBuilt(commit: commit, words: built.lastLines)
    }
    // Copied under another name and renamed, so that an incomplete copy is never found.
    let folder = "\(cache)/\(commit)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let partial = "\(folder)/.partial-yapbench"
    try? FileManager.default.removeItem(atPath: partial)
    try FileManager.default.copyItem(atPath: product, toPath: partial)
    try FileManager.default.moveItem(atPath: partial, toPath: "\(folder)/yapbench")
  }

  private func removeWorktree(_ worktree: String) throws {
    guard FileManager.default.fileExists(atPath: worktree) else { return }
    _ = try ChildProcess.run("git", ["-C", checkout, "worktree", "remove", "--force", worktree])
    if FileManager.default.fileExists(atPath: worktree) { try FileManager.default.removeItem(atPath: worktree) }
    _ = try ChildProcess.run("git", ["-C", checkout, "worktree", "prune"])
  }
}

/// A revision that does not build.
public struct RevisionNotBuilt: Error, Sendable, CustomStringConvertible {
  public let commit: String
  /// The last lines of the build.
  public let words: String

  public var description: String { "\(commit.prefix(12)) does not build: \(words)" }
}
