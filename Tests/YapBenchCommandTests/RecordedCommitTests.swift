import BenchResults
import Foundation
import TestSupport
import Testing

/// The commit that a run records is that of the checkout that contains the program.
@Suite("The recorded commit", .long) struct RecordedCommitTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs a scenario within another repository.
  /// - Parameter prefix: Words before the program, such as variables.
  private func run(_ prefix: String) throws -> (environment: RunEnvironment, report: String, foreign: String) {
    let script = """
      cd "$folder" && git init -q other && cd other || exit 99
      for message in one two
      do git -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m $message || exit 99; done
      git rev-parse HEAD HEAD~1 > ../foreign
      \(prefix) run --smoke --out "$folder/out" "$project/Scenarios/selftest/null.yaml"
      """
    let values = ["folder": folder.path, "project": Project.path, "YAP_RUN_WITH_TEST_POINTS": "1"]
    let end = try RunningProgram().run(script, values)
    #expect(end.code == 0, "\(end.errors)")
    let run = try #require(try folder.names(in: "out").first { $0.hasPrefix("2") })
    func text(_ name: String) throws -> String {
      try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8)
    }
    let result = try RunDocument.decode(Data(text("out/\(run)/run.json").utf8))
    return (result.first.environment, try text("out/\(run)/report.md"), try text("foreign"))
  }

  @Test(arguments: [
    "GIT_DIR=$PWD/.git", "GIT_DIR=.git GIT_INDEX_FILE=.git/next-index-1.lock GIT_PREFIX=",
    "GIT_DIR=$PWD/.git GIT_WORK_TREE=$PWD", "GIT_INDEX_FILE=/none", "GIT_WORK_TREE=/",
    "GIT_DIR=. GIT_QUARANTINE_PATH=/none",
    "GIT_OBJECT_DIRECTORY=/none", "GIT_COMMON_DIR=$PWD/.git", "GIT_TRACE=1 GIT_TRACE2=1",
  ])
  func `variables that git sets for hooks do not select another repository`(variables: String) throws {
    let plain = try RecordedCommitTests().run("\"$program\"").environment
    let (environment, _, foreign) = try run("\(variables) \"$program\"")
    #expect(environment.commit == plain.commit)
    #expect(environment.hasUncommittedChanges == plain.hasUncommittedChanges)
    #expect(environment.commit.map { foreign.contains($0) } != true)
  }

  @Test func `a rebase that runs the program records the program's own commit`() throws {
    let plain = try RecordedCommitTests().run("\"$program\"").environment
    try folder.write("#!/bin/sh\nexec \"$program\" \"$@\"\n", to: "start", isExecutable: true)
    let (environment, _, foreign) = try run(
      """
      run() { git -c user.name=a -c user.email=a@example.org rebase -q --exec "$folder/start $*" HEAD~1 >&2; }
      export program; run
      """
    )
    #expect(environment.commit == plain.commit)
    #expect(environment.commit.map { foreign.contains($0) } != true)
  }

  @Test func `the report has git's reason and remedy for a checkout of another owner`() throws {
    // A variable of git's own tests.
    let (environment, report, _) = try run("GIT_TEST_ASSUME_DIFFERENT_OWNER=1 \"$program\"")
    let problem = try #require(environment.commitProblem)
    #expect(environment.commit == nil && problem.contains("git config --global --add safe.directory "))
    #expect(report.contains("git config --global --add safe.directory "))
  }

  @Test func `the report states why the commit is not known`() throws {
    // /bin/sh and git are searched in PATH, and the program is started by its path.
    let (environment, report, _) = try run("PATH=/none \"$program\"")
    #expect(environment.commit == nil)
    let problem = "git: it could not be run (No such file or directory); install it, or add its folder to PATH"
    #expect(environment.commitProblem == problem)
    #expect(report.contains("not known (\(problem))"))
    #expect(report.contains("so the report does not identify the code that ran: \(problem)."))
  }
}
