internal import Foundation

/// JSON with its keys in a stable order, and without the characters that would be markup where it is put into a page.
enum ExportJSON {
  static func text(of value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let text = String(decoding: try encoder.encode(value), as: UTF8.self)
    // Outside of strings JSON has none of these.
    return text.replacing("<", with: "\\u003c").replacing(">", with: "\\u003e").replacing("&", with: "\\u0026") + "\n"
  }
}
