public import RoomScreen

/// A wish of the user's own that doesn't fly yet: see `LiveRooms.ownWishes`.
public struct OwnWish: Sendable, Hashable, Identifiable {
  /// Its `wishId`.
  public let id: RoomScreen.ID
  /// The text, as it was given to ``LiveRooms/wish(_:style:in:)``.
  public let text: String
  /// The way to draw it: a word of the platform's, or empty.
  public let style: String
}
