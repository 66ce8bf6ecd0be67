import HTTP
import RoomModel
import RoomScreen
import Settings
import Wire

/// Events that clients of one loop have posted, until it is known what became of each.
final class PostedEvents {
  typealias Reply = (EventIntake.Outcome) -> Void

  private var decoder: PostedEventDecoder
  private var replies: [Int: Reply] = [:]
  private var count = 0
  /// Called from the intake's thread.
  private let outcomes: Mailbox<(number: Int, outcome: EventIntake.Outcome)>

  init(_ events: EventLoop, _ names: EventNames) {
    outcomes = Mailbox(events)
    decoder = PostedEventDecoder(names)
  }

  /// - Parameters:
  ///   - body: the event in JSON; its `roomId` may be missing.
  ///   - room: that of the address.
  ///   - kinds: that may be posted.
  func read(
    _ body: [UInt8], room: ID, by poster: Poster, of kinds: [EventKind]
  ) throws(EventRefusal) -> EventIntake.Event {
    try decoder.event(body, room: room, by: poster, of: kinds)
  }

  /// - Parameter reply: called in this loop, once it is known what became of the event.
  /// - Returns: false if too many wait already; then `reply` is not called.
  func submit(_ event: EventIntake.Event, to intake: EventIntake, reply: @escaping Reply) -> Bool {
    count += 1
    let number = count
    guard intake.submit(event, reply: { [outcomes] in outcomes.put((number, $0)) }) else { return false }
    replies[number] = reply
    return true
  }

  /// Replies to what has become known.
  func deliverOutcomes() {
    if replies.isEmpty { return }
    for (number, outcome) in outcomes.take() { replies.removeValue(forKey: number)?(outcome) }
  }
}
