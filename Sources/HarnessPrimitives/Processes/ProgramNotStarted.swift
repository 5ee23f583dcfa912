internal import Glibc

/// The error for a program that cannot be started, or that ends before it does what it was started for.
public struct ProgramNotStarted: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Cause: Sendable, Equatable {
    /// The number of the system's error.
    case system(Int32)
    /// The file of a standard stream cannot be used; with the number of the system's error.
    case file(String, Int32)
    /// An argument or a variable of the environment contains a null byte, at which the system would cut it off.
    case nullByte
    /// The program of a role has ended before its first answer.
    case ended(ChildProcess.End)
  }

  public let program: String
  public let cause: Cause

  public init(program: String, _ cause: Cause) {
    self.program = program
    self.cause = cause
  }

  public var description: String {
    switch cause {
    case .system(let code):
      return "\(program): it could not be run (\(reason(of: code)))\(remedy(for: code))"
    case .file(let path, let code):
      return "\(program): it could not be run, because \(path) cannot be used (\(text(of: code)))"
        + (code == EMFILE || code == ENFILE ? remedy(for: code) : "")
    case .nullByte:
      return "\(program): it could not be run, because an argument or a variable contains a null byte; remove it"
    case .ended(let end):
      return "\(program): it ended with \(end) before it answered; check that it is the yapbench program, which "
        + "`swift build --product yapbench` builds"
    }
  }

  private var isName: Bool { !program.contains("/") }

  private func text(of code: Int32) -> String { String(cString: strerror(code)) }

  private func reason(of code: Int32) -> String {
    // The system reports a missing interpreter as if the program itself were missing.
    guard code == ENOENT, !isName, access(program, F_OK) == 0 else { return text(of: code) }
    return "the interpreter or loader that the file names does not exist"
  }

  private func remedy(for code: Int32) -> String {
    switch code {
    case ENOENT where isName: "; install it, or add its folder to PATH"
    case ENOENT, ENOTDIR: "; check the path"
    case EACCES: "; check that it is a file with permission to execute it"
    case ENOEXEC: "; check that it is a program for this machine, or begins with #!"
    case ETXTBSY: "; wait until it is written"
    case E2BIG: "; shorten its arguments or the variables of the environment"
    case EMFILE, ENFILE: "; raise the limit of open files (ulimit -n)"
    case EAGAIN, ENOMEM: "; raise the limit of processes (ulimit -u), or free memory"
    default: ""
    }
  }
}
