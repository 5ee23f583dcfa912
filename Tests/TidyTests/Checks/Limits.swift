/// Limits on the sizes of files, functions, lines and parameter lists.
enum Limits {
  static let mostLines = 400
  /// For a program of one file in `Benchmarks`, which is compiled by itself.
  static let mostProgramLines = 500
  static let mostFunctionLines = 70
  static let mostColumns = 120
  static let mostUnlabelledParameters = 2

  static func longFiles(_ files: [SourceFile]) -> [Finding] {
    files.compactMap { file in
      let most = file.path.hasPrefix("Benchmarks/") ? mostProgramLines : mostLines
      guard file.lines.count > most else { return nil }
      return file.finding(most + 1, "the file has \(file.lines.count) lines; at most \(most) are allowed")
    }
  }

  static func longFunctions(_ files: [SourceFile]) -> [Finding] {
    files.flatMap { file in
      FunctionScanner.functions(in: file).filter { $0.lineCount > mostFunctionLines }.map {
        file.finding($0.line, "\($0.name) has \($0.lineCount) lines; at most \(mostFunctionLines) are allowed")
      }
    }
  }

  /// Functions and initializers with too many parameters without a label.
  static func unlabelledParameters(_ files: [SourceFile]) -> [Finding] {
    files.filter { $0.language == .swift && $0.isIn("Sources") }.flatMap { file in
      ParameterScanner.lists(in: file.code).filter { $0.unlabelled > mostUnlabelledParameters }.map {
        file.finding(
          $0.line,
          "\($0.unlabelled) parameters have no label; at most \(mostUnlabelledParameters) are allowed"
        )
      }
    }
  }

  static func longLines(_ files: [SourceFile]) -> [Finding] {
    files.flatMap { file in
      // Characters are counted only in a line with enough bytes, because counting takes long.
      file.lines.enumerated().filter { $0.element.utf8.count > mostColumns && $0.element.count > mostColumns }.map {
        file.finding($0.offset + 1, "the line has \($0.element.count) columns; at most \(mostColumns) are allowed")
      }
    }
  }

  /// Unmatched braces. In a file that has one, the measured lengths of functions are wrong.
  static func loneBraces(_ files: [SourceFile]) -> [Finding] {
    files.flatMap { file in
      FunctionScanner.loneBraces(in: file.code).map { file.finding($0, "this brace has no partner") }
    }
  }
}
