import BenchDrivers
import Foundation
import Glibc
import ScenarioStress
import TestSupport
import Testing

@testable import YapBenchCommand

/// `yapbench stress random` as a process that is killed, and with a scenario that is missing.
@Suite struct RandomCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(prefersMemory: true) }

  @Test func `a missing scenario exits 66`() {
    let trial = Trial()
    let path = folder.path + "/none.yaml"
    #expect(trial.run("stress", "random", "--scenario", path, "--out", folder.path + "/out") == 66)
    #expect(trial.errors.text == "error: \(path): there is no such file\n")
    #expect(trial.output.text.isEmpty)
  }

  @Test func `the run of a killed campaign ends`() throws {
    let data = folder.path + "/data"
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
    // The run would last longer than the test waits.
    let scenario = try folder.write(
      """
      {format: 1, name: long, summary: Long., seed: 1, engine: {driver: "null"}, connections: {one: {}},
       actors: {idle: {connection: one, operations: {empty: 1}, load: {closed: {think: 10ms}}}},
       phases: [{name: run, for: 10m, actors: [idle]}]}
      """,
      to: "long.yaml"
    )
    let process = Process()
    process.executableURL = URL(fileURLWithPath: EngineProcess.Program.this.path)
    process.arguments = [
      "stress", "random", "--scenario", scenario, "--jobs", "1", "--data-dir", data, "--out", folder.path + "/out",
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let run = (ChildRole.trial.arguments + [data]).joined(separator: "\u{0}")
    #expect(eventually { (try? CrashTrial.processes(with: run).isEmpty) == false })
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(eventually { (try? CrashTrial.processes(with: run).isEmpty) == true })
  }
}
