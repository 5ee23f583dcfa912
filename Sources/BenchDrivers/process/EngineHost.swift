internal import BenchModel
internal import Foundation
internal import Glibc
internal import SystemFiles
internal import ThreadingPrimitives

/// Hosts an engine for another process. Standard input is a socket to that process, which opens further sockets.
///
/// The host exits after a close call. It also exits when standard input ends, because the other process has ended then.
/// It leaves no files except the database.
public enum EngineHost {
  /// Serves until the end.
  /// - Returns: The exit code.
  public static func serve() -> Int32 {
    // A terminal's Ctrl-C also signals the parent process, which decides when this one has to end.
    for unwanted in [SIGINT, SIGHUP, SIGQUIT] { signal(unwanted, SIG_IGN) }
    let control = Channel(socket: STDIN_FILENO)
    do {
      var message = try control.receive()
      let order = try message.takeJSON(EngineOrder.self)
      defer { order.folder.remove() }
      let (database, lock) = try open(order, control)
      // Hold the lock until the folder is removed.
      defer { withExtendedLifetime(lock) {} }
      while var call = try? control.receive() {
        if try answer(&call, database, control) { break }
      }
      return 0
    } catch is ChannelClosed {
      return 0
    } catch {
      try? control.send(MessageWriter(failure: error, nil))
      return 1
    }
  }

  private static func open(
    _ order: EngineOrder,
    _ control: Channel
  ) throws -> (database: any DriverDatabase, lock: OwnershipLock?) {
    let start = MonotonicClock.now
    let database = try Drivers.open(order.engine, dataset: order.dataset, views: order.views, path: order.path)
    try database.connect(.plain("first read")).read { _ in }
    let took = MonotonicClock.now - start
    let lock = try order.folder.create()
    let socket = try SocketAddress(path: order.folder.socketPath).listen()
    try WorkerThread(name: "accept") { accept(on: socket, database) }.detach()
    var reply = MessageWriter(Reply.answer)
    reply.put(took)
    reply.put(Int64(database.pageSize))
    try control.send(reply)
    return (database, lock)
  }

  private static func accept(on socket: Int32, _ database: any DriverDatabase) {
    while true {
      let descriptor = Glibc.accept(socket, nil, nil)
      if descriptor < 0 {
        if errno == EINTR || errno == ECONNABORTED { continue }
        return
      }
      let channel = Channel(socket: descriptor)
      // If no thread can be started, the channel closes, which reports the failure to the other side.
      try? WorkerThread(name: "serve") { Conversation(channel: channel, database: database).hold() }.detach()
    }
  }

  /// Executes a call and sends the reply.
  /// - Returns: Whether this was the last call.
  static func answer(
    _ call: inout MessageReader,
    _ database: any DriverDatabase,
    _ channel: Channel
  ) throws -> Bool {
    let word = try call.takeWord(ProcessCall.self)
    var reply = MessageWriter(Reply.answer)
    do { try make(&reply, word, &call, database) } catch { reply = MessageWriter(failure: error, database) }
    try channel.send(reply)
    return word == .close
  }

  private static func make(
    _ reply: inout MessageWriter,
    _ word: ProcessCall,
    _ call: inout MessageReader,
    _ database: any DriverDatabase
  ) throws {
    switch word {
    case .commit: reply.put(database.commit)
    case .observe: try reply.put(json: database.observe())
    case .checkpoints: try reply.put(json: database.checkpoints(after: Int(try call.take(Int64.self))))
    case .checkpoint:
      guard let mode = CheckpointModeSetting(rawValue: try call.takeText()) else { throw DamagedMessage() }
      try reply.put(json: database.checkpoint(mode))
    case .vacuum: try database.vacuum()
    case .register: try database.register(try call.takeJSON())
    case .close: try database.close()
    }
  }
}

extension MessageWriter {
  init(failure error: any Error, _ database: (any DriverDatabase)?) {
    self.init(Reply.failure)
    put("\(error)")
    put(database?.isDamage(error) ?? false)
  }
}
