public import BenchModel
internal import Foundation
internal import SystemFiles

/// The acknowledgements of a project: a JSON array, in the order in which they were made.
public struct AcknowledgementFile: Sendable {
  public let path: String

  public init(at path: String) { self.path = path }

  /// Returns the acknowledgements; none if there is no file.
  /// - Throws: `ComparisonError` if the file cannot be read.
  public func acknowledgements() throws -> [Acknowledgement] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    do {
      let contents = Data(try RegularFile(path: path).contents(upTo: .max))
      return try JSONDecoder().decode([Acknowledgement].self, from: contents)
    } catch {
      throw ComparisonError(.missing, "\(path): expected acknowledgements (\(error)); move the file away")
    }
  }

  /// Adds acknowledgements. Waits while another process adds some.
  public func add(_ added: [Acknowledgement]) throws {
    do {
      let lock = try FileLock(at: path + ".lock")
      try withExtendedLifetime(lock) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        let all = try acknowledgements() + added
        try (try encoder.encode(all) + Data("\n".utf8)).write(to: URL(fileURLWithPath: path), options: .atomic)
      }
    } catch let error as CocoaError {
      throw ComparisonError(.output, "\(path): the file cannot be written (\(error.localizedDescription))")
    }
  }
}
