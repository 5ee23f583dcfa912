public import FoundationEssentials

/// JSON whose keys have a stable order, so that equal values have equal bytes. Slashes are not escaped.
public enum StableJSON {
  /// - Parameter formatting: Options in addition to the order of the keys and the plain slashes.
  public static func encoder(_ formatting: JSONEncoder.OutputFormatting = []) -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting.union([.sortedKeys, .withoutEscapingSlashes])
    return encoder
  }

  /// Returns a value on one line, with a line feed at its end.
  public static func line(_ value: some Encodable) throws -> Data { try encoder().encode(value) + Data("\n".utf8) }

  /// Returns a value on several lines, with a line feed at the end.
  public static func document(_ value: some Encodable) throws -> Data {
    try encoder(.prettyPrinted).encode(value) + Data("\n".utf8)
  }
}
