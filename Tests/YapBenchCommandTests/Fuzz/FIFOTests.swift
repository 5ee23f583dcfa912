import BenchModel
import Foundation
import Glibc
import Testing

/// FIFOs where files are expected: reading one would wait for a writer that never comes.
@Suite("FIFOs in the place of a database's files")
struct FIFOTests {
  private let folder: FuzzFolder

  init() throws { folder = try FuzzFolder() }

  @Test("inspect says that it is no regular file, and does not wait", arguments: FuzzDatabase.suffixes)
  func inspect(suffix: String) throws {
    let made = try FuzzDatabase(in: folder.path)
    let path = folder.path + "/file.sqlite"
    for (suffix, bytes) in made.halfCopied { try Data(bytes).write(to: URL(fileURLWithPath: path + suffix)) }
    try FileManager.default.removeItem(atPath: path + suffix)
    try #require(mkfifo(path + suffix, 0o600) == 0)
    // The exit code 124 is that of `timeout`.
    let end = try RunningProgram().run("exec timeout -k 5 60 $program inspect $file", ["file": path])
    let documented = [BenchModel.ExitStatus.invalidScenario, .missingInput]
    #expect(documented.contains { $0.rawValue == end.code } && !end.bySignal, "\(end)")
    #expect(end.errors.contains(path + suffix), "\(end)")
  }
}
