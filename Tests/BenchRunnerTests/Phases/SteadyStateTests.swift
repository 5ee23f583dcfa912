import Testing

@testable import BenchRunner

@Suite("A steady state") struct SteadyStateTests {
  private let steady = SteadyState(tolerance: 0.1, windowNanoseconds: 1_000)

  /// A series with a value at every tenth of the window.
  private func series(_ values: [Double]) -> [(nanoseconds: UInt64, value: Double)] {
    values.enumerated().map { (UInt64($0.offset) * 100, $0.element) }
  }

  @Test func `it needs the whole window`() {
    #expect(!steady.holds(series(Array(repeating: 5, count: 10)), isTotal: false))
    #expect(steady.holds(series(Array(repeating: 5, count: 11)), isTotal: false))
    #expect(!steady.holds([], isTotal: false))
  }

  @Test func `one part beyond the tolerance breaks it`() {
    // A value at the boundary of two parts belongs to both.
    let calm: [Double] = [100, 104, 96, 100, 102, 98, 100, 103, 99, 100, 100]
    #expect(steady.holds(series(calm), isTotal: false))
    #expect(!steady.holds(series(calm.map { $0 == 104 ? 140 : $0 }), isTotal: false))
  }

  @Test func `values before the window are ignored`() {
    #expect(steady.holds(series([900, 700, 500, 300] + Array(repeating: 100, count: 12)), isTotal: false))
  }

  @Test func `a total is steady if its growth is constant`() {
    #expect(steady.holds(series((0...12).map { Double($0 * 50) }), isTotal: true))
    #expect(!steady.holds(series((0...12).map { Double($0 * $0) }), isTotal: true))
    #expect(!steady.holds(series(Array(repeating: 70, count: 12)), isTotal: true), "a standstill is not steady")
  }

  @Test func `samples near the boundaries are interpolated`() {
    let uneven = stride(from: UInt64(0), through: 2_000, by: 73).map { ($0, Double($0) * 3) }
    #expect(SteadyState(tolerance: 0.001, windowNanoseconds: 1_000).holds(uneven, isTotal: true))
  }

  @Test func `a part without a sample is not steady`() {
    #expect(!steady.holds([(0, 5), (500, 5), (1_000, 5)], isTotal: false))
  }
}
