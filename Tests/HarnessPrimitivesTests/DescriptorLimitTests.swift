import Testing

@testable import HarnessPrimitives

@Suite("The limit of open files")
struct DescriptorLimitTests {
  private func raised(_ need: Int, soft: Int, hard: Int, open: Int = 3) throws -> Int? {
    try DescriptorLimit(soft: soft, hard: hard, open: open).raised(for: need)
  }

  @Test func `A sufficient limit stays, and a lower one is raised as far as the hard limit allows`() throws {
    try #expect(raised(61, soft: 64, hard: 64) == nil)
    try #expect(raised(62, soft: 64, hard: 1 << 20) == 4_096)
    try #expect(raised(62, soft: 64, hard: 100) == 100)
    try #expect(raised(9_000, soft: 64, hard: .max) == 9_003)
  }

  @Test func `A need above the hard limit is an error with the limit, the need and the remedy`() throws {
    let error = #expect(throws: DescriptorShortage.self) { try raised(62, soft: 32, hard: 64) }
    #expect(
      error?.description
        == "the limit of open files is 64 (ulimit -Hn), and 65 are needed: 3 that are open and 62 more. Raise the "
        + "limit (ulimit -n 65); if the shell refuses, raise it in the shell's parent or as root"
    )
    #expect(throws: DescriptorShortage.self) { try raised(.max, soft: 32, hard: 64) }
  }

  @Test func `The limit of this process is known`() throws {
    let limit = DescriptorLimit.current()
    #expect(limit.soft > 3 && limit.hard >= limit.soft && limit.open >= 3)
    try DescriptorLimit.reserve(1)
  }
}
