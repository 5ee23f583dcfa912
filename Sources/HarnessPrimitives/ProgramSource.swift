internal import FoundationEssentials

/// The state of the sources that an executable was built from: as its release archive states, or else the state of the
/// checkout that contains its file.
public enum ProgramSource: Sendable, Equatable {
  case commit(String, hasUncommittedChanges: Bool)
  /// The reason why the commit is not known, such as "not in a checkout".
  case unknown(reason: String)

  public var commit: String? {
    if case .commit(let commit, _) = self { commit } else { nil }
  }

  public var hasUncommittedChanges: Bool {
    if case .commit(_, let hasUncommittedChanges) = self { hasUncommittedChanges } else { false }
  }

  /// nil if the commit is known.
  public var reason: String? {
    if case .unknown(let reason) = self { reason } else { nil }
  }

  /// The source of this process's executable. Determined once, because git takes longer than the rest of a run's start.
  public static let ofThisProgram: ProgramSource = {
    do { return ProgramSource(of: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) } catch {
      return .unknown(reason: "/proc/self/exe, the program's path, cannot be read")
    }
  }()

  public init(of executable: String) {
    if let archive = ReleaseArchive.containing(executable) {
      self = .commit(archive.commit, hasUncommittedChanges: archive.hasUncommittedChanges)
    } else {
      self.init(ofCheckout: PathParts(executable).folder)
    }
  }

  /// The state of the checkout that contains a folder. Untracked files are not changes.
  public init(ofCheckout folder: String) {
    let options = ["--porcelain=v2", "--branch", "--no-ahead-behind", "--untracked-files=no"]
    do { self.init(status: try Git(in: folder).output(["status"] + options)) } catch {
      self = .unknown(reason: error.description)
    }
  }

  /// Reads the output of `git status`: headers, which begin with "# ", and a line for each changed file.
  init(status text: String) {
    let mark = "# branch.oid "
    let lines = text.split(separator: "\n")
    guard let commit = lines.first(where: { $0.hasPrefix(mark) })?.dropFirst(mark.count), commit != "(initial)" else {
      self = .unknown(reason: "the checkout has no commit")
      return
    }
    self = .commit(String(commit), hasUncommittedChanges: lines.contains { !$0.hasPrefix("# ") })
  }
}
