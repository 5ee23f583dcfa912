import BenchResults
import BenchScenario
import Testing

@testable import BenchRunner

@Suite("The bytes that a run writes") struct WritesOfARunTests {
  private func run(
    _ actor: String,
    driver: String = "yap",
    operations: UInt64 = 600,
    expect: [String] = []
  ) throws -> RunResult {
    let claims = expect.map { "\"\($0)\"" }.joined(separator: ", ")
    return try RunningScenarios.run(
      ScenarioLoader.load(
        text: """
          format: 1
          name: writes
          summary: One actor that writes.
          seed: 3
          engine: {driver: \(driver), synchronous: off}
          dataset:
            rows: {rows: 200, value: {size: 64B}, metadata: {size: 32B}}
          connections: {one: {}, two: {}}
          actors:
            actor: {connection: one, collection: rows, load: closed, \(actor)}
          phases:
            - {name: run, operations: \(operations), actors: [actor]}
          expect: [\(claims)]
          invariants: [knownAnswers]
          """
      )
    )
  }

  /// Operations, and the bytes that each of them stores. Keys have 13 bytes, objects 64 and metadata 32.
  private static let cases: [(String, Int)] = [
    ("operations: {set: 1}", 109), ("operations: {readModifyWrite: 1}", 109),
    ("operations: {set: 1}, transaction: {operations: 3}", 109), ("operations: {nestedWrite(two): 1}", 109),
    ("operations: {replace: 1}", 77), ("operations: {setMetadata: 1}", 45),
    ("operations: {transfer(2): 1}, keys: sequential", 154), ("operations: {touch: 1, get: 1, remove: 1}", 0),
    ("operations: {get: 1}", 0),
  ]

  @Test(arguments: cases) func `are those that its transactions have stored`(actor: String, bytes: Int) throws {
    let result = try run(actor)
    // All transactions had ended before the last sample.
    #expect(try #require(result.samples.last).logicalBytes == ["actor": 600 * bytes], "\(result.verdict)")
  }

  @Test(arguments: DriverKind.namesWithWAL) func `have metrics for expectations`(driver: String) throws {
    // On a busy machine everything may have been written before the first sample.
    let neverShown = try RunningScenarios.neverShown { stretch in
      let result = try run(
        "operations: {set: 1}",
        driver: driver,
        operations: 600 * stretch,
        expect: ["run io.syncs.sum == 0", "run io.walBytesWritten.sum > 20KiB", "run io.writeAmplification > 30"]
      )
      // Each commit writes at least a page, and nothing is synced.
      for expectation in result.expectations where expectation.measuredValue ?? 0 > 0 {
        #expect(expectation.holds, "\(expectation)")
      }
      let ends = (try #require(result.samples.first), try #require(result.samples.last))
      func written(_ sample: EngineSample) -> Int { sample.writes.map { $0.wal.bytes + $0.database.bytes } ?? 0 }
      let stored = (ends.1.logicalBytes["actor"] ?? 0) - (ends.0.logicalBytes["actor"] ?? 0)
      let amplification = Double(written(ends.1) - written(ends.0)) / Double(stored)
      #expect(result.expectations[2].measuredValue == (stored > 0 ? amplification : nil))
      return Set(result.expectations.filter { !$0.holds }.map(\.source))
    }
    #expect(neverShown == [])
  }
}
