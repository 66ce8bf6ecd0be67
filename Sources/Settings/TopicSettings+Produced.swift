package import RoomModel

extension TopicSettings {
  /// The topics of events of a kind that are made here: one, or each where the room may have what they are for.
  package func produced(_ kind: EventKind) -> [String] {
    switch kind {
    case .gift: [produce.gift]
    case .wish: [produce.wish]
    case .wishLike: [produce.wishLike]
    case .tap: [produce.tap]
    case .rainStart: [produce.rainStart]
    case .rainGrab: [produce.rainGrab]
    case .spot: [produce.spot]
    case .retract: several(produce.retract)
    case .roomSettings: several(produce.roomSettings)
    case .roomEnd: several(produce.roomEnd)
    }
  }

  private func several(_ topics: [String]) -> [String] { topics.isEmpty ? input : topics }
}
