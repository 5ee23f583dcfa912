/// A name that a scenario gives: it stands in paths, expectations and columns, so its letters are few.
public enum NameScalar {
  static let longest = 64

  public static func parse(_ text: String) throws(ScalarProblem) -> String {
    let isAllowed = { (byte: UInt8) in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
      default: false
      }
    }
    guard !text.isEmpty, text.utf8.count <= longest, text.utf8.allSatisfy(isAllowed) else {
      throw ScalarProblem(expected: "a name of up to \(longest) letters, digits, - and _", found: text)
    }
    return text
  }
}
