import HarnessPrimitives
import Testing

@testable import BenchRegression
@testable import BenchResults

@Suite("The schedule of a comparison") struct ComparisonScheduleTests {
  private let scenarios = ["a", "b", "c"]

  private func design(
    pairs: Int = 8,
    confirmingPairs: Int = 6,
    counted: [String] = [],
    intervalPercent: Double? = nil,
    budgetSeconds: Double? = nil
  ) -> ComparisonDesign {
    ComparisonDesign(
      pairs: pairs,
      confirmingPairs: confirmingPairs,
      seed: 1,
      scenarios: scenarios,
      countedScenarios: counted,
      intervalPercent: intervalPercent,
      budgetSeconds: budgetSeconds
    )
  }

  /// A run of a second, or of the given duration, whose p50 varies by `noise`.
  private func run(_ planned: PlannedComparedRun, seconds: Double = 1, noise: Double = 0) -> ComparedRun {
    var random = RandomStream(seed: planned.seed, planned.arm.rawValue)
    var run = ComparedRun(planned)
    run.seconds = seconds
    run.figures = [
      RunFigure(
        name: FigureName(workload: "\(planned.scenario)/run/actor", metric: "p50"),
        role: .primary,
        unit: .nanoseconds,
        value: 1_000 * (1 + noise * random.normal()),
        exceedances: 1_000
      )
    ]
    return run
  }

  /// Follows a schedule to its end.
  private func all(
    _ design: ComparisonDesign,
    suspects: [String] = [],
    make: (PlannedComparedRun) -> ComparedRun
  ) throws -> [ComparedRun] {
    var schedule = ComparisonSchedule(design) { _ in suspects }
    var runs: [ComparedRun] = []
    while let step = try schedule.next() {
      let pair = step.pair.map(make)
      schedule.add(pair)
      runs += pair
    }
    return runs
  }

  private func pairs(_ runs: [ComparedRun], _ scenario: String, stage: Int = 1) -> Int {
    runs.count { $0.scenario == scenario && $0.stage == stage } / 2
  }

  @Test func `every scenario gets its pairs, in rounds, as the order draws them`() throws {
    let runs = try all(design()) { run($0) }
    let planned = PairOrder(seed: 1).runs(of: scenarios, pairs: 8, stage: 1)
    #expect(runs.map(\.seed) == planned.map(\.seed))
    #expect(runs.map(\.arm) == planned.map(\.arm))
    #expect(runs.map(\.pair) == planned.map(\.pair))
  }

