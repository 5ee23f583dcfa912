import Foundation
import Glibc
import TestSupport
import Testing

@testable import HarnessPrimitives

@Suite("Folders and files that are written later") struct UserFolderTests {
  @Test(arguments: [
    (["XDG_CACHE_HOME": "/c", "XDG_STATE_HOME": "/s", "HOME": "/h"], "/c/yapbench", "/s/yapbench"),
    (["HOME": "/h"], "/h/.cache/yapbench", "/h/.local/state/yapbench"),
    (["XDG_CACHE_HOME": "", "XDG_STATE_HOME": "", "HOME": "/h"], "/h/.cache/yapbench", "/h/.local/state/yapbench"),
    // A relative path is ignored, as the specification demands.
    (["XDG_CACHE_HOME": "c", "XDG_STATE_HOME": "./s", "HOME": "/h"], "/h/.cache/yapbench", "/h/.local/state/yapbench"),
  ])
  func `the variables select the folders`(environment: [String: String], cache: String, state: String) {
    #expect(UserFolder.cache.path(in: environment) == cache)
    #expect(UserFolder.state.path(in: environment) == state)
  }

  @Test(arguments: [[:], ["HOME": ""], ["HOME": "h"], ["HOME": "../h"]])
  func `the path is absolute with any home`(environment: [String: String]) {
    #expect(UserFolder.cache.path(in: environment).hasPrefix("/"))
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `a folder is created with those above it`() throws {
    for path in ["a/b/c", "a/b/c/", "a//d", "a"] {
      try WritableFolder.prepare(folder.path + "/" + path)
      #expect(FileManager.default.fileExists(atPath: folder.path + "/" + path))
    }
    for path in [".", "./", "/tmp"] { try WritableFolder.prepare(path) }
  }

  private func problem(of path: String) -> String {
    do throws(FileProblem) { try WritableFolder.prepare(path) } catch { return error.description }
    return ""
  }

  @Test func `a folder that cannot be created is named with the reason`() throws {
    #expect(problem(of: "/proc/none/a") == "/proc/none: it cannot be created: No such file or directory")
    let file = try folder.write("", to: "file")
    #expect(problem(of: file) == "\(file): it cannot be used as a folder: Not a directory")
    #expect(problem(of: file + "/a").contains("it cannot be created: Not a directory"))
  }

  @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
  func `a folder that cannot be written is named with the reason`() throws {
    chmod(folder.path, 0o555)
    defer { chmod(folder.path, 0o755) }
    #expect(problem(of: folder.path) == "\(folder.path): it cannot be written: Permission denied")
    #expect(problem(of: folder.path + "/a").hasSuffix("/a: it cannot be created: Permission denied"))
  }

  @Test func `only a regular file can be written`() throws {
    let file = try folder.write("", to: "file")
    try WritableFile.check(file)
    #expect(throws: FileProblem.self) { try WritableFile.check(folder.path) }
    let link = folder.path + "/link"
    #expect(symlink(file, link) == 0)
    let error = #expect(throws: FileProblem.self) { try WritableFile.check(link) }
    #expect(error?.explanation == "this is a symbolic link; expected a regular file")
  }
}
