internal import BenchModel
internal import Foundation

/// The settings with which the harness makes the engine's process open a database.
struct EngineOrder: Codable, Sendable {
  let engine: EngineSettings
  let dataset: [DatasetCollection]
  private(set) var views: [ViewSettings]
  /// The path of the database file.
  let path: String
  /// The folder of the socket on which the process listens. The process creates and removes it.
  let folder: SocketFolder

  /// Returns a copy with additional views.
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
