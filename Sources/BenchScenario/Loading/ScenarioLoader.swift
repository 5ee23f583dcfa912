internal import Foundation

/// Loads scenarios.
///
/// All errors of a file are reported together, each with its location; only one that keeps the YAML from being read
/// hides others. Warnings are part of the loaded scenario. No part of a file is ignored. A file has at most 1 MiB, 32
/// levels of nesting, 10,000 values with aliases written out and included files, and 64 variants with 100,000 values
/// together.
public enum ScenarioLoader {
  /// The name, without extension, of the file with a run's copy of its scenario, whose `name` may differ from it.
  static let nameInRun = "scenario"

  /// The keys that do not change a run.
  private static let keysWithoutEffect: [String] = {
    let paths: [PartialKeyPath<Scenario>] = [\.seed, \.summary, \.tags, \.expectations, \.shownFigures]
    return paths.map(ScenarioGrammar.scenario.name)
  }()

  /// Loads a file.
  ///
  /// - Parameter drivers: the drivers that the variants compare; empty for the scenario's own.
  /// - Throws: every problem of the file and of the overrides, or the reason why the file cannot be read.
  public static func load(
    path: String,
    overrides: [ScenarioOverride] = [],
    drivers: [DriverKind] = []
  ) throws(ScenarioDiagnostics) -> LoadedScenario {
    let source = try SourceText.read(path: path)
    let url = URL(fileURLWithPath: path)
    let stem = url.deletingPathExtension().lastPathComponent
    let files = NamedFiles(folder: url.deletingLastPathComponent().path)
    let decoding = VariantDecoding(fileName: stem == nameInRun ? nil : stem, files: files)
    return try load(source, file: path, decoding, overrides: overrides, drivers: drivers)
  }

  /// Loads a text. Its `name` may be any name, because there is no file with which it must agree.
  ///
  /// - Parameters:
  ///   - file: the name of the text in diagnostics.
  ///   - files: the texts of the files that the scenario may name, by their names.
  ///   - drivers: the drivers that the variants compare; empty for the scenario's own.
  public static func load(
    text: String,
    file: String = "scenario.yaml",
    files: [String: String] = [:],
    overrides: [ScenarioOverride] = [],
    drivers: [DriverKind] = []
  ) throws(ScenarioDiagnostics) -> LoadedScenario {
    let decoding = VariantDecoding(files: NamedFiles(folder: nil, texts: files))
    return try load(Array(text.utf8), file: file, decoding, overrides: overrides, drivers: drivers)
  }

  /// Loads the bytes of a scenario. Bytes that are not a text are a problem of the scenario.
  static func load(
    _ source: [UInt8],
    file: String,
    _ decoding: VariantDecoding = VariantDecoding(),
    overrides: [ScenarioOverride] = [],
    drivers: [DriverKind] = []
  ) throws(ScenarioDiagnostics) -> LoadedScenario {
    let log = DiagnosticLog()
    let unreadable = Diagnostic(file: file, message: "the file cannot be read")
    var inclusion = ScenarioInclusion(log)
    guard let bytes = SourceText.checked(source, file: file, log: log),
      let written = YAMLComposer.compose(bytes, file: file, log: log),
      var root = decoding.files.folder == nil ? written : inclusion.merged(written, of: file)
    else {
      try log.throwIfAny()
      throw ScenarioDiagnostics(diagnostics: [unreadable])
    }
    root.apply(overrides, log: log)
    if let include = root[ScenarioGrammar.include.name] {
      log.report("files are included only by the file of a scenario; write \"include\" there", at: include.location)
    }
    let matrix = ScenarioMatrix(root, log: log)
    matrix.refuse(overrides, log: log)
    let trees = matrix.trees(of: root, log: log)
    let variants = matrix.variants(of: trees, log: log) { decoding.scenario(of: $0, among: trees, log: $1) }
    var expanded: String?
    do throws(ScalarProblem) { expanded = try root.serialised() } catch {
      log.report(error.message, at: SourceLocation(file: file, line: 1, column: 1))
    }
    try log.throwIfAny()
    guard !variants.isEmpty, let expanded else { throw ScenarioDiagnostics(diagnostics: [unreadable]) }
    var loaded = LoadedScenario(
      variants: variants,
      repetitions: matrix.repetitions,
      expandedYAML: expanded,
      comparableText: root.without(keysWithoutEffect).inlineText,
      overrides: overrides.filter { $0.path != "seed" },
      files: decoding.files.texts
    )
    if !drivers.isEmpty {
      try loaded.compare(ComparedDrivers(drivers), on: root, overrides: overrides, decoding, log: log)
    }
    loaded.warnings = log.diagnostics(.warning)
    return loaded
  }
}

/// Reads the variants of one scenario.
struct VariantDecoding {
  /// The name that the scenario must have; nil if it may have any, as without a file and in the copy of a run.
  var fileName: String?
  /// The files that the scenario names.
  var files = NamedFiles(folder: nil)

  /// - Parameter all: All variants.
  func scenario(of tree: ScenarioMatrix.Tree, among all: [ScenarioMatrix.Tree], log: DiagnosticLog) -> Scenario? {
    ScenarioDecoder(log: log, source: self, settings: tree.settings, variants: all.map(\.settings)).scenario(tree.node)
  }
}

extension LoadedScenario {
  /// Replaces the variants by variants of several drivers.
  ///
  /// - Parameter root: the scenario as it is written, with the overrides applied.
  fileprivate mutating func compare(
    _ drivers: ComparedDrivers,
    on root: YAMLNode,
    overrides: [ScenarioOverride],
    _ decoding: VariantDecoding,
    log: DiagnosticLog
  ) throws(ScenarioDiagnostics) {
    var drivers = drivers
    let extended = drivers.extending(root)
    let matrix = ScenarioMatrix(extended, log: log)
    matrix.refuse(overrides, log: log)
    let trees = matrix.trees(of: extended, log: log)
    try log.throwIfAny()
    variants = drivers.variants(of: trees, log: log) { decoding.scenario(of: $0, among: trees, log: $1) }
    try log.throwIfAny()
    repetitions = matrix.repetitions
    engines = drivers.comparison
  }
}
