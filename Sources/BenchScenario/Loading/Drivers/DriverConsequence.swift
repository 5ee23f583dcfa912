/// The consequence of a problem that one of several compared drivers has with a scenario that is valid as it is
/// written.
enum DriverConsequence: Hashable {
  /// The driver's variants do without a part: the key with its value, or the element of a list, at the location.
  ///
  /// The reason is a clause.
  case excludes(SourceLocation, String, because: String)
  /// Nothing is compared.
  case refuses
}

extension YAMLNode {
  /// Removes the keys with their values, and the elements of lists, at a location. A list without elements is removed
  /// too.
  ///
  /// - Returns: Whether there was such a part.
  mutating func remove(at location: SourceLocation) -> Bool {
    switch content {
    case .scalar: return false
    case .sequence(var elements, let isFlow):
      let count = elements.count
      elements.removeAll { $0.location == location }
      var isFound = elements.count < count
      for index in elements.indices where elements[index].remove(at: location) { isFound = true }
      content = .sequence(elements, isFlow: isFlow)
      return isFound
    case .mapping(var pairs, let isFlow):
      let count = pairs.count
      pairs.removeAll { $0.keyLocation == location }
      var isFound = pairs.count < count
      for index in pairs.indices.reversed() where pairs[index].value.remove(at: location) {
        isFound = true
        if pairs[index].value.elements?.isEmpty ?? false { pairs.remove(at: index) }
      }
      content = .mapping(pairs, isFlow: isFlow)
      return isFound
    }
  }
}
