/// The Swift code of the documentation. A test must contain each sample, line for line, and run it.
enum DocumentedCode {
  /// The folder of the documentation, and the folder of the tests that run its code.
  static let documentation = "Sources/YapEngine/YapEngine.docc"
  static let tests = "Tests/YapEngineTests/Documentation"

  struct Sample: Equatable {
    /// The number of the line that opens it.
    let line: Int
    let code: [String]
  }

  static func samplesWithoutTest(_ files: [SourceFile]) -> [Finding] {
    let tested = files.filter { $0.isIn(tests) && $0.language == .swift }.map { trimmed($0.lines) }
    let pages = files.filter { $0.language == .markdown && ($0.isIn(documentation) || $0.path == "README.md") }
    return pages.flatMap { page in
      samples(in: page).filter { sample in !tested.contains { $0.containsRun(sample.code) } }
        .map { page.finding($0.line, "no test in \(tests) has this code, line for line") }
    }
  }

  static func samples(in page: SourceFile) -> [Sample] {
    var samples: [Sample] = []
    var open: (line: Int, code: [String])?
    for (index, line) in page.lines.enumerated() {
      if let sample = open {
        if line.hasPrefix("```") {
          samples.append(Sample(line: sample.line, code: trimmed(sample.code)))
          open = nil
        } else {
          open?.code.append(line)
        }
      } else if line.hasPrefix("```swift") {
        open = (index + 1, [])
      }
    }
    return samples
  }

  /// The lines without indentation, empty lines and imports.
  private static func trimmed(_ lines: [String]) -> [String] {
    lines.map { line in String(line.drop { $0 == " " }) }.filter { !$0.isEmpty && !$0.hasPrefix("import ") }
  }
}

extension [String] {
  fileprivate func containsRun(_ run: [String]) -> Bool {
    guard run.count <= count else { return false }
    return (0...(count - run.count)).contains { Array(self[$0..<$0 + run.count]) == run }
  }
}
