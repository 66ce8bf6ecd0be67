import HTTP
import Platform
import Probes
import RoomModel
import RoomScreen
import Settings

/// Finds the answer to each request, on each loop.
struct Routes {
  let resources: GatewayResources
  let posted: PostedEvents
  /// Nil: no broker has been reached yet.
  private let hub: () -> StreamHub<EventStream>?

  init(_ resources: GatewayResources, _ posted: PostedEvents, hub: @escaping () -> StreamHub<EventStream>?) {
    self.resources = resources
    self.posted = posted
    self.hub = hub
  }

  func handle(_ request: Request) {
    let (path, words) = (request.target.segments, request.target.words)
    switch path.count {
    case 3 where words[0] == "rooms" && words[2] == "commands":
      allow(.get, request, room: ID(path[1])) { openStream(request, [$0]) }
    case 1 where words[0] == "commands":
      allow(.get, request) { openStream(request, request.target.list("rooms").map { ID($0) }) }
    case 2 where words[0] == "rooms": allow(.get, request, room: ID(path[1])) { sendRoom(request, $0) }
    case 1 where words[0] == "rooms": allow(.get, request) { sendRooms(request) }
    case 3 where words[0] == "rooms" && words[2] == "next":
      allow(.get, request, room: ID(path[1])) { sendNext(request, $0) }
    case 3 where words[0] == "rooms" && words[2] == "results":
      allow(.get, request, room: ID(path[1])) { sendResults(request, $0) }
    case 3 where words[0] == "rooms" && words[2] == "events":
      allow(.post, request, room: ID(path[1])) { postEvent(request, room: $0) }
    default: handleOther(request, words)
    }
  }

  private func handleOther(_ request: Request, _ words: [String]) {
    guard var found = resources.probes?.response(path: words) ?? resources.page.response(to: request) else {
      return refuse(
        request, .notFound, "there is no \(request.method == .post ? "such thing to post to" : "such page")")
    }
    // Other pages import the client module.
    found.headers += resources.crossOrigin.headers(for: request)
    allow(.get, request) { request.respond(found) }
  }

  private func allow(_ method: Request.Method, _ request: Request, _ body: () -> Void) {
    if request.method == method || method == .get && request.method == .head { return body() }
    if request.method == .options { return request.respond(resources.crossOrigin.preflight(request, method)) }
    refuse(request, .methodNotAllowed, "only \(method.allowed) will do here", headers: [.init("Allow", method.allowed)])
  }

  /// The same of an address that is a room's. A browser learns of one that can't be when it asks what it may.
  private func allow(_ method: Request.Method, _ request: Request, room: ID, _ body: (ID) -> Void) {
    if request.method == .options, let wrong = complaint(about: [room]) {
      return refuse(request, .badRequest, wrong)
    }
    allow(method, request) { body(room) }
  }

  // MARK: Reading

  private func openStream(_ request: Request, _ rooms: [ID]) {
    guard let (hub, permit) = admit(request, rooms), let list = servedList(request, rooms, hub.store) else { return }
    // HEAD asks only what there would be.
    if request.method == .head {
      return request.respond(Response(.ok, contentType: "text/event-stream", []))
    }
    let address = AddressGroup(resources.clientAddress.of(request))
    guard resources.streamsOfAddresses.enter(address) else {
      return refuse(
        request, .tooManyStreams,
        "this address has \(resources.settings.limits.streamsPerAddress) streams already; close some",
        retryAfter: 10)
    }
    let user = request.target["user"].flatMap { $0.isEmpty ? nil : ID($0) }
    // A browser that comes back still has the address it began with, so the header is newer.
    let lastEventId = request.header("Last-Event-ID") ?? request.target["lastEventId"]
    let headers = resources.crossOrigin.headers(for: request) + [.init("X-Content-Type-Options", "nosniff")]
    let stream = hub.open(list, address: address, user: user, lastEventId: lastEventId) { first, client in
      request.openStream(headers, first: first, owner: client)
    }
    if permit.untilMs != .max {
      stream?.endsAtMs = MonotonicClock.nowMs() + max(0, permit.untilMs - WallClock.nowMs())
    }
  }

