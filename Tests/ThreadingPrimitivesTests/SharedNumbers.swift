import Synchronization

/// A number that is not atomic on purpose: only mutual exclusion keeps it right, and the thread sanitizer quiet.
// Reached only with a lane held; that is what the tests are about.
final class Unguarded: @unchecked Sendable {
  var count = 0
  var isInUse = false
}

/// An atomic number that can be held in an array.
final class SharedNumber: Sendable {
  let value = Atomic<UInt64>(0)
}
