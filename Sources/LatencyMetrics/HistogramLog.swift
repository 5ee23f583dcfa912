internal import CZlib
internal import FoundationEssentials

/// The text of a histogram log, format 1.3, as written by HdrHistogram's `HistogramLogWriter` and read by its tools.
///
/// Each line after the header contains the histogram of one interval and one tag; its values are nanoseconds. Times are
/// seconds since the base time, and the interval's greatest value is in milliseconds, both with three decimals.
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
  ///   - tag: Must not contain a comma, a space or a control character.
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

// MARK: - Histograms in a line

/// The histogram as HdrHistogram's libraries exchange it: the V2 encoding, deflated, big-endian.
///
/// Source: `encodeIntoByteBuffer` and `encodeIntoCompressedByteBuffer` of `AbstractHistogram` in HdrHistogram for Java.
extension LatencyHistogram {
  static let cookie: UInt32 = 0x1C84_9303 | 0x10
  static let compressedCookie: UInt32 = 0x1C84_9304 | 0x10

  /// The histogram in Base64, as a line of a histogram log contains it; begins with `HISTFAAA` below 64 KiB.
  public var base64: String {
    let payload = Self.deflated(encoded)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(payload.count + 8)
    bytes.append(bigEndian: Self.compressedCookie)
    bytes.append(bigEndian: UInt32(payload.count))
    return Data(bytes + payload).base64EncodedString()
  }

  /// A header of 40 bytes and the counts up to the largest value.
  var encoded: [UInt8] {
    let counts = encodedCounts
    var bytes: [UInt8] = []
    bytes.reserveCapacity(counts.count + 40)
    bytes.append(bigEndian: Self.cookie)
    bytes.append(bigEndian: UInt32(counts.count))
    bytes.append(bigEndian: UInt32(0))  // the offset by which the counts were shifted
    bytes.append(bigEndian: UInt32(digits))
    bytes.append(bigEndian: UInt64(1))  // the lowest discernible value
    bytes.append(bigEndian: Self.highestNanoseconds)
    bytes.append(bigEndian: 1.0.bitPattern)  // the conversion ratio from integer to floating-point values
    return bytes + counts
  }

  /// The count of each bucket; a single empty bucket is encoded as 0, a longer run of them as its negative length.
  private var encodedCounts: [UInt8] {
    var bytes: [UInt8] = []
    var next = 0
    for (value, count) in recorded {
      let index = layout.index(of: value)
      let empty = index - next
      if empty > 0 { bytes.append(zigZag: empty == 1 ? 0 : -Int64(empty)) }
      bytes.append(zigZag: Int64(count))
      next = index + 1
    }
    return bytes
  }

  private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    var length = compressBound(uLong(bytes.count))
    return [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
      let status = compress(buffer.baseAddress, &length, bytes, uLong(bytes.count))
      // The buffer has the size that zlib requires, so compression can fail only if memory is exhausted.
      precondition(status == Z_OK, "zlib could not deflate \(bytes.count) bytes: status \(status).")
      count = Int(length)
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(bigEndian value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }

  /// Encodes seven bits in each byte, the lowest first; a ninth byte has eight.
  fileprivate mutating func append(zigZag value: Int64) {
    var rest = UInt64(bitPattern: (value << 1) ^ (value >> 63))
    for _ in 0..<8 {
      guard rest >= 0x80 else { return append(UInt8(rest)) }
      append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }
}
