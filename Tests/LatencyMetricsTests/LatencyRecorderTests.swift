internal import HarnessPrimitives
internal import LatencyMetrics
internal import TestSupport
internal import Testing

@Suite("A latency recorder")
struct LatencyRecorderTests {
  @Test("each slot keeps the durations recorded in it")
  func slots() {
    let recorder = LatencyRecorder(slotCount: 3, digits: 2)
    #expect(recorder.slotCount == 3)
    recorder.record(10, in: 0)
    recorder.record(20, in: 2)
    recorder.record(30, in: 2)
    let slots = (0..<3).map { recorder.histogram(in: $0) }
    #expect(slots.map(\.count) == [1, 0, 2])
    #expect(slots.map(\.minimum) == [10, 0, 20])
    #expect(slots.map(\.maximum) == [10, 0, 30])
    #expect(slots.allSatisfy { $0.digits == 2 })
  }

  @Test("a histogram does not change after it was taken")
  func takenHistogram() {
    let recorder = LatencyRecorder(slotCount: 1, digits: 3)
    recorder.record(10, in: 0)
    let taken = recorder.histogram(in: 0)
    recorder.record(20, in: 0)
    recorder.reset()
    #expect(taken.count == 1 && taken.maximum == 10)
  }

  @Test("a reset empties every slot, and it can be used again")
  func reset() {
    let recorder = LatencyRecorder(slotCount: 2, digits: 3)
    recorder.record(10, in: 0)
    recorder.record(20, in: 1)
    recorder.reset()
    #expect((0..<2).allSatisfy { recorder.histogram(in: $0).isEmpty })
    recorder.record(30, in: 1)
    #expect(recorder.histogram(in: 0).isEmpty && recorder.histogram(in: 1).minimum == 30)
  }

  @Test("a recorder may have no slots")
  func noSlots() {
    let recorder = LatencyRecorder(slotCount: 0, digits: 3)
    recorder.reset()
    #expect(recorder.slotCount == 0)
  }

  @Test("a recorder has the same durations as a histogram", arguments: 1...5)
  func sameAsHistogram(_ digits: Int) {
    let seed = Seed.announce(for: "LatencyRecorderTests/sameAsHistogram")
    var generator = RandomStream(seed: seed)
    let recorder = LatencyRecorder(slotCount: DurationShape.allCases.count, digits: digits)
    // The second round records into pages that a reset has emptied.
    for _ in 0..<2 {
      for (slot, shape) in DurationShape.allCases.enumerated() {
        var histogram = LatencyHistogram(digits: digits)
        for duration in [0, .max] + (0..<500).map({ _ in shape.draw(&generator) }) {
          recorder.record(duration, in: slot)
          histogram.record(duration)
        }
        let taken = recorder.histogram(in: slot)
        #expect(taken.minimum == histogram.minimum && taken.maximum == histogram.maximum, "seed \(seed)")
        #expect(taken.recorded.map(\.nanoseconds) == histogram.recorded.map(\.nanoseconds), "seed \(seed)")
        #expect(taken.recorded.map(\.count) == histogram.recorded.map(\.count), "seed \(seed)")
        #expect(taken.count == histogram.count)
      }
      recorder.reset()
    }
  }
}
