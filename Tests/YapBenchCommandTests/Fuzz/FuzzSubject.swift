import Foundation
import HarnessPrimitives

/// The part of the program that a batch of cases tests.
enum FuzzSubject: String, Codable, Sendable {
  /// `check` and `explain` with damaged scenarios.
  case scenarios
  /// `report` and `export` with damaged records.
  case records
  /// `inspect` and the engine with damaged files of a database.
  case databases
  /// Proves that a batch finds a trap: it traps on numbers that once trapped in `report`.
  case plantedTrap
  /// Proves that a batch finds a hang: it hangs on the same numbers.
  case plantedHang
  /// Proves that a batch finds a database with wrong rows.
  case plantedWrongRows

  /// Runs one case after the other. It is created once in each child process, because it may prepare files.
  protocol Cases {
    /// - Returns: The failure in one line; nil if the case passed.
    mutating func run(_ number: Int) throws -> String?
  }

  func cases(seed: UInt64, folder: String) throws -> any Cases {
    switch self {
    case .scenarios: try ScenarioCases(seed: seed, folder: folder)
    case .records: try RecordCases(seed: seed, folder: folder)
    case .databases: try DatabaseCases(seed: seed, folder: folder)
    case .plantedTrap: try PlantedCases(seed: seed) { preconditionFailure("a planted trap in \($0)") }
    case .plantedHang: try PlantedCases(seed: seed) { _ in while true { _ = getpid() } }
    case .plantedWrongRows: try DatabaseCases(seed: seed, folder: folder, isMistaken: true)
    }
  }
}

/// Fails on records that contain a certain number.
struct PlantedCases: FuzzSubject.Cases {
  /// A number that trapped in `report` when it was converted to a whole number.
  static let number = "1e-305"

  private let seed: UInt64
  private let bases: [JSONText]
  private let mistake: (String) -> Void

  init(seed: UInt64, _ mistake: @escaping (String) -> Void = { _ in }) throws {
    self.seed = seed
    bases = try FuzzRecord.bases()
    self.mistake = mistake
  }

  func run(_ number: Int) throws -> String? {
    if isWrong(number) { mistake("case \(number)") }
    return nil
  }

  /// Whether the record of this case contains the number.
  func isWrong(_ number: Int) -> Bool {
    var mutation = RecordMutation(RandomStream(seed: seed, "\(number)"))
    let text = mutation.mutated(bases[number % bases.count])
    return String(decoding: text, as: UTF8.self).contains(Self.number)
  }
}
