import BenchDrivers
import Foundation
import TestSupport
import Testing

/// The folders of the campaigns of a test, some of which run as processes.
struct CampaignFolders {
  /// Contains the databases.
  let data: String
  /// Contains a folder for each campaign.
  let out: String
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder(prefersMemory: true)
    data = folder.path + "/data"
    out = folder.path + "/out"
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
  }

  /// Starts `yapbench stress` with both folders.
  func start(_ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: EngineProcess.Program.this.path)
    process.arguments = ["stress"] + arguments + ["--data-dir", data, "--out", out]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// The folder of the first campaign.
  func campaign() throws -> String {
    let name = try #require(try folder.names(in: "out").first)
    return out + "/" + name
  }

  /// The number of finished cases of the first campaign.
  func finishedCases() -> Int {
    guard let name = (try? folder.names(in: "out"))?.first,
      let journal = try? String(contentsOfFile: "\(out)/\(name)/journal.jsonl", encoding: .utf8)
    else { return 0 }
    return max(0, journal.split(separator: "\n").count - 1)
  }

  /// The names of the files and folders that campaigns have left in `data`.
  func leftData() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: data) }
}
