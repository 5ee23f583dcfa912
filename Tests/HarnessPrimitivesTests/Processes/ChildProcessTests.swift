import Foundation
import Glibc
import HarnessPrimitives
import TestSupport
import Testing
import ThreadingPrimitives

@Suite("Child processes") struct ChildProcessTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func sh(_ script: String) throws -> ChildProcess { try ChildProcess("sh", ["-c", script]) }

  /// A shell whose output is a channel.
  private static func talkingShell(_ script: String) throws -> (child: ChildProcess, channel: LineChannel) {
    let sockets = try ChildProcess.sockets(for: "sh")
    defer { close(sockets.other) }
    let child = try ChildProcess(
      "sh",
      ["-c", script],
      input: .descriptor(sockets.other),
      output: .descriptor(sockets.other)
    )
    return (child, LineChannel(sockets.own))
  }

  /// Whether a process runs. One that was not reaped by its parent does not.
  private static func runs(_ process: pid_t) -> Bool {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
    return !text.contains(") Z ")
  }

  // MARK: The end

  @Test(
    arguments: [
      ("exit 0", .exited(0)), ("exit 1", .exited(1)), ("exit 255", .exited(255)),
      ("kill -USR1 $$", .signalled(SIGUSR1)), ("kill -KILL $$", .signalled(SIGKILL)),
    ] as [(String, ChildProcess.End)]
  )
  func `the end is an exit code or a signal`(script: String, end: ChildProcess.End) throws {
    let child = try Self.sh(script)
    #expect(child.wait() == end)
    #expect(child.wait() == end && child.hasEnded && child.wait(milliseconds: 0) == end)
  }

  @Test func `a child that ignores SIGTERM runs until it is killed`() throws {
    let (child, channel) = try Self.talkingShell("trap '' TERM; echo ready; while :; do sleep 1; done")
    #expect(channel.receive() == .line(Data("ready".utf8)))
    child.send(SIGTERM)
    #expect(child.wait(milliseconds: 100) == nil && !child.hasEnded)
    #expect(child.kill() == .signalled(SIGKILL))
    child.send(SIGKILL)
  }

  @Test func `a wait ends early if it is cancelled`() throws {
    let child = try Self.sh("exec sleep 600")
    var calls = 0
    let end = child.wait(milliseconds: 600_000) {
      calls += 1
      return calls == 3
    }
    #expect(end == nil && calls == 3)
  }

  @Test func `a child is killed with its group, and when it is released`() throws {
    var (child, channel): (ChildProcess?, LineChannel) = try Self.talkingShell("sleep 600 & echo $!; wait")
    guard case .line(let line) = channel.receive() else { return #expect(Bool(false), "no line") }
    let grandchild = try #require(pid_t(String(decoding: line, as: UTF8.self)))
    #expect(Self.runs(grandchild))
    child = nil
    #expect(eventually { !Self.runs(grandchild) })
    _ = child
  }

  @Test func `a child that is killed after its end keeps its end, and its group is killed`() throws {
    let (child, channel) = try Self.talkingShell("sleep 600 & echo $!; exit 3")
    guard case .line(let line) = channel.receive() else { return #expect(Bool(false), "no line") }
    let grandchild = try #require(pid_t(String(decoding: line, as: UTF8.self)))
    #expect(eventually { child.hasEnded })
    #expect(child.kill() == .exited(3))
    #expect(eventually { !Self.runs(grandchild) })
  }

  /// The kernel would kill the child of a thread that ends.
  @Test func `a child outlives the thread that has started it`() throws {
    let started = Guarded<ChildProcess?>(nil)
    try WorkerThread(name: "starter") {
      let child = try? Self.sh("exec sleep 600")
      started.withLock { $0 = child }
    }.join()
    let child = try #require(started.withLock { $0 })
    #expect(child.wait(milliseconds: 300) == nil)
    #expect(child.kill() == .signalled(SIGKILL))
  }

  private static let hasSetpriv = (try? ChildProcess.run("setpriv", ["--dump"]))?.output.contains("arent death") == true

  @Test(.enabled(if: hasSetpriv, "setpriv is missing"))
  func `the kernel kills a child with its parent`() throws {
    let output = try ChildProcess.run("setpriv", ["--dump"]).output
    let line = output.split(separator: "\n").first { $0.contains("arent death") }
    #expect(line?.hasSuffix("KILL") == true, "\(output)")
  }

  @Test func `many threads start children at once`() throws {
    let wrong = Guarded<[String]>([])
    let threads = try (0..<16).map { thread in
      try WorkerThread(name: "starter") {
        for number in 0..<12 {
          let code = Int32(thread * 12 + number)
          do {
            let end = try ChildProcess.run("sh", ["-c", "echo \(code); exit \(code)"])
            if end.exitCode == code, end.output == "\(code)\n" { continue }
            wrong.withLock { $0.append("\(code): \(end)") }
          } catch { wrong.withLock { $0.append("\(code): \(error)") } }
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(wrong.withLock { $0 } == [])
  }

  @Test func `several threads await one child, and another signals it`() throws {
    let child = try Self.sh("exec sleep 600")
    let ends = Guarded<[ChildProcess.End]>([])
    let threads = try (0..<4).map { _ in
      try WorkerThread(name: "waiter") {
        let end = child.wait()
        ends.withLock { $0.append(end) }
      }
    }
    child.send(SIGUSR1)
    for thread in threads { thread.join() }
    #expect(ends.withLock { $0 } == Array(repeating: .signalled(SIGUSR1), count: 4))
  }

  // MARK: The surroundings

  @Test func `a child has its variables and files`() throws {
    let output = folder.path + "/output"
    for word in ["a", "b"] {
      let child = try ChildProcess(
        "sh",
        ["-c", "echo $WORD $GIT_DIR; cat; echo $PATH >/dev/null"],
        output: .file(output),
        errors: .null,
        variables: ["WORD": word, "GIT_DIR": "x"]
      )
      #expect(child.wait() == .exited(0))
    }
    #expect(try String(contentsOfFile: output, encoding: .utf8) == "a x\nb x\n")
  }

  @Test func `a relative path begins at this process's folder`() throws {
    let up = String(repeating: "../", count: 40)
    #expect(try ChildProcess("\(up)bin/sh", ["-c", "exit 4"]).wait() == .exited(4))
  }

  @Test func `a child inherits no descriptor, not even one without a mark to close it`() throws {
    let descriptor = open("/dev/null", O_RDONLY)
    defer { close(descriptor) }
    // The number is a free one: other tests of this process have files open.
    let duplicate = fcntl(descriptor, F_DUPFD, 57)
    defer { close(duplicate) }
    let names = try ChildProcess.run("ls", ["/proc/self/fd"]).output.split(separator: "\n")
    // The last one is that of the folder.
    #expect(names == ["0", "1", "2", "3"])
  }

  @Test(arguments: [SIGPIPE, SIGXFSZ])
  func `a child does not ignore a signal that this program ignores for itself`(_ number: Int32) throws {
    signal(number, SIG_IGN)
    let text = try ChildProcess.run("grep", ["SigIgn", "/proc/self/status"]).output
    let mask = try #require(UInt64(text.split(separator: "\t").last?.dropLast() ?? "", radix: 16))
    #expect(mask & 1 << UInt64(number - 1) == 0)
  }

  @Test func `a child blocks no signal, although the thread that starts it does`() throws {
    let text = Guarded("")
    try WorkerThread(name: "blocking") {
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGUSR2)
      pthread_sigmask(SIG_SETMASK, &signals, nil)
      let output = (try? ChildProcess.run("grep", ["SigBlk", "/proc/self/status"]))?.output ?? ""
      text.withLock { $0 = output }
    }.join()
    #expect(text.withLock { $0 } == "SigBlk:\t0000000000000000\n")
  }

  @Test func `a large environment reaches the child`() throws {
    let variables = Dictionary(uniqueKeysWithValues: (0..<2_000).map { ("VARIABLE_\($0)", "value \($0)") })
    let finished = try ChildProcess.run("sh", ["-c", "env | grep -c ^VARIABLE_"], variables: variables)
    #expect(finished.output == "2000\n")
  }

  // MARK: Programs that cannot be started

  private func problem(
    _ program: String,
    _ arguments: [String] = [],
    errors: ChildProcess.Stream = .null
  ) -> String? {
    do {
      _ = try ChildProcess(program, arguments, errors: errors)
      return nil
    } catch { return "\(error)" }
  }

  @Test func `the error of a start names the program, the cause and the remedy`() throws {
    let text = try folder.write("text", to: "text")
    let script = try folder.write("#!/no/such/interpreter\n", to: "script")
    let garbage = try folder.write("\u{1}\u{2}", to: "garbage")
    for path in [script, garbage] { #expect(chmod(path, 0o755) == 0) }
    let long = String(repeating: "x", count: 200_000)
    let expected = [
      (problem("no-such-program"), "no-such-program", "No such file or directory); install it, or add its folder to"),
      (problem(""), "", "No such file or directory); install it, or add its folder to PATH"),
      (problem("/no/such/program"), "/no/such/program", "No such file or directory); check the path"),
      (problem(text), text, "Permission denied); check that it is a file with permission to execute it"),
      (problem("/usr"), "/usr", "Permission denied); check that it is a file"),
      (problem(text + "/x"), text + "/x", "Not a directory); check the path"),
      (problem(script), script, "the interpreter or loader that the file names does not exist); check the path"),
      (problem(garbage), garbage, "Exec format error); check that it is a program for this machine"),
      (problem("true", [long]), "true", "Argument list too long); shorten its arguments"),
    ]
    for (found, program, reason) in expected {
      #expect(found?.hasPrefix("\(program): it could not be run (\(reason)") == true, "\(found ?? "it was started")")
    }
    #expect(problem("true", ["a\0b"])?.hasSuffix("contains a null byte; remove it") == true)
    #expect(problem("true", errors: .file("/no/file"))?.contains("/no/file cannot be used (No such") == true)
  }
}
