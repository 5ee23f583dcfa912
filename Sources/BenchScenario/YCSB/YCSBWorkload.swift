internal import Foundation

/// A workload of YCSB, converted to a scenario.
public struct YCSBWorkload: Sendable, Equatable {
  /// The file name in diagnostics about a property that is given with `-p`. The line is the ordinal of the property.
  public static let propertyFile = "-p"

  /// The scenario's name, made from the name of the file.
  public let name: String
  /// The scenario as YAML, with a comment on its origin.
  public let yaml: String
  /// A note for each property of the workload that has no effect on the scenario.
  public let notes: [String]

  /// Reads a workload's file.
  ///
  /// - Parameters:
  ///   - path: the path of a file of Java properties.
  ///   - changes: properties that override the file's, like YCSB's own `-p`.
  /// - Throws: every problem of the file and of the changes, or the reason why the file cannot be read.
  public static func load(
    path: String,
    changes: [(name: String, value: String)] = []
  ) throws(ScenarioDiagnostics) -> YCSBWorkload {
    let source = try SourceText.read(path: path)
    let stem = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    return try load(source, file: path, name: stem, changes: changes)
  }

  static func load(
    _ source: [UInt8],
    file: String,
    name: String,
    changes: [(name: String, value: String)] = []
  ) throws(ScenarioDiagnostics) -> YCSBWorkload {
    let log = DiagnosticLog()
    let bytes = SourceText.checked(source, file: file, log: log)
    try log.throwIfAny()
    var workload = PropertyFile(String(decoding: bytes ?? [], as: UTF8.self), file: file)
    for (index, change) in changes.enumerated() {
      let location = SourceLocation(file: propertyFile, line: index + 1, column: 1)
      var valueLocation = location
      valueLocation.column += change.name.unicodeScalars.count + 1
      workload.properties.append(
        .init(name: change.name, value: change.value, nameLocation: location, valueLocation: valueLocation)
      )
    }
    let reader = YCSBReader(file: workload, start: SourceLocation(file: file, line: 1, column: 1), log: log)
    let name = scenarioName(name)
    let notes = reader.notes()
    let yaml = reader.scenario(name: name)
    try log.throwIfAny()
    return YCSBWorkload(name: name, yaml: yaml, notes: notes)
  }

  /// Returns the stem of a file's name as the name of a scenario: `-` replaces characters that are not allowed.
  private static func scenarioName(_ stem: String) -> String {
    let letters = stem.unicodeScalars.map { Scalars.isNameScalar($0) ? Character($0) : "-" }
    let name = String(letters.prefix(Scalars.longestName))
    return name.isEmpty ? "workload" : name
  }
}
