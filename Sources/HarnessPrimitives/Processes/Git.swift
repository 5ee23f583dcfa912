internal import Glibc

/// Questions to git about the repository that contains a folder.
///
/// Only standard output is an answer. Standard error may also have hints, warnings and traces; it is used only for the
/// reason of a failure. The repository is always the folder's: within a hook or `git rebase --exec`, the environment
/// names another one, and `repositoryVariables` are removed from it.
public struct Git: Sendable {
  public let folder: String

  public init(in folder: String) { self.folder = folder }

  /// The variables that bind git to one repository: all that any version so far lists with `git rev-parse
  /// --local-env-vars`, the variables of `git push`, and `GIT_NAMESPACE`. Not among them is the configuration of `git
  /// -c` and `GIT_CONFIG_COUNT`, which may have the `safe.directory` of a container.
  public static let repositoryVariables: Set<String> = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_CONFIG", "GIT_DIR", "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_INTERNAL_SUPER_PREFIX", "GIT_NAMESPACE", "GIT_NO_REPLACE_OBJECTS",
    "GIT_OBJECT_DIRECTORY", "GIT_PREFIX", "GIT_QUARANTINE_PATH", "GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
  ]

  /// English messages, no traces among them, no lock that would disturb the user's git, and no question at a terminal.
  private static let settings = [
    "LC_ALL": "C", "GIT_TRACE": "0", "GIT_TRACE2": "0", "GIT_TRACE_SETUP": "0", "GIT_TRACE_PERFORMANCE": "0",
    "GIT_TRACE2_PERF": "0", "GIT_TRACE2_EVENT": "0", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0",
  ]

  /// Runs git in the folder.
  /// - Returns: Its standard output without white space at the end.
  /// - Throws: `GitProblem` if git is missing, or ends with an exit code other than 0.
  public func output(_ arguments: [String], variables: [String: String] = [:]) throws(GitProblem) -> String {
    let end: FinishedProcess
    do {
      end = try ChildProcess.run(
        "git",
        ["-C", folder] + arguments,
        variables: Self.settings.merging(variables) { $1 }
      )
    } catch { throw .notStarted(error) }
    guard end.exitCode == 0 else { throw GitProblem(exitCode: end.exitCode, errors: end.errors) }
    var output = Substring(end.output)
    while output.last?.isWhitespace == true { output.removeLast() }
    return String(output)
  }

  /// Whether the repository is a shallow clone, which lacks the older commits; false if git does not answer.
  public var isShallow: Bool { (try? output(["rev-parse", "--is-shallow-repository"])) == "true" }
}

/// The reason why git has not answered.
public enum GitProblem: Error, Sendable, Equatable, CustomStringConvertible {
  case notStarted(ProgramNotStarted)
  /// The folder is in no repository.
  case notInRepository
  /// git failed. The text is git's own error; empty if it printed none.
  case failed(exitCode: Int32, reason: String)

  init(exitCode: Int32, errors: String) {
    let lines = errors.split(separator: "\n").map { line in
      String(line.drop { $0 == " " || $0 == "\t" })
    }
    let marks = ["fatal: ", "error: "]
    // A linked worktree without its repository is "not a git repository: PATH".
    if lines.contains(where: { $0.hasPrefix("fatal: not a git repository (or any") }) {
      self = .notInRepository
      return
    }
    let words = lines.drop { line in !marks.contains(where: line.hasPrefix) }
      .filter { !$0.isEmpty && !$0.hasPrefix("hint:") && !$0.hasPrefix("warning:") }
    let sentences = words.map { line in
      marks.first(where: line.hasPrefix).map { String(line.dropFirst($0.count)) } ?? line
    }
    self = .failed(exitCode: exitCode, reason: sentences.joined(separator: "; ").replacing(":; ", with: ": "))
  }

  public var description: String {
    switch self {
    case .notStarted(let problem): problem.description
    case .notInRepository: "not in a checkout"
    case .failed(let code, ""): "git failed with exit code \(code)"
    case .failed(_, let reason): "git: \(reason)"
    }
  }
}
