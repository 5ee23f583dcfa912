extension ScenarioDecoder {
  func engine(_ scenario: MappingReader) -> EngineSettings {
    guard let reader = scenario.reader("engine", ScenarioGrammar.engine) else { return EngineSettings() }
    let driver: DriverKind? = reader.has("driver") ? reader.word("driver") : .yap
    if let driver { refuseOptions(of: reader, driver) }
    return EngineSettings(
      driver: driver ?? .yap,
      synchronous: reader.word("synchronous") ?? .full,
      defaultObjectPolicy: reader.word("defaultObjectPolicy"),
      defaultMetadataPolicy: reader.word("defaultMetadataPolicy"),
      pageSizeBytes: pageSize(reader),
      mmapSizeBytes: reader.size("mmapSize", zeroAllowed: true),
      journalSizeLimitBytes: reader.size("journalSizeLimit", zeroAllowed: true),
      aggressiveCheckpointAtBytes: reader.size("aggressiveCheckpointAt"),
      checkpoint: checkpoint(reader, driver ?? .yap),
      busyTimeoutNanoseconds: reader.duration("busyTimeout", zeroAllowed: true)
    )
  }

  /// An option that the driver has not would be silently ignored.
  private func refuseOptions(of reader: MappingReader, _ driver: DriverKind) {
    for key in ScenarioGrammar.engine.supportedNames
    where key != "driver" && reader.has(key) && !driver.engineOptions.contains(key) {
      log.report(
        "the driver \(quoted(driver.rawValue)) has no option \(quoted(key)); leave it out",
        at: reader.keyPlace(key)
      )
    }
  }

  private func pageSize(_ reader: MappingReader) -> Int? {
    reader.scalar("pageSize") { (text) throws(ScalarProblem) in
      let bytes = try SizeScalar.parse(text)
      guard (512...65_536).contains(bytes), bytes.nonzeroBitCount == 1 else {
        throw ScalarProblem(expected: "a power of two from 512B to 64KiB", found: text)
      }
      return bytes
    }
  }

  private func checkpoint(_ reader: MappingReader, _ driver: DriverKind) -> CheckpointSettings? {
    guard let checkpoint = reader.reader("checkpoint", ScenarioGrammar.checkpoint) else { return nil }
    let mode: CheckpointModeSetting? = checkpoint.word("mode")
    if let mode, let reason = driver.lacking(mode) {
      let place = checkpoint.node("mode")?.place ?? checkpoint.place
      log.report("the driver \(quoted(driver.rawValue)) has no mode \(quoted(mode.rawValue)): \(reason)", at: place)
    }
    return CheckpointSettings(
      mode: mode ?? .passive,
      everyNanoseconds: checkpoint.duration("every") ?? 0
    )
  }

  func connection(_ name: String, _ node: YAMLNode, _ driver: DriverKind) -> ConnectionSettings? {
    guard let reader = MappingReader(node, ScenarioGrammar.connection, log: log) else { return nil }
    for key in ScenarioGrammar.connection.supportedNames
    where reader.has(key) && !driver.connectionOptions.contains(key) {
      log.report(
        "a connection of the driver \(quoted(driver.rawValue)) has no option \(quoted(key)); leave it out",
        at: reader.keyPlace(key)
      )
    }
    let objectCache = reader.boolean("objectCache") ?? true
    let metadataCache = reader.boolean("metadataCache") ?? true
    refuseLimit("objectCacheLimit", of: reader, hasCache: objectCache, "objectCache")
    refuseLimit("metadataCacheLimit", of: reader, hasCache: metadataCache, "metadataCache")
    return ConnectionSettings(
      name: name,
      count: reader.integer("count").map { Int($0) } ?? 1,
      objectPolicy: reader.word("objectPolicy"),
      metadataPolicy: reader.word("metadataPolicy"),
      objectCache: objectCache,
      objectCacheLimit: reader.count("objectCacheLimit") ?? ConnectionSettings.defaultCacheLimit,
      metadataCache: metadataCache,
      metadataCacheLimit: reader.count("metadataCacheLimit") ?? ConnectionSettings.defaultCacheLimit,
      permitted: reader.has("permitted")
        ? list(reader, "permitted") { (text) throws(ScalarProblem) in try PermittedTransaction.parse(text) } : nil
    )
  }

  private func refuseLimit(_ key: String, of reader: MappingReader, hasCache: Bool, _ cache: String) {
    guard reader.has(key), !hasCache else { return }
    log.report("\(quoted(key)) limits a cache that \(quoted(cache)) turns off; leave one out", at: reader.keyPlace(key))
  }
}
