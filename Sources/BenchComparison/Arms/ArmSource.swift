internal import Glibc

/// The source of one side of a comparison: the name that the user gave, resolved.
package enum ArmSource: Sendable, Equatable {
  /// The running program.
  case this
  case executable(path: String)
  /// A revision of the checkout that contains the working folder, as git names it.
  case revision(String)
  /// The folder of a run that was made before, or its `run.json`.
  case run(path: String)

  var isRevision: Bool {
    if case .revision = self { true } else { false }
  }

  /// Resolves a name. An existing path is a run's folder or record, or an executable; any other name is a revision.
  /// - Parameter name: `.` is the running program.
  /// - Throws: `ComparisonError` for a path that is neither, and for a missing one that begins with `/`, `./` or `../`.
  package init(_ name: String) throws {
    if name == "." {
      self = .this
      return
    }
    var status = stat()
    guard stat(name, &status) == 0 else {
      // A name that begins like a path is a mistyped path, not a revision.
      guard !name.hasPrefix("/"), !name.hasPrefix("./"), !name.hasPrefix("../") else {
        throw ComparisonError(.missing, "\(name): there is no such file or folder")
      }
      self = .revision(name)
      return
    }
    if status.st_mode & S_IFMT == S_IFDIR {
      guard access("\(name)/run.json", F_OK) == 0 else {
        throw ComparisonError(
          .missing,
          "\(name): the folder contains no run.json; name a run's folder, an executable of yapbench, or a git revision"
        )
      }
      self = .run(path: name)
    } else if name.hasSuffix(".json") {
      self = .run(path: name)
    } else if access(name, X_OK) == 0 {
      self = .executable(path: name)
    } else {
      throw ComparisonError(
        .missing,
        "\(name): the file cannot be executed; name a run's folder, an executable of yapbench, or a git revision"
      )
    }
  }
}
