internal import Foundation
internal import TestSupport
internal import Testing

@testable import BenchResults
@testable import BenchScenario

@Suite("Words with arguments, distributions, expectations and suggestions")
struct FormTests {
  @Test(
    "size distributions",
    arguments: [
      ("512B", .fixed(bytes: 512)), ("64B..4KiB", .uniform(lowerBytes: 64, upperBytes: 4096)),
      ("64B..64B", .fixed(bytes: 64)), ("lognormal(1KiB 0.6)", .lognormal(medianBytes: 1024, sigma: 0.6)),
    ] as [(String, SizeDistribution)]
  )
  func sizes(_ text: String, _ expected: SizeDistribution) throws {
    #expect(try NamedFiles(folder: nil).sizeDistribution(text) == expected)
  }

  @Test("the mean of a size distribution")
  func meanSize() {
    #expect(SizeDistribution.uniform(lowerBytes: 64, upperBytes: 128).meanBytes == 96)
    #expect(abs(SizeDistribution.lognormal(medianBytes: 1000, sigma: 0.6).meanBytes - 1197.217) < 0.001)
  }

  @Test(
    "key distributions",
    arguments: [
      ("sequential", .sequential), ("uniform", .uniform), ("zipfian(0.99)", .zipfian(theta: 0.99)),
      ("hotspot(20% 80%)", .hotspot(dataShare: 0.2, operationShare: 0.8)),
      ("exponential(95% 50%)", .exponential(percentile: 0.95, fraction: 0.5)),
    ] as [(String, KeyDistribution)]
  )
  func keys(_ text: String, _ expected: KeyDistribution) throws {
    #expect(try Scalars.keyDistribution.parse(text) == expected)
  }

  @Test(
    "invalid key distributions are rejected",
    arguments: [
      "zipfian", "zipfian()", "zipfian(0)", "zipfian(-1)", "zipfian(inf)", "zipfian(0.99 1)", "zipfian(0.99",
      "zipfian 0.99",
      "uniform()x", "uniform(1)", "hotspot(20%)", "hotspot(20 80)", "exponential(100% 50%)", "zipfian((0.99))", "(",
      ")", "",
    ]
  )
  func noKeys(_ text: String) {
    #expect(throws: ScalarProblem.self) { try Scalars.keyDistribution.parse(text) }
  }

  @Test(
    "every operation is parsed from its printed name",
    arguments: Scalars.operations.descriptions.map(\.example)
  )
  func operations(_ example: String) throws {
    #expect(try Scalars.operations.parse(example).description == example)
  }

  @Test("the length of a scan is one count or a range")
  func scans() throws {
    #expect(try Scalars.operations.parse("scan(1k)") == OperationKind(.scan, 1_000))
    #expect(try Scalars.operations.parse("scan(1..100)") == OperationKind(.scan, 1...100))
    #expect(OperationKind(.scan, 5...5).description == "scan(5)")
    for text in ["scan(0..5)", "scan(9..5)", "scan(1..100001)", "scan(1-100)", "scan(all)"] {
      #expect(throws: ScalarProblem.self) { try Scalars.operations.parse(text) }
    }
  }

  @Test(
    "forms of keys",
    arguments: [
      ("ordered", .ordered), ("hashed", .hashed), ("ycsbOrdered(6)", .ycsbOrdered(digits: 6)),
      ("ycsbHashed(1)", .ycsbHashed(digits: 1)),
    ] as [(String, KeyForm)]
  )
  func keyForms(_ text: String, _ expected: KeyForm) throws {
    #expect(try Scalars.keyForm.parse(text) == expected)
  }

  @Test("words of other tools are translated")
  func wordsOfOtherTools() {
    for (word, ours) in [
      ("add", "insert"), ("put", "set"), ("update", "replace"), ("delete", "remove"), ("read", "get"),
    ] {
      do {
        _ = try Scalars.operations.parse(word)
        Issue.record("\(word) is no operation")
      } catch {
        #expect(error.message.hasSuffix("did you mean \"\(ours)\"?"), "\(error.message)")
      }
    }
  }

  @Test("moves of a snapshot")
  func moves() throws {
    #expect(try Scalars.snapshotMove.parse("onNotification") == .onNotification)
    #expect(try Scalars.snapshotMove.parse("every(16ms)") == .every(nanoseconds: 16_000_000))
    #expect(try Scalars.snapshotMove.parse("never") == .never)
    #expect(try Scalars.snapshotMove.parse("behind(3)") == .behind(commits: 3))
    #expect(try Scalars.snapshotMove.parse("after(10s)") == .after(nanoseconds: 10_000_000_000))
  }

