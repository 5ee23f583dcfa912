import Foundation
import TestSupport
import Testing

@testable import EngineStress

@Suite struct PathFormTests {
  @Test(arguments: PathForm.allCases)
  func `a path of each form leads to the same file, also once the file exists`(form: PathForm) throws {
    let folder = try TemporaryFolder()
    let place = folder.path + "/dé"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    let file = place + "/file.sqlite"
    let path = try form.path(to: file)
    try #require(FileManager.default.createFile(atPath: file, contents: Data("here".utf8)))
    #expect(FileManager.default.contents(atPath: path) == Data("here".utf8))
    #expect(try form.path(to: file) == path)
    #expect((path == file) == (form == .absolute))
  }

  @Test func `twenty cases use each form, and read-only folders`() {
    #expect(Set((0..<20).map(PathForm.init(ofCase:))) == Set(PathForm.allCases))
    #expect((0..<20).contains(where: ReadOnlyTemporaryFolders.areUsed(byCase:)))
  }
}
