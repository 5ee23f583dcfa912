import Glibc
import Testing

@testable import BenchRunner

@Suite("The figures of the host") struct HostFiguresTests {
  private func figures(total: UInt64, stolen: UInt64) -> HostFigures {
    HostFigures(totalTicks: total, stolenTicks: stolen, wallClockOffsetNanoseconds: 0)
  }

  @Test func `the share of stolen time is of the time between two readings`() {
    let before = figures(total: 1_000, stolen: 500)
    #expect(figures(total: 1_200, stolen: 550).stealShare(since: before) == 0.25)
    #expect(figures(total: 1_200, stolen: 500).stealShare(since: before) == 0)
    #expect(figures(total: 1_200, stolen: 700).stealShare(since: before) == 1)
  }

  @Test func `no time has no stolen share`() {
    let before = figures(total: 1_000, stolen: 500)
    #expect(before.stealShare(since: before) == 0)
  }

  @Test func `decreasing counters, as after a migration, are ignored`() {
    let before = figures(total: 1_000, stolen: 500)
    #expect(figures(total: 900, stolen: 600).stealShare(since: before) == 0)
    #expect(figures(total: 1_100, stolen: 400).stealShare(since: before) == 0)
  }

  @Test func `other processes' share is of all processors' time, without this process's own`() {
    func figures(total: UInt64, busy: UInt64, stolen: UInt64) -> HostFigures {
      HostFigures(totalTicks: total, stolenTicks: stolen, busyTicks: busy, wallClockOffsetNanoseconds: 0)
    }
    let tick = 1_000_000_000 / UInt64(sysconf(Int32(_SC_CLK_TCK)))
    let before = figures(total: 1_000, busy: 300, stolen: 50)
    let after = figures(total: 1_400, busy: 500, stolen: 150)
    #expect(after.othersShare(since: before, ownNanoseconds: 0) == 0.75)
    #expect(after.othersShare(since: before, ownNanoseconds: 200 * tick) == 0.25)
    // The clocks of the machine and of a process differ by ticks.
    #expect(after.othersShare(since: before, ownNanoseconds: 301 * tick) == 0)
    #expect(before.othersShare(since: before, ownNanoseconds: 0) == 0)
    #expect(before.othersShare(since: after, ownNanoseconds: 0) == 0)
  }

  @Test func `the kernel's text of waits for disks is parsed`() {
    let text = "some avg10=0.12 avg60=0.00 avg300=0.00 total=12345\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=99\n"
    #expect(PressureFigures.ioNanoseconds(in: text) == 12_345_000)
    #expect(PressureFigures.ioNanoseconds(in: "") == nil)
  }

  @Test func `this machine's figures can be read`() {
    let figures = HostFigures.now()
    #expect(figures.totalTicks > 0)
    #expect(figures.stolenTicks <= figures.totalTicks)
    #expect(ProcessFigures.now().residentBytes > 0)
  }
}
