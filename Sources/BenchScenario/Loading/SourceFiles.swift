internal import Foundation
internal import HarnessPrimitives

/// Reads and checks the text of a scenario, an override or a YCSB workload before it is parsed.
enum SourceText {
  static let largestBytes = 1 << 20

  /// Reads at most one byte more than the limit.
  static func read(path: String) throws(ScenarioDiagnostics) -> [UInt8] {
    do { return try RegularFile(path: path).contents(upTo: largestBytes + 1) } catch {
      throw ScenarioDiagnostics(diagnostics: [Diagnostic(file: path, message: error.explanation)])
    }
  }

  /// Returns the bytes without a byte-order mark. If they are too many or not a text, reports that and returns nil.
  static func checked(_ source: [UInt8], file: String, log: DiagnosticLog) -> [UInt8]? {
    guard source.count <= largestBytes else {
      log.report("the file is larger than 1 MiB", at: SourceLocation(file: file, line: 1, column: 1))
      return nil
    }
    let bytes: [UInt8]
    do throws(ScalarProblem) { bytes = try TextEncoding.utf8(source) } catch {
      log.report(error.message, at: SourceLocation(file: file, line: 1, column: 1))
      return nil
    }
    if let problem = firstProblem(in: bytes) {
      log.report(problem.message, at: location(ofByte: problem.offset, in: bytes, file: file))
      return nil
    }
    return bytes
  }

  /// Returns the line and column of a byte. The bytes before it must be valid UTF-8.
  static func location(ofByte offset: Int, in bytes: [UInt8], file: String) -> SourceLocation {
    var location = SourceLocation(file: file, line: 1, column: 1)
    let scalars = Array(String(decoding: bytes.prefix(offset), as: UTF8.self).unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      let isFollowed = scalar == "\r" && index + 1 < scalars.count && scalars[index + 1] == "\n"
      if scalar == "\n" || scalar == "\r" && !isFollowed {
        location.line += 1
        location.column = 1
      } else {
        location.column += 1
      }
    }
    return location
  }

  private static func firstProblem(in bytes: [UInt8]) -> (message: String, offset: Int)? {
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .emptyInput:
        return nil
      case .error:
        return ("the text is not UTF-8 here", offset)
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        if scalar.value == 0 { return ("there is a NUL byte here; expected text", offset) }
        if scalar.value == 0x7f || (scalar.value < 0x20 && !"\t\n\r".unicodeScalars.contains(scalar)) {
          return ("there is a control character here; expected text", offset)
        }
        // libyaml would begin a new line after these characters, but editors do not.
        if [0x85, 0x2028, 0x2029].contains(scalar.value) {
          return ("there is a line separator here that is not a line feed; expected text", offset)
        }
        offset += encoded.count
      }
    }
  }
}

/// The encoding of a text file. All texts are UTF-8; editors of Windows write a byte-order mark before it.
enum TextEncoding {
  private static let mark: [UInt8] = [0xef, 0xbb, 0xbf]

  /// Returns the bytes without a byte-order mark. Throws if they are recognizably UTF-16 or UTF-32.
  static func utf8(_ bytes: [UInt8]) throws(ScalarProblem) -> [UInt8] {
    if bytes.starts(with: mark) { return Array(bytes.dropFirst(mark.count)) }
    // The marks of both byte orders, and texts of ASCII characters without a mark.
    let zeros = bytes.prefix(4).map { $0 == 0 }
    let isWide =
      bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff])
      || [[true, false, true, false], [false, true, false, true], [true, true, true, false]].contains(zeros)
      || zeros == [false, true, true, true]
    guard !isWide else { throw ScalarProblem("the text is UTF-16 or UTF-32; save it as UTF-8") }
    return bytes
  }
}

/// The files that a scenario names. They must be in the scenario's folder, or in a folder inside it.
final class NamedFiles {
  static let largestBytes = 16 << 20

  /// The scenario's folder; nil for a scenario that was not loaded from a file.
  let folder: String?
  /// The texts of the files that are known, by their names.
  private(set) var texts: [String: String]

  /// - Parameter texts: the texts of files that are not read again, by their names.
  init(folder: String?, texts: [String: String] = [:]) {
    self.folder = folder
    self.texts = texts
  }

  /// Returns the text of the file with this name or path in the scenario. A file is read only once.
  func text(_ name: String) throws(ScalarProblem) -> String {
    if let text = texts[name] { return text }
    guard let folder else {
      throw ScalarProblem("the file \(quoted(name)) cannot be found: this scenario is not in a folder")
    }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let root = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
    let path = URL(fileURLWithPath: root + "/" + name).resolvingSymlinksInPath().path
    guard !parts.contains(".."), !name.hasPrefix("/"), path.hasPrefix(root == "/" ? root : root + "/") else {
      throw ScalarProblem("the file \(quoted(name)) is not in the scenario's own folder")
    }
    let text = try read(path, name)
    texts[name] = text
    return text
  }

  /// Returns the value that a file contains. A problem of its text is reported with the name of the file.
  func value<Value>(in name: String, by parse: (String) throws(ScalarProblem) -> Value) throws(ScalarProblem) -> Value {
    let text = try text(name)
    do throws(ScalarProblem) { return try parse(text) } catch {
      throw ScalarProblem("\(name): \(error.message)")
    }
  }

  /// Parses a size, a range of sizes or a distribution, which is read from a file if the text names one.
  func sizeDistribution(_ text: String) throws(ScalarProblem) -> SizeDistribution {
    switch try Scalars.sizeLaw.parse(text) {
    case .known(let distribution): return distribution
    case .histogram(let file): return .histogram(try value(in: file, by: SizeHistogram.init(csv:)))
    }
  }

  private func read(_ path: String, _ name: String) throws(ScalarProblem) -> String {
    var bytes: [UInt8]
    do {
      bytes = try RegularFile(path: path).contents(upTo: Self.largestBytes + 1)
    } catch {
      if error.reason == .missing { throw ScalarProblem("there is no file \(quoted(name)) in the scenario's folder") }
      throw ScalarProblem("the file \(quoted(name)) cannot be used: \(error.explanation)")
    }
    guard bytes.count <= Self.largestBytes else {
      throw ScalarProblem("the file \(quoted(name)) is larger than 16 MiB")
    }
    do throws(ScalarProblem) { bytes = try TextEncoding.utf8(bytes) } catch {
      throw ScalarProblem("the file \(quoted(name)) cannot be used: \(error.message)")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ScalarProblem("the file \(quoted(name)) is not UTF-8; save it as UTF-8")
    }
    return text
  }
}
