import BenchDrivers
import BenchResults
import Foundation
import Glibc
import TestSupport
import Testing

@testable import YapBenchCommand

/// `yapbench stress damage`, in this process and as a process that is interrupted.
@Suite struct DamageCommandTests {
  private let folder: TemporaryFolder
  private let data: String
  private let out: String

  init() throws {
    folder = try TemporaryFolder(prefersMemory: true)
    data = folder.path + "/data"
    out = folder.path + "/out"
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
  }

  private func arguments(cases: Int) -> [String] {
    ["stress", "damage", "--cases", String(cases), "--seed", "3", "--data-dir", data, "--out", out]
  }

  private func campaign() throws -> String {
    let name = try #require(try folder.names(in: "out").first)
    return out + "/" + name
  }

  /// The number of finished cases.
  private func finishedCases() -> Int {
    guard let name = (try? folder.names(in: "out"))?.first,
      let journal = try? String(contentsOfFile: "\(out)/\(name)/journal.jsonl", encoding: .utf8)
    else { return 0 }
    return max(0, journal.split(separator: "\n").count - 1)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `an interrupted campaign writes its report, and leaves no database`(signal: Int32) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: EngineProcess.Program.this.path)
    process.arguments = arguments(cases: 100_000)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    #expect(eventually { finishedCases() > 0 })
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == ExitStatus.interrupted.rawValue)
    try #expect(folder.names(in: "data") == [])
    let campaign = try campaign()
    let report = try String(contentsOfFile: campaign + "/report.md", encoding: .utf8)
    #expect(report.contains("INTERRUPTED"))
    #expect(report.contains("--cases 100000 --resume \(campaign)"))
  }

  @Test func `a campaign whose time has passed begins no case, and states it`() throws {
    let first = Trial()
    _ = first.run(arguments(cases: 1) + ["--for", "1h"])
    #expect(!first.output.text.contains("no case was begun"))
    let second = Trial()
    _ = try second.run(arguments(cases: 2) + ["--for", "1us", "--resume", campaign()])
    #expect(second.output.text.contains("no case was begun: the campaign had run for "))
    #expect(finishedCases() == 1)
  }

  @Test func `the last event has the path of the report`() throws {
    let trial = Trial()
    _ = trial.run(arguments(cases: 1) + ["--json-progress"])
    let last = try #require(trial.errors.lines.last)
    let event = try #require(try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
    #expect(event["event"] as? String == "ended")
    #expect(try event["reports"] as? [String] == [campaign() + "/report.md"])
  }
}
