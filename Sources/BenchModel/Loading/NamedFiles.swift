internal import Foundation
internal import SystemFiles

/// The files that a scenario names. They lie in its own folder, or below it.
final class NamedFiles {
  static let largestBytes = 16 << 20

  /// nil for a scenario that is no file.
  private let folder: String?
  /// The texts of the files that were read, by their names.
  private(set) var texts: [String: String]

  /// - Parameter texts: those of files that were read before.
  init(folder: String?, texts: [String: String] = [:]) {
    self.folder = folder
    self.texts = texts
  }

  /// - Parameter name: the name in the scenario.
  func text(_ name: String) throws(ScalarProblem) -> String {
    if let text = texts[name] { return text }
    guard let folder else {
      throw ScalarProblem("the file \(quoted(name)) cannot be found: this scenario does not lie in a folder")
    }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let root = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
    let path = URL(fileURLWithPath: root + "/" + name).resolvingSymlinksInPath().path
    guard !parts.contains(".."), !name.hasPrefix("/"), path.hasPrefix(root == "/" ? root : root + "/") else {
      throw ScalarProblem("the file \(quoted(name)) is not in the scenario's own folder")
    }
    let text = try read(path, name)
    texts[name] = text
    return text
  }

  /// Reads a file and parses its text; the message of a problem names the file.
  func value<Value>(in name: String, by parse: (String) throws(ScalarProblem) -> Value) throws(ScalarProblem) -> Value {
    let text = try text(name)
    do throws(ScalarProblem) { return try parse(text) } catch {
      throw ScalarProblem("\(name): \(error.message)")
    }
  }

  /// Reads a size, a range of sizes, or a law, which may be the name of a file.
  func sizeDistribution(_ text: String) throws(ScalarProblem) -> SizeDistribution {
    switch try Scalars.sizeLaw.parse(text) {
    case .known(let distribution): return distribution
    case .histogram(let file): return .histogram(try value(in: file, by: SizeHistogram.init(csv:)))
    }
  }

  private func read(_ path: String, _ name: String) throws(ScalarProblem) -> String {
    let bytes: [UInt8]
    do {
      bytes = try RegularFile(path: path).contents(upTo: Self.largestBytes + 1)
    } catch {
      if error.reason == .missing { throw ScalarProblem("there is no file \(quoted(name)) in the scenario's folder") }
      throw ScalarProblem("the file \(quoted(name)) cannot be used: \(error.explanation)")
    }
    guard bytes.count <= Self.largestBytes else {
      throw ScalarProblem("the file \(quoted(name)) is larger than 16 MiB")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ScalarProblem("the file \(quoted(name)) is not UTF-8")
    }
    return text
  }
}
