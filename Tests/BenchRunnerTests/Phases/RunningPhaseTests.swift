import Synchronization
import TestSupport
import Testing
import ThreadingPrimitives

@testable import BenchResults
@testable import BenchRunner
@testable import BenchScenario

@Suite("A running phase") struct RunningPhaseTests {
  private func phase(_ end: PhaseEnd, threads: Int = 1) -> RunningPhase {
    let settings = PhaseSettings(name: "phase", end: end, actors: [PhaseActor(Fixture.actor(threads: threads))])
    return RunningPhase(settings, conductor: Parker())
  }

  @Test func `operations are taken until none is left, and then all workers stop`() {
    let phase = phase(.operations(5))
    #expect(phase.take(operations: 2))
    #expect(phase.take(operations: 2))
    #expect(!phase.stop.isRaised)
    // The last transaction may have more operations than were left.
    #expect(phase.take(operations: 2))
    #expect(phase.stop.isRaised)
    #expect(!phase.take(operations: 1))
  }

  @Test func `the worker that takes the last operation stops the others`() {
    let phase = phase(.operations(3))
    #expect(phase.take(operations: 1))
    #expect(!phase.stop.isRaised)
    #expect(phase.take(operations: 2))
    #expect(phase.stop.isRaised)
  }

  @Test func `a phase that does not count operations has no limit of them`() {
    let phase = phase(.duration(nanoseconds: 1))
    for _ in 0..<100 { #expect(phase.take(operations: 1_000)) }
    #expect(!phase.stop.isRaised)
  }

  @Test func `the first count that is done ends the phase`() {
    let phase = phase(PhaseEnd(operations: 9, commits: 2, rows: 5))
    #expect(phase.take(operations: 3, commits: 1, rows: 2) && phase.endingCount == nil)
    #expect(phase.take(operations: 3, rows: 0) && !phase.stop.isRaised)
    #expect(phase.take(operations: 1, commits: 1, rows: 2))
    #expect(phase.stop.isRaised && phase.endingCount == .commits)
    #expect(!phase.take(operations: 9, commits: 0, rows: 9))
    #expect(phase.endingCount == .commits)
  }

  @Test func `a phase ends when all actors with operations of their own have done them`() {
    let counted = ["one", "two"].map { name in
      var actor = Fixture.actor(name)
      actor.operationCount = 5
      return PhaseActor(actor)
    }
    let settings = PhaseSettings(name: "phase", end: PhaseEnd(), actors: counted + [PhaseActor(Fixture.actor("three"))])
    let phase = RunningPhase(settings, conductor: Parker())
    phase.actorFinished()
    #expect(!phase.stop.isRaised && phase.endingCount == nil)
    phase.actorFinished()
    #expect(phase.stop.isRaised && phase.endingCount == .operationCount)
  }

  @Test func `a phase of fixed length ends on time by itself`() {
    let timed = phase(.duration(nanoseconds: 10))
    #expect(!timed.isOver(at: 5))
    timed.begin(at: 100)
    #expect(!timed.isOver(at: 109))
    #expect(timed.isOver(at: 110))
    let counted = phase(.operations(5))
    counted.begin(at: 100)
    #expect(!counted.isOver(at: .max - 1))
    counted.stop.raise()
    #expect(counted.isOver(at: 100))
  }

  @Test func `threads together take exactly the available operations`() throws {
    let phase = phase(.operations(10_000))
    let taken = Atomic<Int>(0)
    try onThreads(4) { _ in
      while phase.take(operations: 1) { taken.add(1, ordering: .relaxed) }
    }
    #expect(taken.load(ordering: .relaxed) == 10_000)
  }

  @Test func `a phase ends with its last worker, at the latest of their times`() {
    let phase = phase(.operations(1), threads: 3)
    phase.workerFinished(at: 50)
    phase.workerFinished(at: 90)
    #expect(phase.finishedAt == nil)
    phase.workerFinished(at: 70)
    #expect(phase.finishedAt == 90)
  }
}
