import Foundation
public import RoomScreen

/// Sending a viewer's events. Each is sent with one `eventId` until the gateway has it: 429 and 503 are waited for, a
/// connection that breaks is tried again, for half a minute.
///
/// The sender is the token's `sub`; where there is no token, `Options.sender`.
extension GatewayClient {
  /// An `eventId` counts once for a minute (`dedupe.windowMs`), so tries end well before.
  private static let within: Duration = .seconds(30)
  /// Two taps in quick succession are a like (STAGES.md, section 5): one that is late is none.
  private static let tapWithin: Duration = .seconds(1)
  /// The next event of a run makes one good that is late.
  private static let tapsWithin: Duration = .seconds(5)
  /// A worker answers a grab within milliseconds; a stream that broke meanwhile comes back within seconds.
  private static let grabLimit: Duration = .seconds(10)
  private static let grabAsks: Duration = .seconds(3)

  /// Sends a gift, which the setting `gateway.events.kinds` or the token's claim `events` must allow.
  ///
  /// - Parameter eventId: counts once within a minute, however often it is sent; by default a new one.
  /// - Throws: why it was not taken.
  @discardableResult
  public func send(gift: OutgoingGift, to room: ID, eventId: ID? = nil) async throws(SendError) -> SendReceipt {
    var event = event(room, eventId)
    event.gift = .init(
      sender: who, giftId: gift.giftId, giftName: gift.giftName, value: gift.value, count: gift.count,
      receiverId: gift.receiverId, receiverName: gift.receiverName, streakId: gift.streakId)
    return try await post(event)
  }

  /// Makes a wish. `LiveRooms.wish(_:style:in:)` also shows it at once.
  ///
  /// - Parameter id: the `wishId` by which it can be liked; by default a new one.
  @discardableResult
  public func send(
    wish text: String, style: String = "", id: ID? = nil, to room: ID
  ) async throws(SendError) -> SendReceipt {
    var event = event(room)
    event.wish = .init(sender: who, text: text, style: style, wishId: id ?? OutgoingEvents.newId())
    return try await post(event)
  }

  /// Likes a wish that is queued or flies.
  @discardableResult
  public func like(wish id: ID, in room: ID) async throws(SendError) -> SendReceipt {
    var event = event(room)
    event.wishLike = .init(userId: options.sender.userId, wishId: id)
    return try await post(event)
  }

  /// This viewer's taps on a room's stage, told as likes and gathered. Keep it for as long as the room is on screen.
  public func taps(in room: ID) -> Taps { Taps(client: self, room: room) }

  func send(_ taps: OutgoingEvent.Taps, to room: ID) async throws(SendError) {
    var event = event(room)
    event.taps = taps
    try await post(event, within: Self.tapsWithin)
  }

  /// Sends a single tap, for an app that can't tell likes from taps itself: twice in quick succession is a like. A tap is
  /// over after a second. ``GatewayClient/taps(in:)`` needs one event where this needs two for each like.
  ///
  /// - Parameters:
  ///   - x: thousandths of the stage's width, 0…999.
  ///   - y: of its height.
  @discardableResult
  public func tap(x: Int, y: Int, in room: ID) async throws(SendError) -> SendReceipt {
    var event = event(room)
    event.tap = .init(userId: options.sender.userId, x: x, y: y)
    return try await post(event, within: Self.tapWithin)
  }

  /// Opens a red packet, and waits for what it gave.
  ///
  /// The answer comes by a stream of this client's that follows the room with the same user (`updates(of:user:)`,
  /// `LiveRooms`), or from what the gateway still knows.
  ///
  /// - Throws: why it was not taken; `noResult` if nothing is told of it within ten seconds.
  public func grab(packet: Int, of rain: ID, in room: ID) async throws(SendError) -> RainResult {
    var event = event(room)
    let grab = OutgoingEvent.Grab(rainId: rain, packet: packet, userId: options.sender.userId)
    event.rainGrab = grab
    let wait = grabs.wait(for: grab, in: room, eventId: event.eventId)
    defer { grabs.forget(wait) }
    try await post(event, within: Self.grabLimit)
    let answered = await withTaskGroup(of: RainResult?.self) { group in
      group.addTask { await wait.answers.first { _ in true } }
      group.addTask {
        try? await time.sleep(Self.grabAsks)
        if !Task.isCancelled { for result in await results(in: room) { grabs.hear(result) } }
        try? await time.sleep(Self.grabLimit - Self.grabAsks)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
    if let answered { return answered }
    if Task.isCancelled { throw .cancelled(mayHaveArrived: true) }
    throw SendError(.noResult, message: "no answer to the grab has come", mayHaveArrived: true)
  }

  /// Asks for the results of grabs of `Options.sender` in a room, as far as the gateway still knows; the latest last.
  private func results(in room: ID) async -> [RainResult] {
    struct Results: Decodable { let results: [RainResult] }
    let user = "user=\(options.sender.userId.string.percentEncoded)"
    let url = address("/rooms/\(room.string.percentEncoded)/results", query: [user])
    let answer = await outbox.ask(url, try? await token(), self)
    return (try? JSONDecoder().decode(Results.self, from: answer.body))?.results ?? []
  }

  private var who: OutgoingEvent.Who {
    .init(userId: options.sender.userId, name: options.sender.name, avatarUrl: options.sender.avatarUrl)
  }

  private func event(_ room: ID, _ id: ID? = nil) -> OutgoingEvent {
    OutgoingEvent(eventId: id ?? OutgoingEvents.newId(), roomId: room)
  }

  @discardableResult
  private func post(_ event: OutgoingEvent, within: Duration = Self.within) async throws(SendError) -> SendReceipt {
    let body: Data
    do { body = try JSONEncoder().encode(event) } catch {
      throw SendError(.badRequest, message: "the event can't be written as JSON: \(error)")
    }
    let url = address("/rooms/\(event.roomId.string.percentEncoded)/events")
    let place = try await outbox.post(body, to: url, within: within, self)
    return SendReceipt(topic: place.topic, partition: place.partition, offset: place.offset, eventId: event.eventId)
  }
}
