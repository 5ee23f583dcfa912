import Testing

@testable import YapEngine

/// Every mistake that these tests plant to prove that a check finds it.
///
/// An omission stands in the engine and is planted with the options of a database. A falsification stands in the tests
/// and changes an answer of a correct engine, or what it is given, before a check sees it.
enum PlantedBug: Hashable, Sendable {
  case caches(RowCaches.Omission)
  case values(ValueCache.Omission)
  case connection(YapDatabaseConnection.Omission)
  case writer(Writer.Omission)
  case database(YapDatabase.Omission)
  case transaction(YapDatabaseReadTransaction.Omission)
  case views(ViewUpkeep.Omission)
  case viewPages(ViewPages.Omission)
  case mappings(MappingsDifference.Omission)
  case guardReader(GuardReader.Omission)
  case schema(Schema.Omission)
  case falsified(Falsification)

  static let all: [PlantedBug] =
    RowCaches.Omission.allCases.map(caches) + ValueCache.Omission.allCases.map(values)
    + YapDatabaseConnection.Omission.allCases.map(connection) + Writer.Omission.allCases.map(writer)
    + YapDatabase.Omission.allCases.map(database) + YapDatabaseReadTransaction.Omission.allCases.map(transaction)
    + ViewUpkeep.Omission.allCases.map(views) + ViewPages.Omission.allCases.map(viewPages)
    + MappingsDifference.Omission.allCases.map(mappings) + GuardReader.Omission.allCases.map(guardReader)
    + Schema.Omission.allCases.map(schema) + Falsification.allCases.map(falsified)
}

extension PlantedBug: CustomTestStringConvertible {
  /// The mistake in the form in which tests write it, such as `.connection(.pinsLazily)`.
  var testDescription: String {
    switch self {
    case .caches(let bug): ".caches(.\(bug))"
    case .values(let bug): ".values(.\(bug))"
    case .connection(let bug): ".connection(.\(bug))"
    case .writer(let bug): ".writer(.\(bug))"
    case .database(let bug): ".database(.\(bug))"
    case .transaction(let bug): ".transaction(.\(bug))"
    case .views(let bug): ".views(.\(bug))"
    case .viewPages(let bug): ".viewPages(.\(bug))"
    case .mappings(let bug): ".mappings(.\(bug))"
    case .guardReader(let bug): ".guardReader(.\(bug))"
    case .schema(let bug): ".schema(.\(bug))"
    case .falsified(let bug): ".falsified(.\(bug))"
    }
  }
}

extension YapDatabaseOptions {
  /// Plants the omissions among `bugs`. `Answers` takes the falsifications.
  mutating func plant(_ bugs: Set<PlantedBug>) {
    for bug in bugs { testHooks.omissions.insert(bug) }
  }
}

extension EngineOmissions {
  mutating func insert(_ bug: PlantedBug) {
    switch bug {
    case .caches(let omission): caches.insert(omission)
    case .values(let omission): values.insert(omission)
    case .connection(let omission): connection.insert(omission)
    case .writer(let omission): writer.insert(omission)
    case .database(let omission): database.insert(omission)
    case .transaction(let omission): transaction.insert(omission)
    case .views(let omission): views.insert(omission)
    case .viewPages(let omission): viewPages.insert(omission)
    case .mappings(let omission): mappings.insert(omission)
    case .guardReader(let omission): guardReader.insert(omission)
    case .schema(let omission): schema.insert(omission)
    case .falsified: break
    }
  }
}
