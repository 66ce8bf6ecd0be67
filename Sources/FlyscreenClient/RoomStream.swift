import Foundation

/// One stream of some rooms: it is opened again when it breaks, from where it was.
struct RoomStream: Sendable {
  let client: GatewayClient
  let rooms: [String]
  let user: String?
  /// Told all that the stream says, in its order.
  let tell: @Sendable (RoomUpdate) -> Void

  /// Reads until the task is cancelled, or until the gateway says that there is no use in trying again.
  func run() async throws(GatewayError) {
    do throws(GatewayError) {
      try await keepOpen()
    } catch .elsewhere where rooms.count > 1 {
      // No gateway has all of them, but one may have each.
      try await runEachRoom()
    }
  }

  private func runEachRoom() async throws(GatewayError) {
    let ended = await withTaskGroup(of: GatewayError?.self) { group in
      for room in rooms {
        let alone = RoomStream(client: client, rooms: [room], user: user, tell: tell)
        group.addTask {
          do throws(GatewayError) {
            try await alone.run()
            return nil
          } catch {
            return error
          }
        }
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
    if let ended { throw ended }
  }

  private func keepOpen() async throws(GatewayError) {
    let options = client.options
    var backoff = Backoff(first: options.retryFirst, limit: options.retryLimit)
    var lastEventId = ""
    var retry = Duration.zero
    while !Task.isCancelled {
      tell(.connection(.connecting))
      let ended = await Attempt(stream: self, lastEventId: lastEventId).read()
      if Task.isCancelled { return }
      if let refusal = ended.refusal { throw refusal }
      if ended.hasSpoken { backoff.reset() }
      lastEventId = ended.lastEventId
      retry = ended.retry ?? retry
      let wait = backoff.next(least: max(retry, ended.retryAfter), share: client.time.chance())
      tell(.connection(.waiting(wait, because: ended.reason)))
      try? await client.time.sleep(wait)
    }
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
