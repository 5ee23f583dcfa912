/// The page of names from YapDatabase: each code span in the last column of its tables, and in its lists of equal
/// names, is a public declaration of the engine.
enum NamesPage {
  static let path = "Sources/YapEngine/YapEngine.docc/NamesFromYapDatabase.md"
  static let engine = "Sources/YapEngine"
  /// The beginning of a line that lists names which are the same in both.
  static let sameNames = "The same: "

  /// The names of the page that no file of the engine declares.
  static func missingNames(_ page: SourceFile, in files: [SourceFile]) -> [Finding] {
    let declared = PublicNames(files.filter { $0.isIn(engine) && $0.language == .swift })
    var isSame = false
    return page.lines.enumerated().flatMap { index, line -> [Finding] in
      isSame = line.hasPrefix(sameNames) || isSame && !line.isEmpty
      return names(in: line, isSame: isSame).filter { !declared.contains($0) }
        .map { page.finding(index + 1, "the engine has no public declaration \($0)") }
    }
  }

  /// The code spans of a line that name declarations of the engine.
  static func names(in line: String, isSame: Bool) -> [String] {
    guard isSame || line.hasPrefix("| ") else { return [] }
    let cells = line.split(separator: "|").filter { !$0.allSatisfy(\.isWhitespace) }
    guard let cell = isSame ? line[...] : cells.count > 1 ? cells.last : nil else { return [] }
    return cell.matches(of: /`{1,2}([^`]+)`{1,2}/).map { String($0.1) }
  }
}

/// The names of public declarations, as documentation writes them: `name`, `name(label:)`, `Type`, `Type.name(label:)`
/// and, for initializers, `Type(label:)`.
struct PublicNames {
  private var types: Set<String> = []
  private var members: Set<String> = []
  private var initializers: Set<String> = []

  init(_ files: [SourceFile]) {
    for file in files { collect(String(decoding: file.code, as: UTF8.self)) }
  }

  func contains(_ name: String) -> Bool {
    let parts = name.replacing("/", with: ".").split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    // A leading dot abbreviates the type.
    if parts.count == 2 {
      let member = String(parts[1])
      let isNested = member.contains(".")
      return parts[0].isEmpty || types.contains(String(parts[0]))
        ? isNested ? contains(member) : members.contains(member) || types.contains(member) : false
    }
    if types.contains(name) || members.contains(name) { return true }
    guard let open = name.firstIndex(of: "("), types.contains(String(name[..<open])) else { return false }
    return initializers.contains(String(name[open...]))
  }

  private mutating func collect(_ code: String) {
    let modifiers =
      /public\s+(?:(?:static|final|mutating|nonmutating|convenience|indirect|private\(set\)|unowned)\s+)*/
    for match in code.matches(of: modifiers) {
      let rest = code[match.range.upperBound...]
      if let type = rest.prefixMatch(of: /(?:class|struct|enum|protocol|typealias|actor)\s+(\w+)/) {
        types.insert(String(type.1))
      } else if let property = rest.prefixMatch(of: /(?:var|let)\s+(\w+)/) {
        members.insert(String(property.1))
      } else if let function = rest.prefixMatch(of: /func\s+`?(\w+)`?\s*(?:<[^(]*>)?\(/) {
        members.insert(String(function.1) + labels(rest[function.range.upperBound...]))
      } else if let initializer = rest.prefixMatch(of: /init[?!]?\s*(?:<[^(]*>)?\(/) {
        initializers.insert(labels(rest[initializer.range.upperBound...]))
      }
    }
    // Cases of a public enumeration have no modifier.
    for match in code.matches(of: /\n\s*case (\w+(?:(?: = [^,\n]+)?, \w+)*)/) {
      for name in match.1.split(separator: ",") {
        members.insert(String(name.drop { $0 == " " }.prefix { $0.isLetter || $0.isNumber }))
      }
    }
  }

  /// The labels of the parameter list that was opened just before `text`, in parentheses.
  private func labels(_ text: Substring) -> String {
    ParameterScanner.parameters(text).filter { !$0.isEmpty }.reduce("(") { labels, parameter in
      labels + parameter.prefix { $0.isLetter || $0.isNumber || $0 == "_" } + ":"
    } + ")"
  }
}
