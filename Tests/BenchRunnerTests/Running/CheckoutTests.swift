import Testing

@testable import BenchRunner

@Suite("The checkout of a program") struct CheckoutTests {
  private let commit = "1154a2951fb1a9ea4cb9ca1b5ce0b64b2cd163eb"

  @Test func `the status of git names the commit and shows whether files were changed`() throws {
    let head = "# branch.oid \(commit)\n# branch.head main\n"
    let clean = try #require(Checkout(gitStatus: head))
    #expect(clean.commit == commit && !clean.hasUncommittedChanges)
    let changed = try #require(Checkout(gitStatus: head + "1 .M N... 100644 100644 100644 0 0 Package.swift\n"))
    #expect(changed.commit == commit && changed.hasUncommittedChanges)
  }

  @Test func `a repository without a commit has none`() {
    #expect(Checkout(gitStatus: "# branch.oid (initial)\n# branch.head main\n") == nil)
    #expect(Checkout(gitStatus: "") == nil)
  }
}
