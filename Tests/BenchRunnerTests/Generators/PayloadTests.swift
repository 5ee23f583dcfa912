import HarnessPrimitives
import Testing

@testable import BenchRunner

@Suite("A value that says what it is") struct PayloadTests {
  private static let sizes = Array(32...200) + [4_096]

  private func make(_ label: Payload.Label, size: Int) -> [UInt8] {
    var stream = RandomStream(seed: label.commit, "payload")
    return Payload.make(label, size: size, &stream)
  }

  private let label = Payload.Label(commit: 0x0123_4567_89ab, row: 999_999, collection: 3, part: .object)

  @Test func `it is read as it was made, whatever its size`() {
    for size in Self.sizes {
      let value = make(label, size: size)
      #expect(value.count == size)
      #expect(Payload.read(value) == label)
    }
  }

  @Test func `every part of its label is kept`() {
    let labels = [
      Payload.Label(commit: 0, row: 0, collection: 0, part: .object),
      Payload.Label(commit: .max, row: .max, collection: .max, part: .metadata),
      Payload.Label(commit: 1, row: 2, collection: 3, part: .metadata),
    ]
    for label in labels { #expect(Payload.read(make(label, size: 64)) == label) }
  }

  @Test func `each damaged byte is found`() {
    for size in Self.sizes {
      var value = make(label, size: size)
      var missed: Set<Int> = []
      for index in value.indices {
        for mask: UInt8 in [1, 0x80, 0xff] {
          value[index] ^= mask
          if Payload.read(value) != nil { missed.insert(index) }
          value[index] ^= mask
        }
      }
      #expect(missed.isEmpty, "of \(size) bytes")
    }
  }

  @Test func `each damaged bit of a value is found`() {
    var value = make(label, size: 77)
    for bit in 0..<77 * 8 {
      value[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(Payload.read(value) == nil, "bit \(bit)")
      value[bit / 8] ^= 1 << UInt8(bit % 8)
    }
  }

  @Test func `a value that was cut off, made longer or put together from two is found`() {
    let value = make(label, size: 128)
    for size in 0..<128 { #expect(Payload.read(Array(value[..<size])) == nil) }
    #expect(Payload.read(value + [0]) == nil)
    var other = label
    other.commit += 1
    let younger = make(other, size: 128)
    for cut in 1..<128 { #expect(Payload.read(Array(value[..<cut] + younger[cut...])) == nil, "cut at \(cut)") }
  }

  @Test func `words of the random bytes that changed places are found`() {
    var value = make(label, size: 128)
    for index in 0..<8 { value.swapAt(32 + index, 64 + index) }
    #expect(Payload.read(value) == nil)
  }

  @Test func `zeros, which a lost page would show, are no value`() {
    for size in Self.sizes { #expect(Payload.read(Array(repeating: 0, count: size)) == nil) }
  }

  @Test func `values that differ have different fingerprints`() {
    var seen: Set<UInt64> = []
    for commit in 0..<200 as Range<UInt64> {
      for row in 0..<10 {
        let value = make(Payload.Label(commit: commit, row: row, collection: 0, part: .object), size: 40)
        #expect(seen.insert(Payload.fingerprint(value)).inserted)
      }
    }
    #expect(Payload.fingerprint([]) == 0)
  }

  @Test func `what follows the header cannot be compressed away`() {
    let body = make(label, size: 4_096).dropFirst(32)
    var counts = Array(repeating: 0, count: 256)
    for byte in body { counts[Int(byte)] += 1 }
    let fit = ChiSquare(counts, probabilities: Array(repeating: 1.0 / 256, count: 256))
    #expect(fit.fits, "\(fit)")
  }

  private static let label = Payload.Label(commit: 5, row: 7, collection: 2, part: .object)

  @Test(arguments: [(0.0, 0), (0.25, 42), (0.5, 84), (1.0, 168)])
  func `a fraction of the body is zeros, and the value is whole`(fraction: Double, zeros: Int) {
    var stream = RandomStream(seed: 3, "compressible")
    let value = Payload.make(Self.label, size: 200, compressible: fraction, &stream)
    #expect(value.count == 200)
    #expect(Payload.read(value) == Self.label)
    #expect(value.suffix(zeros).allSatisfy { $0 == 0 })
    // Of the random bytes one in 256 is zero.
    #expect(value.dropFirst(32).dropLast(zeros).count { $0 == 0 } < 12)
  }

  @Test(arguments: [0, 1, -1, .max, .min] as [Int64])
  func `a balance is read as it was written, and belongs to the checksum`(balance: Int64) {
    var stream = RandomStream(seed: 4, "balance")
    var value = Payload.make(Self.label, size: 64, balance: balance, &stream)
    #expect(Payload.balance(of: value) == balance)
    #expect(Payload.read(value) == Self.label)
    value[35] ^= 1
    #expect(Payload.read(value) == nil)
    #expect(Payload.balance(of: Array(value.prefix(39))) == nil)
  }
}
