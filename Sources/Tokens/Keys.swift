package import RoomScreen

/// The keys of one moment, by their ids.
package struct Keys: Equatable, Sendable {
  private let byId: [ID: Key]

  package init(_ byId: [ID: Key]) {
    self.byId = byId
  }

  /// A token that names no key is taken for the only one's; where there are several, nobody guesses.
  func key(of id: ID?) throws(TokenRefusal) -> Key {
    if let id {
      guard let key = byId[id] else { throw .unknownKey }
      return key
    }
    guard byId.count == 1, let only = byId.values.first else { throw .noKeyId }
    return only
  }

  /// Each with the algorithm that it takes: `a (RS256), b (HS256)`.
  package var names: String {
    byId.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value.algorithm.rawValue))" }.joined(separator: ", ")
  }
}
