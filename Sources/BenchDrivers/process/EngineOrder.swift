internal import BenchModel
internal import Foundation

/// What the harness tells the engine's process to open.
struct EngineOrder: Codable, Sendable {
  let engine: EngineSettings
  let dataset: [DatasetCollection]
  private(set) var views: [ViewSettings]
  /// Of the database's file.
  let path: String
  let plantedBugs: [String]
  /// Where the process listens for channels: its own to make and to take away.
  let folder: SocketFolder

  /// The same with more views.
  func with(_ views: [ViewSettings]) -> EngineOrder {
    var order = self
    order.views += views
    return order
  }
}

extension MessageWriter {
  mutating func put(json value: some Encodable) throws { put([UInt8](try JSONEncoder().encode(value))) }
}

extension MessageReader {
  mutating func takeJSON<Value: Decodable>(_: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(try takeBytes()))
  }
}
