package import RoomModel

/// INTERFACES.md, "Gateway".
package struct GatewaySettings: Equatable, Sendable {
  /// 0: any free one.
  package var httpPort: UInt16 = 8080
  /// An address of this machine, in digits; empty: all.
  package var httpAddress = ""
  /// The port of probes and metrics, 0 for any free one; nil: that of all else.
  package var probesPort: UInt16?
  /// Threads that serve connections, each its own.
  package var threads = 2
  /// Partitions of the commands topic; empty: all.
  package var partitions: [Int32] = []
  package var lookbackMs: Int64 = 60_000
  package var historyBytes = 64 * 1_048_576
  /// Whether viewers and servers may post events.
  package var events = OnOff.off
  /// The kinds of events that viewers may post, unless a token says otherwise.
  package var eventKinds: [EventKind] = [.wish, .wishLike, .tap, .taps, .rainGrab]
  /// The source of senders' names and pictures.
  package var eventNames = EventNames.token
  /// Whether results of grabs are passed on.
  package var results = OnOff.on
  package var resultsBytes = 16 * 1_048_576
  package var limits = GatewayLimits()
  package var pace = PaceSettings()
  /// The time for which `GET /rooms/{roomId}/next` waits for more commands after the first, in ms.
  package var holdMs: Int64 = 1000
  /// `*`, or origins as browsers spell them.
  package var corsOrigins: [String] = []
  /// Origins whose pages may frame the page, as `Content-Security-Policy` spells them.
  package var frameOrigins: [String] = []
  /// Origins of pictures and films that the page shows, spelled likewise.
  package var imageOrigins: [String] = []
  /// The file of the gifts that the page offers; empty: built-in ones.
  package var gifts = ""
  /// Addresses and networks whose X-Forwarded-For counts.
  package var trustedProxies: [String] = []
  /// How long the gateway serves on after SIGTERM, in ms.
  package var drainMs: Int64 = 5000
  /// How long it then takes to end its streams, in ms.
  package var drainSpreadMs: Int64 = 5000
  package var auth = AuthSettings()
  package var tls = TLSSettings()

  package init() {}
}

/// Settings of tokens.
package struct AuthSettings: Equatable, Sendable {
  /// The folder with the keys of tokens; empty: everybody may see every room.
  package var keys = ""
  /// The required claims `iss` and `aud`; empty: not checked.
  package var issuer = ""
  package var audience = ""

  package init() {}
}

/// The files of TLS; empty: the gateway speaks plain HTTP.
package struct TLSSettings: Equatable, Sendable {
  package var certificate = ""
  package var key = ""
  package var ticketKeys: [String] = []

  package init() {}
}

package enum OnOff: String, CaseIterable, Sendable {
  case on, off

  /// Takes also the spelling of tools that write YAML and JSON.
  package init?(rawValue: String) {
    switch rawValue {
    case "on", "true": self = .on
    case "off", "false": self = .off
    default: return nil
    }
  }

  package var isOn: Bool { self == .on }
}

/// The times by which viewers get commands, in milliseconds.
package struct PaceSettings: Equatable, Sendable {
  /// The choice when frames wait for more, to go in one write, and for how long at most.
  package var gather = GatherWhen.busy
  package var gatherMs: Int64 = 120
  /// The same of rooms with many streams.
  package var crowds = [GatherStep(streams: 5000, ms: 300), GatherStep(streams: 50_000, ms: 800)]
  /// Viewers show a room so much behind the log while nothing is gathered; later by what is.
  package var lagMs: Int64 = 160

  package init() {}
}

/// The time for which commands of a room with that many streams are gathered.
package struct GatherStep: Equatable, Sendable {
  package var streams: Int
  package var ms: Int64

  package init(streams: Int, ms: Int64) {
    self.streams = streams
    self.ms = ms
  }
}

/// The choice when a gateway's loop gathers frames, so that several go to a stream in one write.
package enum GatherWhen: String, CaseIterable, Sendable {
  /// Only while the loop is busy for more than half of its time.
  case busy
  case always
}

/// The source of names, pictures and `extra` of a viewer's events, where there are tokens.
package enum EventNames: String, CaseIterable, Sendable {
  /// The token alone says it.
  case token
  /// The token says it, and where that has none the event.
  case any
}

/// Limits of one client of a gateway, and of all together.
package struct GatewayLimits: Equatable, Sendable {
  package var connections = 16_000
  package var connectionsPerAddress = 1000
  package var streamsPerAddress = 1000
  package var rooms = 20
  package var headerBytes = 16_384
  package var bodyBytes = 131_072
  package var requestMs: Int64 = 10_000
  package var idleMs: Int64 = 60_000
  package var lagMs: Int64 = 60_000
  package var events = 10
  package var eventBurst = 40
  package var perRoom = RoomLimits()
  /// Snapshots a second.
  package var snapshots = 5

  package init() {}
}

