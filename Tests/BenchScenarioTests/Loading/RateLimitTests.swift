internal import Testing

@testable import BenchScenario

@Suite("Rates that no load generator can sustain")
struct RateLimitTests {
  private func problems(
    read: String,
    write: String,
    end: String = "for: 2s",
    measure: String = ""
  ) -> [String] {
    let text = """
      format: 1
      name: rates
      summary: Two actors with rates.
      dataset: {rows: {rows: 1k, value: {size: 64B}}}
      connections: {one: {}, two: {}}
      actors:
        read: {connection: one, operations: {get: 1}, collection: rows, load: \(read)}
        write: {connection: two, operations: {set: 1}, collection: rows, load: \(write)}
      phases:
        - {name: run, \(end), actors: [read, write]}
      \(measure)
      """
    return BenchScenarioTests.problems(in: text)
  }

  @Test("50M/s is accepted for one actor, and for all actors of a phase together")
  func greatest() {
    #expect(problems(read: "{rate: 50M/s}", write: "closed") == [])
    #expect(problems(read: "{rate: 25M/s}", write: "{rate: 25000/ms}") == [])
    #expect(problems(read: "{rate: 3000M/min}", write: "closed") == [])
  }

  @Test(
    "the highest rates of a phase's actors are added up",
    arguments: [
      "{rate: 30M/s}", "{ramp: {from: 30M/s, to: 1/s}}", "{ramp: {from: 1/s, to: 30M/s}}",
      "{burst: {base: 1/s, peak: 30M/s, every: 5s, for: 1s}}", "{sine: {low: 1/s, high: 30M/s, period: 1s}}",
    ]
  )
  func sums(_ load: String) {
    #expect(
      problems(read: "{rate: 25M/s}", write: load) == [
        "s.yaml:10:26: error: the actors of the phase have rates of up to 55M/s together, and a load generator cannot "
          + "draw more than 50M arrivals in a second; expected lower rates, or fewer actors"
      ]
    )
  }

  @Test("more arrivals than a run can count are rejected")
  func arrivals() {
    #expect(
      problems(read: "{rate: 50M/s}", write: "closed", end: "for: 450h", measure: "measure: {every: 10s}") == [
        "s.yaml:10:28: error: up to 81 trillion arrivals are due in the phase, and a run counts at most 70 trillion; "
          + "expected lower rates, or a shorter phase"
      ]
    )
  }
}
