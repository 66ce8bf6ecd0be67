package import RoomModel

/// What `topics.produce.KIND` tells apart.
package enum EventKind: String, CaseIterable, Sendable {
  case gift, wish, wishLike, tap, rainStart, rainGrab

  /// It says who does it.
  package var hasUser: Bool { self != .rainStart }

  package init(_ body: RoomEvent.Body) {
    self =
      switch body {
      case .gift: .gift
      case .wish: .wish
      case .wishLike: .wishLike
      case .tap: .tap
      case .rainStart: .rainStart
      case .rainGrab: .rainGrab
      }
  }
}

extension ProduceTopics {
  package subscript(kind: EventKind) -> String {
    switch kind {
    case .gift: gift
    case .wish: wish
    case .wishLike: wishLike
    case .tap: tap
    case .rainStart: rainStart
    case .rainGrab: rainGrab
    }
  }
}
