internal import Foundation
internal import SystemFiles

/// The bytes of a scenario, checked before they reach the YAML parser.
enum SourceText {
  static let largestBytes = 1 << 20

  /// Reads a file, at most one byte more than the limit.
  static func read(path: String, log: DiagnosticLog) -> [UInt8]? {
    do {
      return try RegularFile(path: path).contents(upTo: largestBytes + 1)
    } catch {
      log.report(error.explanation, at: SourceLocation(file: path, line: 1, column: 1))
      return nil
    }
  }

  /// - Returns: the bytes without a byte-order mark, or nil if they are no text; the log says why.
  static func checked(_ source: [UInt8], file: String, log: DiagnosticLog) -> [UInt8]? {
    guard source.count <= largestBytes else {
      log.report("the file is larger than 1 MiB", at: SourceLocation(file: file, line: 1, column: 1))
      return nil
    }
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    let bytes = source.starts(with: mark) ? Array(source.dropFirst(mark.count)) : source
    if let problem = firstProblem(in: bytes) {
      log.report(problem.message, at: location(ofByte: problem.offset, in: bytes, file: file))
      return nil
    }
    return bytes
  }

  /// Line and column of a byte; every character before it is valid.
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
        // YAML's reader would count a line there, but editors do not.
        if [0x85, 0x2028, 0x2029].contains(scalar.value) {
          return ("there is a line separator here that is not a line feed; expected text", offset)
        }
        offset += encoded.count
      }
    }
  }
}

/// The files that a scenario names. They lie in its own folder, or below it.
final class NamedFiles {
  static let largestBytes = 16 << 20

  /// nil for a scenario that is no file.
  private let folder: String?
  /// The texts of the files that were read, by their names.
  private(set) var texts: [String: String]

  /// - Parameter texts: those of files that were read before.
  init(folder: String?, texts: [String: String] = [:]) {
    self.folder = folder
    self.texts = texts
  }

  /// - Parameter name: the name in the scenario.
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

  /// Reads a file and parses its text; the message of a problem names the file.
  func value<Value>(in name: String, by parse: (String) throws(ScalarProblem) -> Value) throws(ScalarProblem) -> Value {
    let text = try text(name)
    do throws(ScalarProblem) { return try parse(text) } catch {
      throw ScalarProblem("\(name): \(error.message)")
    }
  }

  /// Reads a size, a range of sizes, or a law, which may be the name of a file.
  func sizeDistribution(_ text: String) throws(ScalarProblem) -> SizeDistribution {
    switch try Scalars.sizeLaw.parse(text) {
    case .known(let distribution): return distribution
    case .histogram(let file): return .histogram(try value(in: file, by: SizeHistogram.init(csv:)))
    }
  }

  private func read(_ path: String, _ name: String) throws(ScalarProblem) -> String {
    let bytes: [UInt8]
    do {
      bytes = try RegularFile(path: path).contents(upTo: Self.largestBytes + 1)
    } catch {
      if error.reason == .missing { throw ScalarProblem("there is no file \(quoted(name)) in the scenario's folder") }
      throw ScalarProblem("the file \(quoted(name)) cannot be used: \(error.explanation)")
    }
    guard bytes.count <= Self.largestBytes else {
      throw ScalarProblem("the file \(quoted(name)) is larger than 16 MiB")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ScalarProblem("the file \(quoted(name)) is not UTF-8")
    }
    return text
  }
}
