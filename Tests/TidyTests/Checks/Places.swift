/// Paths in the tree, and paths of machines in its files.
enum Places {
  static func pathsWithSpaces(_ paths: [String]) -> [Finding] {
    paths.filter { $0.contains(where: \.isWhitespace) }.map { Finding(path: $0, line: 1, what: "the path has a space") }
  }

  /// Concatenated here, so that this file does not contain such a path.
  private static let machinePlaces = ["work/", "home/", "root/", "Users/", "tmp/wt"].map { "/" + $0 }

  static func machinePlaces(_ files: [SourceFile]) -> [Finding] {
    files.flatMap { file in
      file.lines.enumerated().flatMap { index, line -> [Finding] in
        machinePlaces.filter { hasPlace($0, in: line) }.map {
          file.finding(index + 1, "\($0) is a place of one machine")
        }
      }
    }
  }

  /// Matches only at the start of a path. After `~` or the host of an address it is not a path of a machine.
  private static func hasPlace(_ place: String, in line: String) -> Bool {
    line.ranges(of: place).contains { range in
      guard let before = line[..<range.lowerBound].last else { return true }
      return !(before.isLetter || before.isNumber || "._-~*)}/$".contains(before))
    }
  }
}
