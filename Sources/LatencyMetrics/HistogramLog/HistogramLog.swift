/// The text of a histogram log, format 1.3, as HdrHistogram's `HistogramLogWriter` writes it and its tools read it.
///
/// Each line holds the histogram of one interval and one tag; values are nanoseconds. Times are seconds since the base
/// time, the interval's greatest value is in milliseconds, both with three decimals.
public enum HistogramLog {
  /// What stands in front of the lines.
  /// - Parameters:
  ///   - milliseconds: since the epoch, when the log began; the base of its times.
  ///   - date: the same moment for people, in Java's form: `Tue Feb 03 04:05:06 UTC 2026`.
  public static func header(startedAt milliseconds: UInt64, date: String) -> String {
    let seconds = decimal(thousandths: milliseconds)
    return """
      #[Histogram log format version 1.3]
      #[StartTime: \(seconds) (seconds since epoch), \(date)]
      #[BaseTime: \(seconds) (seconds since epoch)]
      "StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"

      """
  }

  /// One interval of one tag.
  /// - Parameters:
  ///   - tag: must have no comma, no space and no line break in it.
  ///   - start: nanoseconds since the log's base time, as is `end`.
  ///   - end: not before `start`.
  ///   - histogram: what ended in the interval.
  public static func line(tag: String, from start: UInt64, to end: UInt64, _ histogram: LatencyHistogram) -> String {
    precondition(!tag.utf8.contains { $0 == 0x2C || $0 <= 0x20 }, "A log's reader would not find the end of this tag.")
    let begin = milliseconds(start)
    let length = decimal(thousandths: milliseconds(end) - begin)
    let maximum = decimal(thousandths: (histogram.maximum + 500) / 1_000)
    return "Tag=\(tag),\(decimal(thousandths: begin)),\(length),\(maximum),\(histogram.base64)\n"
  }

  private static func milliseconds(_ nanoseconds: UInt64) -> UInt64 { (nanoseconds + 500_000) / 1_000_000 }

  private static func decimal(thousandths: UInt64) -> String {
    let fraction = String(thousandths % 1_000)
    return "\(thousandths / 1_000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }
}
