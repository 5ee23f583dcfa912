import TestSupport
import Testing
import ThreadingPrimitives

@testable import BenchResults
@testable import BenchRunner
@testable import BenchScenario

@Suite("A wait for a quieter machine") struct QuietWaitTests {
  private static let second: UInt64 = 1_000_000_000

  /// An invalid run.
  private func invalid(_ disturbance: Disturbance?) -> RunResult {
    var run = RunResult()
    run.phases = [PhaseResult(name: "run", isRecorded: true)]
    run.phases[0].disturbance = disturbance
    run.verdict = VerdictResult(exitCode: .measurementInvalid, headline: "busy", reasons: ["busy"])
    return run
  }

  /// Waits while other processes use the given shares of the processors, one for each window, and then the last one.
  /// - Parameter disk: Their use of the disk.
  private func wait(
    _ shares: [Double],
    seconds: UInt64,
    after runs: [RunResult],
    isRound: Bool = true,
    disk: DiskRate? = nil,
    interruption: StopFlag = StopFlag()
  ) -> (reason: String?, windows: Int, reports: [UInt64]) {
    let windows = Guarded(0)
    let reports = SharedList<UInt64>()
    let wait = QuietWait(
      longestNanoseconds: seconds * Self.second,
      folder: "",
      interruption: interruption,
      measure: {
        windows.withLock { count in
          defer { count += 1 }
          return OthersUse(processorShare: shares[min(count, shares.count - 1)], disk: disk)
        }
      },
      onProgress: { progress in
        if case .waitingForQuiet(_, let nanoseconds, _) = progress { reports.append(nanoseconds / Self.second) }
      }
    )
    return (wait.reasonToStop(after: runs, isRound: isRound), windows.withLock { $0 }, reports.all)
  }

  @Test func `ends when the machine is quiet, and reports its progress`() {
    let waited = wait([0.9, 0.5, 0.1], seconds: 60, after: [invalid(.waits)])
    #expect(waited.reason == nil)
    #expect(waited.windows == 3 && waited.reports == [2, 4])
    #expect(wait([0.02], seconds: 60, after: [invalid(.stop)]).windows == 1)
  }

  @Test func `ends after its longest time with the share and the remedy`() {
    let waited = wait([0.974], seconds: 8, after: [invalid(nil), invalid(.waits)])
    #expect(
      waited.reason == "no further run was made: after 8.00 s of waiting other processes still used 97 % of the "
        + "processors; end them, use a less busy machine, or wait longer with --wait-for-quiet 10m"
    )
    #expect(waited.windows == 4)
    let immediate = wait([0.5], seconds: 0, after: [invalid(.waits)], isRound: false)
    #expect(immediate.reason?.hasPrefix("no further run was made: other processes still used 50 %") == true)
    #expect(immediate.windows == 1 && immediate.reports == [])
  }

  @Test func `waits for the disk, if it disturbed a run`() {
    let syncing = DiskRate(bytes: 0, syncs: 11)
    let waited = wait([0.02], seconds: 4, after: [invalid(.waits), invalid(.disk)], disk: syncing)
    #expect(waited.windows == 2)
    #expect(waited.reason?.contains("processes still used the disk with 0 B/s and 11 syncs/s; end them") == true)
    #expect(waited.reason?.contains(", or another disk with --data-dir, or wait") == true)
    #expect(wait([0.02], seconds: 4, after: [invalid(.waits)], disk: syncing).reason == nil)
    let both = wait([0.5], seconds: 0, after: [invalid(.disk)], disk: DiskRate(bytes: 31_457_280, syncs: 2))
    #expect(both.reason?.contains("used 50 % of the processors, and the disk with 30.0 MiB/s and 2 syncs/s") == true)
    #expect(wait([0.1], seconds: 4, after: [invalid(.disk)], disk: .greatestOfOthers).reason == nil)
  }

  @Test func `is not made for other causes, which a retry may avoid, and a further round may not`() {
    let round = wait([0.9], seconds: 60, after: [invalid(nil), invalid(nil)])
    #expect(round.reason == "no further run was made: the causes would make each of them invalid")
    let retry = wait([0.9], seconds: 60, after: [invalid(nil)], isRound: false)
    #expect(retry.reason == nil)
    #expect(round.windows == 0 && retry.windows == 0)
  }

  @Test func `ends with an interruption`() {
    let flag = StopFlag()
    flag.raise()
    let waited = wait([0.9], seconds: 3_600, after: [invalid(.waits)], interruption: flag)
    #expect(waited.reason == nil && waited.windows == 1)
  }
}
