internal import BenchResults

/// The `matrix` and the `repeat` of a scenario: its variants, and the number of runs of each.
///
/// All variants are made and checked before anything runs, so that a wrong value of the last variant is found before
/// the first variant runs.
struct ScenarioMatrix {
  /// A path and the values that it takes.
  struct Axis {
    var path: String
    var location: SourceLocation
    var values: [Value]
    /// The shortest end of the path that no other path has; the whole path if there is none.
    var key = ""
  }

  /// A value and its name, which is its text unless the scenario gives it a label.
  struct Value {
    var name: String
    var node: YAMLNode
  }

  /// The most combinations of values; more are a typing error.
  static let mostVariants = 64
  /// The keys of a scenario that cannot vary, because all of its variants share them.
  private static let fixedKeys =
    [ScenarioGrammar.format, ScenarioGrammar.include, ScenarioGrammar.matrix, ScenarioGrammar.repetitions].map(\.name)
    + [\.name, \.summary, \.tags, \.seed].map(ScenarioGrammar.scenario.name)

  /// The most values of all variants together. Each variant counts as many as the file, including the matrix.
  static let mostNodes = 100_000

  private(set) var axes: [Axis] = []
  private(set) var repetitions = 1
  /// The start of the value of `matrix`, and of the next key. A location in between identifies the cause of a problem.
  private var section: (start: SourceLocation, end: SourceLocation?)?

  init(_ root: YAMLNode, log: DiagnosticLog) {
    let context = ReadingContext(log: log, files: NamedFiles(folder: nil))
    let count = root[ScenarioGrammar.repetitions.name]
    repetitions = count.flatMap { ScenarioGrammar.repetitionCount.read($0, context) } ?? 1
    guard let matrix = root[ScenarioGrammar.matrix.name] else { return }
    let keys = root.pairs?.map(\.keyLocation).filter { $0.file == matrix.location.file && $0 > matrix.location }
    section = (matrix.location, keys?.min())
    axes = Self.axes(matrix, log: log)
  }

  private static func axes(_ matrix: YAMLNode, log: DiagnosticLog) -> [Axis] {
    guard let pairs = log.pairs(of: matrix, expected: ValueKind.matrix.expectation) else { return [] }
    var axes: [Axis] = []
    var count = 1
    for pair in pairs {
      guard let axis = axis(pair, after: axes, log: log) else { continue }
      count *= axis.values.count
      guard count <= mostVariants else {
        log.report("the matrix has more than \(mostVariants) combinations of values", at: pair.keyLocation)
        break
      }
      axes.append(axis)
    }
    for index in axes.indices { axes[index].key = key(of: axes[index].path, among: axes.map(\.path)) }
    return axes
  }

  private static func axis(_ pair: YAMLPair, after others: [Axis], log: DiagnosticLog) -> Axis? {
    let components = YAMLNode.components(ofPath: pair.key)
    if let first = components.first, fixedKeys.contains(first) {
      log.report("\(quoted(first)) applies to the whole scenario and cannot vary", at: pair.keyLocation)
      return nil
    }
    if let other = others.first(where: { overlap($0.path, pair.key) }) {
      log.report("the path \(quoted(pair.key)) overlaps \(quoted(other.path)); leave one out", at: pair.keyLocation)
      return nil
    }
    guard let values = values(pair, log: log) else { return nil }
    return Axis(path: pair.key, location: pair.keyLocation, values: values)
  }

  private static func values(_ axis: YAMLPair, log: DiagnosticLog) -> [Value]? {
    guard axis.value.pairs != nil else {
      let expected = "a list of values such as [normal, full]"
      guard let elements = log.elements(of: axis.value, expected: expected) else { return nil }
      var seen: Set<String> = []
      for value in elements where !seen.insert(value.inlineText).inserted {
        log.report("the value \(quoted(value.inlineText)) is listed twice", at: value.location)
      }
      return elements.map { Value(name: $0.inlineText, node: $0) }
    }
    if axis.key == EngineComparison.path {
      log.report("drivers are called by their names and have no labels; write a list of them", at: axis.value.location)
      return nil
    }
    return log.pairs(of: axis.value, expected: "a mapping of labels to values")?.map { pair in
      _ = log.parse(pair.key, at: pair.keyLocation, by: Scalars.name.parse)
      return Value(name: pair.key, node: pair.value)
    }
  }

  /// Whether the paths are equal, or one is the beginning of the other.
  private static func overlap(_ left: String, _ right: String) -> Bool {
    zip(YAMLNode.components(ofPath: left), YAMLNode.components(ofPath: right)).allSatisfy { $0 == $1 }
  }

