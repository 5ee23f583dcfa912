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
          return ("there is a line separator here that is no line feed; expected text", offset)
        }
        offset += encoded.count
      }
    }
  }
}
