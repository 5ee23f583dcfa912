import HarnessPrimitives
import Testing

@testable import LatencyMetrics

struct HistogramLogReadingTests {
  private func histogram(digits: Int, _ shape: DurationShape, count: Int = 2_000) -> LatencyHistogram {
    var random = RandomStream(seed: UInt64(digits))
    var histogram = LatencyHistogram(digits: digits)
    for _ in 0..<count { histogram.record(shape.draw(&random)) }
    return histogram
  }

  private func line(_ tag: String, _ histogram: LatencyHistogram) -> String {
    HistogramLog.line(tag: tag, from: 1_234_567_890, to: 2_234_567_890, histogram)
  }

  @Test(arguments: LatencyHistogram.supportedDigits, DurationShape.allCases)
  func `A written line is read with its tag, its times and its counts`(digits: Int, shape: DurationShape) throws {
    let histogram = histogram(digits: digits, shape)
    let line = try #require(try HistogramLog.Line(line("a/b/c", histogram).dropLast()))
    #expect(line.tag == "a/b/c")
    #expect(line.startNanoseconds == 1_235_000_000 && line.endNanoseconds == 2_235_000_000)
    let read = try line.histogram
    #expect(read.digits == digits && read.count == histogram.count)
    #expect(read.recorded.map(\.nanoseconds) == histogram.recorded.map(\.nanoseconds))
    #expect(read.recorded.map(\.count) == histogram.recorded.map(\.count))
  }

  @Test func `The longest duration and an empty histogram are read`() throws {
    var histogram = LatencyHistogram(digits: 5)
    #expect(try LatencyHistogram(base64: histogram.base64).isEmpty)
    histogram.record(LatencyHistogram.highestNanoseconds)
    histogram.record(1)
    #expect(try LatencyHistogram(base64: histogram.base64).recorded.map(\.count) == [1, 1])
  }

  @Test func `Comments, the head and lines without a tag are no lines of a tag`() throws {
    let header = HistogramLog.header(startedAt: 0, date: "Thu Jan 01 00:00:00 UTC 1970")
    for text in header.split(separator: "\n") { try #expect(HistogramLog.Line(text) == nil) }
    try #expect(HistogramLog.Line("1.000,1.000,2.000,HISTFAAA") == nil)
  }

  @Test(arguments: [
    ("Tag=a", "expected a tag, three numbers and a histogram, found 1 fields"),
    ("Tag=a,x,1.000,1.000,HIST", "expected a number of seconds such as 12.345, found \"x\""),
    ("Tag=a,-1.000,1.000,1.000,HIST", "expected a number of seconds such as 12.345, found \"-1.000\""),
    ("Tag=a,99999999999.0,1.0,1.0,HIST", "expected a number of seconds such as 12.345, found \"99999999999.0\""),
  ])
  func `A line in another format is an error`(text: String, problem: String) {
    let error = #expect(throws: HistogramLogError.self) { try HistogramLog.Line(text[...]) }
    #expect(error?.problem == problem)
  }

  @Test(arguments: ["", "HISTFAAA", "no Base64!", "HISTFAAAAAA=", "AAAAAAAAAAAAAAAAAAAAAAAA"])
  func `Another text is no histogram`(text: String) {
    #expect(throws: HistogramLogError.damaged) { try LatencyHistogram(base64: text) }
  }

  @Test func `A damaged histogram is an error or another histogram, and never a trap`() throws {
    var random = RandomStream(seed: 5)
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=")
    let text = Array(histogram(digits: 3, .logUniform, count: 200).base64)
    var errors = 0
    for _ in 0..<2_000 {
      var damaged = text
      for _ in 0..<1 + random.below(3) { damaged[random.below(damaged.count)] = alphabet[random.below(alphabet.count)] }
      if random.below(4) == 0 { damaged.removeLast(random.below(damaged.count)) }
      do {
        let read = try LatencyHistogram(base64: String(damaged))
        #expect(read.maximum <= LatencyHistogram.highestNanoseconds)
      } catch {
        #expect(error == .damaged)
        errors += 1
      }
    }
    #expect(errors > 1_000)
  }

  /// The checksum of zlib detects most damage, so the counts are also damaged before they are deflated.
  @Test func `Damaged counts are an error or another histogram, and never a trap`() {
    var random = RandomStream(seed: 6)
    let bytes = histogram(digits: 3, .logUniform, count: 200).encoded
    var errors = 0
    for _ in 0..<5_000 {
      var damaged = bytes
      for _ in 0..<1 + random.below(4) { damaged[random.below(damaged.count)] = UInt8(random.below(256)) }
      if random.below(4) == 0 { damaged.removeLast(random.below(damaged.count - 40)) }
      let length = UInt32(damaged.count - 40)
      for index in 0..<4 { damaged[4 + index] = UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * index)) }
      do { _ = try LatencyHistogram(encoded: damaged) } catch { errors += 1 }
    }
    #expect((1..<5_000).contains(errors))
  }
}
