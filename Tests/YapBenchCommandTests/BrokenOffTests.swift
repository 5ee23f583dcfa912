import BenchReports
import Foundation
import TestSupport
import Testing

@testable import BenchResults
@testable import BenchScenario
@testable import YapBenchCommand

/// The files that a command leaves if it does not end normally, with the real program.
struct BrokenOffTests {
  private let folder: TemporaryFolder
  private let run: String
  private let program = RunningProgram()

  init() throws {
    let recorded = try RecordedRun()
    folder = recorded.folder
    run = recorded.path
  }

  /// The bytes of each file below the test's folder, by its path.
  private func contents() throws -> [String: Data] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return names.reduce(into: [:]) { $0[$1] = FileManager.default.contents(atPath: "\(folder.path)/\($1)") ?? Data() }
  }

  /// Writes beyond a file size fail, as on a full disk. Each size from 0 in steps of 8 blocks of 512 bytes is tried.
  @Test(arguments: [
    "report $run --out $run --force", "report $run", "export $run --format junit --out $folder/figures.xml",
    "export $run --format openmetrics --out $folder/figures.txt",
  ])
  func `A full disk leaves all files unchanged, and exits 73`(command: String) throws {
    let before = try contents()
    let values = ["run": run, "folder": folder.path]
    var refusals = 0
    for blocks in 0..<2_000 {
      let end = try program.run("ulimit -f \(blocks * 8); exec $program \(command)", values)
      if end.code == 0 { break }
      refusals += 1
      #expect(end.code == 73 && !end.bySignal, "\(end)")
      #expect(end.errors.hasPrefix("error: \(folder.path)/"), "\(end)")
      let after = try contents()
      try #require(after == before, "\(Set(after.keys).symmetricDifference(before.keys))")
    }
    #expect(refusals > 0 && refusals < 2_000)
  }

  @Test func `A kill while it writes leaves no file under a final name, and the rest is removed when it is old`() throws
  {
    try addFigures()
    let (end, before) = try report("--out $folder/drawn", in: folder.path, signal: "KILL")
    #expect(end.bySignal && end.code == SIGKILL, "\(end)")
    let left = try contents().filter { before[$0.key] == nil }.keys
    #expect(!left.isEmpty && left.allSatisfy { $0.hasPrefix(".partial-") })
    #expect(UnfinishedOutput.removeLeft(in: folder.path).removed == [])
    for name in left {
      let date = Date(timeIntervalSinceNow: -25 * 3_600)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: "\(folder.path)/\(name)")
    }
    let leftovers = UnfinishedOutput.removeLeft(in: folder.path)
    #expect(leftovers.removed.count == 1 && leftovers.remaining == [])
    try #expect(contents() == before)
  }

  /// Below 4 the system's loader cannot open the program's libraries.
  @Test func `With any limit of open files, a command works or reports that the limit is too low`() throws {
    var works: [Bool] = []
    for limit in [4, 5, 6, 8, 10, 12, 14, 16, 24, 32, 40, 48, 50, 51, 52, 53, 56, 64, 80] {
      let end = try program.run("ulimit -n \(limit); exec $program check $file", ["file": Project.null])
      works.append(end.code == 0)
      #expect(!end.bySignal && (end.code == 0 || end.code == 71), "\(limit): \(end)")
      if end.code == 71 {
        #expect(end.errors.hasPrefix("error: the limit of open files is \(limit) (ulimit -Hn), and "))
      }
    }
    #expect(works.first == false && works.last == true)
    #expect(works == works.sorted { !$0 && $1 })
    // A soft limit alone is raised.
    let raised = try program.run("ulimit -S -n 4; exec $program check $file", ["file": Project.null])
    #expect(raised.code == 0, "\(raised)")
  }

  @Test func `An argument that is not UTF-8 is refused with its bytes`() throws {
    let end = try program.run("exec $program check $(printf 'a\\377.yaml')")
    #expect(end.code == 64 && end.errors.hasPrefix("error: the argument a\\xFF.yaml is not UTF-8"), "\(end)")
  }

  /// Draws a report and sends a signal to the program while it writes.
  /// - Parameters:
  ///   - parent: the folder that holds the output's folder.
  ///   - signal: sent by a loop of the shell once the temporary folder is there. The program is stopped meanwhile. A
  ///     report that is complete before that is drawn again. The loop ends with the program: an ended process that was
  ///     not waited for has a number, but no executable.
  /// - Returns: the end of the program, and the files that there were before.
  private func report(
    _ arguments: String,
    in parent: String,
    signal: String
  ) throws -> (end: RunningProgram.End, before: [String: Data]) {
    let line = """
      (while [ /proc/$$/exe -ef /bin/sh ] || [ /proc/$$/exe -ef "$program" ]; do
        for name in $parent/.partial-[!p]*; do
          if [ -d "$name" ]; then kill -STOP $$; kill -\(signal) $$; kill -CONT $$; exit; fi
        done
      done) >/dev/null 2>&1 &
      exec $program report $run \(arguments) --force
      """
    for _ in 1...100 {
      let before = try contents()
      let end = try program.run(line, ["run": run, "folder": folder.path, "parent": parent])
      if end.bySignal || end.code != 0 { return (end, before) }
    }
    throw CocoaError(.userCancelled)
  }

  @Test(arguments: ["INT", "TERM", "HUP", "QUIT"])
  func `Ctrl-C while a report is drawn removes unfinished files, and exits 130`(signal: String) throws {
    try addFigures()
    let (end, before) = try report("--out $run", in: folder.path + "/out", signal: signal)
    #expect(end.code == 130 && !end.bySignal, "\(end)")
    #expect(end.errors.isEmpty)
    try #expect(contents() == before)
  }

  /// Adds so many figures to the run that writing its report takes a while.
  private func addFigures() throws {
    let path = URL(fileURLWithPath: run + "/run.json")
    var result = try RunDocument.decode(Data(contentsOf: path))
    let seconds = (0..<2_000 as Range<UInt64>).map { second in
      IntervalResult(
        startNanoseconds: second * 1_000_000_000,
        endNanoseconds: (second + 1) * 1_000_000_000,
        count: 10,
        p50Nanoseconds: 5_000,
        p99Nanoseconds: 9_000,
        maximumNanoseconds: 10_000
      )
    }
    let actors = (0..<5).map { number in
      var actor = ActorResult(name: "scroll-\(number)", load: .closed)
      actor.intervals = [.service: IntervalSeries(seconds)]
      return actor
    }
    result.runs[0].phases = [
      PhaseResult(name: "one", isRecorded: true, endNanoseconds: 2_000_000_000_000, actors: actors)
    ]
    try RunDocument.encode(result).write(to: path)
  }

  /// Files that the program opens would get the numbers of missing streams, and its output.
  @Test(arguments: [("<&-", 0), (">&-", 73), ("<&- >&-", 73)])
  func `A program without standard streams writes into no other file`(missing: String, code: Int32) throws {
    let line = "exec $program run --smoke --out $folder/new $file \(missing)"
    let end = try program.run(line, ["file": Project.null, "folder": folder.path, "YAP_RUN_WITH_TEST_POINTS": "1"])
    #expect(end.code == code, "\(end)")
    let run = try #require(try folder.names(in: "new").first { $0.hasPrefix("2") })
    _ = try RunDocument.decode(Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/new/\(run)/run.json")))
  }

  @Test func `A failed write to standard output is reported, and exits 73`() throws {
    let end = try program.run("exec $program export $run --format junit > /dev/full", ["run": run])
    #expect(end.code == 73)
    #expect(end.errors.hasPrefix("error: standard output: could not be written (No space left on device)."))
    // A reader that closes its end, as `head` does, is not a failure.
    let piped = try program.run("{ $program export $run --format junit; echo $? >&2; } | true", ["run": run])
    #expect(piped.errors == "0\n")
  }
}
