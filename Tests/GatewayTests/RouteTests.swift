import Foundation
import Gateway
import HTTP
import RoomScreen
import Settings
import TestSupport
import Testing

struct RouteTests {
  @Test func aRoomIsToldAloneAsItsSnapshot() throws {
    let topic = try CommandTopic()
    let ids = [try topic.fly("阿"), try topic.fly("阿")]
    try topic.withGateway { (gateway: RunningGateway) throws in
      let answer = try gateway.ask("GET /rooms/%E9%98%BF")
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(answer.contains("Content-Type: application/json\r\n"))
      let told = answer.matches(of: #/"id":"([^"]+)"/#).map { String($0.1) }
      #expect(told.prefix(2) == ids[...])
      #expect(answer.contains(#"{"roomId":"阿","nowMs":"#))
      // The position: the last command of each input partition.
      #expect(told.dropFirst(2) == [ids[1]] && answer.contains(#""position":[{"id":""# + ids[1]))
      #expect(try gateway.ask("GET /rooms/nobody").contains(#""commands":[],"position":[]}"#))
      #expect(try gateway.stream("/rooms/%E9%98%BF/commands").next()?.data.contains("position") == false)
    }
  }

  @Test func roomsAreToldTheBusiestFirst() throws {
    let topic = try CommandTopic()
    for _ in 0..<2 { try topic.fly("quiet") }
    for _ in 0..<9 { try topic.fly("busy") }
    try topic.withGateway { (gateway: RunningGateway) throws in
      #expect(try gateway.ask("GET /rooms").hasSuffix(#"{"rooms":["busy","quiet"],"events":false,"kinds":[]}"#))
    }
  }

  /// A comma of an id's own is encoded.
  @Test func `a room whose id has a comma is followed beside another`() throws {
    let topic = try CommandTopic()
    for room in ["a,b", "c", "a"] as [ID] { try topic.fly(room) }
    try topic.withGateway { (gateway: RunningGateway) throws in
      let stream = try gateway.stream("/commands?rooms=a%2Cb,c")
      let told = [stream.next(), stream.next()].map { $0?.room }
      #expect(Set(told) == ["a,b", "c"])
    }
  }

  @Test func roomsOfOtherGatewaysAreMisdirected() throws {
    let topic = try CommandTopic(partitions: 3)
    let (ours, theirs) = (topic.room(in: 1), topic.room(in: 2))
    try topic.withGateway({ $0.gateway.partitions = [1] }) { (gateway: RunningGateway) throws in
      #expect(try gateway.stream("/rooms/\(ours)/commands").next()?.name == "snapshot")
      for path in ["/rooms/\(theirs)", "/rooms/\(theirs)/commands"] {
        let answer = try gateway.ask("GET \(path)")
        #expect(answer.hasPrefix("HTTP/1.1 421 "))
        #expect(answer.contains(#""error":"misdirected""#) && answer.contains(#""partitions":[2]}"#))
      }
      #expect(try gateway.ask("GET /commands?rooms=\(ours),\(theirs)").contains(#""partitions":[1,2]}"#))
    }
  }

  @Test func whatCannotBeAnsweredIsRefusedInOneShape() throws {
    let topic = try CommandTopic()
    try topic.withGateway({ $0.gateway.limits.rooms = 2 }) { (gateway: RunningGateway) throws in
      let long = String(repeating: "x", count: 257)
      for (request, status, error) in [
        ("GET /nowhere", 404, "not_found"), ("POST /rooms/r1/events", 404, "not_found"),
        ("DELETE /rooms/r1", 405, "method_not_allowed"), ("POST /rooms", 405, "method_not_allowed"),
        ("GET /commands", 400, "bad_request"), ("GET /commands?rooms=a,b,c", 400, "bad_request"),
        ("GET /rooms/\(long)/commands", 400, "bad_request"), ("GET /rooms/%zz", 400, "bad_request"),
        ("GET /%6detrics", 404, "not_found"), ("GET /r%6foms", 404, "not_found"),
        ("GET /rooms/a/c%6fmmands", 404, "not_found"),
      ] {
        let answer = try gateway.ask(request)
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(request)")
        #expect(answer.contains(#"{"error":"\#(error)","message":""#), "\(request)")
      }
      #expect(try gateway.ask("DELETE /rooms/r1").contains("Allow: GET, HEAD, OPTIONS\r\n"))
    }
  }

  @Test func onlyPagesThatAreNamedMayAskFromElsewhere() throws {
    let topic = try CommandTopic()
    try topic.withGateway({ $0.gateway.corsOrigins = ["https://a.example"] }) { (gateway: RunningGateway) throws in
      let named = try gateway.ask("GET /rooms", ["Origin: https://a.example"])
      #expect(named.contains("Access-Control-Allow-Origin: https://a.example\r\n"))
      #expect(named.contains("Vary: Origin\r\n"))
      let refused = try gateway.ask("GET /commands", ["Origin: https://a.example"])
      for answer in [named, refused] { #expect(answer.contains("Access-Control-Expose-Headers: Retry-After\r\n")) }
      #expect(!(try gateway.ask("GET /rooms", ["Origin: https://b.example"])).contains("Access-Control"))
      for (path, methods) in [
        ("/rooms/r1/events", "POST"), ("/rooms/r1", "GET, HEAD"), ("/", "GET, HEAD"), ("*", "GET, HEAD"),
      ] {
        let preflight = try gateway.ask("OPTIONS \(path)", ["Origin: https://a.example"])
        #expect(preflight.hasPrefix("HTTP/1.1 204 "))
        #expect(preflight.contains("Access-Control-Allow-Methods: \(methods)\r\n"))
        #expect(preflight.contains("Allow: \(methods), OPTIONS\r\n"))
      }
      for path in ["/nowhere", "/rooms/r1/nothing", "/flyscreen@9/flyscreen.js"] {
        #expect(try gateway.ask("OPTIONS \(path)", ["Origin: https://a.example"]).hasPrefix("HTTP/1.1 404 "), "\(path)")
      }
      #expect(try gateway.ask("GET /").contains("frame-ancestors 'self'\r\n"), "a right to ask is none to frame")
      #expect(try gateway.ask("GET /commands", ["Origin: https://a.example"]).contains("Access-Control-Allow-Origin"))
      let module = try gateway.ask("GET /flyscreen.js", ["Origin: https://a.example"])
      #expect(module.hasPrefix("HTTP/1.1 200 "))
      #expect(module.contains("Access-Control-Allow-Origin: https://a.example\r\n"))
    }
    try topic.withGateway({ $0.gateway.corsOrigins = ["*"] }) { (gateway: RunningGateway) throws in
      let answer = try gateway.ask("GET /rooms")
      #expect(answer.contains("Access-Control-Allow-Origin: *\r\nAccess-Control-Expose-Headers: Retry-After\r\n"))
    }
  }

  @Test func thePageIsServedPackedOnceAndWithNothingFromElsewhere() throws {
    let topic = try CommandTopic()
    try topic.withGateway { (gateway: RunningGateway) throws in
      let plain = try gateway.ask("GET /")
      #expect(plain.hasPrefix("HTTP/1.1 200 ") && plain.contains("Content-Type: text/html"))
      #expect(plain.contains("Content-Security-Policy: default-src 'none'"))
      #expect(plain.contains("X-Content-Type-Options: nosniff\r\n"))
      #expect(plain.contains("Referrer-Policy: no-referrer\r\n"))
      let tag = try #require(plain.firstMatch(of: #/ETag: ([^\r]+)/#)).1
      #expect(try gateway.ask("GET /", ["If-None-Match: \(tag)"]).hasPrefix("HTTP/1.1 304 "))
      #expect(try gateway.ask("GET /", ["Accept-Encoding: br, gzip"]).contains("Content-Encoding: gzip\r\n"))
      for refusal in ["gzip;q=0", "gzip;q=0, *", "*, gzip;q=0.0", "br"] {
        #expect(!(try gateway.ask("GET /", ["Accept-Encoding: \(refusal)"])).contains("Content-Encoding"))
      }
      #expect(try gateway.ask("HEAD /").hasSuffix("\r\n\r\n"))
    }
  }

  @Test func picturesAndFramesAreOfWhomTheSettingsName() throws {
    let topic = try CommandTopic()
    try topic.withGateway({ configuration in
      configuration.gateway.frameOrigins = ["https://a.example", "http://localhost:8000"]
      configuration.gateway.imageOrigins = ["https://*.b.example"]
    }) { (gateway: RunningGateway) throws in
      let page = try gateway.ask("GET /", ["Origin: https://a.example"])
      #expect(page.contains("img-src data: 'self' https://*.b.example;"))
      #expect(page.contains("media-src 'self' https://*.b.example;"))
      #expect(page.contains("frame-ancestors 'self' https://a.example http://localhost:8000\r\n"))
      #expect(!page.contains("Access-Control"), "a right to frame is none to ask")
    }
    for (origins, sources) in [([], "'self'"), (["*"], "'self' https:")] as [([String], String)] {
      try topic.withGateway({ $0.gateway.imageOrigins = origins }) { (gateway: RunningGateway) throws in
        #expect(try gateway.ask("GET /").contains("img-src data: \(sources);"))
      }
    }
  }

  @Test func aSnapshotTellsWhatHappenedBefore() throws {
    let topic = try CommandTopic()
    try topic.fly("r1", atMs: 1_000_000)
    try topic.withGateway { (gateway: RunningGateway) throws in
      let told =
        #""past":{"sinceMs":1000000,"givers":[],"crowds":{"gifts":0,"coins":0,"told":[]},"wishes":[{"atMs":1000000,"wishId":"w0","#
      #expect(try gateway.ask("GET /rooms/r1").contains(told))
      #expect(try gateway.stream("/rooms/r1/commands").next()?.data.contains(told) == true)
      #expect(try gateway.ask("GET /rooms/r2").hasSuffix(#""commands":[],"position":[]}"#))
    }
  }

  @Test func theTrayIsThePlatformsCatalogue() throws {
    let topic = try CommandTopic()
    try topic.withGateway { (gateway: RunningGateway) throws in
      #expect(try gateway.ask("GET /gifts").hasSuffix(#"{"gifts":[]}"#))
      #expect(try !gateway.ask("GET /").contains("/gifts"))
    }
    let file = FileManager.default.temporaryDirectory.appending(path: "gifts-\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let json = #"{"gifts":[{"id":"drum","name":"Drum","price":7,"icon":"https://a.example/1.webp","effect":null}]}"#
    try json.write(to: file, atomically: true, encoding: .utf8)
    try topic.withGateway(gifts: try GiftCatalogue(path: file.path)) { (gateway: RunningGateway) throws in
      let answer = try gateway.ask("GET /gifts")
      #expect(answer.hasSuffix(json) && answer.contains("Content-Type: application/json\r\n"))
      #expect(answer.contains("Cache-Control: no-cache\r\n"))
      // The page tells where they are by their content, to be kept; by another content they aren't.
      let place = try #require(try gateway.ask("GET /").firstMatch(of: /content="(\/gifts\?v=\w+)"/)?.1)
      let kept = try gateway.ask("GET \(place)")
      #expect(kept.hasSuffix(json) && kept.contains("immutable\r\n"))
      #expect(try gateway.ask("GET \(place)1").contains("Cache-Control: no-cache\r\n"))
      // The page itself is asked for each time, at whatever address.
      let page = try gateway.ask("GET /")
      let tag = try #require(page.firstMatch(of: /ETag: "(\w+)"/)?.1)
      #expect(try gateway.ask("GET /?v=\(tag)").contains("Cache-Control: no-cache\r\n"))
    }
    for (text, why) in [
      ("[]", "it names no gifts"), ("{", "it is no JSON"),
      (#"{"gifts":[{"name":"Drum","price":7}]}"#, "gift 1 has no id"),
      (#"{"gifts":[{"id":"a","name":"A","price":1},{"id":"a","name":"A","price":1}]}"#, "gift 2 has the id of another"),
      (#"{"gifts":[{"id":"a","name":"A","price":-1}]}"#, "gift 1 has no price"),
      (#"{"gifts":[{"id":"a","name":"A","price":1,"icon":"http://a"}]}"#, "gift 1 has an icon that is no address"),
    ] {
      try text.write(to: file, atomically: true, encoding: .utf8)
      let refusal = #expect(throws: GiftCatalogue.Refusal.self) { try GiftCatalogue(path: file.path) }
      #expect(refusal?.description.contains("gateway.gifts: \(file.path): \(why)") == true, "\(text)")
    }
    #expect(throws: GiftCatalogue.Refusal.self) { try GiftCatalogue(path: file.path + ".none") }
  }

  @Test(arguments: [
    ([], ["https://a.example", "https://b.example:8443", "https://c.d.example"]),
    (["*"], []),
    (["https://A.example:443", "https://*.b.example", "https://*.d.example"], ["https://b.example:8443"]),
    (
      ["https://b.example:8443", "https://c.example", "https://*.a.example"],
      ["https://a.example", "https://c.d.example"]
    ),
  ])
  func aCatalogueNamesOriginsThatThePageShowsNothingFrom(allowed: [String], beside: [String]) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "gifts-\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let json = #"""
      {"gifts":[{"id":"a","name":"A","price":1,"icon":"https://A.example/1.webp","effect":"https://a.example:443/2.webm"},
      {"id":"b","name":"B","price":1,"icon":"https://b.example:8443?1","effect":"https://me@c.d.example/4.webm"},
      {"id":"c","name":"C","price":1,"icon":"https://花.example/1.webp"},{"id":"d","name":"D","price":1,"icon":null}]}
      """#
    try json.write(to: file, atomically: true, encoding: .utf8)
    #expect(try GiftCatalogue(path: file.path).origins(beside: allowed) == beside)
  }

  @Test func anAddressHasOnlySoManyStreams() throws {
    let topic = try CommandTopic()
    try topic.withGateway({ configuration in
      configuration.gateway.limits.streamsPerAddress = 2
      configuration.gateway.trustedProxies = ["127.0.0.1"]
    }) { (gateway: RunningGateway) throws in
      var streams = try (0..<2).map { _ in try gateway.stream("/rooms/r1/commands") }
      let refused = try gateway.ask("GET /rooms/r1/commands")
      #expect(refused.hasPrefix("HTTP/1.1 429 ") && refused.contains("Retry-After: "))
      let client = try PlainClient(port: gateway.port)
      client.send("GET /rooms/r1/commands HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 203.0.113.7\r\n\r\n")
      #expect(client.read(until: "event: snapshot").contains("200 OK"), "another's, behind a proxy")
      streams.removeLast()
      // It is heard soon that the client has gone.
      let limit = Date().addingTimeInterval(120)
      while !(try gateway.stream("/rooms/r1/commands")).head.contains("200 OK") { try #require(Date() < limit) }
    }
  }

  @Test func probesMayHaveAPortOfTheirOwn() throws {
    let topic = try CommandTopic()
    try topic.withGateway({ $0.gateway.probesPort = 0 }) { (gateway: RunningGateway) throws in
      for path in ["/healthz", "/readyz", "/metrics"] {
        #expect(try gateway.ask("GET \(path)", of: gateway.probesPort).hasPrefix("HTTP/1.1 200 "))
        #expect(try gateway.ask("GET \(path)").hasPrefix("HTTP/1.1 404 "))
      }
      #expect(try gateway.ask("GET /rooms", of: gateway.probesPort).hasPrefix("HTTP/1.1 404 "))
    }
  }

  @Test func itServesOnTheAddressThatItIsGiven() throws {
    let topic = try CommandTopic()
    try topic.withGateway({ $0.gateway.httpAddress = "127.0.0.1" }) { (gateway: RunningGateway) throws in
      #expect(try gateway.ask("GET /rooms").hasPrefix("HTTP/1.1 200 "))
      // The same port of another address is free.
      #expect(try ListeningSocket.open(port: gateway.port, address: "127.0.0.2").map(\.port) == [gateway.port])
      #expect(throws: PortError.self) { try ListeningSocket.open(port: gateway.port, address: "127.0.0.1") }
    }
    #expect(throws: PortError.self) { try ListeningSocket.open(port: 0, address: "203.0.113.7") }
  }
}
