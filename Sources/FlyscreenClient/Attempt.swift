import Foundation
import Synchronization

/// One connection of a stream, from its request until it ends.
struct Attempt: Sendable {
  let stream: RoomStream
  let lastEventId: String
  /// Nil: it is asked for.
  let freshToken: String?

  /// The end of an attempt.
  struct End: Sendable {
    var reason: String
    /// Nil if it is worth another try.
    var refusal: GatewayError?
    /// Other gateways have these rooms, or some of them.
    var isElsewhere = false
    /// The server asked for the wait that comes.
    var isAsked = false
    var lastEventId: String
    /// The token of its request.
    var token: String?
    /// A newer token. The stream goes on with it at once, since the one before soon ends.
    var freshToken: String?
    var ending = Comeback.Ending()
  }

  private enum Event: Sendable {
    case ended(End)
    case isSilent
    case renewed(String)
    case nothing
  }

  /// The time at which something came last, on the stream's clock.
  private final class Pulse: Sendable {
    let last: Mutex<Duration>

    init(_ now: Duration) { last = Mutex(now) }
  }

  func read() async -> End {
    let time = stream.client.time
    let limit = stream.client.options.silenceLimit
    let pulse = Pulse(time.now())
    var token = freshToken
    do { if token == nil { token = try await stream.client.token() } } catch {
      return End(reason: "no token could be had: \(error)", lastEventId: lastEventId)
    }
    return await withTaskGroup(of: Event.self) { [token] group in
      group.addTask { .ended(await readAll(pulse, token)) }
      group.addTask {
        while true {
          let left = pulse.last.withLock { $0 } + limit - time.now()
          guard left > .zero else { return .isSilent }
          do { try await time.sleep(left) } catch { return .nothing }
        }
      }
      group.addTask { await renew(token) }
      var (cause, end): (String?, End?) = (nil, nil)
      var fresh: String?
      for await event in group {
        switch event {
        case .ended(let ended): end = ended
        case .isSilent: cause = "nothing came for \(limit)"
        case .renewed(let token): (cause, fresh) = ("its token soon ends", token)
        case .nothing: continue
        }
        // The reader knows what a stream had said before it was given up.
        group.cancelAll()
      }
      var told = end ?? End(reason: "", lastEventId: lastEventId)
      if let cause {
        told.reason = cause
        told.ending.isOrderly = false
      }
      told.token = token
      told.freshToken = fresh
      return told
    }
  }

  /// Streams end with their tokens. With another in time, this one goes on with that before it is ended.
  private func renew(_ token: String?) async -> Event {
    let time = stream.client.time
    let claims = TokenClaims(token)
    guard let span = claims?.renewal(time.date()) else { return .nothing }
    do {
      try await time.sleep(span)
      guard let fresh = try await stream.client.token(), TokenClaims(fresh)?.endsLater(than: claims) == true else {
        return .nothing
      }
      return .renewed(fresh)
    } catch {
      // There may be a token again when the stream has ended.
      return .nothing
    }
  }

  private func readAll(_ pulse: Pulse, _ token: String?) async -> End {
    let time = stream.client.time
    var end = End(reason: "the gateway ended the stream", lastEventId: lastEventId)
    var parser = EventStreamParser(lastEventId: lastEventId)
    var head: StreamHead?
    var openedAt: Duration?
    var refusal: [UInt8] = []
    do {
      let parts = stream.client.transport.open(stream.request(token: token, lastEventId: lastEventId))
      reading: for try await part in parts {
        pulse.last.withLock { $0 = time.now() }
        switch part {
        case .head(let answer):
          head = answer
          if answer.isStream {
            openedAt = time.now()
            stream.client.wake()
            stream.report(.connection(.open, rooms: stream.rooms))
          }
        case .bytes(let bytes) where head?.isStream == true:
          for event in try parser.parse(bytes) { if let update = RoomUpdate(event) { stream.tell(update) } }
          end.lastEventId = parser.lastEventId
        case .bytes(let bytes):
          refusal += bytes
          if refusal.count > 1000 { break reading }
        }
      }
      end.ending.isOrderly = head?.isStream == true && !Task.isCancelled
    } catch {
      end.reason = "\(error)"
    }
    if let openedAt {
      end.ending.openFor = time.now() - openedAt
      end.ending.retry = parser.retryMs.map { .milliseconds($0) }
    }
    if let head, !head.isStream { end.refuse(head, body: String(decoding: refusal.prefix(1000), as: UTF8.self)) }
    return end
  }
}

extension Attempt.End {
  fileprivate mutating func refuse(_ head: StreamHead, body: String) {
    let body = body.trimmingCharacters(in: .whitespacesAndNewlines)
    refusal = GatewayError(status: head.status, body: body)
    isElsewhere = head.status == 421
    isAsked = head.status == 429
    ending.retryAfter = head.retryAfter ?? .zero
    // A hotel's login page, say: it is not the gateway that answered.
    reason = head.status == 200 ? "the answer is no stream but \(head.contentType)" : "\(head.status) \(body)"
  }
}

extension StreamHead {
  fileprivate var isStream: Bool {
    status == 200
      && contentType.split(separator: ";").first?.trimmingCharacters(in: .whitespaces).lowercased()
        == "text/event-stream"
  }
}

extension RoomUpdate {
  /// Nil if it is of a kind that isn't known here, or can't be read: a newer server's.
  package init?(_ event: ServerSentEvent) {
    func read<Value: Decodable>() -> Value? { try? JSONDecoder().decode(Value.self, from: Data(event.data.utf8)) }
    let update: RoomUpdate? =
      switch event.type {
      case "snapshot": read().map { .snapshot($0) }
      case "command": read().map { .command($0) }
      case "result": read().map { .result($0) }
      default: nil
      }
    guard let update else { return nil }
    self = update
  }
}