/// Events of a kind that one client may send to one room in a second; ten times as many at once.
package struct RoomLimits: Equatable, Sendable {
  /// The limits of kinds that have one of their own. Events of other kinds are limited by the sum of all kinds alone.
  private var limits = EventKind.allCases.reduce(into: [:]) { $0[$1] = $1.traits.perSecond }

  package init() {}

  package subscript(kind: EventKind) -> Int? { limits[kind] }

  subscript(own kind: EventKind) -> Int {
    get { limits[kind] ?? 0 }
    set { limits[kind] = newValue }
  }

  /// Raises the limits that are lower.
  package mutating func raise(to least: Int) { limits = limits.mapValues { max($0, least) } }
}

extension GatewaySettings {
  static let table =
    servingAndLimits + EventKind.allCases.filter { $0.traits.perSecond != nil }.map(perRoom) + endingAndAccess

  private static let servingAndLimits: [Setting<GatewaySettings>] = [
    .integer("gateway.http.port", \.httpPort, 0...65_535, "port of the gateway (0: any free one)"),
    .address("gateway.http.address", \.httpAddress, "address on which the gateway serves (empty: all)"),
    .optionalInteger(
      "gateway.probes.port", \.probesPort, 0...65_535,
      "separate port for /healthz, /readyz and /metrics (0: any free one; empty: the gateway's)"),
    .integer("gateway.threads", \.threads, 1...64, "threads that serve connections"),
    .integers(
      "gateway.partitions", \.partitions, 0...99_999,
      "partitions of the commands topic that this gateway serves (empty: all)"),
    .integer(
      "gateway.lookbackMs", \.lookbackMs, 1000...3_600_000,
      "age of the oldest commands kept: read back at the start, and sent to clients that missed them"),
    .integer(
      "gateway.history.bytes", \.historyBytes, 1_048_576...68_719_476_736,
      "memory for kept commands, all partitions together"),
    .choice("gateway.events", \.events, "whether POST /rooms/{roomId}/events writes events to the input topics"),
    .choices(
      "gateway.events.kinds", \.eventKinds,
      "kinds that viewers may post, unless a token's claim events says otherwise (empty: none)"),
    .choice(
      "gateway.events.names", \.eventNames,
      "names, pictures and extra of a viewer's events: the token's alone (none where it has none), or any that are posted"
        + " where it has none"),
    .choice("gateway.results", \.results, "whether a stream with ?user= gets the results of that user's grabs"),
    .integer(
      "gateway.results.bytes", \.resultsBytes, 65_536...68_719_476_736,
      "memory for results of grabs, kept for users who were away"),
    .integer("gateway.limits.connections", \.limits.connections, 1...1_000_000, "open connections"),
    .integer(
      "gateway.limits.connectionsPerAddress", \.limits.connectionsPerAddress, 1...1_000_000,
      "open connections of one address (of IPv6: of one /64), unless it is a trusted proxy's"),
    .integer("gateway.limits.streamsPerAddress", \.limits.streamsPerAddress, 1...1_000_000, "streams of one address"),
    .integer("gateway.limits.rooms", \.limits.rooms, 1...1000, "rooms of one stream"),
    .integer("gateway.limits.headerBytes", \.limits.headerBytes, 1024...1_048_576, "a request's head"),
    .integer("gateway.limits.bodyBytes", \.limits.bodyBytes, 1024...16_777_216, "a request's body"),
    .integer(
      "gateway.limits.requestMs", \.limits.requestMs, 1000...600_000,
      "close a connection whose request is not whole within this"),
    .integer(
      "gateway.limits.idleMs", \.limits.idleMs, 1000...3_600_000,
      "close a connection that has asked nothing for this long"),
    .integer(
      "gateway.limits.lagMs", \.limits.lagMs, 1000...3_600_000,
      "close a stream that has been too slow for this long"
    ),
    .integer("gateway.limits.events", \.limits.events, 1...1_000_000, "events a second that one client may send"),
    .integer(
      "gateway.limits.eventBurst", \.limits.eventBurst, 1...1_000_000, "events that one client may send at once"),
  ]

