/// Banned words, and words that need a reason beside them.
enum BannedWords {
  private struct Word {
    let text: String
    let reason: String
    /// `Sources` or `Tests`, if it is banned only there.
    var folder: String?
    /// The folders and files that may use it.
    var exempt: [String] = []
    /// Whether it is banned in comments and strings too.
    var inComments = false
    /// Whether it is banned only before a number.
    var beforeNumber = false
    /// Whether calls of a function of this name are permitted.
    var permitsCalls = false
  }

  private static let words = [
    Word(text: "try!", reason: "throw, or say what cannot fail"),
    Word(text: "Thread.sleep(", reason: waiting),
    Word(text: "Task.sleep(", reason: waiting),
    Word(text: "usleep(", reason: waiting),
    Word(text: "nanosleep(", reason: waiting),
    Word(text: "sleep(", reason: waiting, beforeNumber: true),
    Word(text: "MonotonicClock.sleep(", reason: waiting, folder: "Tests", exempt: timedWaits),
    Word(
      text: "deletingLastPathComponent",
      reason: "that of `NSString` traps for a path of one character; use `PathParts`",
      permitsCalls: true
    ),
    Word(text: "Process()", reason: starting, folder: "Sources"),
    Word(text: "posix_spawn(", reason: starting, folder: "Sources"),
    Word(text: "posix_spawnp(", reason: starting, folder: "Sources"),
    Word(text: "execve(", reason: starting, folder: "Sources", exempt: ["Sources/CSpawn"]),
    Word(text: "fork(", reason: starting, folder: "Sources", exempt: ["Sources/CSpawn"]),
    Word(text: "vfork(", reason: starting, folder: "Sources", exempt: ["Sources/CSpawn"]),
    Word(text: "waitpid(", reason: starting, folder: "Sources", exempt: ["Sources/CSpawn", childProcess]),
    Word(text: "print(", reason: "only the command prints", folder: "Sources", exempt: ["Sources/YapBenchCommand"]),
    Word(text: "debugPrint(", reason: "only the command prints", folder: "Sources"),
    Word(text: "public", reason: "write `package`", folder: "Sources", exempt: publicTargets),
    Word(text: "TODO", reason: "do it, or leave it out", folder: "Sources", inComments: true),
    Word(text: "FIXME", reason: "mend it, or leave it out", folder: "Sources", inComments: true),
    Word(text: "XXX", reason: "mend it, or leave it out", folder: "Sources", inComments: true),
  ]

  private static let childProcess = "Sources/HarnessPrimitives/Processes/ChildProcess.swift"
  private static let starting = "start programs with `ChildProcess`"
  /// The engine, which other packages use, and the targets whose functions measured threads call.
  private static let publicTargets = [
    "YapEngine", "SQLiteBinding", "ThreadingPrimitives", "LatencyMetrics", "HarnessPrimitives", "CommitLedger",
    "BenchResults", "BenchScenario", "BenchDrivers",
  ].map { "Sources/\($0)" }
  private static let waiting = "wait for the condition, such as with `eventually`"

  /// Tests that must wait for a time, because no condition is awaited.
  private static let timedWaits = [
    // Ends a process that hangs.
    "Tests/TestSupport/Watchdog.swift",
    // Phases, notifications and outages in which a time must pass.
    "Tests/BenchRunnerTests/Invariants/NotificationCheckTests.swift", "Tests/BenchRunnerTests/NestingRunTests.swift",
    "Tests/BenchRunnerTests/Phases/PhaseConductorTests.swift", "Tests/BenchRunnerTests/Running/OutageTests.swift",
  ]

  static func bannedWords(_ files: [SourceFile]) -> [Finding] {
    files.filter { $0.language == .swift || $0.language == .c }.flatMap { file -> [Finding] in
      guard file.isIn("Sources") || file.isIn("Tests") else { return [] }
      let relevant = words.filter { word in
        (word.folder.map(file.isIn) ?? true) && !word.exempt.contains { file.path == $0 || file.isIn($0) }
      }
      let codeLines = file.codeLines
      return file.lines.enumerated().flatMap { index, line in
        relevant.filter { has($0, in: $0.inComments ? line : codeLines[index]) }.map {
          file.finding(index + 1, "`\($0.text)` is banned: \($0.reason)")
        }
      }
    }
  }

  private static func has(_ word: Word, in line: String) -> Bool {
    line.ranges(of: word.text).contains { range in
      let start = line[..<range.lowerBound]
      let before = start.last
      if let before, before.isLetter || before.isNumber || before == "_" { return false }
      // `.print(` is a method of another type; `Thread.sleep(` has its own row.
      let isMethod = before == "." && !["Swift.", "Foundation.", "Glibc."].contains(where: start.hasSuffix)
      if isMethod, word.text.hasSuffix("("), word.text.first?.isLowercase == true { return false }
      if word.beforeNumber { return line[range.upperBound...].drop { $0 == " " }.first?.isNumber == true }
      let after = line[range.upperBound...].first
      if word.permitsCalls, after == "(" { return false }
      return word.text.hasSuffix("(") || word.text.hasSuffix("!") || !(after.map { $0.isLetter || $0 == "_" } ?? false)
    }
  }

  /// Traps without a message or comment that explains the failure.
  static func unexplainedTraps(_ files: [SourceFile]) -> [Finding] {
    unexplained(files.filter { $0.isIn("Sources") }, ["fatalError("]) { line in
      line.contains("//") || line.drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" }.contains(" ")
    }
  }

  /// Unchecked promises to the compiler, without a comment on the line above.
  static func unexplainedPromises(_ files: [SourceFile]) -> [Finding] {
    unexplained(files, ["@unchecked Sendable", "nonisolated(unsafe)"]) { _ in false }
  }

  private static func unexplained(
    _ files: [SourceFile],
    _ words: [String],
    isExplained: (String) -> Bool
  ) -> [Finding] {
    files.filter { $0.language == .swift }.flatMap { file in
      file.codeLines.enumerated().flatMap { index, line -> [Finding] in
        guard let word = words.first(where: { line.contains($0) }), !isExplained(file.lines[index]) else { return [] }
        let above = index > 0 ? file.lines[index - 1].drop { $0 == " " } : ""
        if above.hasPrefix("//") { return [] }
        return [file.finding(index + 1, "`\(word)` needs a comment on the line above that says why")]
      }
    }
  }

  private static let emptyNames = ["Manager", "Helper", "Helpers", "Util", "Utils", "Impl", "Base"]
  private static let typeKeywords: Set = ["class", "struct", "enum", "actor", "protocol", "typealias"]

  /// Names of types and files that carry no information.
  static func emptyNames(_ files: [SourceFile]) -> [Finding] {
    files.filter { $0.language == .swift }.flatMap { file -> [Finding] in
      let stem = file.path.split(separator: "/").last.map { String($0.dropLast(".swift".count)) } ?? ""
      let ofFile = saysNothing(stem) ? [file.finding(1, "the name \(stem) says nothing")] : []
      return ofFile
        + file.codeLines.enumerated().flatMap { index, line -> [Finding] in
          let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
          return zip(words, words.dropFirst()).compactMap { keyword, name in
            guard typeKeywords.contains(String(keyword)), saysNothing(String(name)) else { return nil }
            return file.finding(index + 1, "the name \(name) says nothing")
          }
        }
    }
  }

  private static func saysNothing(_ name: String) -> Bool {
    emptyNames.contains { name.hasSuffix($0) }
  }
}
