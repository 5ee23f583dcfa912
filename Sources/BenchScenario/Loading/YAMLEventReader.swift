internal import CYAML

/// One event of libyaml's parser.
struct YAMLEvent {
  enum Kind {
    case scalar(String, YAMLNode.ScalarStyle)
    case sequenceStart(isFlow: Bool)
    case sequenceEnd
    case mappingStart(isFlow: Bool)
    case mappingEnd
    case alias(String)
    case documentStart
    case documentEnd
    case streamEnd
  }

  var kind: Kind
  var location: SourceLocation
  var anchor: String?
  var tag: String?
}

/// A problem after which the rest of the text cannot be read.
struct YAMLFailure: Error {
  var message: String
  var location: SourceLocation
}

/// Reads a YAML text event by event, with libyaml's parser.
///
/// `YAMLComposer` builds the tree from the events, so that it can report every duplicate key, and can check the limits
/// of nesting and size before it builds anything.
final class YAMLEventReader {
  private let file: String
  private let sourceCount: Int
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  // The parser contains pointers to itself and to `bytes`, so neither may move.
  private let parser: UnsafeMutablePointer<yaml_parser_t>

  /// - Parameter source: UTF-8 without a byte-order mark.
  init(_ source: [UInt8], file: String) {
    self.file = file
    sourceCount = source.count
    bytes = .allocate(capacity: max(source.count, 1))
    _ = bytes.initialize(from: source)
    parser = .allocate(capacity: 1)
    parser.initialize(to: yaml_parser_t())
    precondition(yaml_parser_initialize(parser) == 1, "libyaml has no memory for a parser")
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, bytes.baseAddress, source.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
    bytes.deallocate()
  }

  /// - Throws: `YAMLFailure` if the text is not YAML.
  func next() throws(YAMLFailure) -> YAMLEvent {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw failure() }
    defer { yaml_event_delete(&event) }
    let location = SourceLocation(file: file, line: event.start_mark.line + 1, column: event.start_mark.column + 1)
    func found(
      _ kind: YAMLEvent.Kind,
      anchor: UnsafeMutablePointer<yaml_char_t>? = nil,
      tag: UnsafeMutablePointer<yaml_char_t>? = nil
    ) -> YAMLEvent {
      YAMLEvent(kind: kind, location: location, anchor: string(anchor), tag: string(tag))
    }
    switch event.type {
    case YAML_STREAM_START_EVENT: return try next()
    case YAML_DOCUMENT_START_EVENT: return found(.documentStart)
    case YAML_DOCUMENT_END_EVENT: return found(.documentEnd)
    case YAML_ALIAS_EVENT: return found(.alias(string(event.data.alias.anchor) ?? ""))
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      let style = YAMLNode.ScalarStyle(rawValue: scalar.style.rawValue) ?? .plain
      return found(.scalar(text, style), anchor: scalar.anchor, tag: scalar.tag)
    case YAML_SEQUENCE_START_EVENT:
      let start = event.data.sequence_start
      let kind = YAMLEvent.Kind.sequenceStart(isFlow: start.style == YAML_FLOW_SEQUENCE_STYLE)
      return found(kind, anchor: start.anchor, tag: start.tag)
    case YAML_SEQUENCE_END_EVENT: return found(.sequenceEnd)
    case YAML_MAPPING_START_EVENT:
      let start = event.data.mapping_start
      let kind = YAMLEvent.Kind.mappingStart(isFlow: start.style == YAML_FLOW_MAPPING_STYLE)
      return found(kind, anchor: start.anchor, tag: start.tag)
    case YAML_MAPPING_END_EVENT: return found(.mappingEnd)
    default: return found(.streamEnd)
    }
  }

  private func failure() -> YAMLFailure {
    let problem = parser.pointee.problem.map { String(cString: $0) } ?? "it cannot be read"
    guard parser.pointee.error != YAML_READER_ERROR else {
      let location = SourceText.location(ofByte: parser.pointee.problem_offset, in: Array(bytes), file: file)
      return YAMLFailure(message: "this is not YAML: \(problem)", location: location)
    }
    let mark = parser.pointee.problem_mark
    let location = SourceLocation(file: file, line: mark.line + 1, column: mark.column + 1)
    // libyaml may locate a problem at the end of the text one line after it.
    let end = SourceText.location(ofByte: sourceCount, in: Array(bytes), file: file)
    let contextMark = parser.pointee.context_mark
    let text = String(decoding: bytes[..<sourceCount], as: UTF8.self)
    let mistake = YAMLMistake(
      problem: problem,
      context: parser.pointee.context.map { String(cString: $0) },
      location: min(location, end),
      contextLocation: SourceLocation(file: file, line: contextMark.line + 1, column: contextMark.column + 1),
      // libyaml ends a line also at a carriage return.
      lines: text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
    )
    return mistake.failure
  }

  private func string(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    pointer.map { String(cString: $0) }
  }
}
