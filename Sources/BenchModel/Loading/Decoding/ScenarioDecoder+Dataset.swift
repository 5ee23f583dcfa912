internal import NumericConversion

extension ScenarioDecoder {
  /// More than this is a typing error on any machine that runs a benchmark.
  static let largestDatasetBytes = Double(64 << 30)

  func dataset(_ scenario: MappingReader) -> NamedParts<DatasetCollection> {
    let dataset = named(scenario, "dataset") { name, node in collection(name, node) }
    var bytes = 0.0
    for part in dataset.parts {
      guard let collection = part.value else { continue }
      bytes += collection.expectedBytes
      guard bytes > Self.largestDatasetBytes else { continue }
      let gibibytes = Int(saturating: bytes / Double(1 << 30))
      let place = part.node["rows"]?.place ?? part.place
      log.report("the dataset would hold about \(gibibytes) GiB; expected at most 64 GiB", at: place)
      break
    }
    return dataset
  }

  private func collection(_ name: String, _ node: YAMLNode) -> DatasetCollection? {
    guard let reader = MappingReader(node, ScenarioGrammar.collection, log: log) else { return nil }
    return DatasetCollection(
      name: name,
      rows: reader.count("rows") ?? 1,
      key: reader.word("key") ?? .ordered,
      value: shape(reader, "value") ?? ValueShape(size: .fixed(bytes: ValueShape.headerBytes)),
      metadata: shape(reader, "metadata"),
      codec: reader.word("codec") ?? .raw
    )
  }

  private func shape(_ reader: MappingReader, _ key: String) -> ValueShape? {
    guard let shape = reader.reader(key, ScenarioGrammar.shape) else { return nil }
    let size = shape.scalar("size") { (text) throws(ScalarProblem) in
      let size = try SizeDistributionScalar.parse(text, files)
      guard size.smallestNamedBytes >= ValueShape.headerBytes else {
        throw ScalarProblem(
          expected: "a size of at least 32B",
          found: text,
          because: "every value starts with a header of 32B that proves what was read"
        )
      }
      guard size.largestNamedBytes <= ValueShape.largestBytes else {
        throw ScalarProblem(expected: "a size of at most 1GB", found: text, because: "SQLite refuses a larger value")
      }
      return size
    }
    let compressible = shape.scalar("compressible") { (text) throws(ScalarProblem) in
      let fraction = try NumberScalar.parse(text)
      guard fraction <= 1 else { throw ScalarProblem(expected: ValueKind.fraction.expectation, found: text) }
      return fraction
    }
    return size.map { ValueShape(size: $0, compressible: compressible ?? 0) }
  }
}
