import Testing

@testable import BenchResults
@testable import BenchRunner
@testable import BenchScenario

@Suite("A digest of drawn operations") struct OperationDigestTests {
  private let collection = CheckedCollection(
    DatasetCollection(name: "rows", rows: 1_000, value: ValueShape(size: .uniform(lowerBytes: 100, upperBytes: 200))),
    number: 0,
    keepsData: false
  )

  private func digest(_ actor: ActorSettings, seed: UInt64 = 5, transactions: Int) -> WorkerDigest {
    var generator = WorkGenerator(actor, [collection], seed: seed, phase: "run", thread: 0)
    var plan = TransactionPlan()
    for _ in 0..<transactions { generator.draw(&plan) }
    return WorkerDigest(thread: 0, marks: generator.digest.marks)
  }

  private let writer = Fixture.actor(doing: [OperationWeight(.get, weight: 1), OperationWeight(.set, weight: 1)])

  @Test func `it is recorded at powers of two`() {
    #expect(digest(writer, transactions: 100).marks.map(\.transactions) == [1, 2, 4, 8, 16, 32, 64])
  }

  @Test func `streams of different lengths agree on their common part`() {
    let long = digest(writer, transactions: 1_000)
    #expect(digest(writer, transactions: 70).agrees(with: long))
    #expect(long.agrees(with: digest(writer, transactions: 1)))
  }

  @Test func `another seed, mix, key distribution or name gives another stream`() {
    let digests = [
      digest(writer, transactions: 64), digest(writer, seed: 6, transactions: 64),
      digest(
        Fixture.actor(doing: [OperationWeight(.get, weight: 9), OperationWeight(.set, weight: 1)]),
        transactions: 64
      ),
      digest(Fixture.actor(doing: writer.operations, keys: .latest), transactions: 64),
      digest(Fixture.actor("other", doing: writer.operations), transactions: 64),
    ]
    for (index, one) in digests.enumerated() {
      for other in digests[(index + 1)...] { #expect(!one.agrees(with: other)) }
    }
  }

  private static func scenario(reader: String) throws -> LoadedScenario {
    try ScenarioLoader.load(
      text: """
        format: 1
        name: digests
        summary: Two actors.
        seed: 3
        dataset:
          rows: {rows: 100, value: {size: 64B..128B}}
        connections: {one: {}, two: {}}
        actors:
          reader: {connection: one, operations: {get: 1, multiGet(3): 1}, collection: rows, keys: \(reader), threads: 2}
          writer: {connection: two, operations: {set: 3, remove: 1}, collection: rows, keys: zipfian(0.99)}
        phases:
          - {name: run, operations: 400, actors: [reader, writer]}
        """
    )
  }

  @Test func `two runs with one seed are equal, and a change of one actor does not affect the other`() throws {
    let results = try ["uniform", "uniform", "latest"].map { reader in
      try RunningScenarios.run(try Self.scenario(reader: reader)).phases[0].actors.flatMap { actor in
        actor.digests.map { (actor: actor.name, digest: $0) }
      }
    }
    for result in results {
      #expect(result.map { "\($0.actor) \($0.digest.thread)" } == ["reader 0", "reader 1", "writer 0"])
    }
    for (one, other) in zip(results[0], results[1]) { #expect(one.digest.agrees(with: other.digest)) }
    for (one, other) in zip(results[0], results[2]) {
      // A worker that did not run has no digest.
      let isEmpty = one.digest.marks.isEmpty || other.digest.marks.isEmpty
      #expect(isEmpty || one.digest.agrees(with: other.digest) == (one.actor == "writer"))
    }
  }
}

extension WorkerDigest {
  /// Whether the marks up to the end of the shorter list are equal.
  fileprivate func agrees(with other: WorkerDigest) -> Bool { zip(marks, other.marks).allSatisfy { $0 == $1 } }
}
