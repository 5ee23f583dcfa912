internal import Foundation
internal import HarnessPrimitives

/// Builds revisions of a checkout, and keeps the executables by commit.
///
/// All revisions are built in one kept working tree beside the executables, so a build compiles only the differences
/// from the previous revision. If two processes build revisions, the second process waits until the first one has built
/// its revision.
package struct RevisionBuild: Sendable {
  /// The checkout that resolves the names of revisions.
  package let checkout: String
  /// The folder of the kept executables.
  package let cache: String

  /// - Parameter cache: nil selects `builds` in `UserFolder.cache`.
  package init(checkout: String, cache: String? = nil) {
    self.checkout = checkout
    self.cache = cache ?? UserFolder.cache.path + "/builds"
  }

  private var git: Git { Git(in: checkout) }

  /// Creates the folder of the kept executables, if it is missing.
  /// - Throws: `ComparisonError` if it cannot be created, or if files cannot be created in it.
  package func prepareCache() throws {
    do { try WritableFolder.prepare(cache) } catch {
      throw ComparisonError(
        .output,
        "\(cache): the folder of built revisions cannot be used (\(error)); \(UserFolder.cache.remedy)"
      )
    }
  }

  /// Returns the commit that a revision names.
  /// - Throws: `ComparisonError` if there is none, or if git does not answer, with git's reason.
  package func commit(of revision: String) throws -> String {
    do { return try git.output(["rev-parse", "--verify", "--quiet", "\(revision)^{commit}"]) } catch {
      throw ComparisonError(.missing, "\(revision): \(explanation(of: error))")
    }
  }

  /// Returns the reason why git has not found a revision, and the remedy.
  private func explanation(of problem: GitProblem) -> String {
    switch problem {
    case .notInRepository:
      "there is no such file, and no revision, because the folder \(checkout) is in no checkout; run the command in a "
        + "checkout of yapbench, or name executables"
    case .failed(_, ""):
      git.isShallow
        ? "expected a file, or a revision of the checkout \(checkout), which is a shallow clone; git fetch --unshallow "
          + "--tags fetches the other revisions"
        : "expected a file, or a revision of the checkout \(checkout); git log --oneline lists revisions"
    case .failed, .notStarted: problem.description
    }
  }

  /// Returns the commits of a range along first parents, the oldest first, both ends included.
  /// - Throws: `ComparisonError` if both are the same commit, or the bad end does not descend from the good one.
  package func commits(from good: String, to bad: String) throws -> [String] {
    let (first, last) = (try commit(of: good), try commit(of: bad))
    guard first != last else {
      throw ComparisonError(.usage, "\(good) and \(bad) are the same commit; expected an older and a newer one")
    }
    let options = ["--reverse", "--first-parent", "--ancestry-path"]
    let commits: [String]
    do {
      commits = try git.output(["rev-list"] + options + ["\(first)..\(last)"]).split(separator: "\n").map(String.init)
    } catch { throw ComparisonError(.missing, "\(good)..\(bad): \(error)") }
    guard commits.last == last else {
      let shallow = "; this is a shallow clone, so git fetch --unshallow may show that it does"
      throw ComparisonError(
        .usage,
        "\(bad) does not descend from \(good); expected the good commit first, then the bad one"
          + (git.isShallow ? shallow : "")
      )
    }
    return [first] + commits
  }

  /// Returns the first line of a commit's message.
  package func subject(of commit: String) throws -> String {
    try git.output(["log", "-1", "--no-show-signature", "--format=%s", commit])
  }

  /// Returns the executable of a commit, and builds it if necessary.
  /// - Parameter onProgress: receives a line at the beginning of each long step.
  /// - Throws: `RevisionNotBuilt` if the build fails; `ComparisonError` without a Swift toolchain, and if the folder of
  ///   the executables cannot be used.
  package func executable(of commit: String, onProgress: (String) -> Void) throws -> String {
    try prepareCache()
    let folder = try folderOfCompiler()
    let executable = "\(folder)/\(commit)/yapbench"
    if FileManager.default.isExecutableFile(atPath: executable) { return executable }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let lock = try FileLock(at: "\(folder)/source.lock")
    return try withExtendedLifetime(lock) {
      if !FileManager.default.isExecutableFile(atPath: executable) {
        let product = try build(commit, in: "\(folder)/source", onProgress)
        try keep(product, in: "\(folder)/\(commit)")
      }
      return executable
    }
  }

  /// Returns the folder of the executables that the current compiler has built. Another compiler builds other programs.
  func folderOfCompiler() throws -> String {
    let end = try ChildProcess.run("swift", ["--version"])
    guard end.exitCode == 0, let version = end.output.firstMatch(of: /swift-([0-9A-Za-z.-]+)/) else {
      throw ComparisonError(.missing, "swift --version: \(end.lastLines); expected a Swift toolchain")
    }
    return "\(cache)/swift-\(version.1)"
  }

  /// Returns the path of the built program in the working tree.
  private func build(_ commit: String, in tree: String, _ onProgress: (String) -> Void) throws -> String {
    onProgress("checking out \(commit.prefix(12))")
    try checkOut(commit, in: tree)
    let objects = "\(tree)/.build"
    let isIncremental = FileManager.default.fileExists(atPath: objects)
    onProgress("building \(commit.prefix(12)) (some minutes)")
    let command = ["build", "--package-path", tree, "-c", "release", "--product", "yapbench"]
    var end = try ChildProcess.run("swift", command)
    // The objects of earlier builds may be damaged, so a build that failed is repeated without them. An exit code above
    // 128 means that a signal ended the build.
    if isIncremental, (1...128).contains(end.exitCode) {
      onProgress("building \(commit.prefix(12)) again from scratch (some minutes)")
      try FileManager.default.removeItem(atPath: objects)
      end = try ChildProcess.run("swift", command)
    }
    let product = "\(objects)/release/yapbench"
    guard end.exitCode == 0, FileManager.default.isExecutableFile(atPath: product) else {
      throw RevisionNotBuilt(commit: commit, words: end.lastLines)
    }
    return product
  }

  /// Makes a working tree equal to a commit, except for its build folder and an untracked `Package.resolved`. The tree
  /// has an index of its own, so nothing changes in the checkout.
  private func checkOut(_ commit: String, in tree: String) throws {
    try FileManager.default.createDirectory(atPath: tree, withIntermediateDirectories: true)
    let repository = try git.output(["rev-parse", "--absolute-git-dir"])
    // A process that was killed may have left its lock.
    try? FileManager.default.removeItem(atPath: "\(tree).index.lock")
    // The checkout may be sparse, and its file watcher watches another tree.
    let settings = ["-c", "core.sparseCheckout=false", "-c", "core.fsmonitor=false"]
    let options = settings + ["--git-dir", repository, "--work-tree", tree]
    for arguments in [
      ["read-tree", "--reset", "-u", commit],
      ["clean", "-ffdq", "-e", ".build", "-e", "Package.resolved"],
    ] {
      do {
        _ = try Git(in: tree).output(options + arguments, variables: ["GIT_INDEX_FILE": "\(tree).index"])
      } catch { throw RevisionNotBuilt(commit: commit, words: error.description) }
    }
  }

  /// Copies a built program into a folder, under another name first, so that an incomplete copy is never found.
  private func keep(_ product: String, in folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let partial = "\(folder)/.partial-yapbench"
    try? FileManager.default.removeItem(atPath: partial)
    try FileManager.default.copyItem(atPath: product, toPath: partial)
    try FileManager.default.moveItem(atPath: partial, toPath: "\(folder)/yapbench")
  }
}

/// The error for a revision that cannot be checked out or built.
package struct RevisionNotBuilt: Error, Sendable, CustomStringConvertible {
  package let commit: String
  /// The last lines of the output of the build, or of git.
  package let words: String

  package var description: String { "\(commit.prefix(12)) does not build: \(words)" }
}
