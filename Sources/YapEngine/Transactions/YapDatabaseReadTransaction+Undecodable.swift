internal import ThreadingPrimitives

/// The result of reading a value in a call that reads several rows, or rows of a view. Such calls ask the handler of
/// undecodable values. A read of one row by its key does not, because its value may be changed and stored again.
enum Handled<Value> {
  case value(Value)
  /// The row is left out. The codec has thrown the error.
  case skipped(YapDatabaseError)
}

extension YapDatabaseReadTransaction {
  /// Asks the handler how to continue after a value could not be decoded.
  ///
  /// The caller must not cache the returned value, because the caches hold only stored values.
  /// - Parameter bytes: the stored bytes; read only if a codec has thrown the error.
  /// - Throws: `error`, if the handler stops the call, or if no codec has thrown `error`.
  final func handled(
    _ error: any Error,
    _ part: YapDatabaseUndecodableValue.Part,
    key: String,
    in collection: String,
    bytes: () throws -> [UInt8]
  ) throws -> Handled<Any?> {
    guard let error = error as? YapDatabaseError, error.code == .codec else { throw error }
    let value = YapDatabaseUndecodableValue(
      collection: collection,
      key: key,
      part: part,
      bytes: try bytes(),
      error: error
    )
    switch database.options.undecodableValueHandler(value) {
    case .stop:
      database.undecodableValues.withLock { $0.stopped += 1 }
      throw error
    case .replace(let other) where other != nil || part == .metadata:
      database.undecodableValues.withLock { $0.replaced += 1 }
      return .value(other)
    case .skip, .replace:
      database.undecodableValues.withLock { $0.skipped += 1 }
      return .skipped(error)
    }
  }

  /// The object for a key; nil if there is no such row.
  final func handledObject(forKey key: String, inCollection collection: String) throws -> Handled<Any?> {
    do { return .value(try object(forKey: key, inCollection: collection)) } catch {
      return try handled(error, .object, key: key, in: collection) {
        try serializedObject(forKey: key, inCollection: collection) ?? []
      }
    }
  }

  /// The metadata for a key; nil if there is no such row, or it has none.
  final func handledMetadata(forKey key: String, inCollection collection: String) throws -> Handled<Any?> {
    do { return .value(try metadata(forKey: key, inCollection: collection)) } catch {
      return try handled(error, .metadata, key: key, in: collection) {
        try serializedMetadata(forKey: key, inCollection: collection) ?? []
      }
    }
  }

  /// The row for a key; nil if there is none.
  final func handledRow(
    forKey key: String,
    inCollection collection: String
  ) throws -> Handled<(object: Any, metadata: Any?)?> {
    do { return .value(try row(forKey: key, inCollection: collection)) } catch let error as YapDatabaseError
      where error.code == .codec
    {
      // At least one of the two parts cannot be decoded; each is handled separately.
      let object: Any?
      switch try handledObject(forKey: key, inCollection: collection) {
      case .value(let value): object = value
      case .skipped(let error): return .skipped(error)
      }
      guard let object else { return .value(nil) }
      switch try handledMetadata(forKey: key, inCollection: collection) {
      case .value(let metadata): return .value((object, metadata))
      case .skipped(let error): return .skipped(error)
      }
    }
  }
}
