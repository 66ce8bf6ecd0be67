package import RoomScreen

/// A recipient of ordered output: a room gets its commands, a user the results of grabs.
package struct Recipient: Hashable, Sendable {
  package enum Kind: Sendable { case command, result }

  package let kind: Kind
  /// The key of the records.
  package let key: ID

  package init(kind: Kind, key: ID) { (self.kind, self.key) = (kind, key) }
}
