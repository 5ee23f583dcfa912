import Foundation
import LatencyMetrics
import Testing

@testable import BenchReports
@testable import BenchResults

/// `Documentation/run.schema.json` describes exactly the documents that are written.
struct RunSchemaTests {
  private let schema: [String: Any]

  init() throws {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Documentation/run.schema.json")
    let text = try Data(contentsOf: path)
    schema = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
  }

  /// A result with everything that a run can have.
  private static let full: ScenarioResult = {
    var result = PolicyRuns.result
    result.files = ["times.txt": "1ms\n"]
    result.engines = EngineRuns.result.engines
    let scope = FigureScope("stall", actor: "import", operation: "get", outcome: .hit)
    result.shownFigures = [FigureID(.service, .p99, of: scope)]
    (result.overrides, result.configuration) = (["phases.stall.for=1s"], "0123456789abcdef")
    var run = result.runs[0]
    StalledReaderRun.addWaits(to: &run)
    var actor = run["stall"]["import"]
    let times = DisturbedTimes(measured: actor.lateness, undisturbed: actor.lateness)
    actor.disturbed = [.service: times, .response: times]
    actor.waitedNanoseconds = 1
    actor.commitTimes = StalledReaderRun.commitTimes
    actor.laneWait = actor.writeLaneWait
    actor.notificationToRead = actor.writeLaneWait
    actor.operations[1].deadlocks = 5
    actor.operations[1].outcomes = Dictionary(
      uniqueKeysWithValues: CacheOutcome.allCases.map { ($0, actor.operations[1].times[.service] ?? actor.lateness) }
    )
    actor.operations[0].times[.wait] = actor.lateness
    actor.intervals[.wait] = actor.intervals[.response]
    actor.intervals[.service] = actor.intervals[.response]
    actor.droppedArrivals = 2
    actor.endRatePerSecond = 3_020
    actor.allocations = 6
    actor.checkingShare = .nan
    actor.digests = [WorkerDigest(thread: 1, marks: [.init(transactions: 8, digest: .max)])]
    run["stall"]["import"] = actor
    run["stall"].condition = "wal.backlogFrames == 0"
    run["stall"].endedBy = "until"
    run["stall"].disturbance = .waits
    run.expectations[0].doubt = "1ms to 2ms"
    run.expectations[0].figure = FigureID(.response, .p99, of: FigureScope("stall", actor: "import"))
    run["stall"].events = [
      EventResult(
        word: "kill",
        arguments: "hard",
        dueNanoseconds: 1,
        condition: "commits(50)",
        begunNanoseconds: 2,
        endedNanoseconds: 3,
        outcome: .done,
        recovery: .init(durationNanoseconds: 4, frames: 5)
      )
    ]
    run["stall"].eventTimes = [OperationResult(name: "kill", times: [.wait: actor.lateness])]
    run.samples[1].deadlocks = ["import": ["nestedRead(ui)": 1]]
    run.checkpoints[0].pinnedBy = "ui"
    run.checkpoints[0].syncs = 1
    run.loadNanoseconds = 1
    run.load = LoadResult(nanoseconds: 1, inserts: actor.lateness, transactions: actor.lateness)
    run.harness.lookingShare = 0.01
    run.harness.loadFault = "generator saturated: stall/import started 5 of 9 arrivals"
    run.harness.disturbance = "machine busy: other processes took 20 % of the processor time in stall"
    run.harness.overheads = [HarnessOverhead(actor: "reader", operation: "get", nanoseconds: 50)]
    run.walExcess = WALExcessResult(
      limitBytes: 1,
      totalNanoseconds: 2,
      longestNanoseconds: 3,
      phase: "stall",
      peakBytes: 4,
      reason: .pinned,
      connection: "ui"
    )
    run.comparedFigures = ["run/show service.p50": 1]
    run.environment.machine = "node-1"
    run.environment.commitProblem = "not in a checkout"
    run.environment.processorLimits = ProcessorLimits(
      quota: .init(quotaNanoseconds: 15_000_000, periodNanoseconds: 100_000_000),
      affinity: [0, 1]
    )
    result.runs[0] = run
    result.shard = .madeUp(1, of: 1)
    result.merge = MergeResult(
      shardCount: 2,
      unit: .run,
      program: "1f",
      parts: [.init(number: 2, state: .missing, planned: 2, made: 0, command: "yapbench run --shard 2/2")],
      rejected: ["another seed"]
    )
    var comparison = VariantExpectationResult(
      source: "[share] run/show service.p50 < [copy] run/show service.p50",
      variants: ("share", "copy"),
      comparison: .less,
      limitRatio: 1
    )
    comparison.figure = run.expectations[0].figure
    (comparison.ratio, comparison.lowerRatio, comparison.upperRatio) = (1, 0.9, 1.1)
    result.variantExpectations = [comparison]
    return result
  }()

  private func object(_ result: ScenarioResult) throws -> Any {
    try JSONSerialization.jsonObject(with: RunDocument.encode(result))
  }

  @Test func `Written documents agree with the schema, with all figures and with none`() throws {
    for result in [Self.full, ScenarioResult(StalledReaderRun.result.withoutFigures), HostileRun.result] {
      let found = try faults(in: object(result), by: schema, at: "")
      #expect(found == [])
    }
  }

