import Testing

@testable import HarnessPrimitives

@Suite("The state of a program's sources") struct ProgramSourceTests {
  private let commit = "1154a2951fb1a9ea4cb9ca1b5ce0b64b2cd163eb"

  @Test func `the status of git names the commit and shows whether files were changed`() {
    let head = "# branch.oid \(commit)\n# branch.head main\n# stash 2"
    #expect(ProgramSource(status: head) == .commit(commit, hasUncommittedChanges: false))
    let changed = head + "\n1 .M N... 100644 100644 100644 0 0 Package.swift"
    #expect(ProgramSource(status: changed) == .commit(commit, hasUncommittedChanges: true))
  }

  @Test(arguments: ["# branch.oid (initial)\n# branch.head main", ""])
  func `a repository without a commit has none, which is the reason`(status: String) {
    let source = ProgramSource(status: status)
    #expect(source.commit == nil && !source.hasUncommittedChanges)
    #expect(source.reason == "the checkout has no commit")
  }
}
