import Foundation
import RoomScreen

/// One stream of some rooms: it is opened again when it breaks, from where it was. Where there can be none, the next
/// commands of each room are asked for again and again; all else is the same.
struct RoomStream: Sendable {
  let client: GatewayClient
  let rooms: [ID]
  let user: ID?
  /// Gets all that the stream says, in its order.
  let report: @Sendable (RoomUpdate) -> Void
  /// Results that were told: a stream that comes back may get the last ones again.
  private let told = RecentResults()

  init(client: GatewayClient, rooms: [ID], user: ID?, report: @escaping @Sendable (RoomUpdate) -> Void) {
    self.client = client
    self.rooms = rooms
    self.user = user
    self.report = report
  }

  /// Reports what came by the stream: results once each.
  func tell(_ update: RoomUpdate) {
    if case .result(let result) = update {
      client.grabs.hear(result)
      guard told.insert(result) else { return }
    }
    report(update)
  }

  /// Reads until the task is cancelled, or until the gateway says that there is no use in trying again.
  func run() async throws(GatewayError) {
    // No gateway has all of them, but one may have each.
    if client.options.polls && rooms.count > 1 { return try await runEachRoom() }
    if try await keepOpen() == .elsewhere { try await runEachRoom() }
  }

  /// A room that is refused says so, and the others go on.
  private func runEachRoom() async throws(GatewayError) {
    let refusal = await withTaskGroup(of: GatewayError?.self) { group in
      for room in Set(rooms) {
        let alone = RoomStream(client: client, rooms: [room], user: user, report: report)
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
    var comeback = Comeback(first: options.retryFirst, limit: options.retryLimit)
    var lastEventId = ""
    var freshToken: String?
    /// Another token was tried since one was refused.
    var isAnother = false
    /// Next commands are asked for, rather than a stream; and they are for good, since that has worked or is wanted.
    var polls = options.polls
    var mustPoll = polls
    /// They were asked for since then, and told each time.
    var polledSince: Duration?
    while !Task.isCancelled {
      if polledSince == nil { report(.connection(.connecting, rooms: rooms)) }
      var ended = await Attempt(
        stream: self, polls: polls, isOpen: polledSince != nil, lastEventId: lastEventId, freshToken: freshToken
      ).read()
      if Task.isCancelled { break }
      freshToken = nil
      if let again = ended.again {
        (mustPoll, isAnother, lastEventId, freshToken) = (
          true, false, ended.lastEventId, ended.freshToken ?? ended.token
        )
        if polledSince == nil { polledSince = client.time.now() }
        if again > .zero { await client.bell.wait(again, isAsked: false, client.time) }
        continue
      }
      if ended.isHeldUp {
        if rooms.count > 1 { return .elsewhere }
        polls = true
        continue
      }
      if polls {
        ended.ending.openFor = polledSince.map { client.time.now() - $0 }
        polledSince = nil
        // An older gateway has streams alone.
        if case .notFound = ended.refusal, !mustPoll { ended.refusal = nil }
        polls = mustPoll
      }
      if let refusal = ended.refusal {
        // The token may have ended on its way; another one is tried once.
        guard case .unauthorized = refusal, !isAnother, let another = try? await client.token(), another != ended.token
        else { throw refusal }
        (freshToken, isAnother) = (another, true)
        continue
      }
      // One room is asked for again: a balancer may choose another gateway the next time.
      if ended.isElsewhere, rooms.count > 1 { return .elsewhere }
      if ended.ending.openFor != nil { isAnother = false }
      lastEventId = ended.lastEventId
      freshToken = ended.freshToken
      if freshToken != nil { continue }
      let wait = comeback.wait(after: ended.ending, share: client.time.chance())
      report(.connection(.waiting(wait, because: ended.reason), rooms: rooms))
      await client.bell.wait(wait, isAsked: ended.isAsked, client.time)
    }
    return .cancelled
  }

  func request(token: String?, lastEventId: String, polls: Bool) -> StreamRequest {
    var headers = polls ? ["Accept": "application/json"] : ["Accept": "text/event-stream", "Cache-Control": "no-store"]
    if let token { headers["Authorization"] = "Bearer \(token)" }
    if polls {
      let after = lastEventId.isEmpty ? [] : ["after=\(lastEventId.percentEncoded)"]
      return StreamRequest(
        url: client.address("/rooms/\(rooms[0].string.percentEncoded)/next", query: after), headers: headers)
    }
    if !lastEventId.isEmpty { headers["Last-Event-ID"] = lastEventId }
    return StreamRequest(url: address, headers: headers)
  }

  private var address: URL {
    let user = user.map { ["user=\($0.string.percentEncoded)"] } ?? []
    if rooms.count == 1 { return client.address("/rooms/\(rooms[0].string.percentEncoded)/commands", query: user) }
    let list = rooms.map(\.string.percentEncoded).joined(separator: ",")
    return client.address("/commands", query: ["rooms=\(list)"] + user)
  }
}

extension GatewayClient {
  /// - Parameters:
  ///   - path: encoded, from the gateway's own on.
  ///   - query: `name=value`, encoded.
  func address(_ path: String, query: [String] = []) -> URL {
    var parts = URLComponents(url: gateway, resolvingAgainstBaseURL: true) ?? URLComponents()
    var base = parts.percentEncodedPath
    while base.hasSuffix("/") { base.removeLast() }
    parts.percentEncodedPath = base + path
    parts.percentEncodedQuery = query.isEmpty ? nil : query.joined(separator: "&")
    return parts.url ?? gateway
  }
}

extension String {
  /// Encodes a piece of a path or of a query: all but the unreserved characters.
  var percentEncoded: String {
    let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    return addingPercentEncoding(withAllowedCharacters: plain) ?? self
  }
}
