/// The reason why a worker is not ready: a text for people, and one of the few reasons that metrics tell apart.
struct Unreadiness: Equatable, Sendable {
  enum Reason: String, CaseIterable {
    /// The broker refuses who we say we are, or what we want.
    case refused
    /// A later version saved what is there.
    case outdated
    /// Another client has a named member's place in the group.
    case replaced
    /// A member hangs in a call to the broker.
    case stuck
    case brokerAway = "broker_away"
    case restoring
    /// The group has not given all members their part.
    case unassigned
  }

  var reason: Reason
  var text: String
}
