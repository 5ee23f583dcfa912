import BenchDrivers
import BenchResults
import Glibc
import Testing

@testable import BenchRunner
@testable import BenchScenario

@Suite("The watch for transactions that wait forever") struct LivenessCheckTests {
  private let second: UInt64 = 1_000_000_000

  @Test func `a standstill is one only after the limit, and only if nothing moves`() {
    for (changed, isStillAtTheEnd) in [
      (nil, true), ("ended", false), ("commit", false), ("cpu", false), ("event", false),
    ]
      as [(String?, Bool)]
    {
      var watch = StandstillWatch()
      var activity = StandstillWatch.Activity()
      var isStill = false
      for look in 1...11 as ClosedRange<UInt64> {
        if look == 6 {
          if changed == "ended" { activity.ended += 1 }
          if changed == "commit" { activity.commit += 1 }
          if changed == "cpu" { activity.cpuNanoseconds += second / 2 }
        }
        activity.isEventRunning = look == 6 && changed == "event"
        #expect(!isStill, "look \(look)")
        isStill = watch.look(activity, at: look * second)
      }
      #expect(isStill == isStillAtTheEnd, "\(changed ?? "nothing")")
    }
  }

  @Test func `the time for which the whole process was stopped counts only as 2 s`() {
    var watch = StandstillWatch()
    let looks = [1, 100, 107, 112, 114, 116].map { watch.look(StandstillWatch.Activity(), at: $0 * second) }
    #expect(looks == [false, false, false, false, false, true])
  }

  @Test func `the processor time of another process is read from its stat file`() {
    let ticks = UInt64(sysconf(Int32(_SC_CLK_TCK)))
    let stat = "12 (a) b) S 1 2 3 4 5 6 7 8 9 10 30 12 13 14 20 0 1\n"
    #expect(ProcFile.cpuNanoseconds(inStat: stat) == 42 * (second / ticks))
    #expect(ProcFile.cpuNanoseconds(inStat: "") == 0)
  }

  @Test(arguments: [false, true])
  func `a transaction that waits for 10 s beside an idle engine is reported, unless it ends`(ends: Bool) throws {
    let violations = ViolationLog(checked: [.liveness])
    let database = try Drivers.open(EngineSettings(driver: .null), path: "")
    let check = LivenessCheck(database, violations) { 0 }
    let worker = check.add("stuck")
    worker.begin(at: second)
    for look in 2...14 as ClosedRange<UInt64> {
      if ends, look == 8 {
        worker.end()
        worker.begin(at: look * second)
      }
      check.lookIfDue(at: look * second, isEventRunning: false)
    }
    #expect(check.count == 13)
    let expected = ["a transaction of \"stuck\" has waited for 11 s while nothing else used the database"]
    #expect(violations.violations(of: .liveness).prefix(1) == (ends ? [] : expected[...]))
  }
}
