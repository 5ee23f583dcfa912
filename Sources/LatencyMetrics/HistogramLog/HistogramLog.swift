/// The text of a histogram log, format 1.3, as written by HdrHistogram's `HistogramLogWriter` and read by its tools.
///
/// Each line contains the histogram of one interval and one tag; values are nanoseconds. Times are seconds since the
/// base time, and the interval's greatest value is in milliseconds, both with three decimals.
public enum HistogramLog {
  /// Returns the header of a log.
  /// - Parameters:
  ///   - milliseconds: The start of the log in milliseconds since the epoch; the base of its times.
  ///   - date: The same moment in Java's form: `Tue Feb 03 04:05:06 UTC 2026`.
  public static func header(startedAt milliseconds: UInt64, date: String) -> String {
    let seconds = decimal(thousandths: milliseconds)
    return """
      #[Histogram log format version 1.3]
      #[StartTime: \(seconds) (seconds since epoch), \(date)]
      #[BaseTime: \(seconds) (seconds since epoch)]
      "StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"

      """
  }

  /// Returns the line for one interval of one tag.
  /// - Parameters:
  ///   - tag: Must not contain a comma, a space or a line break.
  ///   - start: The start of the interval in nanoseconds since the log's base time.
  ///   - end: The end of the interval, on the same scale; not before `start`.
  ///   - histogram: The durations that ended in the interval.
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
