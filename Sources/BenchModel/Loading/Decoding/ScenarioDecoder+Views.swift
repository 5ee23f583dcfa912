extension ScenarioDecoder {
  func views(_ scenario: MappingReader, dataset: NamedParts<DatasetCollection>, driver: DriverKind) -> [ViewSettings] {
    guard let node = scenario.node("views") else { return [] }
    guard let elements = node.elements, !elements.isEmpty else {
      let found = node.elements == nil ? node.found : "an empty one"
      log.report("expected \(ValueKind.list(ScenarioGrammar.view).expectation), found \(found)", at: node.place)
      return []
    }
    if !driver.hasViews {
      log.report(
        "the driver \(quoted(driver.rawValue)) has no views; leave \"views\" out, or choose the driver \"yap\"",
        at: scenario.keyPlace("views")
      )
    }
    var views: [ViewSettings] = []
    for element in elements {
      guard let reader = MappingReader(element, ScenarioGrammar.view, log: log) else { continue }
      let name = reader.name("name")
      let collection = reader.name("collection")
      let group = reader.scalar("group") { (text) throws(ScalarProblem) in try ViewGroupScalar.parse(text) }
      let sort: ViewSort? = reader.word("sort")
      if let collection, let place = reader.node("collection")?.place {
        dataset.check(collection, noun: "collection", at: place, log: log)
      }
      guard let name, let collection else { continue }
      if views.contains(where: { $0.name == name }) {
        log.report("there are two views with the name \(quoted(name))", at: reader.node("name")?.place ?? reader.place)
      }
      views.append(ViewSettings(name: name, collection: collection, group: group ?? .all, sort: sort ?? .row))
    }
    return views
  }

  /// The view that an actor reads, if it reads one.
  func view(_ reader: MappingReader, of actor: ActorSettings, _ context: ActorContext) -> String? {
    let own = context.views.filter { $0.collection == actor.collection }
    let operation = actor.operations.first(where: \.kind.readsView)?.kind
    if let name = reader.name("view"), let place = reader.node("view")?.place {
      guard operation != nil else {
        log.report("the actor reads no view; leave \"view\" out", at: reader.keyPlace("view"))
        return nil
      }
      guard own.contains(where: { $0.name == name }) else {
        let remedy = Suggestion.remedy(for: name, among: own.map(\.name))
        log.report("the actor's collection has no view \(quoted(name)); \(remedy)", at: place)
        return nil
      }
      return name
    }
    guard let operation, reader.has("collection") else { return nil }
    if own.count == 1 { return own[0].name }
    let what = own.isEmpty ? "the actor's collection has no view" : "the actor's collection has several views"
    let remedy = own.isEmpty ? "register one under \"views\"" : "name one with \"view\""
    log.report(
      "\(quoted(operation.description)) reads a view, and \(what); \(remedy)",
      at: reader.keyPlace("operations")
    )
    return nil
  }
}
