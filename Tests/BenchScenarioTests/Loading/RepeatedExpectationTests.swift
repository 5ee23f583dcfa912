internal import Testing

@testable import BenchResults
@testable import BenchScenario

@Suite("An expectation that is listed twice")
struct RepeatedExpectationTests {
  private func text(_ expectations: [String], matrix: Bool = false) -> String {
    let lines = expectations.map { "  - \"\($0)\"" }.joined(separator: "\n")
    return smallScenario.replacing("  - \"run/write response.p99 < 50ms\"", with: lines)
      + (matrix ? "\nmatrix: {engine.synchronous: [normal, full], connections.one.objectCacheLimit: [10, 20]}" : "")
  }

  @Test(
    "is an error, also in another spelling",
    arguments: [
      ["run/read service.p50 < 1s", "run/read service.p50 < 1s"],
      ["run/read service.p50 < 1s", "run/read  service.p50  <  1s"],
      ["run/read service.p50 < 1s", "run/read service.p50 < 1000ms"],
      ["run/read service.p50 < 50us", "run/read service.p50 < 50\u{b5}s"],
      ["run/write throughput.mean > 2/s", "run/write throughput.mean > 120/min"],
      ["run wal.bytes.max < 1KiB", "run wal.bytes.max < 1024B"],
      ["run cache.object.hits.sum > 50%", "run cache.object.hits.sum > 50.0%"],
      ["run/read.multiGet(4) service.p50 < 1s", "run/read.multiGet(4) service.p50 < 1_000ms"],
      ["run/read service.p50 < 2 * run/write service.p50", "run/read service.p50 < 2.0 * run/write service.p50"],
      ["run/read service.p50 < run/write service.p50", "run/read service.p50 < 1 * run/write service.p50"],
      ["abort run wal.bytes.max < 1KiB", "abort run wal.bytes.max < 1024B"],
    ]
  )
  func repeated(_ expectations: [String]) {
    for matrix in [false, true] {
      let found = problems(in: text(expectations, matrix: matrix))
      let isSpeltAlike = expectations[0] == expectations[1]
      let first = isSpeltAlike ? "" : ", first as \"\(expectations[0])\""
      #expect(
        found == ["s.yaml:30:5: error: the expectation \"\(expectations[1])\" is listed twice\(first); leave one out"]
      )
    }
  }

  @Test(
    "is an error if it names the same variants in other words",
    arguments: [
      ("[full] run/read service.p50 < 1s", "[synchronous=full] run/read service.p50 < 1s", true),
      ("[full,20] run/read service.p50 < 1s", "[20,full] run/read service.p50 < 1s", true),
      (
        "[full] run/read service.p50 < [normal] run/read service.p50",
        "[synchronous=full] run/read service.p50 < 1 * [normal] run/read service.p50", true
      ),
      ("[full] run/read service.p50 < 1s", "[normal] run/read service.p50 < 1s", false),
      ("[full] run/read service.p50 < 1s", "run/read service.p50 < 1s", false),
      (
        "[full] run/read service.p50 < [normal] run/read service.p50",
        "[normal] run/read service.p50 < [full] run/read service.p50", false
      ),
    ]
  )
  func variants(_ first: String, _ second: String, _ isRepeated: Bool) {
    let found = problems(in: text([first, second], matrix: true))
    #expect(found.count == (isRepeated ? 1 : 0), "\(found)")
    #expect(found.allSatisfy { $0.contains("is listed twice") })
  }

  @Test(
    "is not one with another bound, figure, operator or effect",
    arguments: [
      "run/read service.p50 < 2s", "run/read service.p50 <= 1s", "run/read service.p99 < 1s", "run service.p50 < 1s",
      "run/read.get service.p50 < 1s", "abort run/read service.p50 < 1s",
      "run/read service.p50 < run/write service.p50",
    ]
  )
  func different(_ other: String) {
    #expect(problems(in: text(["run/read service.p50 < 1s", other])) == [])
  }
}
