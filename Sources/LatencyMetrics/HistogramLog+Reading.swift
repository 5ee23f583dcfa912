internal import CZlib
internal import FoundationEssentials

extension HistogramLog {
  /// A line of a log: the histogram of one interval and one tag, still encoded.
  public struct Line {
    public let tag: Substring
    /// In nanoseconds since the log's base time.
    public let startNanoseconds: UInt64
    public let endNanoseconds: UInt64
    private let encoded: Substring

    /// Reads a line; returns nil for a comment, the head of the columns, and a line without a tag.
    /// - Throws: `HistogramLogError` for a line in another format.
    public init?(_ text: Substring) throws(HistogramLogError) {
      guard text.hasPrefix("Tag=") else { return nil }
      let fields = text.dropFirst(4).split(separator: ",", omittingEmptySubsequences: false)
      guard fields.count == 5 else {
        throw HistogramLogError(problem: "expected a tag, three numbers and a histogram, found \(fields.count) fields")
      }
      let start = try Self.nanoseconds(fields[1])
      let length = try Self.nanoseconds(fields[2])
      tag = fields[0]
      startNanoseconds = start
      endNanoseconds = start + length
      encoded = fields[4]
    }

    /// - Throws: `HistogramLogError` if it is damaged.
    public var histogram: LatencyHistogram {
      get throws(HistogramLogError) { try LatencyHistogram(base64: encoded) }
    }

    /// Returns a number of seconds with up to three decimals, at most 10⁹ s.
    private static func nanoseconds(_ text: Substring) throws(HistogramLogError) -> UInt64 {
      let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      let decimals = parts.count > 1 ? parts[1] + String(repeating: "0", count: max(0, 3 - parts[1].count)) : "000"
      guard let seconds = UInt64(parts[0]), seconds <= 1_000_000_000, decimals.count == 3,
        let thousandths = UInt64(decimals)
      else { throw HistogramLogError(problem: "expected a number of seconds such as 12.345, found \"\(text)\"") }
      return (seconds * 1_000 + thousandths) * 1_000_000
    }
  }
}

/// The reason why a line of a histogram log cannot be read.
public struct HistogramLogError: Error, Sendable, Equatable, CustomStringConvertible {
  public let problem: String
  public var description: String { problem }

  static let damaged = Self(problem: "expected a histogram in HdrHistogram's compressed V2 encoding")
}

extension LatencyHistogram {
  /// The most bytes of an encoded histogram without compression: nine for each bucket of one with 5 digits, and a head.
  private static let mostBytes = 9 * (821 << 12) + 40
  private static let headBytes = 40

  /// Decodes a histogram that `base64` has encoded. Each duration becomes the highest one of its bucket.
  /// - Throws: `HistogramLogError` if the text is anything else.
  public init(base64: some StringProtocol) throws(HistogramLogError) {
    guard let data = Data(base64Encoded: String(base64)), data.count > 8 else { throw .damaged }
    let bytes = [UInt8](data)
    guard bytes.bigEndian(at: 0, as: UInt32.self) == Self.compressedCookie,
      bytes.bigEndian(at: 4, as: UInt32.self) == UInt32(bytes.count - 8),
      let plain = Self.inflated(Array(bytes[8...])), plain.count >= Self.headBytes
    else { throw .damaged }
    try self.init(encoded: plain)
  }

  /// - Parameter bytes: As `encoded`, at least a whole head.
  init(encoded bytes: [UInt8]) throws(HistogramLogError) {
    let digits = Int(bytes.bigEndian(at: 12, as: UInt32.self))
    guard bytes.bigEndian(at: 0, as: UInt32.self) == Self.cookie,
      bytes.bigEndian(at: 4, as: UInt32.self) == UInt32(bytes.count - Self.headBytes),
      Self.supportedDigits.contains(digits), bytes.bigEndian(at: 16, as: UInt64.self) == 1
    else { throw .damaged }
    self.init(digits: digits)
    let last = layout.index(of: Self.highestNanoseconds)
    var (offset, index, total) = (Self.headBytes, 0, 0)
    while offset < bytes.count {
      guard let number = bytes.zigZag(at: &offset) else { throw .damaged }
      if number <= 0 {
        // 0 is one empty bucket, a negative number as many of them.
        guard number > -Int64(last) - 1 else { throw .damaged }
        index += max(1, Int(-number))
      } else {
        let (sum, overflow) = total.addingReportingOverflow(Int(number))
        guard index <= last, !overflow else { throw .damaged }
        total = sum
        record(layout.durations(ofBucket: index).upperBound, count: Int(number))
        index += 1
      }
      guard index <= last + 1 else { throw .damaged }
    }
  }

  /// Returns nil for bytes that zlib cannot inflate to at most `mostBytes`.
  private static func inflated(_ bytes: [UInt8]) -> [UInt8]? {
    var capacity = min(max(1_024, 8 * bytes.count), mostBytes)
    while true {
      var length = uLong(capacity)
      var status = Z_OK
      let plain = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        status = uncompress(buffer.baseAddress, &length, bytes, uLong(bytes.count))
        count = status == Z_OK ? Int(length) : 0
      }
      if status == Z_OK { return plain }
      guard status == Z_BUF_ERROR, capacity < mostBytes else { return nil }
      capacity = min(4 * capacity, mostBytes)
    }
  }
}

extension [UInt8] {
  fileprivate func bigEndian<Number: FixedWidthInteger>(at offset: Int, as type: Number.Type) -> Number {
    self[offset..<offset + MemoryLayout<Number>.size].reduce(0) { $0 << 8 | Number($1) }
  }

  /// Decodes a number as HdrHistogram encodes counts, and moves the offset behind it; nil if the bytes end before.
  fileprivate func zigZag(at offset: inout Int) -> Int64? {
    var value: UInt64 = 0
    for place in 0..<9 {
      guard offset < count else { return nil }
      let byte = self[offset]
      offset += 1
      if place == 8 {
        value |= UInt64(byte) << 56
      } else {
        value |= UInt64(byte & 0x7F) << UInt64(7 * place)
        if byte < 0x80 { break }
      }
    }
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }
}
