/// Builds the tree of a document. The limits of nesting and size are checked before a value is built, so a hostile file
/// costs no more time and memory than the limits allow.
///
/// Every duplicate key is reported. Tags, keys that are not scalars, and a second document are refused.
struct YAMLComposer {
  static let deepestNesting = 32
  /// The most values of a document, counted with every alias written out, including keys.
  static let mostNodes = 10_000
  static let tooDeep = "values are nested deeper than \(deepestNesting) levels"

  /// A value, with the number of values in it and its levels of nesting, both with every alias written out.
  private struct Part {
    var node: YAMLNode
    var nodeCount: Int
    var height: Int
  }

  private let reader: YAMLEventReader
  private let log: DiagnosticLog
  private let start: SourceLocation
  private var anchors: [String: Part] = [:]
  private var nodeCount = 0

  private init(_ source: [UInt8], file: String, log: DiagnosticLog) {
    reader = YAMLEventReader(source, file: file)
    start = SourceLocation(file: file, line: 1, column: 1)
    self.log = log
  }

  /// - Returns: the root, or nil if the text is not one YAML document within the limits; the log then has the reason.
  static func compose(_ source: [UInt8], file: String, log: DiagnosticLog) -> YAMLNode? {
    var composer = YAMLComposer(source, file: file, log: log)
    do throws(YAMLFailure) {
      return try composer.document()
    } catch {
      log.report(error.message, at: error.location)
      return nil
    }
  }

  private mutating func document() throws(YAMLFailure) -> YAMLNode {
    guard case .documentStart = try reader.next().kind else {
      throw YAMLFailure(message: "the text is empty; expected a mapping of keys to values", location: start)
    }
    let root = try part(try reader.next(), depth: 1).node
    _ = try reader.next()
    let end = try reader.next()
    guard case .streamEnd = end.kind else {
      throw YAMLFailure(message: "a second document starts here; a scenario is one document", location: end.location)
    }
    return root
  }

  private mutating func part(_ event: YAMLEvent, depth: Int) throws(YAMLFailure) -> Part {
    nodeCount += 1
    try checkSize(at: event.location)
    guard depth <= Self.deepestNesting else { throw YAMLFailure(message: Self.tooDeep, location: event.location) }
    if let tag = event.tag {
      log.report("tags such as \(quoted(tag)) are not allowed; write the value alone", at: event.location)
    }
    let part: Part
    switch event.kind {
    case .scalar(let text, let style):
      part = Part(node: YAMLNode(content: .scalar(text, style), location: event.location), nodeCount: 1, height: 1)
    case .sequenceStart(let isFlow):
      part = try sequence(at: event.location, isFlow: isFlow, depth: depth)
    case .mappingStart(let isFlow):
      part = try mapping(at: event.location, isFlow: isFlow, depth: depth)
    case .alias(let name):
      return try alias(name, at: event.location, depth: depth)
    default:
      throw YAMLFailure(message: "this is not YAML: a value is missing", location: event.location)
    }
    if let anchor = event.anchor { anchors[anchor] = part }
    return part
  }

  private mutating func alias(_ name: String, at location: SourceLocation, depth: Int) throws(YAMLFailure) -> Part {
    guard let anchored = anchors[name] else {
      let clause = Suggestion.clause(for: name, among: anchors.keys.sorted())
      throw YAMLFailure(message: "no anchor before this has the name \(quoted(name))\(clause)", location: location)
    }
    nodeCount += anchored.nodeCount - 1
    try checkSize(at: location)
    guard depth + anchored.height - 1 <= Self.deepestNesting else {
      throw YAMLFailure(message: Self.tooDeep, location: location)
    }
    return anchored
  }

  private mutating func sequence(at location: SourceLocation, isFlow: Bool, depth: Int) throws(YAMLFailure) -> Part {
    var elements: [YAMLNode] = []
    var height = 0
    let countBefore = nodeCount
    while true {
      let event = try reader.next()
      if case .sequenceEnd = event.kind { break }
      let element = try part(event, depth: depth + 1)
      elements.append(element.node)
      height = max(height, element.height)
    }
    let node = YAMLNode(content: .sequence(elements, isFlow: isFlow), location: location)
    return Part(node: node, nodeCount: nodeCount - countBefore + 1, height: height + 1)
  }

  private mutating func mapping(at location: SourceLocation, isFlow: Bool, depth: Int) throws(YAMLFailure) -> Part {
    var pairs: [YAMLPair] = []
    var seen: Set<String> = []
    var hasDuplicateKeys = false
    var height = 0
    let countBefore = nodeCount
    while true {
      let event = try reader.next()
      if case .mappingEnd = event.kind { break }
      let key = try part(event, depth: depth + 1).node
      let value = try part(try reader.next(), depth: depth + 1)
      height = max(height, value.height)
      guard case .scalar(let text, let style) = key.content else {
        log.report("expected a word as the key, found \(key.found)", at: event.location)
        continue
      }
      guard seen.insert(text).inserted else {
        log.report("duplicate key \(quoted(text))", at: event.location)
        hasDuplicateKeys = true
        continue
      }
      pairs.append(YAMLPair(key: text, keyStyle: style, keyLocation: event.location, value: value.node))
    }
    let node = YAMLNode(
      content: .mapping(pairs, isFlow: isFlow),
      location: location,
      hasDuplicateKeys: hasDuplicateKeys
    )
    return Part(node: node, nodeCount: nodeCount - countBefore + 1, height: height + 1)
  }

  private func checkSize(at location: SourceLocation) throws(YAMLFailure) {
    guard nodeCount <= Self.mostNodes else {
      throw YAMLFailure(
        message: "the document has more than \(Self.mostNodes) values, aliases expanded; a scenario needs far fewer",
        location: location
      )
    }
  }
}