  @Test func `Every property of the schema is written by some run`() throws {
    var written: Set<String> = []
    note(try object(Self.full), by: schema, in: "", &written)
    var described: Set<String> = []
    for (name, definition) in (schema["$defs"] as? [String: [String: Any]] ?? [:]) {
      describe(definition, in: name, &described)
    }
    describe(schema, in: "", &described)
    #expect(described.subtracting(written).sorted() == [])
    #expect(described.count > 100)
  }

  @Test func `A missing or additional property, another type and another word are detected`() throws {
    let text = String(decoding: try RunDocument.encode(Self.full), as: UTF8.self)
    for (right, wrong) in [
      ("\"isRecorded\":", "\"recorded\":"), ("\"load\":\"open\"", "\"load\":\"ajar\""),
      ("\"schemaVersion\":10", "\"schemaVersion\":9"), ("\"repetition\":1", "\"repetition\":0"),
      ("\"seed\":42", "\"seed\":\"42\""), ("\"digest\":\"", "\"digest\":\"x"), ("\"isSmoke\":false", "\"isSmoke\":0.5"),
    ] {
      #expect(text.contains(right), "\(right)")
      let changed = Data(text.replacing(right, with: wrong).utf8)
      #expect(try faults(in: JSONSerialization.jsonObject(with: changed), by: schema, at: "") != [], "\(wrong)")
    }
  }

  // MARK: The rules that the schema uses

  private func resolved(_ rules: [String: Any]) -> (rules: [String: Any], name: String?) {
    guard let reference = rules["$ref"] as? String else { return (rules, nil) }
    let name = String(reference.split(separator: "/").last ?? "")
    return ((schema["$defs"] as? [String: [String: Any]])?[name] ?? [:], name)
  }

  private func faults(in value: Any, by rules: [String: Any], at path: String) -> [String] {
    let rules = resolved(rules).rules
    var faults: [String] = []
    if let type = rules["type"] {
      let types = type as? [String] ?? [type as? String ?? ""]
      if !types.contains(where: { isOf($0, value) }) { return ["\(path) is no \(types.joined(separator: " or "))"] }
    }
    let text = value as? String ?? (value as? NSNumber)?.stringValue ?? ""
    let words = (rules["enum"] as? [Any] ?? []) + [rules["const"]].compactMap { $0 }
    if !words.isEmpty, !words.contains(where: { "\($0)" == text }) { faults.append("\(path) is \(text)") }
    if let least = rules["minimum"] as? NSNumber, let number = value as? NSNumber,
      number.doubleValue < least.doubleValue
    {
      faults.append("\(path) is \(number)")
    }
    // A pattern concerns strings alone.
    if let pattern = rules["pattern"] as? String, let text = value as? String,
      text.range(of: pattern, options: .regularExpression) == nil
    {
      faults.append("\(path) is \(text)")
    }
    if let elements = value as? [Any], let items = rules["items"] as? [String: Any] {
      faults += elements.enumerated().flatMap { self.faults(in: $0.element, by: items, at: "\(path).\($0.offset)") }
    }
    guard let object = value as? [String: Any] else { return faults }
    let properties = rules["properties"] as? [String: [String: Any]] ?? [:]
    faults += (rules["required"] as? [String] ?? []).filter { object[$0] == nil }.map { "\(path) has no \($0)" }
    for (key, member) in object {
      if let rules = properties[key] ?? rules["additionalProperties"] as? [String: Any] {
        faults += self.faults(in: member, by: rules, at: "\(path).\(key)")
      } else {
        faults.append("\(path) has \(key)")
      }
    }
    return faults
  }

  private func isOf(_ type: String, _ value: Any) -> Bool {
    switch type {
    case "object": value is [String: Any]
    case "array": value is [Any]
    case "string": value is String
    case "null": value is NSNull
    case "boolean": value is Bool
    case "number": value is NSNumber
    case "integer": (value as? NSNumber).map { $0.doubleValue == $0.doubleValue.rounded() } ?? false
    default: false
    }
  }

  /// Adds the properties of an object in the schema, each with its definition.
  private func describe(_ rules: [String: Any], in name: String, _ found: inout Set<String>) {
    for (key, rules) in rules["properties"] as? [String: [String: Any]] ?? [:] {
      found.insert("\(name).\(key)")
      describe(rules, in: "\(name).\(key)", &found)
    }
    if let items = rules["items"] as? [String: Any] { describe(items, in: name, &found) }
  }

  private func note(_ value: Any, by rules: [String: Any], in name: String, _ found: inout Set<String>) {
    let (rules, definition) = resolved(rules)
    let name = definition ?? name
    if let elements = value as? [Any], let items = rules["items"] as? [String: Any] {
      for element in elements { note(element, by: items, in: name, &found) }
    }
    let properties = rules["properties"] as? [String: [String: Any]] ?? [:]
    for (key, member) in value as? [String: Any] ?? [:] {
      guard let rules = properties[key] else { continue }
      found.insert("\(name).\(key)")
      note(member, by: rules, in: "\(name).\(key)", &found)
    }
  }
}
