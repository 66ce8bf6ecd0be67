package import RoomModel

/// What `topics.produce.KIND` tells apart.
package enum EventKind: String, CaseIterable, Sendable {
  case gift, wish, wishLike, tap, rainStart, rainGrab, retract, roomSettings, roomEnd

  /// It says who does it.
  package var hasUser: Bool {
    switch self {
    case .gift, .wish, .wishLike, .tap, .rainGrab: true
    case .rainStart, .retract, .roomSettings, .roomEnd: false
    }
  }

  package init(_ body: RoomEvent.Body) {
    self =
      switch body {
      case .gift: .gift
      case .wish: .wish
      case .wishLike: .wishLike
      case .tap: .tap
      case .rainStart: .rainStart
      case .rainGrab: .rainGrab
      case .retract: .retract
      case .roomSettings: .roomSettings
      case .roomEnd: .roomEnd
      }
  }
}

extension TopicSettings {
  /// Where events of that kind go that are made here: one topic, or each where the room may have what they are for.
  package func produced(_ kind: EventKind) -> [String] {
    switch kind {
    case .gift: [produce.gift]
    case .wish: [produce.wish]
    case .wishLike: [produce.wishLike]
    case .tap: [produce.tap]
    case .rainStart: [produce.rainStart]
    case .rainGrab: [produce.rainGrab]
    case .retract: several(produce.retract)
    case .roomSettings: several(produce.roomSettings)
    case .roomEnd: several(produce.roomEnd)
    }
  }

  private func several(_ topics: [String]) -> [String] { topics.isEmpty ? input : topics }
}
