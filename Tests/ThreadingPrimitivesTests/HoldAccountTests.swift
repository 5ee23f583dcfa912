import TestSupport
import Testing

@testable import ThreadingPrimitives

@Suite("How long a kind of holder has had a lane") struct HoldAccountTests {
  private func pass() { Parker().park(deadline: MonotonicClock.now + 100_000) }

  @Test func `counts only while the lane is held`() {
    let account = HoldAccount()
    pass()
    #expect(account.nanoseconds == 0)
    let began = MonotonicClock.now
    account.begin()
    pass()
    let held = account.nanoseconds
    #expect(held >= 100_000)
    pass()
    #expect(account.nanoseconds >= held + 100_000)
    account.end()
    let ended = account.nanoseconds
    #expect(ended <= MonotonicClock.now - began)
    pass()
    #expect(account.nanoseconds == ended)
    account.begin()
    account.end()
    #expect(account.nanoseconds >= ended)
  }

  @Test func `the answers never decrease, whichever thread asks`() throws {
    let account = HoldAccount()
    let isOver = StopFlag()
    let falls = SharedList<UInt64>()
    try onThreads(3) { index in
      if index == 0 {
        for _ in 0..<TestScale.count(20_000) {
          account.begin()
          account.end()
        }
        isOver.raise()
      } else {
        var last: UInt64 = 0
        while !isOver.isRaised {
          let now = account.nanoseconds
          if now < last { falls.append(last - now) }
          last = now
        }
      }
    }
    #expect(falls.all == [])
  }
}
