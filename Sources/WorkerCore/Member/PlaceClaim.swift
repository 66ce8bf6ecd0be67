package import KafkaNames

/// Decides what a named member does that has lost its place in the group: waits, joins again with new clients, or ends.
///
/// A join takes the place from its holder, so a member that lost the place asks first. The holder may be a member id
/// that nobody uses: from a late join, of its own or of an earlier process of its name, or from an older state of a
/// coordinator that has just started. The coordinator drops such an id after a session's time. An older state may also
/// give the place back to a member of this process that hangs in a call, whose client the coordinator still hears: the
/// next join takes it from that one. All other clients that the place had in this process are closed, so another holder
/// that outlasts a session lives elsewhere: a second worker has the same `worker.id`.
///
/// Member ids alone tell one holder from another: Kafka keeps client id and host of the first one that had the place.
///
/// Pure; times are milliseconds of a clock that only moves forward.
package struct PlaceClaim {
  /// The coordinator's answer.
  package struct Answer: Equatable, Sendable {
    /// Its node id.
    package var coordinator: Int32
    /// Nil: nobody.
    package var holder: GroupDescription.Member?

    package init(coordinator: Int32, holder: GroupDescription.Member?) {
      self.coordinator = coordinator
      self.holder = holder
    }
  }

  package enum Decision: Equatable {
    case wait
    case join
    /// The holder lives.
    case end(GroupDescription.Member)
  }

  /// The ids that the members of the place have had in this process.
  private let ownIds: Set<String>
  /// Longer than a coordinator keeps a member id that nobody uses.
  private let patienceMs: Int64
  /// The answer that has come since then, without a gap: another coordinator gives each member a session anew, and so
  /// may one that gave no answer.
  private var last: (coordinator: Int32, holder: String, sinceMs: Int64)?

  private static let graceMs: Int64 = 5000

  package init(ownIds: Set<String>, sessionMs: Int64) {
    self.ownIds = ownIds
    patienceMs = sessionMs + Self.graceMs
  }

  /// - Parameter answer: Nil: none came.
  package mutating func decide(_ answer: Answer?, nowMs: Int64) -> Decision {
    guard let answer else {
      last = nil
      return .wait
    }
    guard let holder = answer.holder, !ownIds.contains(holder.id) else { return .join }
    if last?.coordinator != answer.coordinator || last?.holder != holder.id {
      last = (answer.coordinator, holder.id, nowMs)
    }
    return nowMs - last!.sinceMs >= patienceMs ? .end(holder) : .wait
  }
}

/// A named member has lost its place: it must not join again, nor make a producer, before ``PlaceClaim`` says so.
package struct PlaceLost: Error {
  package init() {}
}
