// A screen, its commands and its snapshots are words of this library too.
@_exported public import RoomScreen

public import Foundation

/// The screens of live rooms, as a gateway tells them.
///
/// ```swift
/// import FlyscreenClient
///
/// let client = GatewayClient(URL(string: "https://gateway.example")!) { try await session.token() }
/// for try await screen in client.screens(of: "r1") {
///   for view in screen.gifts { print("lane \(view.lane): \(view.sender.name) \(view.giftName) ×\(view.count)") }
///   for banner in screen.banners { print("track \(banner.track): \(banner.text) ♥\(banner.likes)") }
/// }
/// ```
///
/// Each loop has a stream of its own: it begins with the loop and ends with it. A stream that breaks is opened again
/// and goes on where it was, with nothing lost and nothing twice; meanwhile the loop waits. It throws errors that
/// another try does not mend: a token that is refused, a room that is not there.
///
/// `LiveRooms` keeps the room that an app shows and its neighbours at hand.
public struct GatewayClient: Sendable {
  /// Asked each time a stream is opened or something is sent, once more when a token is refused, and before the last one
  /// ends, so give one that is good for a while; nil where the gateway wants none. An error that it throws counts as a
  /// failure to connect: it is asked again, later. So does one that takes longer than a minute and a half.
  public typealias TokenProvider = @Sendable () async throws -> String?

  /// Waits and limits of streams.
  public struct Options: Sendable {
    /// A stream that says nothing for so long is given up and opened again. A gateway says every 15 seconds that it is
    /// there, so it was silent twice.
    public var silenceLimit: Duration = .seconds(31)
    /// The wait before a stream that failed is opened again: at first about so long, then twice as long with
    /// each failure, up to `retryLimit`; never the same for all who lost the same gateway. An orderly end, as when a
    /// token ends or a gateway is replaced, is followed after the time that the gateway said.
    public var retryFirst: Duration = .milliseconds(500)
    /// The longest such wait, beyond what the gateway asks for. Somebody looks: who only listens may wait for longer.
    public var retryLimit: Duration = .seconds(5)
    /// The sender of events. With a token the gateway goes by its `sub`, so nothing need be here.
    public var sender = Command.Sender(userId: "")
    /// The time by which screens are shown behind the log; nil: what the gateway tells. A command comes a little after its
    /// time; so it still comes in time, what moves begins at its beginning and numbers pop evenly.
    public var lag: Duration?
    /// Whether each room's next commands are asked for again and again, rather than a stream opened. By itself a client does
    /// so once a stream has brought nothing for five seconds, as behind a proxy that holds answers back until their end.
    public var polls = false
    /// A stream that has brought nothing for so long is held up on its way; zero: it may be silent from its beginning.
    package var emptyLimit: Duration = .seconds(5)
    /// The number of updates that wait for a slow reader of `updates(of:)`. Beyond, it gets snapshots in their place.
    public var updateLimit = 1000

    /// Options for a room that somebody looks at. Each can be changed afterwards.
    public init() {}
  }

  let gateway: URL
  let token: TokenProvider
  let options: Options
  let transport: any StreamTransport
  let time: Timekeeper
  /// Ends waits of streams; rung also when the gateway answers something else.
  let bell = RetryBell()
  let outbox: OutgoingEvents
  /// Grabs that wait for their answers.
  let grabs: Grabs

  /// - Parameters:
  ///   - gateway: its address, `https://gateway.example`; a path that it has behind a proxy is kept.
  ///   - options: how its streams are kept.
  ///   - token: a JSON Web Token whose claim `rooms` names the rooms.
  public init(_ gateway: URL, options: Options = Options(), token: @escaping TokenProvider = { nil }) {
    self.init(gateway, options: options, transport: URLSessionTransport(), time: .continuous, token: token)
  }

  package init(
    _ gateway: URL, options: Options, transport: any StreamTransport, time: Timekeeper, token: @escaping TokenProvider
  ) {
    self.gateway = gateway
    self.options = options
    self.transport = transport
    self.time = time
    self.token = { try await Self.wait(for: token, time) }
    outbox = OutgoingEvents(time: time)
    grabs = Grabs()
  }

  /// Asks for a token. A provider may heed no cancellation, so nobody waits for its end.
  private static func wait(for token: @escaping TokenProvider, _ time: Timekeeper) async throws -> String? {
    let (answers, tell) = AsyncThrowingStream<String?, any Error>.makeStream()
    let asking = Task {
      do { tell.yield(try await token()) } catch { tell.finish(throwing: error) }
    }
    let limit = Task {
      try await time.sleep(.seconds(90))
      tell.finish(throwing: StreamBroken("the provider gave none in time"))
    }
    defer {
      asking.cancel()
      limit.cancel()
    }
    for try await answer in answers { return answer }
    throw CancellationError()
  }

  /// Loops over a room's screen: as it is now, and whenever a command changes it.
  ///
  /// The latest counts: who is slower than the commands come misses what was in between. A screen comes as it is at the
  /// moment when it is taken, so `nowMs` is the log time of that moment (less the lag) and a `LogClock` can go on
  /// from it.
  public func screens(of room: ID) -> RoomScreens { screens(of: [room]) }

  /// Loops over the screens of several rooms, in one stream; a screen's `roomId` says its room. Where no gateway has
  /// all of them, each room gets a stream of its own; `updates(of:)` tells of a room that is refused.
  public func screens(of rooms: [ID]) -> RoomScreens { RoomScreens(client: self, rooms: rooms) }

  /// Loops over all that a gateway says of these rooms, in its order: snapshots, and commands that go on from them.
  ///
  /// - Parameters:
  ///   - rooms: one, or several in one stream; where no gateway has all of them, each gets its own, and one that is
  ///     refused ends alone.
  ///   - user: also tells what this user's grabs of red packets gave.
  public func updates(of rooms: [ID], user: ID? = nil) -> RoomUpdates {
    RoomUpdates(client: self, rooms: rooms, user: user)
  }

  /// The network is back, say: streams that wait connect now.
  public func retryNow() { bell.ring() }

  /// The gateway has answered something else, a request of the app's own: streams that wait for it connect now, unless
  /// it asked them to wait. This client's own requests, and each stream that opens, do that by themselves.
  public func wake() { bell.ringForNews() }
}
