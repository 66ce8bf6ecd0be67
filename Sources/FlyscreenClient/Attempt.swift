import Foundation
import Synchronization

/// One connection of a stream, from its request until it ends; or one question for next commands.
struct Attempt: Sendable {
  let stream: RoomStream
  /// Next commands are asked for.
  let polls: Bool
  /// They have been told before.
  let isOpen: Bool
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
    /// The stream brought nothing: something on its way holds it back.
    var isHeldUp = false
    /// Next commands were told, or that there are none; the next are asked for after this time.
    var again: Duration?
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
    case isHeldUp
    case renewed(String)
    case nothing
  }

  /// What has come of a stream.
  private enum Beginning {
    case none
    case head(since: Duration)
    case more
  }

  /// The time at which something came last, on the stream's clock.
  private final class Pulse: Sendable {
    let last: Mutex<Duration>
    let beginning = Mutex(Beginning.none)

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
      group.addTask { await watchBeginning(pulse) }
      var (cause, end): (String?, End?) = (nil, nil)
      var fresh: String?
      var isHeldUp = false
      for await event in group {
        switch event {
        case .ended(let ended): end = ended
        case .isHeldUp: isHeldUp = true
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
      told.isHeldUp = isHeldUp
      told.token = token
      told.freshToken = fresh
      return told
    }
  }

  /// A stream says something at once. If it doesn't, though its head has come, it is held up.
  private func watchBeginning(_ pulse: Pulse) async -> Event {
    let (time, limit) = (stream.client.time, stream.client.options.emptyLimit)
    if limit == .zero || polls { return .nothing }
    while true {
      var left = limit
      switch pulse.beginning.withLock({ $0 }) {
      case .none: break
      case .head(let since): left = since + limit - time.now()
      case .more: return .nothing
      }
      if left <= .zero { return .isHeldUp }
      do { try await time.sleep(left) } catch { return .nothing }
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
    var body: [UInt8] = []
    do {
      let parts = stream.client.transport.open(stream.request(token: token, lastEventId: lastEventId, polls: polls))
      reading: for try await part in parts {
        pulse.last.withLock { $0 = time.now() }
        switch part {
        case .head(let answer):
          head = answer
          if polls {
            guard answer.isNext(after: lastEventId), !isOpen else { continue }
            stream.client.wake()
            stream.report(.connection(.open, rooms: stream.rooms))
          } else if answer.isStream {
            openedAt = time.now()
            pulse.beginning.withLock { $0 = .head(since: time.now()) }
            stream.client.wake()
            stream.report(.connection(.open, rooms: stream.rooms))
          }
        case .bytes(let bytes) where !polls && head?.isStream == true:
          pulse.beginning.withLock { $0 = .more }
          for event in try parser.parse(bytes) {
            if let update = RoomUpdate(event, of: stream.rooms) { stream.tell(update) }
          }
          end.lastEventId = parser.lastEventId
        case .bytes(let bytes):
          body += bytes
          if body.count > (head?.status == 200 ? Self.mostBytes : 1000) { break reading }
        }
      }
      if polls, let head, head.isNext(after: lastEventId) {
        if !Task.isCancelled { try take(head, body, &end) }
        return end
      }
      end.ending.isOrderly = head?.isStream == true && !Task.isCancelled
    } catch {
      end.reason = "\(error)"
    }
    if let openedAt {
      end.ending.openFor = time.now() - openedAt
      end.ending.retry = parser.retryMs.map { .milliseconds($0) }
    }
    if let head, polls || !head.isStream { end.refuse(head, body: String(decoding: body.prefix(1000), as: UTF8.self)) }
    return end
  }

  private static let mostBytes = 16 * 1_048_576

  /// Tells what an answer with next commands tells.
  private func take(_ head: StreamHead, _ body: [UInt8], _ end: inout End) throws {
    end.again = .zero
    switch head.status {
    case 204: end.again = .seconds(1)
    // The id is too old: the next answer is a snapshot.
    case 410: end.lastEventId = ""
    default:
      let next = try JSONDecoder().decode(NextCommands.self, from: Data(body))
      if let snapshot = next.snapshot { stream.tell(.snapshot(snapshot)) }
      if let lagMs = next.lagMs { stream.tell(.pace(lag: .milliseconds(lagMs), rooms: stream.rooms)) }
      for command in next.commands ?? [] { if let known = command.value { stream.tell(.command(known)) } }
      end.lastEventId = next.id
    }
  }
}

/// An answer with a room's next commands, or with its snapshot.
private struct NextCommands: Decodable {
  /// Nil if it is of a kind that isn't known here: a newer server's.
  struct Known: Decodable {
    let value: Command?

    init(from decoder: any Decoder) { value = try? Command(from: decoder) }
  }

  let id: String
  let snapshot: Snapshot?
  let lagMs: Int64?
  let commands: [Known]?
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
  fileprivate var isStream: Bool { status == 200 && kind == "text/event-stream" }

  /// Whether it tells a room's next commands, or that there are none yet, or that the id is too old for that.
  fileprivate func isNext(after id: String) -> Bool {
    status == 204 || status == 410 && !id.isEmpty || status == 200 && kind == "application/json"
  }

  private var kind: String? {
    contentType.split(separator: ";").first?.trimmingCharacters(in: .whitespaces).lowercased()
  }
}

extension RoomUpdate {
  /// Nil if it is of a kind that isn't known here, or can't be read: a newer server's.
  ///
  /// - Parameter rooms: those of its stream.
  package init?(_ event: ServerSentEvent, of rooms: [ID]) {
    func read<Value: Decodable>() -> Value? { try? JSONDecoder().decode(Value.self, from: Data(event.data.utf8)) }
    let update: RoomUpdate? =
      switch event.type {
      case "snapshot": read().map { .snapshot($0) }
      case "command": read().map { .command($0) }
      case "result": read().map { .result($0) }
      case "pace": (read() as Pace?).map { .pace(lag: .milliseconds($0.lagMs), rooms: rooms) }
      default: nil
      }
    guard let update else { return nil }
    self = update
  }
}

/// The data of an event `pace`.
private struct Pace: Decodable {
  let lagMs: Int64
}
