import Foundation
import HarnessPrimitives
import TestSupport
import Testing

@Suite("Opening files that a user names")
struct RegularFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func explanation(of path: String) -> String? {
    do {
      _ = try RegularFile(path: path)
      return nil
    } catch {
      #expect(error.path == path)
      return error.explanation
    }
  }

  @Test func `A named pipe, a socket, a device and a folder are refused at once`() {
    #expect(explanation(of: folder.makePipe("pipe")) == "this is a named pipe; expected a regular file")
    #expect(explanation(of: folder.makeSocket("socket")) == "this is a socket; expected a regular file")
    #expect(explanation(of: "/dev/zero") == "this is a device; expected a regular file")
    #expect(explanation(of: folder.path) == "this is a folder; expected a regular file")
    let link = folder.makeLink("link", to: "pipe")
    #expect(explanation(of: link) == "this is a named pipe; expected a regular file")
  }

  @Test func `A dangling link and a circular link have different errors`() {
    #expect(explanation(of: folder.path + "/none") == "there is no such file")
    let dangling = folder.makeLink("dangling", to: "nowhere")
    #expect(explanation(of: dangling) == "this symbolic link leads to nowhere, which does not exist")
    #expect(explanation(of: folder.makeLink("circle", to: "circle")) == "this symbolic link leads in a circle")
  }

  @Test func `A file is read up to a limit, also through a link and from an offset`() throws {
    let path = try folder.write("0123456789", to: "file")
    #expect(try RegularFile(path: path).contents(upTo: 100) == Array("0123456789".utf8))
    #expect(try RegularFile(path: folder.makeLink("link", to: "file")).contents(upTo: 3) == Array("012".utf8))
    #expect(try RegularFile(path: path).read(at: 8, count: 5) == Array("89".utf8))
    #expect(try RegularFile(path: "/proc/self/stat").contents(upTo: 1 << 20).isEmpty == false)
  }

  @Test func `A dangling link within a path is found, and a missing component is not one`() throws {
    let dangling = folder.makeLink("dangling", to: "nowhere")
    #expect(SymbolicLink.broken(onTheWayTo: dangling + "/a/b/")?.path == dangling)
    #expect(SymbolicLink.broken(onTheWayTo: dangling + "/")?.path == dangling)
    _ = try folder.write("", to: "a/file")
    let whole = folder.makeLink("whole", to: "a")
    #expect(SymbolicLink.broken(onTheWayTo: whole + "/file") == nil)
    #expect(SymbolicLink.broken(onTheWayTo: folder.path + "/none/b") == nil)
  }

  @Test func `A file that replaces another file has another identity`() throws {
    let path = try folder.write("one", to: "file")
    let identity = FileIdentity(path: path)
    #expect(identity != nil && identity == FileIdentity(path: folder.makeLink("link", to: "file")))
    let other = try folder.write("two", to: "other")
    #expect(rename(other, path) == 0)
    #expect(identity != FileIdentity(path: path))
    #expect(FileIdentity(path: other) == nil)
  }
}