  private func sendRoom(_ request: Request, _ room: ID) {
    guard let (hub, permit) = admit(request, [room]), mayTakeSnapshot(request, permit),
      let list = servedList(request, [room], hub.store)
    else { return }
    respond(request, .json(.ok, hub.snapshot(of: list)))
  }

  /// Sends a room's next commands, which any cache may keep where everybody may see them: whoever asks by this address
  /// may have the same answer.
  private func sendNext(_ request: Request, _ room: ID) {
    guard let (hub, permit) = admit(request, [room]), let list = servedList(request, [room], hub.store) else { return }
    if request.method == .head { return respond(request, .json(.ok, [])) }
    let visibility = permit.poster == .stranger ? "public" : "private"
    hub.next(of: list, after: request.target["after"]) { answer in
      resources.metrics.nextAnswers.add()
      var response = Response(.noContent)
      var maxAge = 1
      switch answer.kind {
      case .commands(let json):
        response = .json(.ok, json)
        maxAge = Self.nextMaxAge
      case .snapshot(let json): response = .json(.ok, json)
      case .none: break
      case .unknown:
        resources.metrics.countRefusal(.tooOld)
        // Not all clients can follow a redirection. The address is relative: a proxy may add to the path.
        response = .refusal(
          .gone, GatewayMetrics.Refusal.tooOld.rawValue,
          "what came after this id is not known any more; ask without an id, for the snapshot",
          headers: [.init("Location", "next")])
      }
      if let packed = answer.packed, packed.count < response.body.count, Gzip.isAccepted(by: request) {
        response.body = packed
        response.headers.append(.init("Content-Encoding", "gzip"))
      }
      let caching = [
        Response.Header("Cache-Control", "\(visibility), max-age=\(maxAge)"), .init("Vary", "Accept-Encoding"),
        .init("X-Content-Type-Options", "nosniff"),
      ]
      response.headers += caching + resources.crossOrigin.headers(for: request)
      request.respond(response)
    }
  }

  /// Seconds for which caches keep commands. Later nobody asks any more by that address.
  private static let nextMaxAge = 10

  /// - Returns: false if the request is answered already.
  private func mayTakeSnapshot(_ request: Request, _ permit: Permit) -> Bool {
    guard let client = client(request, permit.poster), let seconds = resources.clientLimits.takeSnapshot(client) else {
      return true
    }
    refuse(
      request, .tooManySnapshots,
      "more than \(resources.settings.limits.snapshots) snapshots a second; follow the room's commands, or wait",
      retryAfter: seconds)
    return false
  }

