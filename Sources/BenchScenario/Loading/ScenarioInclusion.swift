internal import Foundation
internal import HarnessPrimitives

/// Merges the files that a scenario names under `include` with the scenario.
///
/// The values of the merged tree keep their locations. Overrides, the matrix and the copy of a run apply to this tree,
/// which has no `include`.
struct ScenarioInclusion {
  /// The most levels of files that include files.
  static let deepest = 8
  /// The most files, a file that several files include counted for each.
  static let mostFiles = 64

  private static let key = ScenarioGrammar.include.name

  private let log: DiagnosticLog
  private var fileCount = 0

  init(_ log: DiagnosticLog) { self.log = log }

  /// Returns a mapping with the keys of the files that it includes, without `include`.
  ///
  /// - Parameters:
  ///   - path: the path of the mapping's file, in whose folder the names of files begin.
  ///   - open: the paths of the files that include this one, directly or not.
  /// - Returns: nil after reporting a problem because of which the mapping may be incomplete.
  mutating func merged(_ node: YAMLNode, of path: String, in open: [String] = []) -> YAMLNode? {
    guard let list = node[Self.key] else { return node }
    let elements = list.text == nil ? log.elements(of: list, expected: ValueKind.files.expectation) : [list]
    guard let names = elements else { return nil }
    var parts: [YAMLNode] = []
    for name in names where fileCount <= Self.mostFiles {
      if let part = included(name, by: path, in: open + [path]) { parts.append(part) }
    }
    guard parts.count == names.count else { return nil }
    var result = node.without([Self.key])
    for part in parts.reversed() {
      result = result.merged(over: part)
      guard result.nodeCount <= YAMLComposer.mostNodes else {
        let most = YAMLComposer.mostNodes
        log.report("the file has more than \(most) values with those of the included files", at: list.location)
        return nil
      }
    }
    return result
  }

  /// Returns the keys of an included file, and of those that it includes.
  private mutating func included(_ node: YAMLNode, by path: String, in open: [String]) -> YAMLNode? {
    guard let name = node.text, !name.isEmpty else {
      log.report(expected: "the path of a file", found: node)
      return nil
    }
    let folder = PathParts(path).folder
    let file = name.hasPrefix("/") || folder == "." ? name : (folder == "/" ? "" : folder) + "/" + name
    fileCount += 1
    if let first = open.firstIndex(where: { Self.isSame($0, file) }) {
      let names = (open[first...] + [file]).joined(separator: ", ")
      log.report("files include each other in a circle: \(names); leave one \"include\" out", at: node.location)
      return nil
    }
    guard open.count <= Self.deepest, fileCount <= Self.mostFiles else {
      log.report(
        "more than \(Self.deepest) levels or \(Self.mostFiles) files are included; put what they have in common into "
          + "fewer files",
        at: node.location
      )
      return nil
    }
    let source: [UInt8]
    do { source = try SourceText.read(path: file) } catch {
      let reason = error.diagnostics[0].message
      log.report(
        "the file \(quoted(name)) cannot be included: \(reason); its path begins in the folder of this file",
        at: node.location
      )
      return nil
    }
    guard let bytes = SourceText.checked(source, file: file, log: log),
      let root = YAMLComposer.compose(bytes, file: file, log: log)
    else { return nil }
    guard root.pairs != nil else {
      log.report(expected: "keys of a scenario, written as a mapping", found: root)
      return nil
    }
    return merged(root.without([ScenarioGrammar.scenario.name(of: \.name)]), of: file, in: open)
  }

  private static func isSame(_ left: String, _ right: String) -> Bool {
    URL(fileURLWithPath: left).resolvingSymlinksInPath() == URL(fileURLWithPath: right).resolvingSymlinksInPath()
  }
}

extension YAMLNode {
  /// Returns the scenario with what only `base` has, in the order of the grammar. Sections are joined key by key.
  /// Collections, connections, actors, views and phases are joined by their names, and two with one name key by key.
  /// Any other value of `base` is replaced. The parts of `base` come first.
  fileprivate func merged(over base: YAMLNode) -> YAMLNode {
    let grammar = ScenarioGrammar.scenario.grammar
    var result = joined(with: base) { key, own, other in
      switch grammar.key(key)?.kind {
      case .mapping, .matrix: own.joined(with: other)
      case .named, .list: own.joined(with: other) { _, own, other in own.joined(with: other) }
      default: own
      }
    }
    let ranks = Dictionary(uniqueKeysWithValues: zip(grammar.names, 0...))
    let pairs = result.pairs?.sorted { ranks[$0.key] ?? .max < ranks[$1.key] ?? .max }
    result.content = .mapping(pairs ?? [], isFlow: false)
    return result
  }

  /// Returns the pairs of two mappings, or the elements of two lists, which are known by their `name`.
  ///
  /// - Parameter join: Returns the value of a key that both have, from this mapping's value and the other's.
  private func joined(
    with base: YAMLNode,
    by join: (_ key: String, YAMLNode, YAMLNode) -> YAMLNode = { _, own, _ in own }
  ) -> YAMLNode {
    func joined(_ own: [YAMLPair], _ others: [YAMLPair]) -> [YAMLPair] {
      var left = own
      let first = others.map { other in
        guard let index = left.firstIndex(where: { $0.key == other.key }) else { return other }
        var pair = left.remove(at: index)
        pair.value = join(pair.key, pair.value, other.value)
        return pair
      }
      return first + left
    }
    var result = self
    switch (content, base.content) {
    case (.mapping(let own, let isFlow), .mapping(let others, _)):
      result.content = .mapping(joined(own, others), isFlow: isFlow)
      result.hasDuplicateKeys = hasDuplicateKeys || base.hasDuplicateKeys
    case (.sequence(let own, let isFlow), .sequence(let others, _)):
      result.content = .sequence(joined(own.map(\.named), others.map(\.named)).map(\.value), isFlow: isFlow)
    default: break
    }
    return result
  }

  /// The element of a list with its `name` as the key.
  private var named: YAMLPair {
    YAMLPair(key: self[ScenarioGrammar.phase.name(of: \.name)]?.text ?? "", keyLocation: location, value: self)
  }
}