  @Test("an expectation has its scope and metric, with a bound in base units")
  func expectation() throws {
    let source = "abort run/ui.multiGet(20) service.p99_9 <= 1.5ms"
    let scope = FigureScope("run", actor: "ui", operation: "multiGet(20)")
    let expected = Expectation(
      source: source,
      isAbort: true,
      figure: ExpectedFigure(id: FigureID(.service, .p999, of: scope)),
      comparison: .lessOrEqual,
      bound: .value(1_500_000)
    )
    #expect(try Scalars.expectation.parse(source) == expected)
    #expect(expected.figure.description == "run/ui.multiGet(20) service.p99_9")
    #expect(try Scalars.expectation.parse("abort duration < 5s").figure.scope.phase == "abort")
  }

  @Test func `an expectation may compare with a cost of the machine`() throws {
    for cost in MachineCosts.Kind.allCases {
      let alone = try Scalars.expectation.parse("run/write service.p50 <= machine.\(cost.rawValue)")
      #expect(alone.bound == .machine(cost, factor: 1) && alone.figures.count == 1)
      let times = try Scalars.expectation.parse("run/write service.p50 < 2.5 * machine.\(cost.rawValue)")
      #expect(times.bound == .machine(cost, factor: 2.5))
    }
    #expect(throws: ScalarProblem.self) { try Scalars.expectation.parse("machine.sync < 5ms") }
  }

  @Test("an expectation may compare with a figure of another phase or variant")
  func boundsThatAreFigures() throws {
    let calm = ExpectedFigure(id: FigureID(.response, .p99, of: FigureScope("calm", actor: "write")))
    var other = calm
    let phases = try Scalars.expectation.parse("recover/write response.p99 < 2.5 * calm/write response.p99")
    #expect(phases.bound == .figure(calm, factor: 2.5) && phases.figureOfOtherVariant == nil)
    #expect(phases.figure.scope.phase == "recover")
    #expect(try Scalars.expectation.parse("abort duration < abort duration").figure.scope.phase == "abort")
    other.choice = VariantChoice("copy, 1k")
    let variants = try Scalars.expectation.parse(
      "[share] calm/write response.p99 <=  [copy, 1k] calm/write response.p99"
    )
    #expect(variants.figureOfOtherVariant == other && variants.figure.choice == VariantChoice("share"))
    let abort = try Scalars.expectation.parse("abort [share] run wal.bytes.max < 1MiB")
    #expect(abort.isAbort && abort.figure.choice == VariantChoice("share") && abort.bound == .value(1_048_576))
  }

  @Test(
    "an expectation names an operation, its collection and an outcome",
    arguments: [
      ("scan(1..9)", "scan(1..9)", nil), ("get.miss", "get", .miss), ("threads.get", "threads.get", nil),
      ("threads.scan(1..9)", "threads.scan(1..9)", nil), ("threads.multiGet(1k)", "threads.multiGet(1000)", nil),
      ("threads.get.hit", "threads.get", .hit), ("get.set", "get.set", nil),
    ] as [(String, String, CacheOutcome?)]
  )
  func operationOfExpectation(_ text: String, _ operation: String, _ outcome: CacheOutcome?) throws {
    let scope = try Scalars.expectation.parse("run/ui.\(text) service.max < 5s").figure.scope
    #expect(scope.operation == operation && scope.outcome == outcome)
  }