  private static func key(of path: String, among paths: [String]) -> String {
    let components = YAMLNode.components(ofPath: path)
    for length in 1..<max(components.count, 1) {
      let end = components.suffix(length)
      let isUnique = paths.count { YAMLNode.components(ofPath: $0).suffix(length) == end } == 1
      if isUnique { return end.joined(separator: ".") }
    }
    return path
  }

  /// Reports overrides of values that the matrix varies or that contain such a value: the matrix would overwrite them.
  func refuse(_ overrides: [ScenarioOverride], log: DiagnosticLog) {
    for (index, override) in overrides.enumerated() {
      guard let axis = axes.first(where: { Self.overlap($0.path, override.path) }) else { continue }
      log.report(
        "the matrix varies \(quoted(axis.path)); choose among its values with --only, or replace them with "
          + "--set 'matrix={…}'",
        at: SourceLocation(file: ScenarioOverride.file, line: index + 1, column: 1)
      )
    }
  }
}

extension ScenarioMatrix {
  /// The tree of one variant.
  struct Tree {
    var settings: [VariantSetting]
    var node: YAMLNode
    /// The problems of the paths of the matrix.
    var problems: DiagnosticLog

    /// The driver, if the matrix varies it.
    var driver: String? { settings.first { $0.path == EngineComparison.path }?.value }
  }

  /// Returns the tree of every variant; without a matrix, the scenario itself. Reports variants that are too many to be
  /// checked, and then returns none.
  func trees(of root: YAMLNode, log: DiagnosticLog) -> [Tree] {
    let combinations = combinations
    let nodeCount = root.nodeCount
    if let section, nodeCount * combinations.count > Self.mostNodes {
      log.report(
        "\(combinations.count) variants of a scenario of \(nodeCount) values are more than can be checked; expected at "
          + "most \(Self.mostNodes) values in all",
        at: section.start
      )
      return []
    }
    return combinations.map { values in
      let problems = DiagnosticLog()
      var node = root
      for (axis, value) in zip(axes, values) {
        node.set(value.node, at: axis.path, start: axis.location, log: problems)
      }
      let settings = zip(axes, values).map { VariantSetting(path: $0.path, key: $0.key, value: $1.name) }
      return Tree(settings: settings, node: node, problems: problems)
    }
  }

  /// Checks every variant, and reports the problems of all. The message of a problem that only some variants have names
  /// the first of them, unless the problem is located in the matrix.
  ///
  /// - Parameter decode: Reads a variant, and reports its problems.
  /// - Returns: The variants that could be read.
  func variants(
    of trees: [Tree],
    log: DiagnosticLog,
    decode: (Tree, DiagnosticLog) -> Scenario?
  ) -> [ScenarioVariant] {
    var variants: [ScenarioVariant] = []
    var problems = VariantProblems()
    for tree in trees {
      if let scenario = decode(tree, tree.problems) {
        variants.append(ScenarioVariant(settings: tree.settings, scenario: scenario))
      }
      problems.add(tree.problems, of: tree.settings.map(\.name).joined(separator: ","))
    }
    problems.report(to: log) { isInSection($0) }
    return variants
  }

  /// Every combination of a value of each axis. The values of the last axis change fastest.
  private var combinations: [[Value]] {
    axes.reduce([[]]) { combinations, axis in
      combinations.flatMap { combination in axis.values.map { combination + [$0] } }
    }
  }

  private func isInSection(_ location: SourceLocation) -> Bool {
    guard let section, location.file == section.start.file, location >= section.start else { return false }
    return section.end.map { location < $0 } ?? true
  }
}

/// The problems of all variants, each once.
struct VariantProblems {
  private var order: [DiagnosticLog.Entry] = []
  private var variants: [DiagnosticLog.Entry: [String]] = [:]
  private var count = 0

  mutating func add(_ log: DiagnosticLog, of variant: String) {
    count += 1
    for problem in log.entries {
      if variants[problem] == nil { order.append(problem) }
      if variants[problem]?.last != variant { variants[problem, default: []].append(variant) }
    }
  }

  /// Reports errors of any variant, and warnings that all variants have: a connection that some variants use is not
  /// unused.
  ///
  /// - Parameter isNamed: whether a problem's location identifies its cause, so that the message names no variant.
  func report(to log: DiagnosticLog, isNamed: (SourceLocation) -> Bool) {
    for var problem in order {
      let names = variants[problem] ?? []
      let isEverywhere = names.count == count
      if problem.severity == .warning, !isEverywhere { continue }
      if !isEverywhere, !isNamed(problem.location) { problem.message += Self.clause(names, of: count) }
      log.report(problem)
    }
  }

  private static func clause(_ names: [String], of count: Int) -> String {
    names.count == 1
      ? "; found in the variant \(quoted(names[0]))"
      : "; found in \(names.count) of \(count) variants, the first of them \(quoted(names[0]))"
  }
}
