import Testing

@testable import YapEngine

/// Every step of a read is held while commits run, and every step of a commit while reads run.
@Suite(.enabled(if: TestHooks.areBuiltIn)) struct InterleavingTests {
  @Test(arguments: Interleaving.all)
  func `a reader sees exactly one snapshot wherever reader and writer meet`(_ interleaving: Interleaving) {
    #expect(interleaving.play() == nil)
  }

  @Test(arguments: [
    PlantedBug.pinsLazily, .announcesTooLate, .forgetsToDropChangedValues, .losesTheBookmark, .skipsANotification,
    .repeatsANotification, .goesBackInTime,
  ])
  func `the interleavings find a planted bug`(_ bug: PlantedBug) {
    #expect(Interleaving.all.contains { $0.play([bug]) != nil })
  }
}
