/// A number as people write it: digits, `_` between digits, at most one point. No sign, no exponent.
///
/// It is kept as whole digits, so that `1.5s` is exactly 1,500,000,000 ns and nothing depends on rounding.
struct DecimalText: Equatable {
  /// All digits, read as one number: 15 for `1.5`.
  let digits: UInt64
  /// How many of the digits stand after the point.
  let fractionDigits: Int

  enum Failure: Error, Equatable {
    case notANumber
    case negative
    case tooLarge
    case tooFine
  }

  init(_ text: Substring) throws(Failure) {
    if text.first == "-" { throw .negative }
    var digits: UInt64 = 0
    var fractionDigits = 0
    var seenPoint = false
    var previous: UInt8 = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let (scaled, overflow) = digits.multipliedReportingOverflow(by: 10)
        let (sum, carry) = scaled.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
        if overflow || carry { throw .tooLarge }
        digits = sum
        if seenPoint { fractionDigits += 1 }
      case UInt8(ascii: "_") where isDigit(previous): break
      case UInt8(ascii: ".") where isDigit(previous) && !seenPoint: seenPoint = true
      default: throw .notANumber
      }
      previous = byte
    }
    guard isDigit(previous) else { throw .notANumber }
    self.digits = digits
    self.fractionDigits = fractionDigits
  }

  /// The number times `unit`, exactly.
  func multiplied(by unit: UInt64) throws(Failure) -> UInt64 {
    let product = digits.multipliedFullWidth(by: unit)
    var divisor: UInt64 = 1
    for _ in 0..<fractionDigits {
      let (next, overflow) = divisor.multipliedReportingOverflow(by: 10)
      if overflow { throw .tooFine }
      divisor = next
    }
    guard product.high < divisor else { throw .tooLarge }
    let (quotient, remainder) = divisor.dividingFullWidth(product)
    guard remainder == 0 else { throw .tooFine }
    return quotient
  }

  /// The nearest `Double`; always finite, since at most 20 digits are kept.
  var doubleValue: Double {
    var divisor = 1.0
    for _ in 0..<fractionDigits { divisor *= 10 }
    return Double(digits) / divisor
  }

  /// Parts `250us` into `250` and `us`.
  static func split(_ text: String) -> (number: Substring, unit: Substring) {
    let isNumeric = { (character: Character) in character.isASCII && (character.isNumber || "_.-+".contains(character))
    }
    let end = text.firstIndex { !isNumeric($0) } ?? text.endIndex
    return (text[..<end], text[end...])
  }
}

private func isDigit(_ byte: UInt8) -> Bool {
  byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
}
