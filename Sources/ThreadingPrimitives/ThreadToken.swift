internal import CPlatform

/// Identifies a thread, at the cost of a register read.
///
/// A token is unique among living threads; after a thread has ended, a later thread may get its token.
public struct ThreadToken: Hashable, Sendable {
  public let rawValue: UInt

  /// The calling thread's token.
  public static var current: ThreadToken { ThreadToken(rawValue: UInt(bitPattern: cplatform_thread_slot())) }

  /// The token of no thread.
  public static let none = ThreadToken(rawValue: 0)

  init(rawValue: UInt) { self.rawValue = rawValue }
}
