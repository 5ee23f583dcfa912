import HarnessPrimitives
import TestSupport
import Testing

@testable import BenchRunner
@testable import BenchScenario

/// The six core workloads from their property files to the drawn operations, with the figures of YCSB's own code.
@Suite("The operations of YCSB's core workloads") struct YCSBWorkloadDrawsTests {
  /// Properties, the shares of the operations, and the hottest row with its share, which for D counts from the newest.
  private static let workloads: [(properties: String, shares: [String: Double], hottest: (row: Int, share: Double))] = [
    ("readproportion=0.5\nupdateproportion=0.5", ["get": 0.5, "replace": 0.5], (144, 0.0387)),
    ("readproportion=0.95\nupdateproportion=0.05", ["get": 0.95, "replace": 0.05], (144, 0.0387)),
    ("readproportion=1\nupdateproportion=0", ["get": 1], (144, 0.0387)),
    (
      "readproportion=0.95\nupdateproportion=0\ninsertproportion=0.05\nrequestdistribution=latest",
      ["get": 0.95, "insert": 0.05], (0, 0.129)
    ),
    (
      "readproportion=0\nupdateproportion=0\nscanproportion=0.95\ninsertproportion=0.05\nmaxscanlength=100",
      ["scan(1..100)": 0.95, "insert": 0.05], (903, 0.0425)
    ),
    (
      "readproportion=0.5\nupdateproportion=0\nreadmodifywriteproportion=0.5", ["get": 0.5, "readModifyWrite": 0.5],
      (144, 0.0387)
    ),
  ]
  private static let runs = 30
  private static let operations = 1_000

  /// The draws of several runs of a workload, in which every insert is acknowledged before the next draw.
  private struct Draws {
    var kinds: [String: Int] = [:]
    /// How often each row was drawn; for `latest`, each distance from the newest row.
    var rows: [Int: Int] = [:]
    var lengths = Array(repeating: 0, count: 100)
    var sizes: Set<Int> = []
    /// The draws of rows that were not loaded.
    var ofInserted = 0
  }

  private func draw(_ scenario: Scenario) -> Draws {
    let (actor, dataset) = (scenario.actors[0], scenario.dataset[0])
    var draws = Draws()
    for run in 0..<Self.runs {
      let collection = CheckedCollection(dataset, number: 0, keepsData: false, isScanned: true)
      let seed = Seed.announce(for: "YCSBWorkloadDrawsTests") &+ UInt64(run)
      var generator = WorkGenerator(actor, [collection], seed: seed, phase: "run", thread: 0)
      var plan = TransactionPlan()
      for _ in 0..<Self.operations {
        generator.draw(&plan)
        for operation in plan.operations {
          let kind = actor.operations[operation.index].kind
          draws.kinds[kind.description, default: 0] += 1
          if operation.scanLength > 0 { draws.lengths[operation.scanLength - 1] += 1 }
          if operation.size > 0 { draws.sizes.insert(operation.size) }
          guard kind.verb != .insert else {
            if let row = collection.rows.take(at: 1) { collection.rows.acknowledge(row) }
            continue
          }
          let row = plan.rows[operation.firstRow]
          if row >= dataset.rows { draws.ofInserted += 1 }
          draws.rows[actor.keys == .latest ? collection.rows.acknowledged - 1 - row : row, default: 0] += 1
        }
      }
    }
    return draws
  }

  @Test(arguments: 0..<6) func `are YCSB's`(index: Int) throws {
    let (properties, shares, hottest) = Self.workloads[index]
    let text = "recordcount=1000\noperationcount=1000\nrequestdistribution=zipfian\n\(properties)"
    let workload = try YCSBWorkload.load([("w", Array(text.utf8))], name: "w")
    let scenario = try ScenarioLoader.load(text: workload.yaml).scenario
    let keys = RowKeys(scenario.dataset[0].key)
    #expect(scenario.dataset[0].rows == 1_000)
    #expect(RowKeysTests.digest((0..<1_000).map(keys.key)) == 0xa306_0c0a_031f_c391)

    let draws = draw(scenario)
    #expect(Set(draws.kinds.keys) == Set(shares.keys))
    let kinds = shares.keys.sorted()
    if kinds.count > 1 {
      let fit = ChiSquare(kinds.map { draws.kinds[$0] ?? 0 }, probabilities: kinds.compactMap { shares[$0] })
      #expect(fit.fits, "\(fit)")
    }
    #expect(draws.sizes == (kinds == ["get"] ? [] : [1_000]))
    let total = draws.rows.values.reduce(0, +)
    let most = try #require(draws.rows.max { $0.value < $1.value })
    #expect(most.key == hottest.row)
    #expect(abs(Double(most.value) / Double(total) - hottest.share) < 0.012)
    guard shares["insert"] != nil else {
      #expect(draws.ofInserted == 0)
      return
    }
    if shares["scan(1..100)"] != nil {
      let fit = ChiSquare(draws.lengths, probabilities: Array(repeating: 0.01, count: 100))
      #expect(fit.fits, "\(fit)")
      #expect(draws.ofInserted > 0)
    } else {
      // On average 25 of 1,025 rows are new; the law gives their ranks about half of the draws.
      #expect((0.3..<0.65).contains(Double(draws.ofInserted) / Double(total)))
    }
  }
}
