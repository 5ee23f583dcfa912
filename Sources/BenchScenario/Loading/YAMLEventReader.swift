internal import CYaml

/// One step of a YAML document.
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

/// Reads a text event by event.
///
/// The parser is libyaml, as the Yams package builds it. Yams itself composes a whole tree at once: it stops at the
/// first duplicate key, follows nesting as deep as the stack, and compares keys that may be aliases of a huge tree.
/// Event by event, limits are checked before anything is built.
final class YAMLEventReader {
  private let file: String
  private let sourceCount: Int
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  // The parser points into itself and into `bytes`, so it needs a fixed address.
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
    switch event.type {
    case YAML_STREAM_START_EVENT:
      return try next()
    case YAML_DOCUMENT_START_EVENT:
      return YAMLEvent(kind: .documentStart, location: location)
    case YAML_DOCUMENT_END_EVENT:
      return YAMLEvent(kind: .documentEnd, location: location)
    case YAML_ALIAS_EVENT:
      return YAMLEvent(kind: .alias(string(event.data.alias.anchor) ?? ""), location: location)
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      return YAMLEvent(
        kind: .scalar(text, style(scalar.style)),
        location: location,
        anchor: string(scalar.anchor),
        tag: string(scalar.tag)
      )
    case YAML_SEQUENCE_START_EVENT:
      let start = event.data.sequence_start
      return YAMLEvent(
        kind: .sequenceStart(isFlow: start.style == YAML_FLOW_SEQUENCE_STYLE),
        location: location,
        anchor: string(start.anchor),
        tag: string(start.tag)
      )
    case YAML_SEQUENCE_END_EVENT:
      return YAMLEvent(kind: .sequenceEnd, location: location)
    case YAML_MAPPING_START_EVENT:
      let start = event.data.mapping_start
      return YAMLEvent(
        kind: .mappingStart(isFlow: start.style == YAML_FLOW_MAPPING_STYLE),
        location: location,
        anchor: string(start.anchor),
        tag: string(start.tag)
      )
    case YAML_MAPPING_END_EVENT:
      return YAMLEvent(kind: .mappingEnd, location: location)
    default:
      return YAMLEvent(kind: .streamEnd, location: location)
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
    // The parser looks ahead for keys, so its own limit can be reached before ours.
    if problem.hasPrefix("Maximum nesting level") {
      return YAMLFailure(message: YAMLComposer.tooDeep, location: location)
    }
    // At the end of the text the parser is a line further.
    let end = SourceText.location(ofByte: sourceCount, in: Array(bytes), file: file)
    let context = parser.pointee.context.map { " " + String(cString: $0) } ?? ""
    return YAMLFailure(message: "this is not YAML: \(problem)\(context)", location: min(location, end))
  }

  private func string(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    pointer.map { String(cString: $0) }
  }

  private func style(_ style: yaml_scalar_style_t) -> YAMLNode.ScalarStyle {
    switch style {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
    case YAML_LITERAL_SCALAR_STYLE: .literal
    case YAML_FOLDED_SCALAR_STYLE: .folded
    default: .plain
    }
  }
}
