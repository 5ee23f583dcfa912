import BenchResults
import BenchScenario
import Foundation
import Glibc
import TestSupport
import Testing

/// FIFOs in place of files. Reading a FIFO would block, because it has no writer.
@Suite("FIFOs in place of a database's files")
struct FIFOTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(prefersMemory: true) }

  @Test("inspect reports that it is not a regular file, and does not block", arguments: FuzzDatabase.suffixes)
  func inspect(suffix: String) throws {
    let made = try FuzzDatabase(in: folder.path)
    let path = folder.path + "/file.sqlite"
    for (suffix, bytes) in made.halfCopied { try Data(bytes).write(to: URL(fileURLWithPath: path + suffix)) }
    try FileManager.default.removeItem(atPath: path + suffix)
    try #require(mkfifo(path + suffix, 0o600) == 0)
    // The exit code 124 is that of `timeout`.
    let end = try RunningProgram().run("exec timeout -k 5 60 $program inspect $file", ["file": path])
    let documented = [BenchResults.ExitStatus.invalidScenario, .missingInput]
    #expect(documented.contains { $0.rawValue == end.code } && !end.bySignal, "\(end)")
    #expect(end.errors.contains(path + suffix), "\(end)")
  }
}
