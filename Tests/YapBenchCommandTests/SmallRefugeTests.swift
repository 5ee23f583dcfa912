import BenchModel
import Foundation
import Glibc
import TestSupport
import Testing

@testable import YapBenchCommand

/// A run whose report can only be saved on a small disk, which has space for all of it, for its record, or for nothing.
struct SmallRefugeTests {
  private enum Outcome { case nothing, record, complete }

  private let folder: TemporaryFolder
  private var refuge: String { folder.path + "/refuge" }

  init() throws {
    folder = try TemporaryFolder()
    _ = try folder.write("mine", to: "refuge/mine")
  }

  /// Mounts a file system in memory with this many pages, which usually requires root.
  private func withDisk(pages: Int, _ body: () throws -> Void) throws {
    try #require(mount("tmpfs", refuge, "tmpfs", 0, "size=\(pages * sysconf(Int32(_SC_PAGESIZE)))") == 0)
    defer { umount2(refuge, Int32(MNT_DETACH)) }
    try body()
  }

  private static let mayMount: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    guard mount("tmpfs", folder.path, "tmpfs", 0, nil) == 0 else { return false }
    return umount2(folder.path, Int32(MNT_DETACH)) == 0
  }()

  private func run(_ scenario: String) throws -> Outcome {
    var trial = Trial()
    let out = folder.path + "/out"
    try? FileManager.default.removeItem(atPath: out)
    trial.runner = MadeUpRunner().losing(out)
    trial.refuges = [refuge]
    #expect(trial.run("run", "--out", out, scenario) == 73)
    let last = try #require(trial.errors.lines.last)
    guard let saved = try folder.names(in: "refuge").first else {
      #expect(last.hasSuffix("the results are lost: no folder could be written, not even with run.json alone"))
      return .nothing
    }
    #expect(saved.hasPrefix("yapbench-unsaved-"))
    let name = try #require(folder.names(in: "refuge/" + saved).first)
    let kept = "\(refuge)/\(saved)/\(name)"
    if last == "saved temporarily in \(kept): move it to a permanent folder" { return .complete }
    #expect(
      last == "saved temporarily in \(kept): only run.json and scenario.yaml, without latency.hlog; move it to a "
        + "permanent folder, and write the rest there with: yapbench report FOLDER"
    )
    #expect(!trial.output.text.contains("report: "))
    try #expect(FileManager.default.contentsOfDirectory(atPath: kept).sorted() == ["run.json", "scenario.yaml"])
    try checkDraws(kept)
    return .record
  }

  /// Follows the instructions that the command has printed.
  private func checkDraws(_ kept: String) throws {
    let home = folder.path + "/home"
    try? FileManager.default.removeItem(atPath: home)
    try FileManager.default.copyItem(atPath: kept, toPath: home)
    let trial = Trial()
    #expect(trial.run("report", home) == 0)
    #expect(trial.output.lines == ["report: \(home)/redrawn/report.html"])
    let names = Set(try folder.names(in: "home/redrawn"))
    #expect(names.isSuperset(of: ["report.html", "report.md", "summary.csv", "timeseries.csv", "checkpoints.csv"]))
    #expect(trial.run("check", home + "/scenario.yaml") == 0)
  }

  @Test(.enabled(if: Self.mayMount, "mounting a file system requires a privilege"))
  func `With too little space for the report only its record is saved, and with less nothing`() throws {
    var outcomes: [Outcome] = []
    for pages in [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 256] where outcomes.last != .complete {
      try withDisk(pages: pages) {
        let outcome = try run(Project.stalledReader)
        if outcome != outcomes.last { outcomes.append(outcome) }
      }
    }
    #expect(outcomes == [.nothing, .record, .complete])
  }
}
