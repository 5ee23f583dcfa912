internal import BenchResults
internal import BenchScenario
internal import Foundation
internal import Glibc
internal import ThreadingPrimitives

/// Hosts an engine for another process. Standard input is a socket to that process, which opens further channels
/// through `EngineOrder.address`.
///
/// The host exits after a close call, and when the other process closes standard input. It leaves only the database's
/// files.
public enum EngineHost {
  /// Serves until a close call, the end of standard input, an error on opening, or an invalid message.
  /// - Returns: The exit code: 1 after an error or an invalid message, otherwise 0.
  public static func serve() -> Int32 {
    let control = Channel(socket: STDIN_FILENO)
    do {
      var message = try control.receive()
      let order = try message.takeJSON(EngineOrder.self)
      let database = try open(order, answeringOn: control)
      while try serveCall(to: database, on: control) != .close {}
      return 0
    } catch is ChannelClosed {
      return 0
    } catch {
      try? control.send(MessageWriter(failure: error, of: nil))
      return 1
    }
  }

  private static func open(_ order: EngineOrder, answeringOn control: Channel) throws -> any DriverDatabase {
    let start = MonotonicClock.now
    let database = try Drivers.open(
      order.engine,
      dataset: order.dataset,
      views: [],
      path: order.path,
      tests: order.tests
    )
    let recovered = database.commit
    // A registration is a commit, whose number a lost commit may have had.
    for view in order.views { try database.register(view) }
    try database.connect(.plain("first read")).read { _ in }
    let took = MonotonicClock.now - start
    let socket = try order.address.listen()
    try WorkerThread(name: "accept") { accept(on: socket, database) }.detach()
    var reply = MessageWriter(Reply.answer)
    reply.put(took)
    reply.put(database.pageSize)
    reply.put(recovered)
    try reply.put(json: database.configuration)
    try control.send(reply)
    return database
  }

  private static func accept(on socket: Int32, _ database: any DriverDatabase) {
    // If the socket stayed open, the other process would wait forever for an answer on a connection.
    defer { close(socket) }
    while true {
      let descriptor = Glibc.accept(socket, nil, nil)
      if descriptor < 0 {
        if errno == EINTR || errno == ECONNABORTED { continue }
        return
      }
      let channel = Channel(socket: descriptor)
      guard SocketAddress.isOwn(descriptor) else { continue }
      // If no thread can be started, the channel closes, which the other side reports as the end of this process.
      try? WorkerThread(name: "serve") { Conversation(channel: channel, database: database).serve() }.detach()
    }
  }

  /// Receives a call, executes it, and sends the result or the error as the reply.
  /// - Returns: The call.
  /// - Throws: `ChannelClosed` if the other process has closed the channel or ended; `DamagedMessage`.
  @discardableResult
  static func serveCall(to database: any DriverDatabase, on channel: Channel) throws -> ProcessCall {
    var message = try channel.receive()
    let call: ProcessCall = try message.take()
    var reply = MessageWriter(Reply.answer)
    do {
      switch call {
      case .commit: reply.put(database.commit)
      case .observe: try reply.put(json: database.observe())
      case .checkpoints: try reply.put(json: database.checkpoints(after: message.take()))
      case .checkpoint: try reply.put(json: database.checkpoint(message.take()))
      case .vacuum: try database.vacuum()
      case .register: try database.register(message.takeJSON())
      case .close: try database.close()
      }
    } catch {
      reply = MessageWriter(failure: error, of: database)
    }
    try channel.send(reply)
    return call
  }
}
