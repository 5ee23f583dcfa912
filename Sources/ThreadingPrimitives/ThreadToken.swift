internal import CPlatform

/// Tells threads apart, at the cost of a register read.
///
/// A token is its thread's alone while that thread lives; a later thread may get it again.
public struct ThreadToken: Hashable, Sendable {
  public let rawValue: UInt

  /// The calling thread's.
  public static var current: ThreadToken { ThreadToken(rawValue: UInt(bitPattern: cplatform_thread_slot())) }

  /// No thread's.
  public static let none = ThreadToken(rawValue: 0)

  init(rawValue: UInt) { self.rawValue = rawValue }
}
