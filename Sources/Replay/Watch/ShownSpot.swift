import RoomEngine
import RoomModel
import RoomScreen
import Wire

/// An item of the spot, as its `spotShow` told it.
struct ShownSpot {
  let spotId: ID
  /// Empty: it has none.
  let name: String
  /// `阿花 (7): entrance (e1)`
  let words: String

  init(_ show: Lent<SpotShow>) {
    spotId = ID(show.spotId)
    name = show.sender.name.description
    let what =
      show.giftId.isEmpty
      ? show.kind.description.printable : named(show.giftName.description, show.giftId.description)
    words = "\(named(name, show.sender.userId.description)): \(what) (\(show.spotId.description.printable))"
  }
}

extension SpotPicture {
  /// Its progress, where it is shown with what its `spotShow` told of it.
  func standing(_ shown: ShownSpot?) -> String {
    guard case .shown(let until) = place, let shown, shown.spotId == ID(spotId) else { return standing }
    return "\(shown.words); ends \(until.clock)"
  }
}
