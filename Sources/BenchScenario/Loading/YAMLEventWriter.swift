internal import CYAML

extension YAMLNode {
  /// Returns the node as YAML text, in the styles of its source where YAML allows them, without comments and aliases.
  ///
  /// - Throws: `ScalarProblem` if libyaml fails, which happens only when memory runs out.
  func serialised() throws(ScalarProblem) -> String {
    try YAMLEventWriter().text(of: self)
  }
}

/// Writes a document event by event, with libyaml's emitter.
private final class YAMLEventWriter {
  private var bytes: [UInt8] = []
  // The emitter contains pointers to itself, so it must not move.
  private let emitter: UnsafeMutablePointer<yaml_emitter_t>

  init() {
    emitter = .allocate(capacity: 1)
    emitter.initialize(to: yaml_emitter_t())
    precondition(yaml_emitter_initialize(emitter) == 1, "libyaml has no memory for an emitter")
    yaml_emitter_set_unicode(emitter, 1)
    // Lines are not wrapped.
    yaml_emitter_set_width(emitter, -1)
    let append: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int) -> Int32 = {
      let writer = Unmanaged<YAMLEventWriter>.fromOpaque($0!).takeUnretainedValue()
      writer.bytes += UnsafeBufferPointer(start: $1, count: $2)
      return 1
    }
    yaml_emitter_set_output(emitter, append, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    yaml_emitter_delete(emitter)
    emitter.deallocate()
  }

  func text(of root: YAMLNode) throws(ScalarProblem) -> String {
    try emit { yaml_stream_start_event_initialize($0, YAML_UTF8_ENCODING) }
    try emit { yaml_document_start_event_initialize($0, nil, nil, nil, 1) }
    try emit(root)
    try emit { yaml_document_end_event_initialize($0, 1) }
    try emit { yaml_stream_end_event_initialize($0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func emit(_ node: YAMLNode) throws(ScalarProblem) {
    switch node.content {
    case .scalar(let text, let style):
      try emit(text, style)
    case .sequence(let elements, let isFlow):
      let style = isFlow ? YAML_FLOW_SEQUENCE_STYLE : YAML_BLOCK_SEQUENCE_STYLE
      try emit { yaml_sequence_start_event_initialize($0, nil, nil, 1, style) }
      for element in elements { try emit(element) }
      try emit { yaml_sequence_end_event_initialize($0) }
    case .mapping(let pairs, let isFlow):
      let style = isFlow ? YAML_FLOW_MAPPING_STYLE : YAML_BLOCK_MAPPING_STYLE
      try emit { yaml_mapping_start_event_initialize($0, nil, nil, 1, style) }
      for pair in pairs {
        try emit(pair.key, pair.keyStyle)
        try emit(pair.value)
      }
      try emit { yaml_mapping_end_event_initialize($0) }
    }
  }

  private func emit(_ text: String, _ style: YAMLNode.ScalarStyle) throws(ScalarProblem) {
    let bytes = Array(text.utf8)
    let yamlStyle = yaml_scalar_style_t(rawValue: style.rawValue)
    try emit { yaml_scalar_event_initialize($0, nil, nil, bytes, Int32(bytes.count), 1, 1, yamlStyle) }
  }

  private func emit(_ initialize: (UnsafeMutablePointer<yaml_event_t>) -> Int32) throws(ScalarProblem) {
    var event = yaml_event_t()
    guard initialize(&event) == 1, yaml_emitter_emit(emitter, &event) == 1 else {
      let problem = emitter.pointee.problem.map { String(cString: $0) } ?? "no memory"
      throw ScalarProblem("the scenario cannot be written as YAML: \(problem)")
    }
  }
}
