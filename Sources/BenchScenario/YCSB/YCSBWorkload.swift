internal import Foundation

/// A workload of YCSB, converted to a scenario.
public struct YCSBWorkload: Sendable, Equatable {
  /// The file name in diagnostics about a property that is given with `-p`. The line is the ordinal of the property.
  public static let propertyFile = "-p"

  /// The scenario's name, made from the name of the first file.
  public let name: String
  /// The scenario as YAML, with a comment on its origin.
  public let yaml: String
  /// Each property that has no effect on the scenario, and each part that the scenario approximates.
  public let notes: [Diagnostic]

  /// Reads a workload's files.
  ///
  /// - Parameters:
  ///   - paths: the paths of files of Java properties, at least one. A property of a later file replaces one of an
  ///     earlier file, as with YCSB's own `-P`.
  ///   - changes: properties that override the files', like YCSB's own `-p`.
  /// - Throws: every problem of the files and of the changes, or the reason why a file cannot be read.
  public static func load(
    paths: [String],
    changes: [(name: String, value: String)] = []
  ) throws(ScenarioDiagnostics) -> YCSBWorkload {
    var sources: [(file: String, bytes: [UInt8])] = []
    for path in paths { sources.append((path, try SourceText.read(path: path))) }
    let stem = URL(fileURLWithPath: paths[0]).deletingPathExtension().lastPathComponent
    return try load(sources, name: stem, changes: changes)
  }

  /// - Parameter sources: the contents of files, at least one.
  static func load(
    _ sources: [(file: String, bytes: [UInt8])],
    name: String,
    changes: [(name: String, value: String)] = []
  ) throws(ScenarioDiagnostics) -> YCSBWorkload {
    let log = DiagnosticLog()
    var workload = PropertyFile()
    for source in sources {
      guard let bytes = SourceText.checked(source.bytes, file: source.file, log: log) else { continue }
      workload.append(String(decoding: bytes, as: UTF8.self), file: source.file)
    }
    try log.throwIfAny()
    for (index, change) in changes.enumerated() {
      let location = SourceLocation(file: propertyFile, line: index + 1, column: 1)
      var valueLocation = location
      valueLocation.column += change.name.unicodeScalars.count + 1
      workload.properties.append(
        .init(name: change.name, value: change.value, nameLocation: location, valueLocation: valueLocation)
      )
    }
    let reader = YCSBReader(file: workload, start: SourceLocation(file: sources[0].file, line: 1, column: 1), log: log)
    let name = scenarioName(name)
    reader.checkNames()
    let yaml = reader.scenario(name: name)
    try log.throwIfAny()
    return YCSBWorkload(name: name, yaml: yaml, notes: log.diagnostics(.note))
  }

  /// Returns the stem of a file's name as the name of a scenario: `-` replaces characters that are not allowed.
  private static func scenarioName(_ stem: String) -> String {
    let letters = stem.unicodeScalars.map { Scalars.isNameScalar($0) ? Character($0) : "-" }
    let name = String(letters.prefix(Scalars.longestName))
    return name.isEmpty ? "workload" : name
  }
}
