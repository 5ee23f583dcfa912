import BenchDrivers
import BenchResults
import Foundation
import Glibc
import TestSupport
import Testing
import ThreadingPrimitives

@testable import EngineStress
@testable import YapBenchCommand

/// `yapbench stress crash` as a process that is itself interrupted and killed.
@Suite(.long) struct CrashCommandTests {
  private let folders: CampaignFolders

  init() throws { folders = try CampaignFolders() }

  private func start(kills: Int, _ arguments: String...) throws -> Process {
    try folders.start(["crash", "--kills", String(kills), "--seed", "3", "--jobs", "2"] + arguments)
  }

  @Test func `an interrupted campaign leaves no process and no database, and continues`() throws {
    let process = try start(kills: 5_000)
    #expect(eventually { folders.finishedCases() > 0 })
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == ExitStatus.interrupted.rawValue)
    try #expect(CrashTrial.processes(with: folders.data).isEmpty)
    try #expect(folders.leftData() == [])
    let finished = folders.finishedCases()
    let resumed = try start(kills: 25 * (finished + 1), "--resume", folders.campaign())
    resumed.waitUntilExit()
    #expect(resumed.terminationStatus == ExitStatus.passed.rawValue)
    let result = try JSONDecoder().decode(
      StressResult.self,
      from: Data(contentsOf: URL(fileURLWithPath: folders.campaign() + "/stress.json"))
    )
    #expect(result.cases == finished + 1)
    #expect(result.counts.first { $0.name == CrashCampaign.Count.kills }?.value ?? 0 >= 25 * (finished + 1))
  }

  @Test func `the printed commands repeat the campaign and the case with their options`() throws {
    let trial = Trial()
    let options = ["--seed", "3", "--data-dir", folders.data, "--out", folders.out]
    _ = trial.run(["stress", "crash", "--kills", "25", "--for", "9m"] + options)
    let determined = " stress crash --seed 3 --synchronous full --data-dir \(folders.data)"
    func line(_ name: String) -> String? { trial.output.lines.first { $0.hasPrefix(name + ": ") } }
    #expect(line("repeat")?.hasSuffix("\(determined) --kills 25 --for 9m") == true)
    try #expect(line("resume")?.hasSuffix("\(determined) --kills 25 --for 9m --resume \(folders.campaign())") == true)

    let single = Trial()
    #expect(single.run(["stress", "crash", "--case", "0"] + options) == ExitStatus.passed.rawValue)
    #expect(single.output.lines.contains { $0.hasSuffix("\(determined) --case 0") })
    #expect(!single.output.lines.contains { $0.hasPrefix("resume: ") })
  }

  @Test func `the processes of a killed campaign end`() throws {
    let process = try start(kills: 5_000)
    let child = (ChildRole.crash.arguments + ["{"]).joined(separator: "\u{0}")
    #expect(eventually { (try? CrashTrial.processes(with: child).isEmpty) == false })
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(eventually { (try? CrashTrial.processes(with: folders.data).isEmpty) == true })
  }

  @Test(arguments: [["--kills", "24"], ["--kills", "0"], ["--synchronous", "extra"]])
  func `bad options are rejected`(options: [String]) {
    let trial = Trial()
    #expect(trial.run(["stress", "crash", "--out", folders.out] + options) == ExitStatus.usage.rawValue)
    #expect(!FileManager.default.fileExists(atPath: folders.out))
  }
}
