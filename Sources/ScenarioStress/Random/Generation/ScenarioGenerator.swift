internal import BenchScenario
internal import HarnessPrimitives

/// Draws small scenarios from the grammar: each is valid, takes about a second, and has every legal invariant.
///
/// The parts of a scenario are drawn from `allCases` of the grammar's enumerations and of the forms, which switch over
/// all cases of the grammar's other types, so a new operation, event or policy does not compile until it is drawn.
struct ScenarioGenerator {
  /// The most threads of a phase.
  static let mostThreads = 8

  var random: RandomStream
  /// The combinations that the first phase must have, all with the same event.
  let planned: [Combination]
  /// The parts that are drawn so far.
  var scenario = Scenario(name: "random", summary: "", connections: [], actors: [], phases: [])
  /// The event that the first phase must have.
  let event: EventForm
  /// Whether an event ends the engine's process, so that it has a process of its own.
  let hasProcess: Bool
  /// Whether the phases end after a number of operations.
  let countsOperations: Bool

  /// Returns the scenario of a case, which depends only on the seed and the number.
  static func scenario(ofCase number: Int, seed: UInt64, plan: CombinationPlan) -> Scenario {
    var generator = ScenarioGenerator(
      RandomStream(seed: seed, "case \(number)", "scenario"),
      plan.combinations(ofCase: number)
    )
    var scenario = generator.draw()
    scenario.summary = "Case \(number) of the campaign with seed \(seed)."
    return scenario
  }

  init(_ stream: RandomStream, _ planned: [Combination]) {
    var random = stream
    self.planned = planned
    event = planned.first?.event ?? .none
    let mayEnd = event != .none && !planned.contains(where: \.operation.nests)
    hasProcess = event.endsProcess || mayEnd && random.chance(5)
    countsOperations = !hasProcess && random.chance(25)
    self.random = random
  }

  /// Draws all parts of the scenario.
  private mutating func draw() -> Scenario {
    scenario.seed = UInt64(random.number(in: 1...999_999))
    drawEngine()
    drawDataset()
    drawViews()
    drawActors()
    drawPhases()
    dropUnusedParts()
    scenario.invariants = scenario.legalInvariants
    return scenario
  }

  private mutating func drawEngine() {
    var engine = EngineSettings(of: .yap)
    engine.synchronous = random.pick(SynchronousLevel.allCases)
    // Under a stricter policy of the writer, the reader's policy would not apply.
    engine.defaultObjectPolicy = random.chance(70) ? planned.first?.policy : random.pick(CachePolicySetting.allCases)
    if random.chance(70) { engine.defaultMetadataPolicy = random.pick(CachePolicySetting.allCases) }
    if random.chance(30) { engine.pageSizeBytes = 512 << random.number(in: 0...7) }
    if random.chance(20) { engine.mmapSizeBytes = random.pick([0, 64 << 10, 16 << 20]) }
    if random.chance(30) { engine.engineVFS = random.chance(50) }
    if random.chance(30) { engine.journalSizeLimitBytes = random.pick([0, 32 << 10, 1 << 20]) }
    if random.chance(60) { engine.aggressiveCheckpointAtBytes = random.pick([16, 64, 256, 1024]) << 10 }
    if random.chance(25) { engine.checkpoint = CheckpointSettings(every: random.milliseconds(in: 2...60)) }
    if random.chance(30) { engine.busyTimeoutNanoseconds = random.milliseconds(in: 1...100) }
    scenario.engine = engine
    if random.chance(30) { scenario.measure.everyNanoseconds = random.milliseconds(in: 10...200) }
    if random.chance(20) { scenario.measure.histogramDigits = random.number(in: 1...4) }
  }

  // MARK: Data

  private mutating func drawDataset() {
    // A long enumeration may continue with a scan of the table.
    let isLarge = random.chance(planned.contains { $0.operation == .enumerate } ? 60 : 15)
    var rows = DatasetCollection(
      Names.rows,
      rows: isLarge ? random.number(in: 520...900) : random.number(in: 3...60),
      of: size(atLeast: ValueShape.headerBytes)
    )
    rows.inserts = Names.mostInserts
    rows.key = random.pick([.ordered, .ordered, .hashed, .ycsbOrdered(digits: 4), .ycsbHashed(digits: 1)])
    if random.chance(50) { rows.value.compressible = random.pick([0.25, 0.5, 1]) }
    rows.metadata = ValueShape(size(atLeast: ValueShape.headerBytes))
    rows.codec = random.pick(CodecSetting.allCases)
    var others = DatasetCollection(Names.others, rows: random.number(in: 1...20), of: .fixed(bytes: 64))
    others.codec = random.pick(CodecSetting.allCases)
    // The header is followed by the balance.
    let accounts = DatasetCollection(
      Names.accounts,
      rows: random.number(in: 4...20),
      of: size(atLeast: ValueShape.headerBytes + ValueShape.balanceBytes)
    )
    scenario.dataset = [rows, others, accounts]
  }

  private mutating func size(atLeast least: Int) -> SizeDistribution {
    switch random.below(6) {
    case 0, 1, 2: .fixed(bytes: random.pick([least, 64, 100, 400]))
    case 3: .uniform(lowerBytes: least, upperBytes: random.pick([64, 300, 1_000]))
    case 4: .lognormal(medianBytes: random.pick([64, 200]), sigma: random.pick([0.3, 0.8]))
    // Larger than a page.
    default: .uniform(lowerBytes: least, upperBytes: 5_000)
    }
  }

  private mutating func drawViews() {
    let sorts = ViewSort.allCases.shuffled(using: &random)
    for (index, sort) in sorts.prefix(random.number(in: 1...2)).enumerated() {
      var view = ViewSettings("v\(index + 1)", of: Names.rows)
      view.sort = sort
      view.group = random.chance(50) ? .all : .bucket(random.number(in: 2...5))
      scenario.views.append(view)
    }
  }
}

/// The names in drawn scenarios.
enum Names {
  static let rows = "rows"
  static let others = "others"
  static let accounts = "accounts"
  /// The connection of nested transactions that no actor uses.
  static let inner = "inner"
  /// More rows than the actors of a drawn scenario can insert.
  static let mostInserts = 60_000
}
