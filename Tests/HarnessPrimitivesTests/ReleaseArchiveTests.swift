import Foundation
import HarnessPrimitives
import TestSupport
import Testing

@Suite("Release archives")
struct ReleaseArchiveTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `The commit is that of the archive, also through a link`() throws {
    let program = try folder.write("", to: "archive/bin/yapbench")
    #expect(ReleaseArchive.containing(program) == nil)
    let description = #"{"version": "0.1.0", "commit": "c0ffee", "hasUncommittedChanges": true, "traits": []}"#
    _ = try folder.write(description, to: "archive/share/yapbench/build.json")
    let link = folder.makeLink("link", to: "archive/bin/yapbench")
    for path in [program, link] {
      let archive = try #require(ReleaseArchive.containing(path))
      #expect(archive.commit == "c0ffee" && archive.hasUncommittedChanges)
    }
    _ = try folder.write("{", to: "archive/share/yapbench/build.json")
    #expect(ReleaseArchive.containing(program) == nil)
  }

  @Test func `The libraries of an archive follow its program, and a copy's those of the copy`() throws {
    let program = try folder.write("", to: "archive/bin/yapbench")
    _ = try folder.write("new", to: "archive/lib/yapbench/libsqlite3.so.0")
    let first = try folder.write("", to: "first/yapbench")
    _ = try folder.write("old", to: "first/lib/yapbench/libother.so.1")
    let second = folder.path + "/second"
    try ReleaseArchive.copyLibraries(of: program, to: folder.path + "/first")
    try ReleaseArchive.copyLibraries(of: first, to: folder.path + "/first")
    try ReleaseArchive.copyLibraries(of: first, to: second)
    for copy in [folder.path + "/first", second] {
      #expect(
        try FileManager.default.subpathsOfDirectory(atPath: copy + "/lib").sorted() == [
          "yapbench", "yapbench/libsqlite3.so.0",
        ]
      )
      #expect(try String(contentsOfFile: copy + "/lib/yapbench/libsqlite3.so.0", encoding: .utf8) == "new")
    }
  }

  @Test func `A program without libraries leaves none beside its copy`() throws {
    let program = try folder.write("", to: "build/release/yapbench")
    _ = try folder.write("old", to: "copy/lib/yapbench/libsqlite3.so.0")
    try ReleaseArchive.copyLibraries(of: program, to: folder.path + "/copy")
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/copy/lib/yapbench"))
    try ReleaseArchive.copyLibraries(of: program, to: folder.path + "/none")
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/none"))
  }
}
