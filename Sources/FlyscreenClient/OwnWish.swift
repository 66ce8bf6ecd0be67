/// A wish of the user's own that doesn't fly yet: see `LiveRooms.ownWishes`.
public struct OwnWish: Sendable, Hashable, Identifiable {
  /// Its `wishId`.
  public let id: String
  public let text: String
  public let style: String
}
