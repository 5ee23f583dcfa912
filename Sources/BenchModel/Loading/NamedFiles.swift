internal import Foundation
internal import SystemFiles

/// Files that a scenario names. They lie in its own folder, or below it.
final class NamedFiles {
  static let largestBytes = 16 << 20

  /// nil for a scenario that is no file.
  private let folder: String?
  /// The texts of those that were read, by their names.
  private(set) var texts: [String: String]

  /// - Parameter texts: of files that were read before.
  init(folder: String?, texts: [String: String] = [:]) {
    self.folder = folder
    self.texts = texts
  }

  /// - Parameter name: as the scenario writes it.
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
