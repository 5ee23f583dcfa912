internal import Foundation
internal import Glibc
internal import HarnessPrimitives

/// The form of the path by which a case opens its database. The files are at the same location with each form.
enum PathForm: String, CaseIterable, Codable {
  case absolute = "the absolute path"
  /// A symbolic link to the file, which exists before the file does.
  case link = "a link to the file"
  case folderLink = "a link to the folder"
  case relative = "a relative path"

  /// The name of the count of cases.
  var countName: String { "opened by \(rawValue)" }

  /// The form that a case uses. The number is mixed, because campaigns choose other properties of cases by its
  /// remainder.
  init(ofCase number: Int) {
    self = Self.allCases[Int(RandomStream.mix(UInt64(number) &+ 1) % UInt64(Self.allCases.count))]
  }

  /// Creates the link that the form needs, unless it exists.
  /// - Parameter path: The absolute path of the database file, in an existing folder that contains nothing else.
  /// - Returns: A path of this form that leads to the file. A relative path begins at this process's working folder.
  /// - Throws: `POSIXError`.
  func path(to path: String) throws -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let (folder, name) = (parts.dropLast().joined(separator: "/"), parts[parts.count - 1])
    switch self {
    case .absolute: return path
    case .link:
      try Self.link(path + ".link", to: path)
      return path + ".link"
    case .folderLink:
      try Self.link(folder + "/folder.link", to: folder)
      return "\(folder)/folder.link/\(name)"
    case .relative:
      let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
      return String(repeating: "../", count: depth) + path.drop { $0 == "/" }
    }
  }

  private static func link(_ link: String, to target: String) throws {
    let result = symlink(target, link)
    if result < 0, errno == EEXIST { return }
    try SystemCall.check(result)
  }
}
