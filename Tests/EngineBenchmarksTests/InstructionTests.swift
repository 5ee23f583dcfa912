import HarnessPrimitives
import TestSupport
import Testing

@testable import EngineBenchmarks

struct InstructionTests {
  /// The profile of two operations. SQLite's functions without symbols have addresses as names.
  private static let text = """
    events: Ir
    fn=(1) $s16EngineBenchmarks11CountedCodeO7performyyyyXEFZ
    0 100
    cfn=(2) $s9YapEngine
    calls=2 0
    0 1900

    fn=(2)
    0 400
    cfn=(3) sqlite3_step
    calls=2 0
    0 1500

    fn=(3)
    0 1000
    cfn=(4) 0x0000000000012340
    calls=2 0
    0 500

    fn=(4)
    0 300
    cfn=(5) sqlite3_free
    calls=2 0
    0 200

    fn=(5)
    0 200
    """

  @Test func `What a call of SQLite executes is not counted, and subtracted once`() {
    #expect(InstructionSession.outsideSQLite(CallgrindProfile(Self.text)) == 500)
  }

  private static let counted = PerformanceTarget.allClaims.filter { $0.countedOperations != nil }

  @Test(arguments: counted) func `The work of each counted claim is done in one turn`(claim: Claim) throws {
    try withTemporaryFolder { folder in
      try CountedWork.perform(CountedWork(claim: claim.id.description, folder: folder, seed: 1).text)
    }
  }

  @Test(arguments: ["", "{}", #"{"claim":"P99.instructions","folder":"/","seed":1}"#])
  func `Unknown work is refused`(text: String) {
    #expect(throws: BenchmarkError(.unknownTarget, "unknown work: \(text)")) { try CountedWork.perform(text) }
  }

  @Test func `Counted claims have limits, and are no figures of rounds`() throws {
    #expect(Self.counted.count >= 8)
    #expect(Self.counted.allSatisfy { $0.limit != nil })
  }
}
