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
  var place: Place
  var anchor: String?
  var tag: String?
}

/// A problem after which the rest of the text cannot be read.
struct YAMLFailure: Error {
  var message: String
  var place: Place
}

/// Reads a text event by event.
///
/// The parser is libyaml, as the Yams package builds it. Yams itself composes a whole tree at once: it stops at the
/// first duplicate key, follows nesting as deep as the stack, and compares keys that may be aliases of a huge tree.
/// Event by event, limits hold before anything is built.
final class YAMLEventReader {
  private let file: String
  private let sourceCount: Int
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  // The parser points into itself and into `bytes`, so that it needs a fixed address.
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

  /// - Throws: `YAMLFailure` where the text is not YAML.
  func next() throws(YAMLFailure) -> YAMLEvent {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw failure() }
    defer { yaml_event_delete(&event) }
    let place = Place(file: file, line: event.start_mark.line + 1, column: event.start_mark.column + 1)
    switch event.type {
    case YAML_STREAM_START_EVENT:
      return try next()
    case YAML_DOCUMENT_START_EVENT:
      return YAMLEvent(kind: .documentStart, place: place)
    case YAML_DOCUMENT_END_EVENT:
      return YAMLEvent(kind: .documentEnd, place: place)
    case YAML_ALIAS_EVENT:
      return YAMLEvent(kind: .alias(string(event.data.alias.anchor) ?? ""), place: place)
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      return YAMLEvent(
        kind: .scalar(text, style(scalar.style)),
        place: place,
        anchor: string(scalar.anchor),
        tag: string(scalar.tag)
      )
    case YAML_SEQUENCE_START_EVENT:
      let start = event.data.sequence_start
      return YAMLEvent(
        kind: .sequenceStart(isFlow: start.style == YAML_FLOW_SEQUENCE_STYLE),
        place: place,
        anchor: string(start.anchor),
        tag: string(start.tag)
      )
    case YAML_SEQUENCE_END_EVENT:
      return YAMLEvent(kind: .sequenceEnd, place: place)
    case YAML_MAPPING_START_EVENT:
      let start = event.data.mapping_start
      return YAMLEvent(
        kind: .mappingStart(isFlow: start.style == YAML_FLOW_MAPPING_STYLE),
        place: place,
        anchor: string(start.anchor),
        tag: string(start.tag)
      )
    case YAML_MAPPING_END_EVENT:
      return YAMLEvent(kind: .mappingEnd, place: place)
    default:
      return YAMLEvent(kind: .streamEnd, place: place)
    }
  }

  private func failure() -> YAMLFailure {
    let problem = parser.pointee.problem.map { String(cString: $0) } ?? "it cannot be read"
    guard parser.pointee.error != YAML_READER_ERROR else {
      let place = SourceText.place(ofByte: parser.pointee.problem_offset, in: Array(bytes), file: file)
      return YAMLFailure(message: "this is not YAML: \(problem)", place: place)
    }
    let mark = parser.pointee.problem_mark
    // The parser looks ahead for keys, so that its own limit can be met before ours.
    if problem.hasPrefix("Maximum nesting level") {
      let place = Place(file: file, line: mark.line + 1, column: mark.column + 1)
      return YAMLFailure(message: YAMLComposer.tooDeep, place: place)
    }
    let place = Place(file: file, line: mark.line + 1, column: mark.column + 1)
    // At the end of the text the parser is a line further.
    let end = SourceText.place(ofByte: sourceCount, in: Array(bytes), file: file)
    let context = parser.pointee.context.map { " " + String(cString: $0) } ?? ""
    return YAMLFailure(
      message: "this is not YAML: \(problem)\(context)",
      place: min(place, end)
    )
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
