import Foundation
import RoomScreen
import Synchronization

/// Events on their way to the gateway. One that failed for no fault of its own is tried again with the same id, which
/// counts once however often it arrives; what is asked to wait does, and so does what comes after it.
final class OutgoingEvents: Sendable {
  private struct State {
    var backoff = Backoff(first: .milliseconds(400), limit: .seconds(5))
    var pausedUntil = Duration.zero
    /// The number of pauses so far.
    var pauses = 0

    /// A try has failed that was begun after so many pauses. Many may fail at once, and are one failure of the gateway:
    /// only one that was begun since the last pause makes the next one longer. What the gateway asks for is waited for.
    mutating func pause(triedAfter tried: Int, asked: Duration, now: Duration, chance: Double) {
      if tried == pauses {
        pauses += 1
        pausedUntil = now + backoff.next(least: asked, share: chance)
      } else {
        pausedUntil = max(pausedUntil, now + Backoff.obeyed(asked))
      }
    }
  }

  private let state = Mutex(State())
  private let time: Timekeeper

  /// A gateway answers once the broker has it; what is not answered by then is sent again.
  private static let answerLimit: Duration = .seconds(15)

  init(time: Timekeeper) { self.time = time }

  struct Answer: Sendable {
    var status = 0
    var retryAfter = Duration.zero
    var body = Data()
  }

  /// The place of an event in Kafka, as the gateway tells it.
  struct Place: Decodable, Sendable {
    let topic: String
    let partition: Int
    let offset: Int64
  }

  /// - Parameters:
  ///   - body: JSON, the same for all tries.
  ///   - within: after that it is over, with or without an answer.
  func post(_ body: Data, to url: URL, within: Duration, _ client: GatewayClient) async throws(SendError) -> Place {
    let deadline = time.now() + within
    var last = SendError(.tooLate, message: "its time was over")
    var mayHaveArrived = false
    /// Nil: none was.
    var refusedToken: String??
    while true {
      try await waitForTurn(before: deadline, last)
      let asked = await first(within: deadline - time.now()) { try? await client.token() }
      if Task.isCancelled { throw SendError.cancelled(mayHaveArrived: mayHaveArrived) }
      guard let token = asked else { throw last }
      // The gateway would refuse the same token again.
      if let refusedToken, refusedToken == token { throw last }
      let pauses = state.withLock { $0.pauses }
      var answer = await ask(url, posting: body, token, client, within: deadline - time.now())
      let place = answer.status == 202 ? try? JSONDecoder().decode(Place.self, from: answer.body) : nil
      // What neither tells the place nor refuses is not the gateway's: a hotel's login page, say.
      if place == nil, answer.status < 400 { answer = Answer() }
      // A gateway that is not ready has not even read it.
      if answer.status == 0 || answer.status >= 500 && SendError(answer).cause != .notReady { mayHaveArrived = true }
      if Task.isCancelled { throw SendError.cancelled(mayHaveArrived: mayHaveArrived) }
      // A gateway that is not ready, and what comes from between, tells nothing of streams.
      if (1..<500).contains(answer.status) { client.wake() }
      if let place {
        state.withLock { $0.backoff.reset() }
        return place
      }
      // No answer says less than the one before.
      if answer.status != 0 || time.now() < deadline || last.cause == .tooLate { last = SendError(answer) }
      last.mayHaveArrived = mayHaveArrived
      if answer.status == 401, refusedToken == nil {
        // The token may have ended on its way; another one is tried once.
        refusedToken = .some(token)
        continue
      }
      if GatewayError.isFinal(answer.status) { throw last }
      let share = time.chance()
      state.withLock {
        $0.pause(triedAfter: pauses, asked: answer.retryAfter, now: time.now(), chance: share)
      }
    }
  }

  private func waitForTurn(before deadline: Duration, _ last: SendError) async throws(SendError) {
    while true {
      let pause = state.withLock { $0.pausedUntil } - time.now()
      if pause <= .zero { break }
      guard time.now() + pause < deadline else { throw last }
      do { try await time.sleep(pause) } catch {
        throw SendError.cancelled(mayHaveArrived: last.mayHaveArrived)
      }
    }
    if time.now() >= deadline { throw last }
  }

  /// Sends a GET, or a POST of `body`, and returns the gateway's answer; status 0 if none comes in time.
  func ask(
    _ url: URL, posting body: Data? = nil, _ token: String?, _ client: GatewayClient, within: Duration = answerLimit
  ) async -> Answer {
    var headers = ["Accept": "application/json", "Cache-Control": "no-store"]
    if body != nil { headers["Content-Type"] = "application/json" }
    if let token { headers["Authorization"] = "Bearer \(token)" }
    let request = StreamRequest(url: url, headers: headers, body: body)
    let answer = await first(within: min(within, Self.answerLimit)) {
      var answer = Answer()
      do {
        for try await part in client.transport.open(request) {
          switch part {
          case .head(let head): (answer.status, answer.retryAfter) = (head.status, head.retryAfter ?? .zero)
          case .bytes(let bytes): answer.body.append(contentsOf: bytes)
          }
        }
      } catch {
        return Answer()
      }
      return answer
    }
    return answer ?? Answer()
  }

  /// Awaits `ask` for at most this time; nil: it took longer.
  private func first<Value: Sendable>(
    within limit: Duration, _ ask: @escaping @Sendable () async -> Value
  ) async -> Value? {
    let time = time
    return await withTaskGroup(of: Value?.self) { group in
      group.addTask { await ask() }
      group.addTask {
        try? await time.sleep(limit)
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
  }

  static func newId() -> ID {
    var random = SystemRandomNumberGenerator()
    return ID(String(random.next(), radix: 36) + String(random.next(), radix: 36))
  }
}

extension SendError {
  private struct Refusal: Decodable {
    var error, message, reason: String?
  }

  init(_ answer: OutgoingEvents.Answer) {
    let refusal = try? JSONDecoder().decode(Refusal.self, from: answer.body)
    let (status, word) = (answer.status, answer.status == 0 ? "unreachable" : String(answer.status))
    self.init(
      status: status, Cause(refusal?.error ?? word),
      message: refusal?.message ?? (status == 0 ? "the gateway did not answer" : "the gateway answered \(status)"),
      reason: refusal?.reason ?? "")
  }
}
