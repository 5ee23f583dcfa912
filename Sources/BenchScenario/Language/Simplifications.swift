// The changes of settings by which a failing scenario is made smaller: each sets one key to its default.

extension EngineSettings {
  /// Keeps the driver.
  package static var simplifications: [@Sendable (inout Self) -> Void] {
    ScenarioGrammar.engine.defaults(except: \.driver)
  }
}

extension MeasureSettings {
  package static var simplifications: [@Sendable (inout Self) -> Void] { ScenarioGrammar.measure.defaults() }
}

extension ConnectionSettings {
  package static var simplifications: [@Sendable (inout Self) -> Void] { ScenarioGrammar.connection.defaults() }
}

extension DatasetCollection {
  package static var simplifications: [@Sendable (inout Self) -> Void] {
    ScenarioGrammar.collection.defaults() + ScenarioGrammar.shape.defaults().map { change in { change(&$0.value) } }
  }
}

extension ViewSettings {
  package static var simplifications: [@Sendable (inout Self) -> Void] { ScenarioGrammar.view.defaults() }
}

extension ActorSettings {
  package static var simplifications: [@Sendable (inout Self) -> Void] {
    ScenarioGrammar.actor.defaults()
      + ScenarioGrammar.transaction.defaults().map { change in { change(&$0.transaction) } }
  }
}
