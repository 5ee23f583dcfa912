import Foundation
import Glibc
import TestSupport
import Testing

@testable import HarnessPrimitives

@Suite("Questions to git") struct GitTests {
  private let folder: TemporaryFolder
  private let git: Git

  /// Creates a repository of two commits.
  init() throws {
    folder = try TemporaryFolder()
    let path = folder.path + "/repository"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    git = Git(in: path)
    _ = try git.output(["init", "--quiet"])
    try commit("one")
    try commit("two")
  }

  private func commit(_ message: String) throws {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    _ = try git.output(identity + ["commit", "--quiet", "--allow-empty", "--message", message])
  }

  // MARK: Environment

  @Test func `the variables that bind git to a repository are those of the installed git`() throws {
    let names = try git.output(["rev-parse", "--local-env-vars"]).split(separator: "\n").map(String.init)
    #expect(names.count > 10)
    // The configuration of `git -c` applies to every repository.
    let configuration: Set = ["GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT"]
    #expect(Git.repositoryVariables.isSuperset(of: Set(names).subtracting(configuration)))
    #expect(Git.repositoryVariables.isDisjoint(with: configuration))
  }

  @Test(arguments: ["GIT_TRACE", "GIT_TRACE2", "GIT_TRACE_SETUP", "GIT_TRACE2_EVENT"])
  func `a trace is not part of an answer`(variable: String) throws {
    let answer = try git.output(["log", "-1", "--format=%s"], variables: [variable: "1"])
    #expect(answer == "two")
  }

  @Test func `a hint on standard error is not part of an answer`() throws {
    try folder.write("", to: "repository/.git/info/grafts")
    let commits = try git.output(["rev-list", "HEAD"]).split(separator: "\n")
    #expect(commits.count == 2 && commits.allSatisfy { $0.count == 40 })
  }

  // MARK: Failures

  private func problem(_ arguments: [String], in folder: String) -> GitProblem? {
    do throws(GitProblem) {
      _ = try Git(in: folder).output(arguments)
      return nil
    } catch { return error }
  }

  @Test func `a folder outside of every repository is a failure of its own`() {
    #expect(problem(["status"], in: folder.path) == .notInRepository)
    #expect(ProgramSource(ofCheckout: folder.path) == .unknown(reason: "not in a checkout"))
  }

  @Test func `a linked worktree without its repository has git's reason`() throws {
    try folder.write("gitdir: /none/worktrees/a\n", to: "worktree/.git")
    let reason = try #require(ProgramSource(ofCheckout: folder.path + "/worktree").reason)
    #expect(reason == "git: not a git repository: /none/worktrees/a")
  }

  @Test func `a repository without a commit and an unknown revision are failures`() throws {
    try FileManager.default.createDirectory(atPath: folder.path + "/empty", withIntermediateDirectories: true)
    _ = try Git(in: folder.path + "/empty").output(["init", "--quiet"])
    #expect(ProgramSource(ofCheckout: folder.path + "/empty").reason == "the checkout has no commit")
    #expect(problem(["rev-parse", "--verify", "--quiet", "none"], in: git.folder) == .failed(exitCode: 1, reason: ""))
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"))
  func `a checkout of another owner has git's reason and its remedy`() throws {
    let path = git.folder
    #expect(chown(path, 65_534, 65_534) == 0 && chown(path + "/.git", 65_534, 65_534) == 0)
    let reason = try #require(ProgramSource(ofCheckout: path).reason)
    #expect(reason.hasPrefix("git: detected dubious ownership in repository at '\(path)'; "))
    #expect(reason.hasSuffix(": git config --global --add safe.directory \(path)"))
  }

  @Test(arguments: [
    ("fatal: one\n", "git: one"), ("hint: a\nhint: b\nfatal: one\nhint: c\n", "git: one"),
    ("12:00 git.c:460 trace: built-in: git status\nfatal: one\n", "git: one"),
    ("warning: a\nerror: one\nfatal: two\n\n\tfix it\n", "git: one; two; fix it"),
    ("", "git failed with exit code 128"),
    ("hint: a\n", "git failed with exit code 128"),
    ("fatal: not a git repository (or any of the parent directories): .git\n", "not in a checkout"),
    ("fatal: not a git repository (or any parent up to mount point /)\nStopping at\n", "not in a checkout"),
  ])
  func `the reason of a failure is git's own, without hints and traces`(errors: String, text: String) {
    #expect(GitProblem(exitCode: 128, errors: errors).description == text)
  }

  @Test func `git that is missing is named`() {
    let problem = GitProblem.notStarted(ProgramNotStarted(program: "git", .system(ENOENT)))
    #expect(problem.description.hasPrefix("git: it could not be run (No such file or directory); install it"))
  }

  // MARK: State

  @Test func `the state of a checkout is its commit and whether tracked files differ from it`() throws {
    let commit = try git.output(["rev-parse", "HEAD"])
    try folder.write("a", to: "repository/a")
    #expect(ProgramSource(ofCheckout: git.folder) == .commit(commit, hasUncommittedChanges: false))
    _ = try git.output(["add", "a"])
    #expect(ProgramSource(ofCheckout: git.folder) == .commit(commit, hasUncommittedChanges: true))
  }

  @Test func `a shallow clone is recognized`() throws {
    let clone = folder.path + "/clone"
    _ = try git.output(["clone", "--quiet", "--depth", "1", "file://" + git.folder, clone])
    #expect(Git(in: clone).isShallow && !git.isShallow)
  }
}
