/// A call that the engine's process has received, and answers once: with the result or with the engine's error.
///
/// The parameters of a closure state the types of the call's arguments. The functions throw `ChannelClosed`, and
/// `DamagedMessage` if the arguments have other types; the channel can then serve no further call.
struct ReceivedCall<Call: MessageField> {
  /// The minimum size in bytes of each part of a reply except the last.
  private static var partBytes: Int { 1 << 16 }

  let call: Call
  private let arguments: MessageReader
  private let channel: Channel
  private let database: any DriverDatabase

  /// Waits for the next call.
  /// - Throws: `ChannelClosed`; `DamagedMessage`.
  init(_: Call.Type, on channel: Channel, to database: any DriverDatabase) throws {
    var message = try channel.receive()
    call = try message.take()
    arguments = message
    (self.channel, self.database) = (channel, database)
  }

  /// Executes a call that returns a value, several, or none.
  func answer<each Argument: MessageField, each Value: MessageField>(
    _ body: (repeat each Argument) throws -> (repeat each Value)
  ) throws {
    let arguments = try arguments.decoded((repeat (each Argument).self))
    try reply { reply in
      let values = try body(repeat each arguments)
      try reply.put(repeat each values)
    }
  }

  /// Executes a call that visits rows. The reply has several parts if it is large.
  /// - Parameter body: Gets the function that adds the fields of a row to the reply, and the arguments.
  func answerRows<each Argument: MessageField, each Field: MessageField>(
    _ body: ((repeat each Field) -> Void, repeat each Argument) throws -> Void
  ) throws {
    let arguments = try arguments.decoded((repeat (each Argument).self))
    try reply { reply in
      var failure: (any Error)?
      let visit = { (fields: repeat each Field) in
        guard failure == nil else { return }
        do {
          try reply.put(repeat each fields)
          guard reply.framed.count >= Self.partBytes else { return }
          reply.replaceReply(with: .part)
          try channel.send(reply)
          reply = try MessageWriter(Reply.answer)
        } catch { failure = error }
      }
      try body(visit, repeat each arguments)
      if let failure { throw failure }
    }
  }

  /// Sends the reply that `body` completes, or the error that it throws.
  private func reply(_ body: (inout MessageWriter) throws -> Void) throws {
    var reply = try MessageWriter(Reply.answer)
    do { try body(&reply) } catch {
      // After these, a transaction has ended in the middle: the other side awaits no reply.
      guard !(error is ChannelClosed || error is DamagedMessage) else { throw error }
      reply = try MessageWriter(Reply.failure, "\(error)", database.isDamage(error))
    }
    try channel.send(reply)
  }
}
