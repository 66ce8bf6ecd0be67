public import RoomScreen

/// How an app draws what flies, in units of its own (points, say).
public struct StageLayout: Sendable, Hashable {
  /// The width of the stage.
  public var width: Double
  /// The height of the stage.
  public var height: Double
  /// The setting `wish.stageWidth`: on a narrower stage banners are drawn smaller.
  public var stageWidth = 375.0
  /// The top of a banner on track 0.
  public var firstTrack = 0.0
  /// The distance from one track to the next.
  public var trackStep = 42.0
  /// The height of a banner.
  public var bannerHeight = 34.0
  /// The width of a packet that hangs straight.
  public var packetWidth = 58.0
  /// Its height.
  public var packetHeight = 78.0

  /// A stage of this size. The other members have the page's values, and can be changed.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }
}

/// Something that flies: what a finger may touch.
public enum FlyingItem: Sendable, Hashable {
  /// A wish, which is liked: ``GatewayClient/like(wish:in:)``.
  case banner(Banner)
  /// A packet of a rain, which is opened: ``GatewayClient/grab(packet:of:in:)``.
  case packet(Rain.Drop, of: ID)
}
