import Foundation
import Synchronization

/// One connection of a stream, from its request until it ends.
struct Attempt: Sendable {
  let stream: RoomStream
  let lastEventId: String

  /// How it ended.
  struct End: Sendable {
    var reason: String
    /// Nil if it is worth another try.
    var refusal: GatewayError?
    /// Other gateways have these rooms, or some of them.
    var isElsewhere = false
    /// Whether any event came: then the gateway works.
    var hasEvents = false
    var lastEventId: String
    /// How long the server asks to wait at least, this time.
    var retryAfter = Duration.zero
    /// The same from its stream, until the next is open; nil: none was open.
    var retry: Duration?
  }

  /// When something came last, on the stream's clock.
  private final class Pulse: Sendable {
    let last: Mutex<Duration>

    init(_ now: Duration) { last = Mutex(now) }
  }

  func read() async -> End {
    let time = stream.client.time
    let limit = stream.client.options.silenceLimit
    let pulse = Pulse(time.now())
    return await withTaskGroup(of: End?.self) { group in
      group.addTask { await readAll(pulse) }
      group.addTask {
        while true {
          let left = pulse.last.withLock { $0 } + limit - time.now()
          guard left > .zero else { return nil }
          do { try await time.sleep(left) } catch { return nil }
        }
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      if let first { return first }
      // It was silent: what it had said until then is known to the reader.
      var ended = await group.next() ?? nil
      ended?.reason = "nothing came for \(limit)"
      return ended ?? End(reason: "nothing came for \(limit)", lastEventId: lastEventId)
    }
  }

  private func readAll(_ pulse: Pulse) async -> End {
    var end = End(reason: "the gateway ended the stream", lastEventId: lastEventId)
    var parser = EventStreamParser(lastEventId: lastEventId)
    var head: StreamHead?
    var refusal: [UInt8] = []
    do {
      let token = try await token()
      let parts = stream.client.transport.open(stream.request(token: token, lastEventId: lastEventId))
      reading: for try await part in parts {
        pulse.last.withLock { $0 = stream.client.time.now() }
        switch part {
        case .head(let answer):
          head = answer
          if answer.isStream { stream.report(.connection(.open, rooms: stream.rooms)) }
        case .bytes(let bytes) where head?.isStream == true:
          for event in try parser.parse(bytes) {
            if let update = RoomUpdate(event) { stream.report(update) }
            end.hasEvents = true
          }
          end.lastEventId = parser.lastEventId
        case .bytes(let bytes):
          refusal += bytes
          if refusal.count > 1000 { break reading }
        }
      }
    } catch {
      end.reason = "\(error)"
    }
    if head?.isStream == true { end.retry = parser.retryMs.map { .milliseconds($0) } ?? .zero }
    if let head, !head.isStream { end.refuse(head, body: String(decoding: refusal.prefix(1000), as: UTF8.self)) }
    return end
  }
}

extension Attempt {
  private func token() async throws(StreamBroken) -> String? {
    do { return try await stream.client.token() } catch { throw StreamBroken("no token could be had: \(error)") }
  }
}

extension Attempt.End {
  fileprivate mutating func refuse(_ head: StreamHead, body: String) {
    let body = body.trimmingCharacters(in: .whitespacesAndNewlines)
    refusal = GatewayError(status: head.status, body: body)
    isElsewhere = head.status == 421
    retryAfter = head.retryAfter ?? .zero
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
