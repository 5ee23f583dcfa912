@testable import YapEngine

/// The code of the engine's error that `body` throws; nil if it throws none.
func code(_ body: () throws -> Void) -> YapDatabaseError.Code? {
  do {
    try body()
    return nil
  } catch { return (error as? YapDatabaseError)?.code }
}

/// The engine's error that `body` throws; nil if it throws none.
func failure(_ body: () throws -> Void) -> YapDatabaseError? {
  do {
    try body()
    return nil
  } catch { return error as? YapDatabaseError }
}

/// An error that a block of a test throws.
struct Deliberate: Error, Equatable {}
