import Testing

@testable import YapEngine

/// Each step of a read is held while commits run, and each step of a commit while reads run. The same is done with the
/// steps of connections that open, follow and close, of checkpoints, and of closing.
@Suite(.enabled(if: TestHooks.areBuiltIn)) struct InterleavingTests {
  @Test(arguments: Interleaving.all)
  func `a reader sees exactly one snapshot in every interleaving with a writer`(_ interleaving: Interleaving) {
    #expect(interleaving.play() == nil)
  }

  @Test(arguments: [Falsification.skipsANotification, .repeatsANotification, .goesBackInTime])
  func `the interleavings find a wrong answer`(_ falsification: Falsification) {
    #expect(Interleaving.all.contains { $0.play([falsification]) != nil })
  }

  @Test(arguments: ConnectionInterleaving.all)
  func `a connection misses no commit at any step of opening, following and closing`(
    _ interleaving: ConnectionInterleaving
  ) {
    #expect(interleaving.play() == nil)
  }

  @Test(arguments: CheckpointInterleaving.all)
  func `reads and commits may run at each step of a checkpoint`(_ interleaving: CheckpointInterleaving) {
    #expect(interleaving.play() == nil)
  }

  @Test(arguments: CloseInterleaving.all)
  func `closing may run at each step of other calls`(_ interleaving: CloseInterleaving) {
    #expect(interleaving.play() == nil)
  }
}
