internal import BenchModel
internal import Foundation
internal import YapEngine

extension YapDatabaseView {
  /// Creates the view that a scenario describes, over the fields that every generated object contains.
  init(_ settings: ViewSettings, _ codecs: CollectionCodecs) {
    @Sendable func fields(_ object: Any) throws -> GeneratedFields {
      guard let fields = codecs.bytes(object, of: settings.collection).flatMap(GeneratedFields.init) else {
        throw DamagedDocument(description: "an object of \"\(settings.collection)\" has none of the generated fields")
      }
      return fields
    }
    var options = Options()
    options.allowedCollections = .only([settings.collection])
    self.init(
      grouping: .withObjectBlock { _, _, _, object in settings.group.name(ofRow: try fields(object).row) },
      sorting: .withObjectBlock { _, _, _, _, left, _, _, right in
        let (left, right) = (try fields(left), try fields(right))
        if left.isBefore(right, by: settings.sort) { return .orderedAscending }
        return right.isBefore(left, by: settings.sort) ? .orderedDescending : .orderedSame
      },
      versionTag: "1",
      options: options
    )
  }
}
