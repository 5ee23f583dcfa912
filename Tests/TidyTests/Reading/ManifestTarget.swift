/// A target that Package.swift declares.
struct ManifestTarget: Equatable, Sendable {
  let name: String
  let line: Int
  /// Targets, and products of other packages.
  let dependencies: [String]
  /// Whether the target is in the folder `Tests`: a test target, or code that test targets share.
  var isOfTests = false

  var isTest: Bool { name.hasSuffix("Tests") }

  func finding(_ what: String) -> Finding { Finding(path: "Package.swift", line: line, what: what) }

  static func all(in file: SourceFile) -> [ManifestTarget] {
    let code = String(decoding: CodeMask.code(of: file.text, .swift, keepsStrings: true), as: UTF8.self)
    var result: [ManifestTarget] = []
    var rest = code[...]
    while let start = nextTarget(in: rest) {
      let body = balanced(rest[start...])
      if let name = strings(after: "name:", in: body).first {
        let line = code[..<start].count(where: { $0 == "\n" }) + 1
        let isOfTests = name.hasSuffix("Tests") || strings(after: "path:", in: body).first?.hasPrefix("Tests/") == true
        result.append(
          ManifestTarget(name: name, line: line, dependencies: dependencies(in: body), isOfTests: isOfTests)
        )
      }
      rest = rest[body.endIndex...]
    }
    return result
  }

  /// The opening parenthesis of the next declaration.
  private static func nextTarget(in text: Substring) -> String.Index? {
    [".target(", ".executableTarget(", ".testTarget(", ".systemLibrary("]
      .compactMap { text.firstRange(of: $0) }.map(\.upperBound).min().map { text.index(before: $0) }
  }

  private static func dependencies(in body: Substring) -> [String] {
    guard let label = body.firstRange(of: "dependencies:"), let open = body[label.upperBound...].firstIndex(of: "[")
    else { return [] }
    var rest = balanced(body[open...]).dropFirst()
    var result: [String] = []
    while let mark = rest.firstIndex(where: { $0 == "\"" || $0 == "(" }) {
      if rest[mark] == "\"" {
        let name = rest[rest.index(after: mark)...].prefix { $0 != "\"" }
        result.append(String(name))
        rest = rest[name.endIndex...].dropFirst()
      } else {
        let call = balanced(rest[mark...])
        result += strings(after: "name:", in: call).prefix(1)
        rest = rest[call.endIndex...]
      }
    }
    return result
  }

  /// The text from an opening bracket to the matching closing bracket.
  private static func balanced(_ text: Substring) -> Substring {
    var depth = 0
    for index in text.indices {
      if text[index] == "(" || text[index] == "[" { depth += 1 }
      if text[index] == ")" || text[index] == "]" { depth -= 1 }
      if depth == 0 { return text[...index] }
    }
    return text
  }

  private static func strings(after label: String, in text: Substring) -> [String] {
    text.ranges(of: label).compactMap { range in
      let rest = text[range.upperBound...].drop { $0 == " " }
      guard rest.first == "\"" else { return nil }
      return String(rest.dropFirst().prefix { $0 != "\"" })
    }
  }
}