  private static let endingAndAccess: [Setting<GatewaySettings>] = [
    .integer(
      "gateway.limits.snapshots", \.limits.snapshots, 1...1_000_000,
      "snapshots (GET /rooms/{roomId}) a second that one client may ask for, and ten times as many at once"),
    .choice(
      "gateway.gather", \.pace.gather,
      "gather where a thread sends for more than half of its time, or always"),
    .integer(
      "gateway.gatherMs", \.pace.gatherMs, 0...1000,
      "hold what is due to a stream for up to this, and send it in one write, which saves CPU (0: send each commit at once)"
    ),
    .gatherSteps(
      "gateway.gather.crowds", \.pace.crowds,
      "the same of rooms that have so many streams at this gateway, also while no thread is busy (empty: of none)"),
    .integer(
      "gateway.lagMs", \.pace.lagMs, 0...10_000,
      "how far behind the log viewers show rooms, so that commands come in time; what is gathered comes on top"),
    .integer(
      "gateway.next.holdMs", \.holdMs, 0...10_000,
      "how long GET /rooms/{roomId}/next waits for more commands after the first"),
    .integer(
      "gateway.drainMs", \.drainMs, 0...600_000, "time for which it serves on after SIGTERM, while /readyz says 503"),
    .integer(
      "gateway.drainSpreadMs", \.drainSpreadMs, 0...600_000,
      "time after that within which its streams end one after the other, so that clients don't all come back at once"),
    .texts(
      "gateway.cors.origins", \.corsOrigins, "origins", "pages of others that may ask (*: of anybody; empty: none)",
      checkOrigin),
    .texts(
      "gateway.frame.origins", \.frameOrigins, "origins",
      "pages of others that may frame the page (*: any; empty: none)",
      checkSource),
    .texts(
      "gateway.images.origins", \.imageOrigins, "origins",
      "origins of pictures and films that the page shows (of senders, of gifts): https://images.example.org,"
        + " https://*.example.org (*: any by https; empty: it shows none)",
      checkPictureSource),
    .text(
      "gateway.gifts", \.gifts, "a file",
      "the platform's gifts, for the page's tray: JSON, {\"gifts\":[{\"id\",\"name\",\"price\",\"icon\",\"effect\"}]}"
        + " (empty: the page has its own)", anyText),
    .texts(
      "gateway.proxies.trusted", \.trustedProxies, "addresses, networks",
      "proxies whose X-Forwarded-For says who a client is: 10.0.0.0/8, ::1 (empty: nobody's is believed)", checkNetwork),
    .text(
      "gateway.auth.keys", \.auth.keys, "a folder",
      "keys, of which each request needs a token (JWT): KID.pem, a public key (RS256, ES256), or KID.secret (HS256;"
        + " empty: no tokens)", anyText),
    .text("gateway.auth.issuer", \.auth.issuer, "a text", "iss that a token must have (empty: any)", anyText),
    .text(
      "gateway.auth.audience", \.auth.audience, "a text", "aud that a token must have (empty: any)",
      anyText),
    .text(
      "gateway.tls.certificate", \.tls.certificate, "a file",
      "certificate for TLS, with its chain, PEM (empty: no TLS)", anyText),
    .text("gateway.tls.key", \.tls.key, "a file", "the certificate's key, PEM without a password", anyText),
    .texts(
      "gateway.tls.ticketKeys", \.tls.ticketKeys, "files",
      "keys of session tickets that gateways share, of 80 or 48 random bytes: the first encrypts, all decrypt (empty:"
        + " a ticket is good at the gateway that gave it, until it ends)", anyText),
  ]

  private static func anyText(_: String) throws(Refusal) {}

  private static func perRoom(_ kind: EventKind) -> Setting<GatewaySettings> {
    .integer(
      "gateway.limits.perRoom.\(kind.rawValue)", \.limits.perRoom[own: kind], 1...1_000_000,
      "`\(kind.rawValue)` events a second that one client may send to one room, and ten times as many at once")
  }

  /// An origin, or all whose names end alike: it stands in a header between blanks.
  private static func checkSource(_ origin: String) throws(Refusal) {
    if origin == "*" { return }
    let name = origin.replacing("://*.", with: "://")
    try checkOrigin(name)
    guard
      name.utf8.allSatisfy({ byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: ".-:/[]".utf8.contains(byte)
        }
      })
    else { throw Refusal("'\(origin)' is no origin; give * or one like https://example.org or https://*.example.org") }
  }

  private static func checkPictureSource(_ origin: String) throws(Refusal) {
    try checkSource(origin)
    if origin.hasPrefix("http://") {
      throw Refusal("'\(origin)' is no origin by https, and the page shows no other; give one like https://example.org")
    }
  }

  private static func checkOrigin(_ origin: String) throws(Refusal) {
    if origin == "*" { return }
    let parts = origin.split(separator: "://", omittingEmptySubsequences: false)
    guard parts.count == 2, ["http", "https"].contains(parts[0]), !parts[1].isEmpty,
      parts[1].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "/") })
    else { throw Refusal("'\(origin)' is no origin; give * or one like https://example.org, without a path") }
  }

  private static func checkNetwork(_ text: String) throws(Refusal) {
    guard Network(text) != nil else {
      throw Refusal("'\(text)' is no address; give one like 10.0.0.7 or ::1, or a network like 10.0.0.0/8")
    }
  }
}