  @Test func `instructions are counted first, and their time is taken from the budget`() throws {
    let runs = try all(design(counted: ["a", "c"])) { counted($0, change: 0.01) }
    #expect(runs.prefix(8).map(\.stage) == Array(repeating: 0, count: 8))
    #expect(pairs(runs, "a", stage: 0) == 2 && pairs(runs, "b", stage: 0) == 0 && pairs(runs, "c", stage: 0) == 2)
    #expect(runs.dropFirst(8).map(\.seed) == (try all(design()) { run($0) }).map(\.seed))

    // Four pairs of 10 s are 40 s; a round of the first stage takes 6 s.
    let long = try all(design(pairs: 100, counted: ["a", "c"], budgetSeconds: 240)) { counted($0, change: 0.01) }
    #expect(pairs(long, "a") == 20)
    #expect(throws: BudgetTooSmall.self) {
      try all(design(pairs: 100, counted: ["a", "c"], budgetSeconds: 70)) { counted($0, change: 0.01) }
    }
  }

  @Test func `counting begins nothing after a quarter of the budget`() throws {
    let runs = try all(design(pairs: 100, counted: ["a", "b", "c"], budgetSeconds: 80)) { counted($0, change: 0) }
    #expect(["a", "b", "c"].map { pairs(runs, $0, stage: 0) } == [1, 1, 0])
    // 60 % of the other 60 s.
    #expect(pairs(runs, "a") == 6)
  }

  /// A run whose instructions differ between the sides by a share, and which takes 10 s if they are counted.
  private func counted(_ planned: PlannedComparedRun, change: Double) -> ComparedRun {
    guard planned.stage == 0 else { return run(planned) }
    var run = run(planned, seconds: 10)
    let name = FigureName(workload: "\(planned.scenario)/run", metric: "instructions")
    let value = planned.arm == .head ? 1_000 * (1 + change) : 1_000
    run.figures = [RunFigure(name: name, role: .instructions, unit: .number, value: value)]
    return run
  }

  @Test(arguments: [(0, 1), (0.004, 1), (-0.004, 1), (0.006, 2), (-0.006, 2)])
  func `instructions are counted in a second pair if the first shows a change`(change: Double, count: Int) throws {
    let runs = try all(design(counted: ["a"])) { counted($0, change: change) }
    #expect(pairs(runs, "a", stage: 0) == count)
  }

  @Test func `the second stage repeats the suspects with fresh seeds`() throws {
    let runs = try all(design(), suspects: ["b"]) { run($0) }
    // As many as in the first stage, and at least as many as are asked for.
    #expect(pairs(runs, "b", stage: 2) == 8)
    #expect(pairs(runs, "a", stage: 2) == 0)
    let seeds = runs.filter { $0.scenario == "b" && $0.arm == .base }.map(\.seed)
    #expect(Set(seeds).count == 16)
    #expect(try pairs(all(design(confirmingPairs: 12), suspects: ["b"]) { run($0) }, "b", stage: 2) == 12)
  }

  @Test func `suspects are asked for once, when the first stage is complete`() throws {
    var asked: [Int] = []
    var schedule = ComparisonSchedule(design()) { runs in
      asked.append(runs.count)
      return ["a"]
    }
    while let step = try schedule.next() { schedule.add(step.pair.map { run($0) }) }
    #expect(asked == [48])
  }

  @Test func `a comparison that was killed after any pair continues with the next one`() throws {
    let design = design(budgetSeconds: 120)
    let whole = try all(design, suspects: ["c"]) { run($0) }
    for known in stride(from: 0, through: whole.count, by: 2) {
      var schedule = ComparisonSchedule(design) { _ in ["c"] }
      for index in stride(from: 0, to: known, by: 2) {
        #expect(try schedule.next() != nil)
        schedule.add(Array(whole[index..<index + 2]))
      }
      let next = try schedule.next()
      #expect(next?.pair.map(\.seed) ?? [] == whole[known...].prefix(2).map(\.seed))
      #expect(next?.pair.map(\.arm) ?? [] == whole[known...].prefix(2).map(\.arm))
    }
  }

  // MARK: Budget

  @Test(arguments: [60.0, 80, 100, 130, 200, 1_000]) func `runs end within the budget, after whole blocks`(
    budget: Double
  ) throws {
    let runs = try all(design(pairs: 200, confirmingPairs: 20, budgetSeconds: budget), suspects: ["a"]) { run($0) }
    #expect(runs.reduce(0) { $0 + $1.seconds } <= budget)
    for scenario in scenarios {
      #expect(pairs(runs, scenario).isMultiple(of: 2))
      #expect(pairs(runs, scenario) >= 6)
    }
    // A third scenario more would have fitted otherwise.
    #expect(Double(pairs(runs, "a") + 2) * 6 > budget * 0.6 || pairs(runs, "a") == 200)
  }

  @Test func `a budget below six pairs of each scenario is refused after the first round`() throws {
    var schedule = ComparisonSchedule(design(budgetSeconds: 50)) { _ in [] }
    for _ in scenarios {
      let step = try #require(try schedule.next())
      schedule.add(step.pair.map { run($0) })
    }
    // Three scenarios, six pairs, two seconds each.
    let error = #expect(throws: BudgetTooSmall.self) { _ = try schedule.next() }
    #expect(error?.neededSeconds == 60)
  }

  @Test func `without time for six fresh pairs there are none`() throws {
    // The first stage uses 60 of 100 seconds; six fresh pairs take 36 seconds, of slow runs 60.
    let design = design(pairs: 10, confirmingPairs: 20, budgetSeconds: 100)
    #expect(try pairs(all(design, suspects: scenarios) { run($0) }, "a", stage: 2) == 6)
    let slow = try all(design, suspects: scenarios) { run($0, seconds: $0.pair > 4 ? 3 : 1) }
    #expect(pairs(slow, "a", stage: 2) == 0)
  }

  @Test func `the time left is that of the pairs that are left`() throws {
    var schedule = ComparisonSchedule(design()) { _ in [] }
    var left: [Double?] = []
    while let step = try schedule.next() {
      left.append(step.secondsLeft)
      schedule.add(step.pair.map { run($0, seconds: 2) })
    }
    // Three scenarios of eight pairs, four seconds each.
    let expected = (1...21).reversed().map { (pairsLeft: Int) -> Double in Double(pairsLeft) * 4 }
    #expect(left.prefix(3) == [nil, nil, nil])
    #expect(left.dropFirst(3).compactMap { $0 } == expected)
  }

  // MARK: Usable pairs

  /// A run whose times are disturbed.
  private func disturbedRun(_ planned: PlannedComparedRun) -> ComparedRun {
    var run = run(planned)
    run.figures[0].isDisturbed = true
    return run
  }

  @Test func `a scenario ends when its other pairs cannot suffice, and the others continue`() throws {
    // After 3 of 8 pairs at most five can be usable.
    let runs = try all(design()) { $0.scenario == "b" ? disturbedRun($0) : run($0) }
    #expect(pairs(runs, "a") == 8 && pairs(runs, "b") == 3 && pairs(runs, "c") == 8)
    // Six usable pairs suffice.
    let enough = try all(design()) { $0.scenario == "b" && $0.pair <= 2 ? disturbedRun($0) : run($0) }
    #expect(pairs(enough, "b") == 8)
    // A load that is wrong or a failed run on one side are no usable pair either.
    let invalid = try all(design()) { planned in
      var run = run(planned)
      if planned.arm == .head { run.invalidity = "generator saturated" }
      return run
    }
    let failed = try all(design()) { planned in
      var run = run(planned)
      if planned.arm == .base { run.failure = "exit code 3" }
      return run
    }
    #expect(scenarios.allSatisfy { pairs(invalid, $0) == 3 && pairs(failed, $0) == 3 })
  }

  @Test func `the counts of instructions need no times`() throws {
    let runs = try all(design(counted: ["a"])) { disturbedRun($0) }
    #expect(pairs(runs, "a", stage: 0) == 1 && pairs(runs, "a") == 3)
  }

  @Test func `fresh pairs that cannot suffice are not made`() throws {
    let runs = try all(design(), suspects: ["a"]) { $0.stage == 2 ? disturbedRun($0) : run($0) }
    #expect(pairs(runs, "a", stage: 2) == 3)
  }

  @Test func `a budget ends when the time that is left cannot suffice`() throws {
    // 100 s of 6 s for each round are 16 rounds; six rounds take 36 s.
    let design = design(pairs: 200, budgetSeconds: 100 / 0.6)
    let runs = try all(design) { disturbedRun($0) }
    #expect((10...13).contains(pairs(runs, "a")))
    #expect(try pairs(all(design) { run($0) }, "a") == 16)
  }

  @Test func `each step has the number of its scenario's usable pairs`() throws {
    var schedule = ComparisonSchedule(design(counted: ["b"])) { _ in [] }
    var usable: [Int?] = []
    while let step = try schedule.next() {
      if step.pair[0].scenario == "b" { usable.append(step.usablePairs) }
      schedule.add(step.pair.map { $0.pair <= 2 ? disturbedRun($0) : run($0) })
    }
    #expect(usable == [nil, 0, 0, 0, 1, 2, 3, 4, 5])
  }

  @Test func `only a comparison without a usable scenario is hopeless, and it can be extended`() throws {
    var schedule = ComparisonSchedule(design()) { _ in [] }
    func end(_ make: (PlannedComparedRun) -> ComparedRun) throws -> Int {
      var made = 0
      while let step = try schedule.next() {
        schedule.add(step.pair.map(make))
        made += 1
      }
      return made
    }
    #expect(try end { disturbedRun($0) } == 9)
    #expect(schedule.isHopeless)
    schedule.extend()
    // Eight further pairs of each scenario, numbered from 4, of which all are usable.
    let step = try #require(try schedule.next())
    #expect(step.pair[0].pair == 4 && step.mostPairs == 11)
    #expect(try end { run($0) } == 24)
    #expect(!schedule.isHopeless)
    var mixed = ComparisonSchedule(design()) { _ in [] }
    while let step = try mixed.next() {
      mixed.add(step.pair.map { $0.scenario == "c" ? run($0) : disturbedRun($0) })
    }
    #expect(!mixed.isHopeless)
  }

  @Test func `an extension has the time of the whole budget again, also for fresh pairs`() throws {
    var schedule = ComparisonSchedule(design(pairs: 200, budgetSeconds: 100)) { runs in
      runs.allSatisfy { $0.figures[0].isDisturbed } ? [] : ["a"]
    }
    while let step = try schedule.next() { schedule.add(step.pair.map { disturbedRun($0) }) }
    schedule.extend()
    var stages: [Int: Int] = [:]
    while let step = try schedule.next() {
      stages[step.pair[0].stage, default: 0] += 1
      schedule.add(step.pair.map { run($0) })
    }
    // The first start ends after 16 pairs. The first stage has 60 s more: two pairs that complete the sixth round, and
    // eight rounds of 6 s. The fresh pairs are as many as those of the scenario.
    #expect(stages == [1: 26, 2: 14])
  }

  // MARK: Precision

  @Test func `pairs end when the interval is narrow enough, for each scenario by itself`() throws {
    let noises = ["a": 0.001, "b": 0.05, "c": 0.0]
    let runs = try all(design(pairs: 40, intervalPercent: 3)) {
      run($0, noise: noises[$0.scenario] ?? 0)
    }
    #expect(pairs(runs, "a") == 6)
    #expect(pairs(runs, "c") == 6)
    #expect(pairs(runs, "b") > 10 && pairs(runs, "b") < 40)
    #expect(pairs(runs, "b").isMultiple(of: 2))
  }

  @Test func `pairs that never become narrow enough end at the limit`() throws {
    let runs = try all(design(pairs: 12, intervalPercent: 0.1)) { run($0, noise: 0.5) }
    #expect(scenarios.allSatisfy { pairs(runs, $0) == 12 })
  }
}
