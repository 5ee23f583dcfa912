import CZlib
import Foundation

/// A histogram in HdrHistogram's V2 encoding, decoded without the code under test.
package struct EncodedCounts: Equatable {
  package var digits: Int
  package var lowest: UInt64
  package var highest: UInt64
  /// The counts by bucket index, without empty buckets.
  package var counts: [Int: Int] = [:]

  package init?(base64: String) {
    guard let data = Data(base64Encoded: base64), data.count > 8 else { return nil }
    var compressed = EncodedBytes(bytes: Array(data))
    guard compressed.integer(4) == 0x1C84_9314, compressed.integer(4) == UInt64(data.count - 8) else { return nil }
    guard var bytes = compressed.rest.inflated.map(EncodedBytes.init) else { return nil }
    guard bytes.integer(4) == 0x1C84_9313 else { return nil }
    let length = bytes.integer(4)
    guard bytes.integer(4) == 0 else { return nil }
    digits = Int(bytes.integer(4))
    lowest = bytes.integer(8)
    highest = bytes.integer(8)
    guard Double(bitPattern: bytes.integer(8)) == 1, length == UInt64(bytes.rest.count) else { return nil }
    var bucket = 0
    while !bytes.rest.isEmpty {
      let number = bytes.zigZag()
      if number > 0 { counts[bucket] = Int(number) }
      bucket += number < 0 ? Int(-number) : 1
    }
  }

  /// The values of a bucket, in units of the lowest value's power of two.
  package func values(of bucket: Int) -> ClosedRange<UInt64> {
    let half = 1 << (Int.bitWidth - (2 * Int(pow(10, Double(digits))) - 1).leadingZeroBitCount - 1)
    let power = max(0, bucket / half - 1)
    let inside = UInt64(bucket - power * half)
    return inside << UInt64(power)...((inside + 1) << UInt64(power)) - 1
  }

  package static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.counts.merge(right.counts, uniquingKeysWith: +)
    return sum
  }
}

private struct EncodedBytes {
  var bytes: [UInt8]
  private var next = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var rest: [UInt8] { Array(bytes[min(next, bytes.count)...]) }

  mutating func byte() -> UInt64 {
    defer { next += 1 }
    return next < bytes.count ? UInt64(bytes[next]) : 0
  }

  mutating func integer(_ length: Int) -> UInt64 { (0..<length).reduce(0) { number, _ in number << 8 | byte() } }

  mutating func zigZag() -> Int64 {
    var number: UInt64 = 0
    for index in 0..<9 {
      let byte = byte()
      number |= (index < 8 ? byte & 0x7F : byte) << UInt64(7 * index)
      if index < 8, byte < 0x80 { break }
    }
    return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }
}

extension [UInt8] {
  fileprivate var inflated: [UInt8]? {
    var length = uLong(1 << 24)
    var room = [UInt8](repeating: 0, count: Int(length))
    guard uncompress(&room, &length, self, uLong(count)) == Z_OK else { return nil }
    return Array(room[..<Int(length)])
  }
}
