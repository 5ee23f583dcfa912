import BenchResults
import BenchScenario
import TestSupport
import Testing

@testable import YapBenchCommand

struct ExplainCommandTests {
  private let trial = Trial()

  /// The indented lines below a heading.
  private func section(_ heading: String) throws -> [String] {
    let lines = trial.output.lines
    let start = try #require(lines.firstIndex(of: heading)) + 2
    return lines[start...].prefix { $0.isEmpty || $0.hasPrefix("  ") }.map { String($0.dropFirst(2)) }
  }

  @Test func `The stalled reader's timeline shows bursts and long-lived snapshots`() throws {
    #expect(trial.run("explain", Project.stalledReader) == 0)
    #expect(trial.output.lines.prefix(2).last == "3 phases, at most 55 s, about 25.9 MiB of data")
    try #expect(
      section("Timeline:") == [
        "             warm      stall                           drain",
        "             5 s       30 s                            <= 20 s",
        "             warm-up",
        "scroll       █████████ ███████████████████████████████ ████████████████████",
        "import       ▁▁▁▁▁▁▁▁█ ▁▁▁▁██▁▁▁██▁▁▁██▁▁▁▁█▁▁▁▁█▁▁▁▁█",
        "ui snapshot  ~~~~~~~~~ ############################### ~~~~~~~~~~~~~~~~~~~~",
        "",
        "▁…█  the rate; a full bar is: scroll 2,000/s, import 1,000/s",
        "~~~  a long-lived snapshot that moves; ###  one that stays and pins the WAL",
      ]
    )
  }

  @Test func `Events are shown below their phase`() throws {
    let events = "[{at: 15s, do: advance(scroll)}, {at: 0s, do: checkpoint(full)}, {at: 29s, do: vacuum}]"
    #expect(trial.run("explain", Project.stalledReader, "--set", "phases.stall.events=\(events)") == 0)
    let lines = try section("Timeline:")
    #expect(lines.contains("events                 1              2             3"))
    #expect(
      lines.suffix(3) == [
        "1  in stall at 0 s: checkpoint(full)", "2  in stall at 15 s: advance(scroll)", "3  in stall at 29 s: vacuum",
      ]
    )
  }

  @Test(arguments: [Project.stalledReader, Project.null, Project.policies])
  func `With all defaults it is the same scenario`(path: String) throws {
    #expect(trial.run("explain", path) == 0)
    let text = try section("With all defaults:").joined(separator: "\n")
    for usual in ["threads: 1", "every: 100ms", "histogramDigits: 3", "connectionLifetime: kept", "record: true"] {
      #expect(text.contains(usual))
    }
    let explained = try ScenarioLoader.load(text: text)
    try #expect(explained.variants == ScenarioLoader.load(path: path).variants)
    // All defaults are present.
    try #expect(explained.explainedYAML().split(separator: "\n") == text.split(separator: "\n"))
  }

  @Test func `The timeline shows every condition that may end a phase`() throws {
    let count = ["--set", "actors.import.operationCount=40", "--set", "phases.drain.operations=3"]
    #expect(trial.run(["explain", Project.stalledReader, "--set", "phases.stall.rows=2k"] + count) == 0)
    let ends = try section("Timeline:")[1].split(separator: " ").joined(separator: " ")
    #expect(ends == "5 s or 40 operations 30 s or 2,000 rows or 40 operations <= 20 s or 3 operations")
  }

  @Test func `Variants are listed, with a timeline for each that differs`() throws {
    #expect(trial.run("explain", Project.policies) == 0)
    #expect(trial.output.lines.contains("Variants, each run 6 times, interleaved:"))
    #expect(trial.output.lines.contains("  defaultObjectPolicy=copy"))
    #expect(trial.output.lines.contains("Timeline:"))
    let other = Trial()
    #expect(other.run("explain", Project.null, "--set", "matrix={phases.run.for: [1s, 9s]}") == 0)
    #expect(other.output.lines.contains("Timeline of for=1s:"))
    #expect(other.output.lines.contains("Timeline of for=9s:"))
  }

  @Test func `Changes and selected variants are applied`() {
    #expect(trial.run("explain", Project.stalledReader, "--set", "phases.stall.for=10m") == 0)
    #expect(trial.output.text.contains("10 min"))
    #expect(trial.output.text.contains("    for: 10m"))
    #expect(trial.run("explain", Project.policies, "--only", "copy") == 0)
    #expect(!trial.output.lines.contains("  defaultObjectPolicy=share"))
  }

  @Test func `A mistake is reported as by check`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(Mistakes.text, to: "many.yaml")
    #expect(trial.run("explain", file) == 65)
    #expect(trial.errors.lines.count == 10)
    #expect(trial.output.text.isEmpty)
    #expect(trial.run("explain", folder.path + "/none.yaml") == 66)
  }
}

struct RateBarsTests {
  private func text(_ curve: RateCurve, full: Double, seconds: UInt64 = 8, columns: Int = 8) -> String {
    RateBars(highestPerSecond: full).text(
      .open(rate: curve, arrival: .constant),
      columns: columns,
      nanoseconds: seconds * 1_000_000_000
    )
  }

  @Test func `A bar shows the highest rate of its time interval`() {
    let second: UInt64 = 1_000_000_000
    #expect(text(.constant(perSecond: 4), full: 8) == "▄▄▄▄▄▄▄▄")
    #expect(text(.ramp(fromPerSecond: 8, toPerSecond: 0.0001), full: 8) == "██▇▆▅▄▃▂")
    let burst = RateCurve.burst(
      BurstRate(
        basePerSecond: 1,
        peakPerSecond: 8,
        everyNanoseconds: 4 * second,
        forNanoseconds: second
      )
    )
    #expect(text(burst, full: 8) == "▁▁▁█▁▁▁█")
    let rising = RateCurve.burst(
      BurstRate(
        basePerSecond: 1,
        peakPerSecond: 4,
        lastPeakPerSecond: 8,
        everyNanoseconds: 4 * second,
        forNanoseconds: second
      )
    )
    #expect(text(rising, full: 8) == "▁▁▁▄▁▁▁█")
    let stages = RateCurve.stages(
      RateStages([
        .init(fromPerSecond: 0, toPerSecond: 8, seconds: 2), .init(fromPerSecond: 8, toPerSecond: 8, seconds: 1),
        .init(fromPerSecond: 2, toPerSecond: 4, seconds: 1), .init(fromPerSecond: 4, toPerSecond: 0, seconds: 2),
      ])
    )
    #expect(text(stages, full: 8) == "▄██▄▄▂▁▁")
    let sine = RateCurve.sine(lowPerSecond: 0, highPerSecond: 8, periodNanoseconds: 8 * second)
    #expect(text(sine, full: 8) == "▂▄▇██▇▅▂")
    #expect(RateBars(highestPerSecond: 8).text(.closed(thinkNanoseconds: 0), columns: 3, nanoseconds: 0) == "===")
  }
}
