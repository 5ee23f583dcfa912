import Glibc
import HarnessPrimitives
import Testing

@Suite("Child processes") struct ChildProcessTests {
  @Test func `standard output and standard error are separate`() throws {
    let end = try ChildProcess.run("sh", ["-c", "echo answer; echo warning >&2; exit 3"])
    #expect((end.exitCode, end.output, end.errors) == (3, "answer\n", "warning\n"))
    #expect(end.lastLines == "answer; warning")
  }

  /// A pipe holds 64 KiB, so a reader of one pipe after the other would wait for ever.
  @Test(arguments: ["head -c 300000 /dev/zero >&2; echo end", "head -c 300000 /dev/zero; echo end >&2"])
  func `much output on either stream does not block the process`(script: String) throws {
    let end = try ChildProcess.run("sh", ["-c", script])
    #expect(end.exitCode == 0)
    #expect([end.output.utf8.count, end.errors.utf8.count].sorted() == [4, 300_000])
  }

  @Test(.timeLimit(.minutes(1)))
  func `a process that the child has left behind does not delay its end`() throws {
    let end = try ChildProcess.run("sh", ["-c", "sleep 600 & echo $!"])
    let left = try #require(pid_t(end.output.dropLast()))
    #expect(kill(left, SIGKILL) == 0)
  }

  @Test func `a signal gives the exit code of a shell`() throws {
    #expect(try ChildProcess.run("sh", ["-c", "kill -KILL $$"]).exitCode == 128 + SIGKILL)
  }

  @Test func `a missing program is an error that names it`() {
    let error = #expect(throws: ProgramNotStarted.self) { try ChildProcess.run("no-such-program", []) }
    #expect(error?.description == "no-such-program: it could not be run (No such file or directory)")
  }

  @Test func `variables are added to the environment`() throws {
    #expect(
      try ChildProcess.run("sh", ["-c", "echo $ADDED$HOME"], variables: ["ADDED": "a", "HOME": "b"]).output == "ab\n"
    )
  }
}
