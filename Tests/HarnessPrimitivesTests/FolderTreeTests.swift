import Foundation
import HarnessPrimitives
import TestSupport
import Testing

@Suite("Searching a folder for files")
struct FolderTreeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func entries() -> [FolderTree.Entry]? {
    FolderTree.entries(below: folder.path, suffixes: [".yaml", ".yml"])
  }

  @Test func `Files are listed by their paths, without hidden ones and other kinds`() throws {
    for name in ["b/two.yml", "a.yaml", "b/c/three.yaml", ".hidden.yaml", ".b/four.yaml", "notes.txt", "b/.yaml"] {
      _ = try folder.write("", to: name)
    }
    _ = folder.makePipe("pipe.yaml")
    _ = folder.makeLink("again", to: ".")
    let paths = ["a.yaml", "b/c/three.yaml", "b/two.yml", "pipe.yaml"]
    #expect(entries() == paths.map { .file(path: $0) })
    #expect(FolderTree.entries(below: folder.path + "/a.yaml", suffixes: []) == nil)
    #expect(FolderTree.entries(below: folder.path + "/none", suffixes: []) == nil)
  }

  @Test func `A name that is not UTF-8 is reported with its bytes`() throws {
    let file = Array("\(folder.path)/b".utf8CString.dropLast()) + [CChar(bitPattern: 0xff)] + Array(".yaml".utf8CString)
    close(file.withUnsafeBufferPointer { open($0.baseAddress!, O_CREAT | O_WRONLY, 0o600) })
    let below = Array("\(folder.path)/f".utf8CString.dropLast()) + [CChar(bitPattern: 0xfe), 0]
    below.withUnsafeBufferPointer { _ = mkdir($0.baseAddress!, 0o700) }
    #expect(
      entries() == [
        .problem(path: "b\\xFF.yaml", explanation: "the name of this file is not UTF-8; rename it"),
        .problem(path: "f\\xFE", explanation: "the name of this folder is not UTF-8; rename it"),
      ]
    )
  }
}
