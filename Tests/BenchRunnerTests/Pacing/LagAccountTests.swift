import Testing

@testable import BenchRunner

@Suite("An account of lag") struct LagAccountTests {
  @Test func `who waits for the engine does not wait for the harness`() {
    var lag = LagAccount()
    lag.begin(100, freeSince: 50)
    lag.served(1_000)
    lag.begin(200, freeSince: 1_100)
    #expect(!lag.lag(at: 1_110).isOfHarness)
  }

  @Test func `what the engine did not take is the harness's own`() {
    var lag = LagAccount()
    lag.begin(100, freeSince: 50)
    lag.served(10)
    lag.begin(200, freeSince: 1_100)
    #expect(lag.lag(at: 1_110).isOfHarness)
  }

  @Test func `being free in time settles the account`() {
    var lag = LagAccount()
    lag.begin(100, freeSince: 50)
    lag.served(10)
    lag.begin(200, freeSince: 1_100)
    lag.begin(2_000, freeSince: 1_500)
    lag.served(900)
    lag.begin(2_100, freeSince: 2_900)
    #expect(!lag.lag(at: 2_910).isOfHarness)
  }

  @Test func `who was free for most of the time and is behind in the end is judged by the end`() {
    var lag = LagAccount()
    lag.isFree(at: 100)
    lag.served(10)
    lag.isFree(at: 5_000)
    lag.served(900)
    #expect(lag.lag(at: 6_000) == Lag(nanoseconds: 1_000, engineNanoseconds: 900))
    lag.begin(5_500, freeSince: 5_900)
    #expect(lag.lag(at: 6_000) == Lag(nanoseconds: 1_000, engineNanoseconds: 900))
    lag.begin(5_950, freeSince: 5_900)
    #expect(lag.lag(at: 6_000) == Lag(nanoseconds: 50, engineNanoseconds: 0))
  }

  @Test func `the lags of several workers add up, and none is nobody's but the harness's`() {
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
