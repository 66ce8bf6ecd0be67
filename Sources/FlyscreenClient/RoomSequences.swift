public import RoomScreen

/// Screens of rooms, the latest of each: see `GatewayClient.screens(of:)`.
public struct RoomScreens: AsyncSequence, Sendable {
  public typealias Element = Screen
  public typealias Failure = GatewayError

  let client: GatewayClient
  let rooms: [ID]

  public func makeAsyncIterator() -> Iterator {
    let feed = Feed(screensAt: client.options.lag, time: client.time)
    return Iterator(
      FeedReader(feed, RoomStream(client: client, rooms: rooms, user: nil) { feed.add($0) }))
  }

  /// One loop over the screens, with a stream of its own.
  public struct Iterator: AsyncIteratorProtocol {
    private var reader: FeedReader

    init(_ reader: FeedReader) { self.reader = reader }

    /// Nil once the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(GatewayError) -> Screen? {
      while true {
        if let screen = try reader.feed.takeScreen() { return screen }
        if await reader.waitForNews(isolation: actor) == false { return try reader.feed.takeScreen() }
      }
    }
  }
}

/// Updates of rooms: see `GatewayClient.updates(of:user:)`.
public struct RoomUpdates: AsyncSequence, Sendable {
  public typealias Element = RoomUpdate
  public typealias Failure = GatewayError

  let client: GatewayClient
  let rooms: [ID]
  let user: ID?

  public func makeAsyncIterator() -> Iterator {
    let feed = Feed(updates: client.options.updateLimit, time: client.time)
    return Iterator(
      FeedReader(feed, RoomStream(client: client, rooms: rooms, user: user) { feed.add($0) }))
  }

  /// One loop over the updates, with a stream of its own.
  public struct Iterator: AsyncIteratorProtocol {
    private var reader: FeedReader

    init(_ reader: FeedReader) { self.reader = reader }

    /// Nil once the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(GatewayError) -> RoomUpdate? {
      while true {
        if let update = try reader.feed.takeUpdate() { return update }
        if await reader.waitForNews(isolation: actor) == false { return try reader.feed.takeUpdate() }
      }
    }
  }
}

/// A stream and its feed, for as long as somebody reads.
struct FeedReader {
  let feed: Feed
  /// Ends the stream when the loop that reads it ends.
  private let streaming: HeldTask
  private var news: AsyncStream<Void>.Iterator

  init(_ feed: Feed, _ stream: RoomStream) {
    self.feed = feed
    news = feed.news.makeAsyncIterator()
    streaming = HeldTask(
      Task {
        do throws(GatewayError) {
          try await stream.run()
          feed.end(nil)
        } catch {
          feed.end(error)
        }
      })
  }

  /// - Returns: false if there will be none any more.
  mutating func waitForNews(isolation actor: isolated (any Actor)?) async -> Bool {
    await news.next(isolation: actor) != nil
  }
}
