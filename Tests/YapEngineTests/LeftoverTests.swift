import Foundation
import TestSupport
import Testing

@testable import YapEngine

/// A process after its databases are closed. The test runs in a process of its own, which no other test uses.
@Suite struct LeftoverTests {
  @Test func `closing leaves no descriptor of the files and no thread behind`() async {
    await #expect(processExitsWith: .success) {
      reported {
        try withTemporaryFolder { folder in
          for _ in 0..<3 { try LeftoverTests.useDatabase(in: folder) }
        }
        guard eventually({ LeftoverTests.openFiles.isEmpty }) else {
          throw Discrepancy("open: \(LeftoverTests.openFiles)")
        }
        guard eventually({ LeftoverTests.engineThreads.isEmpty }) else {
          throw Discrepancy("running: \(LeftoverTests.engineThreads)")
        }
      }
    }
  }

  private static func useDatabase(in folder: String) throws {
    let database = try YapDatabase(path: folder + "/left.sqlite", options: .quick)
    let connection = try database.newConnection()
    try connection.readWrite { try $0.setObject(bytes("1"), forKey: "k") }
    try connection.read { _ = try $0.object(forKey: "k") }
    try database.close()
  }

  private static var openFiles: [String] {
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return descriptors.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
      .filter { $0.contains("left.sqlite") }
  }

  private static var engineThreads: [String] {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return threads.compactMap { try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8) }
      .filter { $0.hasPrefix("yap-") }
  }
}
