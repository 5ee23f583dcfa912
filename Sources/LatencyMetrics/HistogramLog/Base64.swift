/// Base64 of RFC 4648, section 4, with padding. This layer must not import Foundation.
enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func text(of bytes: [UInt8]) -> String {
    let length = (bytes.count + 2) / 3 * 4
    return String(unsafeUninitializedCapacity: length) { text in
      var written = 0
      for start in stride(from: 0, to: bytes.count, by: 3) {
        let count = min(3, bytes.count - start)
        var group: UInt32 = 0
        for offset in 0..<3 { group = group << 8 | (offset < count ? UInt32(bytes[start + offset]) : 0) }
        for place in 0..<4 {
          let sixBits = Int(group >> UInt32(18 - 6 * place)) & 0x3F
          text[written] = place <= count ? alphabet[sixBits] : UInt8(ascii: "=")
          written += 1
        }
      }
      return written
    }
  }
}
