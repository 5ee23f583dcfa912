internal import ArgumentParser
internal import Foundation

/// A path that a user has given. The type of every option and argument that names a file or a folder.
///
/// An empty text, such as a variable that is not set, is rejected: joined with a name it would be the root, and SQLite
/// takes it for a temporary file.
struct PathArgument: ExpressibleByArgument, Equatable {
  /// The path, with the same meaning for all code that gets it: SQLite takes `:memory:` and `file:h` for something else
  /// than files, and programs take `-h` for an option, so relative paths that begin like these get the prefix `./`.
  let text: String

  init(_ path: String) {
    let isSpecial = [":", "file:", "-"].contains { path.lowercased().hasPrefix($0) }
    text = isSpecial ? "./" + path : path
  }

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    self.init(argument)
  }

  var defaultValueDescription: String { text }
}

extension String {
  /// The same path from the root, without `.` and `..`.
  var absolutePath: String { URL(fileURLWithPath: self).standardizedFileURL.path }
}

extension [PathArgument] {
  var texts: [String] { map(\.text) }
}

/// The name of a build that a user has given: a path or a git revision, which may begin with a colon.
struct BuildArgument: ExpressibleByArgument, Equatable {
  let text: String

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    text = argument
  }
}