  private func sendRooms(_ request: Request) {
    guard let (hub, permit) = admit(request, nil) else { return }
    let rooms = resources.activeRooms.rooms(hub.store).lazy.filter { permit.mayName($0) }.prefix(Self.mostRooms)
    let names = rooms.map { Response.quoted($0.string) }.joined(separator: ",")
    let kinds = kinds(permit).map { Response.quoted($0.rawValue) }.joined(separator: ",")
    let isTaking = resources.intake != nil
    respond(request, .json(.ok, Array(#"{"rooms":[\#(names)],"events":\#(isTaking),"kinds":[\#(kinds)]}"#.utf8)))
  }

  private static let mostRooms = 100

  /// Sends the results of a user's grabs in a room, as far as they are still known.
  private func sendResults(_ request: Request, _ room: ID) {
    guard permit(request, [room]) != nil else { return }
    guard let results = resources.results else {
      return refuse(request, .notFound, "results are not told here; gateway.results turns that on")
    }
    guard let user = request.target["user"], !user.isEmpty else {
      return refuse(request, .badRequest, "no user is named; give user=7")
    }
    guard results.isReadBack else {
      return refuse(request, .notReady, "the gateway has not read back the results yet; try again", retryAfter: 1)
    }
    let known = results.results(of: ID(user), in: [room], sinceMs: nil).results
    let list = known.map(\.json).joined(separator: [UInt8(ascii: ",")])
    respond(request, .json(.ok, Array(#"{"results":["#.utf8) + list + Array("]}".utf8)))
  }

  // MARK: Shared by routes

  /// Admits a request that needs the commands.
  ///
  /// - Returns: nil if the request is answered already.
  private func admit(_ request: Request, _ rooms: [ID]?) -> (StreamHub<EventStream>, Permit)? {
    guard let permit = permit(request, rooms) else { return nil }
    guard resources.isReady, let hub = hub() else {
      refuse(request, .notReady, "the gateway has not read back the commands yet; try again", retryAfter: 1)
      return nil
    }
    return (hub, permit)
  }

  /// The client whose requests are counted together; nil: a platform's server, which asks for all of its users.
  func client(_ request: Request, _ poster: Poster) -> ClientLimits.Client? {
    switch poster {
    case .platform: nil
    case .viewer(let viewer): .user(viewer.id)
    case .stranger, .nameless: AddressGroup(resources.clientAddress.of(request)).map { .address($0) } ?? .unknown
    }
  }

  /// - Parameter rooms: the rooms that are asked for; nil: none in particular.
  /// - Returns: nil if the request is answered already.
  func permit(_ request: Request, _ rooms: [ID]?) -> Permit? {
    if let rooms, let wrong = complaint(about: rooms) {
      refuse(request, .badRequest, wrong)
      return nil
    }
    switch resources.authorizer.authorize(request, rooms: rooms ?? []) {
    case .allowed(let permit): return permit
    case .refused(var response):
      resources.metrics.countRefusal(response.status == .forbidden ? .forbidden : .unauthorized)
      response.headers += resources.crossOrigin.headers(for: request) + Self.unkept
      request.respond(response)
      return nil
    }
  }

  private func complaint(about rooms: [ID]) -> String? {
    if rooms.isEmpty { return "no room is named; give rooms=a,b" }
    let limit = resources.settings.limits.rooms
    if rooms.count > limit { return "\(rooms.count) rooms are more than the \(limit) of one stream" }
    return rooms.contains { $0.isEmpty || $0.count > 256 } ? "a room's id has 1 to 256 bytes" : nil
  }

  /// - Returns: nil if the request is answered already.
  private func servedList(_ request: Request, _ rooms: [ID], _ store: CommandStore) -> RoomList? {
    let routing = store.routing
    if rooms.allSatisfy(routing.serves) { return store.list(rooms, by: routing) }
    let needed = Set(rooms.map(routing.partition)).sorted().map { String($0) }.joined(separator: ",")
    refuse(
      request, .misdirected,
      "other gateways serve these rooms: ask one that has the partitions \(needed), or for each room alone",
      [("partitions", "[\(needed)]")])
    return nil
  }

  /// Adds what every answer about rooms has.
  func respond(_ request: Request, _ response: Response) {
    var response = Gzip.pack(response, for: request)
    response.headers += resources.crossOrigin.headers(for: request) + Self.unkept
    request.respond(response)
  }

  func refuse(
    _ request: Request, _ reason: GatewayMetrics.Refusal, _ message: String,
    _ more: [(name: String, json: String)] = [], headers: [Response.Header] = [], retryAfter seconds: Int64? = nil
  ) {
    resources.metrics.countRefusal(reason)
    var response = Response.refusal(reason.status, reason.rawValue, message, more, headers: headers)
    if let seconds { response.headers.append(.init("Retry-After", String(seconds))) }
    response.headers += resources.crossOrigin.headers(for: request) + Self.unkept
    request.respond(response)
  }

  private static let unkept: [Response.Header] = [
    .init("Cache-Control", "no-store"), .init("X-Content-Type-Options", "nosniff"),
  ]
}
