extension Command {
  /// A pin: a message that stands until `endMs`. It is told again now and then, as it is.
  public struct PinShow: Sendable, Hashable, Codable {
    /// The pin.
    public var pinId = ID("")
    /// The sender.
    public var sender = Sender()
    /// The text; draw it as plain text, with its line feeds.
    public var text = ""
    /// The style to draw it in: a word of the platform's, or empty.
    public var style = ""
    /// The price that was paid for it.
    public var value: Int64 = 0
    /// 1: it stands before those that were paid for.
    public var first = 0
    /// The log time when it began.
    public var startMs: Int64 = 0
    /// The log time when it ends, without a command.
    public var endMs: Int64 = 0
    /// The platform's own.
    public var extra = ""

    package init() {}

    /// A pin, as a gateway or a test tells it.
    public init(
      pinId: ID, sender: Sender, text: String, style: String = "", value: Int64 = 0, first: Int = 0, startMs: Int64,
      endMs: Int64, extra: String = ""
    ) {
      self.pinId = pinId
      self.sender = sender
      self.text = text
      self.style = style
      self.value = value
      self.first = first
      self.startMs = startMs
      self.endMs = endMs
      self.extra = extra
    }
  }

  /// A pin goes before its time.
  public struct PinGone: Sendable, Hashable, Codable {
    /// The pin.
    public var pinId = ID("")
    /// The reason why it goes.
    public var reason = Reason.limit

    package init() {}

    /// An end, as a gateway or a test tells it.
    public init(pinId: ID, reason: Reason) {
      self.pinId = pinId
      self.reason = reason
    }

    /// A word, since a newer server may know more of them.
    public struct Reason: RawRepresentable, Sendable, Hashable, Codable {
      public var rawValue: String

      public init(rawValue: String) { self.rawValue = rawValue }

      /// There were too many, and it was the least.
      public static let limit = Reason(rawValue: "limit")
      /// It was taken back.
      public static let retracted = Reason(rawValue: "retracted")
      /// Its room ended.
      public static let ended = Reason(rawValue: "ended")
    }
  }
}
