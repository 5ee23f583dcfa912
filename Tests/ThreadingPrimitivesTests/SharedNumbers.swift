import Synchronization

/// A number that is deliberately not atomic. Without mutual exclusion it is wrong, and the thread sanitizer reports it.
// Accessed only with a lane held, which is what the tests check.
final class Unguarded: @unchecked Sendable {
  var count = 0
  var isInUse = false
}

/// An atomic number that can be an element of an array.
final class SharedNumber: Sendable {
  let value = Atomic<UInt64>(0)
}
