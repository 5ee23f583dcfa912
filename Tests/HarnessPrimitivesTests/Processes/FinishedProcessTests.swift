import Foundation
import Glibc
import HarnessPrimitives
import TestSupport
import Testing

@Suite("Programs that run to their end") struct FinishedProcessTests {
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

  @Test func `a process that the child has left behind does not delay its end`() throws {
    let end = try ChildProcess.run("sh", ["-c", "sleep 600 & echo $!"])
    let left = try #require(pid_t(end.output.dropLast()))
    #expect(kill(left, SIGKILL) == 0)
  }

  /// It ends by SIGPIPE when the pipe is closed here.
  @Test(.timeLimit(.minutes(20)))
  func `a process that the child has left behind may write without end`() throws {
    let end = try ChildProcess.run("sh", ["-c", "yes & echo $! >&2; sleep 0.3"])
    let left = try #require(pid_t(end.errors.dropLast()))
    #expect(end.exitCode == 0 && end.output.hasPrefix("y\n"))
    #expect(eventually { kill(left, 0) != 0 || isZombie(left) })
  }

  private func isZombie(_ process: pid_t) -> Bool {
    (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8))?.contains(") Z ") != false
  }

  @Test func `a child that closes its output early is awaited`() throws {
    let end = try ChildProcess.run("sh", ["-c", "echo first; exec >&- 2>&-; sleep 0.2; exit 3"])
    #expect((end.exitCode, end.output) == (3, "first\n"))
  }

  @Test(arguments: 1...20) func `the last words of a child are not lost`(_: Int) throws {
    let end = try ChildProcess.run("sh", ["-c", "sleep 0.0\(Int.random(in: 1...9)); echo last; kill -KILL $$"])
    #expect((end.end, end.output) == (.signalled(SIGKILL), "last\n"))
  }

  @Test func `a child is interrupted once, and may end as it likes`() throws {
    var output: [UInt8] = []
    let script = "trap 'echo interrupted; exit 5' INT; echo ready; while :; do sleep 0.1; done"
    let arguments = ["--default-signal=INT", "sh", "-c", script]
    let end = try ChildProcess.run("env", arguments, interruptIf: { !output.isEmpty }) { output += $1 }
    #expect((end, String(decoding: output, as: UTF8.self)) == (.exited(5), "ready\ninterrupted\n"))
  }

  @Test func `a signal gives the exit code of a shell`() throws {
    #expect(try ChildProcess.run("sh", ["-c", "kill -KILL $$"]).exitCode == 128 + SIGKILL)
  }

  @Test func `a missing program is an error that names it`() {
    let error = #expect(throws: ProgramNotStarted.self) { try ChildProcess.run("no-such-program", []) }
    #expect(error == ProgramNotStarted(program: "no-such-program", .system(ENOENT)))
  }

  @Test func `variables are added to the environment`() throws {
    #expect(
      try ChildProcess.run("sh", ["-c", "echo $ADDED$HOME"], variables: ["ADDED": "a", "HOME": "b"]).output == "ab\n"
    )
  }
}
