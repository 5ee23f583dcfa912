import Dispatch
import TestSupport
import Testing

@testable import YapEngine

/// The completion blocks of YapDatabase, which take no argument.
@Suite struct CompletionBlockTests {
  @Test func `a completion block runs once, on its queue, however the transaction ended`() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      let marker = DispatchSpecificKey<Bool>()
      let queue = DispatchQueue(label: "completions")
      queue.setSpecific(key: marker, value: true)
      let ended = SharedList<String>()
      @Sendable func note(_ name: String) { ended.append("\(name) \(DispatchQueue.getSpecific(key: marker) == true)") }

      connection.asyncReadWrite({ try $0.setObject(bytes("1"), forKey: "k") }, completionBlock: { note("committed") })
      connection.asyncReadWrite(
        { _ in throw Deliberate() },
        completionQueue: queue,
        completionBlock: { note("failed") }
      )
      connection.asyncReadWrite {
        try $0.rollback()
      } completionBlock: {
        note("rolled back")
      }
      connection.asyncRead { _ in
      } completionBlock: {
        note("read")
      }
      connection.asyncRead({ _ in }, completionQueue: queue) { note("read on a queue") }
      connection.asyncRead({ _ in }, completionQueue: queue) { error in note("error \(error == nil)") }
      #expect(eventually { ended.all.count == 6 })
      #expect(
        ended.all.sorted() == [
          "committed false", "error true true", "failed true", "read false", "read on a queue true",
          "rolled back false",
        ]
      )
    }
  }
}
