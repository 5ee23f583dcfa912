import Foundation
import TestSupport
import Testing

@testable import HarnessPrimitives

@Suite("Marks of temporary paths")
struct OwnershipLockTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func abandoned() -> [String] {
    OwnershipLock.abandoned(in: folder.path) { $0.hasPrefix(".data-") }.map(\.path)
  }

  /// Marks a path, like a process that is killed before it removes the mark.
  private func markAndDie(_ name: String) throws {
    _ = try #require(try OwnershipLock(of: folder.path + "/" + name))
  }

  @Test func `A path is not taken over while its owner lives, and only once afterwards`() throws {
    var lock = try OwnershipLock(of: folder.path + "/.data-1")
    #expect(lock != nil)
    #expect(abandoned() == [])
    lock = nil
    let taken = OwnershipLock.abandoned(in: folder.path) { _ in true }
    #expect(taken.map(\.path) == [folder.path + "/.data-1"])
    // A second process that searches at the same time gets nothing.
    #expect(abandoned() == [])
    taken.first?.removeMark()
    try #expect(folder.names() == [])
  }

  @Test func `A copy of the descriptor, as a starting child process has it, does not keep the lock`() throws {
    var lock = try OwnershipLock(of: folder.path + "/.data-1")
    let mark = folder.path + "/.data-1" + OwnershipLock.suffix
    let numbers = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    let number = try #require(numbers.first { FileIdentity(path: "/proc/self/fd/" + $0) == FileIdentity(path: mark) })
    let descriptor = try #require(Int32(number))
    let copy = dup(descriptor)
    defer { close(copy) }
    #expect(abandoned() == [])
    withExtendedLifetime(lock) {}
    lock = nil
    #expect(abandoned() == [folder.path + "/.data-1"])
  }

  @Test func `The lock of a killed process is free, even if another process has its PID`() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    let mark = folder.path + "/.data-1" + OwnershipLock.suffix
    process.arguments = ["-c", "exec 9>\(mark); flock -n 9 || exit 3; echo ready; exec cat"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    #expect(output.fileHandleForReading.availableData == Data("ready\n".utf8))
    #expect(abandoned() == [])
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(abandoned() == [folder.path + "/.data-1"])
  }

  @Test func `Other names, and files that are not marks, are left alone`() throws {
    try markAndDie("somebody")
    _ = try folder.write("text", to: ".data-2" + OwnershipLock.suffix)
    _ = folder.makePipe(".data-3" + OwnershipLock.suffix)
    _ = folder.makeLink(".data-4" + OwnershipLock.suffix, to: "somebody" + OwnershipLock.suffix)
    _ = try folder.write("", to: ".data-5/file")
    let before = try folder.names()
    #expect(abandoned() == [])
    try #expect(folder.names() == before)
  }

  @Test func `A mark that cannot be created is an error of the path`() {
    let error = #expect(throws: FileProblem.self) { try OwnershipLock(of: "/proc/none/.data-1") }
    #expect(error?.path == "/proc/none/.data-1")
  }
}
