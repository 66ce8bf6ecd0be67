import RoomModel

/// Who sent something, with texts of its own.
package struct Person: Equatable, Sendable {
  package var userId: String
  package var name: String
  package var avatarUrl: String

  init(_ sender: Sender) {
    userId = sender.userId.description
    name = sender.name.description
    avatarUrl = sender.avatarUrl.description
  }
}
