import BenchResults
import Foundation
import Glibc
import TestSupport
import Testing

@testable import YapBenchCommand

/// `yapbench stress damage`, in this process and as a process that is interrupted.
@Suite struct DamageCommandTests {
  private let folders: CampaignFolders

  init() throws { folders = try CampaignFolders() }

  private func arguments(cases: Int) -> [String] { ["damage", "--cases", String(cases), "--seed", "3"] }

  /// Runs a campaign in this process.
  private func run(cases: Int, _ more: String...) -> Trial {
    let trial = Trial()
    _ = trial.run(["stress"] + arguments(cases: cases) + ["--data-dir", folders.data, "--out", folders.out] + more)
    return trial
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `an interrupted campaign writes its report, and leaves no database`(signal: Int32) throws {
    let process = try folders.start(arguments(cases: 100_000))
    #expect(eventually { folders.finishedCases() > 0 })
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == ExitStatus.interrupted.rawValue)
    try #expect(folders.leftData() == [])
    let campaign = try folders.campaign()
    let report = try String(contentsOfFile: campaign + "/report.md", encoding: .utf8)
    #expect(report.contains("INTERRUPTED"))
    #expect(report.contains("--cases 100000 --resume \(campaign)"))
  }

  @Test func `a campaign whose time has passed begins no case, and states it`() throws {
    let first = run(cases: 1, "--for", "1h")
    #expect(!first.output.text.contains("no case was begun"))
    let second = try run(cases: 2, "--for", "1us", "--resume", folders.campaign())
    #expect(second.output.text.contains("no case was begun: the campaign had run for "))
    #expect(folders.finishedCases() == 1)
  }

  @Test func `the last event has the path of the report`() throws {
    let trial = run(cases: 1, "--json-progress")
    let last = try #require(trial.errors.lines.last)
    let event = try #require(try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
    #expect(event["event"] as? String == "ended")
    #expect(try event["reports"] as? [String] == [folders.campaign() + "/report.md"])
  }
}
