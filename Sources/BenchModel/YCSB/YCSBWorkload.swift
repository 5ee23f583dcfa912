internal import Foundation

/// A workload of YCSB, and the scenario that it means.
public struct YCSBWorkload: Sendable, Equatable {
  /// Diagnostics of a property that was given beside the file name this, with its ordinal as the line.
  public static let propertyFile = "-p"

  /// The scenario's name, made of the file's.
  public let name: String
  /// The scenario as YAML, with a comment on what it was made of.
  public let yaml: String
  /// What of the workload has no meaning here, a sentence each.
  public let notes: [String]

  /// Reads a workload's file.
  ///
  /// - Parameters:
  ///   - path: of a file of Java's properties.
  ///   - changes: properties that count more than those of the file, as YCSB's own `-p` has them.
  /// - Throws: every problem of the file, each where it stands.
  public static func load(
    path: String,
    changes: [(name: String, value: String)] = []
  ) throws(ScenarioDiagnostics) -> YCSBWorkload {
    let log = DiagnosticLog()
    let source = SourceText.read(path: path, log: log)
    try log.throwIfAny()
    let stem = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    return try load(source ?? [], file: path, name: stem, changes: changes)
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
    var properties = PropertyFile(String(decoding: bytes ?? [], as: UTF8.self), file: file).properties
    for (index, change) in changes.enumerated() {
      let place = Place(file: propertyFile, line: index + 1, column: 1)
      var valuePlace = place
      valuePlace.column += change.name.unicodeScalars.count + 1
      properties.append(
        .init(name: change.name, value: change.value, namePlace: place, valuePlace: valuePlace)
      )
    }
    let reader = YCSBReader(properties: properties, start: Place(file: file, line: 1, column: 1), log: log)
    let name = scenarioName(name)
    let notes = reader.notes()
    let yaml = reader.scenario(name: name)
    try log.throwIfAny()
    return YCSBWorkload(name: name, yaml: yaml, notes: notes)
  }

  /// A name that a scenario can have: other letters than those become `-`.
  private static func scenarioName(_ stem: String) -> String {
    let letters = stem.unicodeScalars.map { scalar -> Character in
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
      return isPlain || scalar == "-" || scalar == "_" ? Character(scalar) : "-"
    }
    let name = String(letters.prefix(NameScalar.longest))
    return name.isEmpty ? "workload" : name
  }
}
