import Foundation
import Glibc
import Testing

/// Cases that run in a child process, so that a crash or a hang ends that process and not the tests.
struct FuzzBatch: Codable, Sendable {
  let subject: FuzzSubject
  /// The fuzzer's name for `--filter`.
  let test: String
  let seed: UInt64
  let cases: Range<Int>
  /// An existing folder for the files of the cases.
  let folder: String
  /// The time after which a case counts as hung. Cases take milliseconds; the limit is long because machines may be
  /// busy.
  var limitSeconds: UInt32 = 60

  /// The progress of a batch, which it writes to a file before each case.
  struct Progress: Equatable {
    /// The running case; `cases.upperBound` after the last one.
    var number: Int
    var isHung: Bool
  }

  private var progressPath: String { folder + "/progress" }
  private var errorsPath: String { folder + "/errors" }

  /// Runs the cases in the child process. Failures are recorded as issues, at most five.
  func perform() throws {
    try redirectErrors()
    try openProgress()
    signal(SIGALRM) { _ in noteHang() }
    var cases = try subject.cases(seed: seed, folder: folder + "/files")
    var findingCount = 0
    for number in self.cases {
      note(number)
      alarm(limitSeconds)
      if let finding = try cases.run(number) {
        findingCount += 1
        Issue.record("case \(number): \(finding)\n\(FuzzPlan.repeatLine(test, seed: seed, number))")
        if findingCount == 5 { break }
      }
    }
    alarm(0)
    note(self.cases.upperBound)
  }

  /// The progress of the child process when it ended.
  func progress() throws -> Progress {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: progressPath))
    try #require(bytes.count >= 8, "\(progressPath): expected a case's number, found \(bytes.count) bytes")
    let number = bytes.prefix(8).enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
    return Progress(number: number, isHung: bytes.count > 8)
  }

  /// Returns the message of the trap that ended the child process; empty if there was none.
  func trapMessage() -> String {
    let text = (try? String(contentsOfFile: errorsPath, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").first { $0.contains("Fatal error") }.map(String.init) ?? ""
  }

  // MARK: The child's progress

  private func openProgress() throws {
    try FileManager.default.createDirectory(atPath: folder + "/files", withIntermediateDirectories: true)
    try Self.open(progressPath, as: progressDescriptor)
  }

  private func redirectErrors() throws { try Self.open(errorsPath, as: STDERR_FILENO) }

  private static func open(_ path: String, as descriptor: Int32) throws {
    let opened = Glibc.open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    guard opened >= 0, dup2(opened, descriptor) >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    Glibc.close(opened)
  }

  private func note(_ number: Int) {
    var word = UInt64(number).littleEndian
    _ = pwrite(progressDescriptor, &word, 8, 0)
  }
}

/// The descriptor of the progress file in the child. It is fixed, so that a signal handler can use it.
private let progressDescriptor: Int32 = 900

/// Runs in a signal handler: it may only make system calls.
private func noteHang() {
  var mark: UInt8 = 1
  _ = pwrite(progressDescriptor, &mark, 1, 8)
  _exit(1)
}
