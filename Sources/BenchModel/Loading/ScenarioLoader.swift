internal import Foundation

/// Reads scenarios.
///
/// Goals: all problems of a file are found before anything runs and told together, each where it stands; nothing is
/// silently ignored; a hostile file does no harm. The limits: 1 MiB, 32 levels, 10,000 values with aliases written out,
/// 64 variants.
public enum ScenarioLoader {
  /// The name under which a run keeps its scenario, whose `name` is therefore another.
  static let nameInRun = "scenario"

  /// Loads a file.
  ///
  /// - Throws: every problem of the file and of the overrides; also where the file cannot be read.
  public static func load(
    path: String,
    overrides: [ScenarioOverride] = []
  ) throws(ScenarioDiagnostics) -> LoadedScenario {
    let log = DiagnosticLog()
    let source = SourceText.read(path: path, log: log)
    try log.throwIfAny()
    let url = URL(fileURLWithPath: path)
    let stem = url.deletingPathExtension().lastPathComponent
    let files = NamedFiles(folder: url.deletingLastPathComponent().path)
    let fileName = stem == nameInRun ? nil : stem
    return try load(source ?? [], file: path, fileName: fileName, files: files, overrides: overrides, log: log)
  }

  /// Loads a text that has no file, so that its `name` is free.
  ///
  /// - Parameters:
  ///   - file: what diagnostics call it.
  ///   - files: the texts of files that it names, by their names; there are no others.
  public static func load(
    text: String,
    file: String = "scenario.yaml",
    files: [String: String] = [:],
    overrides: [ScenarioOverride] = []
  ) throws(ScenarioDiagnostics) -> LoadedScenario {
    let named = NamedFiles(folder: nil, texts: files)
    return try load(
      Array(text.utf8),
      file: file,
      fileName: nil,
      files: named,
      overrides: overrides,
      log: DiagnosticLog()
    )
  }

  /// Loads bytes, which need not be text.
  static func load(
    _ source: [UInt8],
    file: String,
    fileName: String?,
    files: NamedFiles = NamedFiles(folder: nil),
    overrides: [ScenarioOverride],
    log: DiagnosticLog
  ) throws(ScenarioDiagnostics) -> LoadedScenario {
    let start = Place(file: file, line: 1, column: 1)
    guard let bytes = SourceText.checked(source, file: file, log: log),
      var root = YAMLComposer.compose(bytes, file: file, log: log)
    else {
      try log.throwIfAny()
      throw ScenarioDiagnostics([Diagnostic(file: file, line: 1, column: 1, message: "the file cannot be read")])
    }
    root.apply(overrides, log: log)
    let matrix = ScenarioMatrix(root, log: log)
    matrix.refuse(overrides, log: log)
    let variants = matrix.variants(of: root, fileName: fileName, files: files, log: log)
    let expanded = log.reporting(at: start) { () throws(ScalarProblem) in
      do {
        return try root.serialised()
      } catch {
        throw ScalarProblem("the scenario cannot be written as YAML: \(error)")
      }
    }
    try log.throwIfAny()
    guard !variants.isEmpty, let expanded else {
      throw ScenarioDiagnostics([Diagnostic(file: file, line: 1, column: 1, message: "the file cannot be read")])
    }
    return LoadedScenario(
      variants: variants,
      repetitions: matrix.repetitions,
      expandedYAML: expanded,
      files: files.texts
    )
  }
}
