import Testing

@testable import BenchRegression

@Suite("The median") struct MedianTests {
  @Test(arguments: [([3], 3), ([3, 1, 2], 2), ([10, 1, 3, 2], 2.5), ([1, 1, 9], 1)] as [([Double], Double)])
  func `the median is the middle value, or the mean of the two middle values`(values: [Double], median: Double) {
    #expect(values.median == median)
  }
}
