/// A reason why a worker is not ready: a line for people, and one of the few reasons that metrics tell apart.
package struct Unreadiness: Equatable, Sendable {
  /// Reasons, causes before their effects: they are told in this order.
  package enum Reason: String, CaseIterable, Sendable {
    case brokerAway = "broker_away"
    /// The broker refuses who we say we are, or what we want.
    case refused
    case topicGone = "topic_gone"
    /// A later version saved what is there.
    case outdated
    /// Another client has a named member's place in the group.
    case replaced
    /// A tool set the group back in a partition, which rests.
    case setBack = "set_back"
    /// A partition has records that can't be read.
    case unreadable
    /// A broker answers, and what it is asked for fails.
    case failing
    /// A member hangs in a call to the broker.
    case stuck
    case restoring
    /// The group has not given all members their part.
    case unassigned
  }

  package var reason: Reason
  package var text: String

  package init(_ reason: Reason, _ text: String) {
    self.reason = reason
    self.text = text
  }
}
