import Testing

@testable import BenchRunner

@Suite("The pace of a worker") struct WorkerPaceTests {
  @Test func `a worker that waits for the engine does not wait for the harness`() {
    var pace = WorkerPace(freeSince: 50)
    pace.beginArrival(due: 100)
    pace.addEngineTime(from: 100, to: 1_100)
    pace.beginArrival(due: 200)
    #expect(!pace.lag(at: 1_110).isOfHarness)
  }

  @Test func `time that the engine did not take is the harness's own`() {
    var pace = WorkerPace(freeSince: 50)
    pace.beginArrival(due: 100)
    pace.addEngineTime(from: 1_090, to: 1_100)
    pace.beginArrival(due: 200)
    #expect(pace.lag(at: 1_110).isOfHarness)
  }

  @Test func `a worker that is free in time has no lag`() {
    var pace = WorkerPace(freeSince: 50)
    pace.beginArrival(due: 100)
    pace.addEngineTime(from: 1_490, to: 1_500)
    pace.beginArrival(due: 200)
    pace.beginArrival(due: 2_000)
    pace.addEngineTime(from: 2_000, to: 2_900)
    pace.beginArrival(due: 2_100)
    #expect(!pace.lag(at: 2_910).isOfHarness)
  }

  @Test func `a worker that was free for most of the time and is behind in the end is judged by the end`() {
    var pace = WorkerPace(freeSince: 100)
    pace.addEngineTime(from: 100, to: 110)
    pace.resetLag(at: 5_000)
    pace.addEngineTime(from: 5_000, to: 5_900)
    #expect(pace.lag(at: 6_000) == Lag(nanoseconds: 1_000, engineNanoseconds: 900))
    pace.beginArrival(due: 5_500)
    #expect(pace.lag(at: 6_000) == Lag(nanoseconds: 1_000, engineNanoseconds: 900))
    pace.beginArrival(due: 5_950)
    #expect(pace.lag(at: 6_000) == Lag(nanoseconds: 50, engineNanoseconds: 0))
  }

  @Test func `a hold is no lag of the harness, and no time counts twice`() {
    var pace = WorkerPace(freeSince: 100)
    pace.beginArrival(due: 50)
    pace.addHold(from: 1_000, to: 2_000)
    #expect(pace.freeSince == 2_000)
    // The transaction had begun before the hold, such as an outage.
    pace.addEngineTime(from: 900, to: 2_500)
    #expect(pace.freeSince == 2_500)
    #expect(pace.lag(at: 2_600) == Lag(nanoseconds: 1_600, engineNanoseconds: 1_500))
  }

  @Test func `only the time of a free worker is lateness`() {
    let pace = WorkerPace(freeSince: 100)
    #expect(pace.lateness(at: 130, due: 120) == 10)
    #expect(pace.lateness(at: 130, due: 50) == 30)
    #expect(pace.lateness(at: 110, due: 120) == 0)
  }

  @Test func `the lags of several workers add up, and no lag counts as the harness's`() {
    var sum = Lag()
    #expect(sum.isOfHarness)
    sum += Lag(nanoseconds: 100, engineNanoseconds: 100)
    #expect(!sum.isOfHarness)
    sum += Lag(nanoseconds: 24, engineNanoseconds: 0)
    #expect(!sum.isOfHarness)
    sum += Lag(nanoseconds: 2, engineNanoseconds: 0)
    #expect(sum.isOfHarness)
  }
}
