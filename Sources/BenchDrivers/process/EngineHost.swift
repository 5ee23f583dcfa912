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
      let database = try open(control.receive().decoded(), answeringOn: control)
      try Conversation(channel: control, database: database).serve()
      return 0
    } catch is ChannelClosed {
      return 0
    } catch {
      try? control.send(MessageWriter(Reply.failure, "\(error)", false))
      return 1
    }
  }

  private static func open(_ order: EngineOrder, answeringOn control: Channel) throws -> any DriverDatabase {
    let start = MonotonicClock.now
    let (dataset, path) = (order.dataset, order.path)
    let database = try Drivers.open(order.engine, dataset: dataset, views: [], path: path, tests: order.tests)
    let recovered = database.commit
    // A registration is a commit, whose number a lost commit may have had.
    for view in order.views { try database.register(view) }
    try database.connect(.plain("first read")).read { _ in }
    let took = MonotonicClock.now - start
    let socket = try order.address.listen()
    try WorkerThread(name: "accept") { accept(on: socket, database) }.detach()
    try control.send(MessageWriter(Reply.answer, took, recovered, database.pageSize, database.configuration))
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
      // The channel closes when the other side closes it, after an invalid message, and if no thread can be started.
      // The other side reports the last two as the end of this process.
      try? WorkerThread(name: "serve") { try? Conversation(channel: channel, database: database).serve() }.detach()
    }
  }
}
