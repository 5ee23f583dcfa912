import BenchResults
import BenchScenario
import Testing
import ThreadingPrimitives

@testable import BenchRunner

@Suite("The allocations of a thread") struct AllocationCountTests {
  /// Sizes from the smallest class to beyond the sizes in a thread's cache.
  private static let sizes = [16, 100, 5_000, 40_000, 3_000_000]

  private static func allocate(_ count: Int) {
    for index in 0..<count {
      UnsafeMutableRawPointer.allocate(byteCount: sizes[index % sizes.count], alignment: 16).deallocate()
    }
  }

  /// The counted number of allocations in a new thread.
  private static func count(_ allocations: Int) throws -> Int? {
    let counted = Guarded<Int?>(nil)
    let thread = try WorkerThread(name: "counted") {
      let count = AllocationCount.begin()
      allocate(allocations)
      // The array is created after the end, so that it is not counted.
      let finished = count?.end()
      let number = finished.map { AllocationCount.total([$0]) }
      counted.withLock { $0 = number }
    }
    thread.join()
    return counted.withLock { $0 }
  }

  #if Jemalloc
    @Test(arguments: [0, 1, 1_000, 100_000])
    func `are counted exactly while other threads allocate`(allocations: Int) throws {
      // Values that are created at their first use, such as the sizes, must exist before counting.
      Self.allocate(Self.sizes.count)
      let stop = StopFlag()
      let others = try (0..<3).map { _ in
        try WorkerThread(name: "other") { while !stop.isRaised { Self.allocate(100) } }
      }
      defer {
        stop.raise()
        for other in others { other.join() }
      }
      try #expect(Self.count(allocations) == allocations)
      // The arena is reused.
      try #expect(Self.count(allocations + 7) == allocations + 7)
    }
  #endif

  @Test func `are reported for an actor's operations`() throws {
    let loaded = try ScenarioLoader.load(
      text: """
        format: 1
        name: allocations
        seed: 1
        summary: A reader without a cache.
        dataset: {rows: {rows: 100, value: {size: 64B}}}
        connections: {reading: {objectCache: false}}
        actors:
          reader: {connection: reading, operations: {get: 1}, transaction: {operations: 2}, collection: rows}
        phases: [{name: run, operations: 500, actors: [reader]}]
        expect: ["run memory.allocationsPerOperation > 0", "run/reader memory.allocationsPerOperation < 1000"]
        """
    )
    let result = try RunningScenarios.run(loaded)
    let actors = result.phases.flatMap(\.actors)
    #expect(actors.map(\.name) == ["reader"])
    #if Jemalloc
      #expect(actors.map(\.operationCount) == [500])
      // Each operation allocates at least the value's bytes.
      #expect(actors.allSatisfy { $0.allocations ?? 0 >= 500 })
      let mean = actors.first?.allocationsPerOperation
      #expect(result.expectations.map(\.measuredValue) == [mean, mean])
      #expect(result.expectations.allSatisfy { $0.holds })
    #else
      #expect(actors.allSatisfy { $0.allocations == nil })
      #expect(result.expectations.allSatisfy { $0.measuredValue == nil })
    #endif
  }
}
