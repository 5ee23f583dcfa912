import BenchDrivers
import Foundation
import TestSupport
import ThreadingPrimitives
import YapEngine

@testable import EngineStress
@testable import YapBenchCommand

/// Cases of the crash campaign, with the program's own child processes.
struct CrashTrial {
  let seed: UInt64
  var tampering: (@Sendable (_ path: String, _ life: Int) throws -> Void)?

  /// Runs cases until one fails.
  func run(cases: Int, interruption: StopFlag = StopFlag()) throws -> CaseOutcome {
    var campaign = CrashCampaign(
      program: EngineProcess.Program.this.path,
      programArguments: ChildRole.crash.arguments,
      synchronous: .full,
      kills: nil
    )
    campaign.tampering = tampering
    var outcome = CaseOutcome()
    for number in 0..<cases where outcome.failures.isEmpty {
      let folder = try TemporaryFolder(prefersMemory: true)
      let testCase = StressCase(number: number, seed: seed, folder: folder.path, interruption: interruption)
      outcome.add(try withExtendedLifetime(folder) { try campaign.run(testCase) })
    }
    return outcome
  }

  /// The ids of processes whose command line contains `text`.
  static func processes(with text: String) throws -> [Int] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int($0) }.filter { process in
      let bytes = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
      return String(decoding: bytes, as: UTF8.self).contains(text)
    }
  }
}