  @Test(
    "an unknown operation or outcome of an expectation is rejected",
    arguments: [("gett.miss", "found \"gett\""), ("get.mis", "no outcome \"mis\""), ("threads.gett", "found \"gett\"")]
  )
  func noOperationOfExpectation(_ text: String, _ expected: String) {
    do {
      _ = try Scalars.expectation.parse("run/ui.\(text) service.max < 5s")
      Issue.record("\(text) is no operation")
    } catch { #expect(error.message.contains(expected), "\(error.message)") }
  }

  @Test(
    "values are parsed in the unit of their metric",
    arguments: [
      ("run throughput.mean >= 30/min", 0.5), ("run response.max < 2s", 2e9),
      ("run memory.resident.last < 1GiB", 1_073_741_824),
      ("run pin.frames.max == 0", 0), ("run pin.frames.mean < 0.5", 0.5), ("run wal.frames.max < 2k", 2000),
      ("run wal.byteSeconds < 1.5", 1.5), ("run harness.late.p99 < 1ms", 1e6),
      ("run harness.dropped < 20", 20), ("run harness.dropped <= 1.5%", 0.015),
      ("run cache.object.hits.sum > 90%", 0.9),
    ] as [(String, Double)]
  )
  func values(_ text: String, _ value: Double) throws {
    #expect(try Scalars.expectation.parse(text).bound == .value(value))
  }

  @Test("every row of the table of metrics is in the list of metrics, with a unique name")
  func rows() throws {
    let file = Repository.root.appendingPathComponent("Sources/BenchResults/Metrics/Metric+Table.swift")
    let rows = try String(contentsOf: file, encoding: .utf8).matches(of: /public static let \w+ =/)
    let cacheCounts = 2 * EngineSample.CacheCounts.all.count
    let ofEngines = Metric.allCases.filter { $0.driver != nil }.count
    #expect(rows.count + cacheCounts + ofEngines == Metric.allCases.count)
    #expect(Set(Metric.allCases).count == Metric.allCases.count)
    for metric in Metric.allCases { #expect(!metric.summary.isEmpty, "\(metric)") }
  }

  @Test("every metric accepts exactly its listed aggregates", arguments: Metric.allCases)
  func aggregates(_ metric: Metric) throws {
    for aggregate in Aggregate.allCases {
      let parsed = try? Scalars.metric("\(metric.rawValue).\(aggregate.rawValue)")
      #expect((parsed != nil) == metric.aggregates.contains(aggregate))
      if let parsed { #expect(parsed.metric == metric && parsed.aggregate == aggregate) }
    }
    #expect(try Scalars.metric(metric.rawValue).aggregate == nil)
  }

  @Test("every metric with every aggregate can abort the run", arguments: Metric.allCases)
  func aborts(_ metric: Metric) throws {
    let value =
      switch metric.unit {
      case .nanoseconds: "5ms"
      case .bytes: "5MiB"
      case .perSecond: "5/s"
      case .share: "5%"
      default: "5"
      }
    for suffix in metric.aggregates.isEmpty ? [""] : metric.aggregates.map({ "." + $0.rawValue }) {
      let claim = "run \(metric.rawValue)\(suffix) < \(value)"
      let expectation = try Scalars.expectation.parse("abort " + claim)
      #expect(expectation.isAbort && expectation.figure.metric == metric)
      #expect(try !Scalars.expectation.parse(claim).isAbort)
    }
  }

  @Test("a comparison holds according to its operator")
  func comparisons() {
    #expect(Comparison.less.holds(1, 2) && !Comparison.less.holds(2, 2))
    #expect(Comparison.lessOrEqual.holds(2, 2) && !Comparison.lessOrEqual.holds(3, 2))
    #expect(Comparison.greater.holds(3, 2) && !Comparison.greater.holds(2, 2))
    #expect(Comparison.greaterOrEqual.holds(2, 2) && !Comparison.greaterOrEqual.holds(1, 2))
    #expect(Comparison.equal.holds(2, 2) && !Comparison.equal.holds(1, 2))
  }

  @Test(
    "the edit distance counts a swap of neighbours once",
    arguments: [
      ("", "", 0), ("a", "", 1), ("kitten", "sitting", 3), ("nmae", "name", 1), ("abc", "acb", 1), ("ca", "abc", 3),
    ]
  )
  func editDistance(_ left: String, _ right: String, _ distance: Int) {
    #expect(Suggestion.editDistance(Array(left.unicodeScalars), Array(right.unicodeScalars)) == distance)
    #expect(Suggestion.editDistance(Array(right.unicodeScalars), Array(left.unicodeScalars)) == distance)
  }

  @Test("only a similar word is suggested")
  func suggestions() {
    let words = ["reader", "writer", "on"]
    #expect(Suggestion.nearest(to: "raeder", among: words) == "reader")
    #expect(Suggestion.nearest(to: "READER", among: words) == "reader")
    #expect(Suggestion.nearest(to: "importer", among: words) == nil)
    #expect(Suggestion.nearest(to: "", among: words) == nil)
    #expect(Suggestion.nearest(to: "x", among: ["y"]) == nil)
    #expect(Suggestion.nearest(to: String(repeating: "x", count: 100_000), among: words) == nil)
  }
}
