import Foundation

/// One stream of some rooms: it is opened again when it breaks, from where it was.
struct RoomStream: Sendable {
  let client: GatewayClient
  let rooms: [String]
  let user: String?
  /// Waits end when it rings.
  let bell: RetryBell
  /// Gets all that the stream says, in its order.
  let report: @Sendable (RoomUpdate) -> Void

  /// Reads until the task is cancelled, or until the gateway says that there is no use in trying again.
  func run() async throws(GatewayError) {
    // No gateway has all of them, but one may have each.
    if try await keepOpen() == .elsewhere { try await runEachRoom() }
  }

  /// A room that is refused says so, and the others go on.
  private func runEachRoom() async throws(GatewayError) {
    let refusal = await withTaskGroup(of: GatewayError?.self) { group in
      for room in Set(rooms) {
        let alone = RoomStream(client: client, rooms: [room], user: user, bell: bell, report: report)
        group.addTask {
          do throws(GatewayError) {
            try await alone.run()
            return nil
          } catch {
            report(.connection(.refused(error), rooms: [room]))
            return error
          }
        }
      }
      return await group.reduce(nil) { $1 ?? $0 }
    }
    if let refusal, !Task.isCancelled { throw refusal }
  }

  private enum Outcome { case cancelled, elsewhere }

  private func keepOpen() async throws(GatewayError) -> Outcome {
    let options = client.options
    var backoff = Backoff(first: options.retryFirst, limit: options.retryLimit)
    var lastEventId = ""
    var retry = Duration.zero
    while !Task.isCancelled {
      report(.connection(.connecting, rooms: rooms))
      let ended = await Attempt(stream: self, lastEventId: lastEventId).read()
      if Task.isCancelled { break }
      if let refusal = ended.refusal { throw refusal }
      // One room is asked for again: a balancer may choose another gateway the next time.
      if ended.isElsewhere, rooms.count > 1 { return .elsewhere }
      if ended.hasEvents { backoff.reset() }
      lastEventId = ended.lastEventId
      retry = ended.retry ?? retry
      let wait = backoff.next(least: max(retry, ended.retryAfter), share: client.time.chance())
      report(.connection(.waiting(wait, because: ended.reason), rooms: rooms))
      await bell.wait(wait, client.time)
    }
    return .cancelled
  }

  func request(token: String?, lastEventId: String) -> StreamRequest {
    var headers = ["Accept": "text/event-stream", "Cache-Control": "no-store"]
    if let token { headers["Authorization"] = "Bearer \(token)" }
    if !lastEventId.isEmpty { headers["Last-Event-ID"] = lastEventId }
    return StreamRequest(url: address, headers: headers)
  }

  private var address: URL {
    var parts = URLComponents(url: client.gateway, resolvingAgainstBaseURL: true) ?? URLComponents()
    var path = parts.percentEncodedPath
    while path.hasSuffix("/") { path.removeLast() }
    var query: [String] = []
    if rooms.count == 1 {
      path += "/rooms/\(rooms[0].percentEncoded)/commands"
    } else {
      path += "/commands"
      query.append("rooms=\(rooms.map(\.percentEncoded).joined(separator: ","))")
    }
    if let user { query.append("user=\(user.percentEncoded)") }
    parts.percentEncodedPath = path
    parts.percentEncodedQuery = query.isEmpty ? nil : query.joined(separator: "&")
    return parts.url ?? client.gateway
  }
}

extension String {
  /// For a piece of a path or of a query: all but what stands for itself everywhere.
  fileprivate var percentEncoded: String {
    let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    return addingPercentEncoding(withAllowedCharacters: plain) ?? self
  }
}
