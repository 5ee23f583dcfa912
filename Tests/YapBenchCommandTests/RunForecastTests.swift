import BenchScenario
import Testing

@testable import BenchRunner
@testable import YapBenchCommand

struct RunForecastTests {
  private static let second: UInt64 = 1_000_000_000

  /// A scenario with a phase of 10 s, or of 20 s in its second variant.
  private func scenario(_ more: String = "", end: String = "for: 10s") throws -> LoadedScenario {
    try ScenarioLoader.load(
      text: """
        {format: 1, name: v, summary: V., seed: 1, engine: {driver: "null"}, connections: {one: {}},
         actors: {idle: {connection: one, operations: {empty: 1}}},
         phases: [{name: run, \(end), actors: [idle]}]\(more)}
        """
    )
  }

  private let matrix = ", matrix: {phases.run.for: [10s, 20s]}, repeat: 2"

  private func run(_ number: Int, variant: Int, of count: Int = 4) -> PlannedRun {
    PlannedRun(
      number: number,
      runCount: count,
      variant: variant,
      variantCount: 2,
      label: "",
      repetition: 1,
      repetitions: 2
    )
  }

  @Test func `A single run ends after its planned time, and then the later scenarios run`() throws {
    var forecast = RunForecast([try scenario(), try scenario(matrix)])
    #expect(forecast.secondsLeft(at: 0) == nil)
    forecast.beginScenario(0, at: Self.second)
    #expect(forecast.secondsLeft(at: Self.second) == 70)
    #expect(forecast.secondsLeft(at: 5 * Self.second) == 66)
    // A run that takes longer than planned may end at any moment.
    #expect(forecast.secondsLeft(at: 50 * Self.second) == 60)
    forecast.endScenario(at: 51 * Self.second)
    #expect(forecast.secondsLeft(at: 51 * Self.second) == nil)
  }

  @Test func `Finished runs correct the plan`() throws {
    var forecast = RunForecast([try scenario(matrix), try scenario()])
    forecast.beginScenario(0, at: 0)
    forecast.begin(run(1, variant: 0), at: 0)
    #expect(forecast.secondsLeft(at: 0) == 70)
    // The first variant took 2 s more than planned, and so do the second one and the other scenario.
    forecast.begin(run(2, variant: 1), at: 12 * Self.second)
    #expect(forecast.secondsLeft(at: 12 * Self.second)?.rounded() == 68)  // 22 + 12 + 22 + 12
    // The second variant's own time counts as soon as it is known. On average the runs took 6 s more than planned.
    forecast.begin(run(3, variant: 1), at: 42 * Self.second)
    #expect(forecast.secondsLeft(at: 52 * Self.second)?.rounded() == 48)  // 20 + 12 + 16
  }

  @Test func `A scenario whose phases end early does not shorten the others`() throws {
    let short = try scenario(end: "until: memory.resident > 0B, within: 30s")
    var forecast = RunForecast([short, try scenario()])
    forecast.beginScenario(0, at: 0)
    #expect(forecast.secondsLeft(at: 0) == 40)
    forecast.beginScenario(1, at: Self.second)
    #expect(forecast.secondsLeft(at: Self.second) == 10)
  }

  @Test func `Retries of invalid runs add to the rest`() throws {
    var forecast = RunForecast([try scenario(matrix)])
    forecast.beginScenario(0, at: 0)
    for number in 1...4 {
      forecast.begin(run(number, variant: (number - 1) % 2), at: UInt64(number - 1) * 10 * Self.second)
    }
    #expect(forecast.secondsLeft(at: 30 * Self.second) == 10)
    forecast.begin(run(5, variant: 0, of: 6), at: 40 * Self.second)
    #expect(forecast.secondsLeft(at: 44 * Self.second) == 16)
  }

  @Test func `A phase that counts operations has no estimate until a run of the scenario has finished`() throws {
    var forecast = RunForecast([try scenario(", repeat: 3", end: "operations: 10")])
    forecast.beginScenario(0, at: 0)
    forecast.begin(run(1, variant: 0, of: 3), at: 0)
    #expect(forecast.secondsLeft(at: 3) == nil)
    forecast.begin(run(2, variant: 0, of: 3), at: 7 * Self.second)
    #expect(forecast.secondsLeft(at: 9 * Self.second) == 12)
  }
}
