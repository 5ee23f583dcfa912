internal import ThreadingPrimitives

/// A collection's name and its number in the data table.
struct CollectionName: Sendable {
  let name: ByteString
  let number: Int64
}

/// The names and numbers of all collections.
///
/// A number is reserved for its name as long as the database is open, even if the transaction that reserved it is
/// rolled back. A reader of any snapshot may therefore use the number: before the collection exists, no row has it.
final class CollectionNames: Sendable {
  private struct State {
    var numbers: [ByteString: Int64] = [:]
    var names: [Int64: ByteString] = [:]
    var highest: Int64 = 0
  }

  private let state: Guarded<State>

  /// - Parameter stored: The names and numbers stored in the file.
  init(_ stored: [(number: Int64, name: String)]) {
    var state = State()
    for (number, name) in stored {
      state.numbers[ByteString(name)] = number
      state.names[number] = ByteString(name)
      state.highest = max(state.highest, number)
    }
    self.state = Guarded(state)
  }

  /// Returns nil if the name was never reserved.
  func find(_ name: ByteString) -> CollectionName? {
    state.withLock { $0.numbers[name] }.map { CollectionName(name: name, number: $0) }
  }

  func name(of number: Int64) -> ByteString? {
    state.withLock { $0.names[number] }
  }

  func findOrReserve(_ name: ByteString) -> CollectionName {
    let number = state.withLock { state in
      if let number = state.numbers[name] { return number }
      state.highest += 1
      state.numbers[name] = state.highest
      state.names[state.highest] = name
      return state.highest
    }
    return CollectionName(name: name, number: number)
  }
}
