import RoomEngine
import RoomModel

extension Reason {
  /// Nil: the command came neither of a retract, nor of the room's end, nor of a muted user's event.
  init?(ofModeration command: RoomCommand, in step: RoomStep) {
    guard case .event(let event, _, let arrival) = step.cause else { return nil }
    switch (arrival, command.body) {
    case (.decided, .skipped(let skipped)) where skipped.reason == .retracted:
      self.init(.takingBack, "its user is muted, or it was taken back before it came: it is skipped")
    case (.retract, .giftHide): self.init(.takingBack, "it was taken back: \(event.words)")
    case (.retract, .wishGone), (.retract, .spotGone), (.retract, .pinGone), (.retract, .goalEnd):
      self.init(.takingBack, event.words)
    case (.retract, .skipped):
      self.init(.takingBack, "\(event.words); what had not been shown is skipped, in one")
    case (.roomEnd, .roomEnd): self.init(.end, "the room ended, and nothing of it is on the screen any more")
    case (.roomEnd, .skipped(let skipped)) where skipped.reason == .ended:
      self.init(.end, "the room ended before these could be shown")
    case (.roomEnd, .skipped): self.init(.end, "the room ended, and what was pending is told before")
    case (.roomEnd, _):
      self.init(.end, "the room ended: it ends what is on the screen, and tells what is pending")
    default: return nil
    }
  }
}
