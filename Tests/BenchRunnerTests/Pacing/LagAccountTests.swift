import Testing

@testable import BenchRunner

@Suite("An account of lag") struct LagAccountTests {
  @Test func `who waits for the engine does not wait for the harness`() {
    var lag = LagAccount()
    lag.begin(100, freeSince: 50)
    lag.served(1_000)
    lag.begin(200, freeSince: 1_100)
    #expect(!lag.isOfHarness(at: 1_110))
  }

  @Test func `what the engine did not take is the harness's own`() {
    var lag = LagAccount()
    lag.begin(100, freeSince: 50)
    lag.served(10)
    lag.begin(200, freeSince: 1_100)
    #expect(lag.isOfHarness(at: 1_110))
  }

  @Test func `being free in time settles the account`() {
    var lag = LagAccount()
    lag.begin(100, freeSince: 50)
    lag.served(10)
    lag.begin(200, freeSince: 1_100)
    lag.begin(2_000, freeSince: 1_500)
    lag.served(900)
    lag.begin(2_100, freeSince: 2_900)
    #expect(!lag.isOfHarness(at: 2_910))
  }
}
