internal import Foundation

/// The language of a file, as far as the checks distinguish it.
enum Language: Sendable {
  case swift, c, shell, markdown, other
}

/// One text file.
struct SourceFile: Sendable {
  /// From the root, such as `Sources/YapEngine/Commit.swift`.
  let path: String
  let language: Language
  let text: String
  let lines: [String]

  init(path: String, text: String) {
    self.path = path
    self.text = text
    language = Self.language(of: path, text)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    self.lines = lines
  }

  /// The bytes with comments and strings blanked; every line stays where it is.
  var code: [UInt8] { CodeMask.code(of: text, language) }

  /// The lines with comments and strings blanked.
  var codeLines: [String] {
    code.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The texts of the comments, line by line, with their line numbers.
  var commentLines: [(line: Int, text: Substring)] {
    let uncommented = CodeMask.code(of: text, language, keepsStrings: true)
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return zip(lines, uncommented).enumerated().compactMap { index, pair in
      let (line, code) = pair
      let start = zip(line.utf8, code).prefix { $0 == $1 }.count
      guard start < line.utf8.count else { return nil }
      let comment = line[line.utf8.index(line.utf8.startIndex, offsetBy: start)...]
      return (index + 1, comment.drop { "/*! ".contains($0) })
    }
  }

  /// The folder below `Sources` or `Tests`.
  var target: String? {
    let parts = path.split(separator: "/")
    return parts.count >= 3 && (parts[0] == "Sources" || parts[0] == "Tests") ? String(parts[1]) : nil
  }

  func isIn(_ folder: String) -> Bool { path.hasPrefix(folder + "/") }

  func finding(_ line: Int, _ what: String) -> Finding { Finding(path: path, line: line, what: what) }

  private static func language(of path: String, _ text: String) -> Language {
    switch URL(fileURLWithPath: path).pathExtension {
    case "swift": .swift
    case "c", "h": .c
    case "sh": .shell
    case "md": .markdown
    default: text.hasPrefix("#!") && text.prefix { $0 != "\n" }.hasSuffix("sh") ? .shell : .other
    }
  }
}

/// A line that breaks a rule, printed in the form that editors jump to.
struct Finding: Equatable, Sendable, CustomStringConvertible {
  let path: String
  let line: Int
  let what: String

  var description: String { "\(path):\(line): \(what)" }
}

/// The repository without build products, fetched packages and reports of runs.
struct SourceTree: Sendable {
  static let repository = SourceTree(
    root: URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
  )

  let root: URL
  /// Every file and folder, text or not.
  let paths: [String]
  let files: [SourceFile]

  init(root: URL) {
    self.root = root
    paths = Self.paths(below: "", in: root).sorted()
    files = paths.compactMap { path in
      guard let data = try? Data(contentsOf: root.appendingPathComponent(path)),
        let text = String(data: data, encoding: .utf8), !text.contains("\0")
      else { return nil }
      return SourceFile(path: path, text: text)
    }
  }

  /// Files in a programming language.
  var sources: [SourceFile] { files.filter { [.swift, .c, .shell].contains($0.language) } }

  func files(in language: Language) -> [SourceFile] { files.filter { $0.language == language } }

  private static func paths(below folder: String, in root: URL) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path)) ?? []
    return names.flatMap { name -> [String] in
      let path = folder.isEmpty ? name : folder + "/" + name
      guard isOurs(name, in: folder) else { return [] }
      let values = try? root.appendingPathComponent(path).resourceValues(forKeys: [.isDirectoryKey])
      return [path] + (values?.isDirectory == true ? paths(below: path, in: root) : [])
    }
  }

  /// Excludes the files that `.gitignore` names.
  private static func isOurs(_ name: String, in folder: String) -> Bool {
    if folder == "Reports" { return name == "README.md" || name == "example" }
    return name != ".git" && name != ".swiftpm" && name != "Package.resolved" && !name.hasPrefix(".build")
      && !name.hasSuffix(".swp")
  }
}
