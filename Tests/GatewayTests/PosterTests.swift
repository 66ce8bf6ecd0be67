import Foundation
import Gateway
import HTTP
import Kafka
import RoomModel
import RoomScreen
import Settings
import TestSupport
import Testing

/// Lets everybody in as somebody.
private struct Everybody: Authorizer {
  var permit = Permit()
  var refuses = false

  func authorize(_ request: Request, rooms: [ID]) -> Authorization {
    refuses ? .refused(.refusal(.unauthorized, "unauthorized", "no")) : .allowed(permit)
  }
}

/// Rights to post events: of which kinds, and in whose name.
struct PosterTests {
  private static let viewer = Poster.viewer(.init(id: "7", name: "阿花", avatarURL: "https://a/7.png"))

  private func withGateway(
    _ permit: Permit, kinds: [EventKind]? = EventKind.allCases, burst: Int = 1000, names: EventNames = .token,
    _ body: (RunningGateway, CommandTopic) throws -> Void
  ) throws {
    let topic = try CommandTopic(inputs: ["im.gifts", "im.wishes"])
    try topic.withGateway(
      authorizer: Everybody(permit: permit),
      { configuration in
        configuration.gateway.events = .on
        if let kinds { configuration.gateway.eventKinds = kinds }
        configuration.gateway.limits.events = 1
        configuration.gateway.limits.eventBurst = burst
        configuration.gateway.eventNames = names
      }
    ) { try body($0, topic) }
  }

  private func post(_ gateway: RunningGateway, _ body: String, to room: String = "r1") throws -> String {
    try gateway.ask("POST /rooms/\(room)/events", ["Content-Type: application/json"], body: body)
  }

  /// An event of each kind; `user` is what it says of who does it, with a comma at its end.
  private func event(_ kind: EventKind, _ user: String = "") -> String {
    switch kind {
    case .gift: #"{"gift":{"sender":{\#(user)"avatarUrl":"x"},"giftId":"rose"}}"#
    case .wish: #"{"wish":{"sender":{\#(user)"name":"x"},"text":"hi","wishId":"w"}}"#
    case .wishLike: #"{"wishLike":{\#(user)"wishId":"w"}}"#
    case .tap: #"{"tap":{\#(user)"x":1,"y":2}}"#
    case .taps: #"{"taps":{\#(user)"runId":"a","count":3}}"#
    case .pin: #"{"pin":{"sender":{\#(user)"name":"x"},"text":"hi","pinId":"p"}}"#
    case .goal: #"{"goal":{"goalId":"g"}}"#
    case .score: #"{"score":{"goalId":"g","total":3}}"#
    case .rainStart: #"{"rainStart":{"rainId":"a"}}"#
    case .rainGrab: #"{"rainGrab":{\#(user)"rainId":"a","packet":1}}"#
    case .spot: #"{"spot":{"sender":{\#(user)"name":"x"},"kind":"entrance","spotId":"s"}}"#
    case .retract: #"{"retract":{"wishId":"w"}}"#
    case .roomSettings: #"{"roomSettings":{"set":{"gift.lanes":3}}}"#
    case .roomEnd: #"{"roomEnd":{}}"#
    }
  }

  /// The record that an answer tells of.
  private func record(_ answer: String, _ topic: CommandTopic) throws -> String {
    let told = try #require(answer.firstMatch(of: #/"topic":"([^"]+)","partition":(\d+),"offset":(\d+)}/#), "\(answer)")
    var reader = try Reader(
      properties: KafkaProperties(["bootstrap.servers": topic.broker.bootstrapServers]), clientId: "tests"
    ) { _ in }
    try reader.start(TopicPartition(String(told.1), Int32(told.2)!), at: .at(Int64(told.3)!))
    var batch = RecordBatch()
    var events: [ConsumerEvent] = []
    while batch.isEmpty { reader.receive(into: &batch, events: &events, waitMs: 10_000) }
    return String(decoding: try #require(batch[0].value), as: UTF8.self)
  }

  @Test func viewersPostWhatTheSettingsNameAndNoGifts() throws {
    try withGateway(Permit(), kinds: nil) { (gateway: RunningGateway, _: CommandTopic) throws in
      for kind in EventKind.allCases {
        let answer = try post(gateway, event(kind, #""userId":"8","#))
        let isRefused = answer.hasPrefix("HTTP/1.1 403 ") && answer.contains(#"{"error":"kind_not_allowed","#)
        let isTheirs = [.wish, .wishLike, .tap, .taps, .rainGrab].contains(kind)
        #expect(isTheirs ? answer.hasPrefix("HTTP/1.1 202 ") : isRefused, "\(kind)")
      }
      #expect(
        try gateway.ask("GET /rooms").contains(#""events":true,"kinds":["wish","wishLike","tap","taps","rainGrab"]}"#))
    }
  }

  @Test func aTokenSaysOtherwise() throws {
    try withGateway(Permit(poster: Self.viewer, kinds: [.gift]), kinds: []) {
      (gateway: RunningGateway, _: CommandTopic) throws in
      #expect(try post(gateway, event(.gift)).hasPrefix("HTTP/1.1 202 "))
      #expect(try post(gateway, event(.tap)).contains(#""kind_not_allowed""#))
      #expect(try gateway.ask("GET /rooms").contains(#""events":true,"kinds":["gift"]}"#))
    }
  }

  @Test func anEventIsOfWhomTheTokenNamesHoweverItIsWritten() throws {
    try withGateway(Permit(poster: Self.viewer)) { (gateway: RunningGateway, topic: CommandTopic) throws in
      for kind in EventKind.allCases where kind.hasUser {
        for user in ["", #""userId":"7","#, #""userId":7,"#, #""userId":null,"#, #""userId":"","#] {
          let record = try record(post(gateway, event(kind, user)), topic)
          #expect(record.matches(of: #/"userId":"?7"?[,}]/#).count == 1, "\(record)")
          #expect(record.matches(of: #/"userId"/#).count == 1, "\(record)")
          guard kind.traits.user == .sender else { continue }
          for own in [#""name":"阿花""#, #""avatarUrl":"https://a/7.png""#] { #expect(record.contains(own), "\(record)") }
          #expect(!record.contains(#":"x""#), "the posted ones are gone: \(record)")
        }
        for user in [
          #""userId":"8","#, #""userId":8,"#, #""userId":"7 ","#, #""userId":"7","userId":"8","#,
          #""userId":"\u0038","#,
        ] {
          let answer = try post(gateway, event(kind, user))
          #expect(answer.hasPrefix("HTTP/1.1 403 ") && answer.contains(#"{"error":"forbidden","#), "\(kind) \(user)")
        }
      }
    }
  }

  /// Readers who take another of two members that have one name would take another's event.
  @Test func whoItIsOfIsToldOnce() throws {
    try withGateway(Permit(poster: Self.viewer)) { (gateway: RunningGateway, topic: CommandTopic) throws in
      for body in [
        #"{"tap":{"userId":"8","x":1,"y":1},"tap":{"userId":"8","x":1,"y":1,"userId":"7"}}"#,
        #"{"gift":null,"tap":{"userId":"8","userId":null,"x":1,"y":1},"gift":null}"#,
        #"{"gift":{"sender":{"userId":"8"},"sender":{"name":"B","name":"C"},"giftId":"rose"}}"#,
        #"{"gift":{"sender":null,"giftId":"rose"}}"#,
      ] {
        let record = try record(post(gateway, body), topic)
        #expect(!record.contains("8") && !record.contains("null") && !record.contains("C"), "\(record)")
        #expect(record.matches(of: #/"userId":"7"/#).count == 1, "\(record)")
      }
      for body in [
        #"{"gift":{"sender":"8","giftId":"rose"}}"#, #"{"tap":[]}"#, #"{"tap":{"userId":{},"x":1,"y":1}}"#,
        #"{"tap":{"x":1,"y":1},"gift":{"giftId":"rose"}}"#, "[]", "{", "",
      ] { #expect(try post(gateway, body).hasPrefix("HTTP/1.1 400 "), "\(body)") }
    }
  }

  @Test func allElseOfAnEventStays() throws {
    let rest = #""new":{"a":[1,-2.5,18446744073709551615,-9223372036854775808,1e+300,null,true,"\"阿\\"]},"b":[],"c":{}"#
    try withGateway(Permit(poster: Self.viewer)) { (gateway: RunningGateway, topic: CommandTopic) throws in
      let record = try record(post(gateway, #"{\#(rest),"eventId":"e","tap":{"x":1,\#(rest),"y":2}}"#), topic)
      #expect(record == #"{"roomId":"r1",\#(rest),"eventId":"e","tap":{"x":1,\#(rest),"y":2,"userId":"7"}}"#)
    }
  }

  @Test func aTokenOfNobodyPostsNothing() throws {
    try withGateway(Permit(poster: .nameless)) { (gateway: RunningGateway, _: CommandTopic) throws in
      for kind in EventKind.allCases {
        let answer = try post(gateway, event(kind, #""userId":"7","#))
        #expect(answer.hasPrefix("HTTP/1.1 403 ") && answer.contains(#"{"error":"forbidden","#), "\(kind)")
      }
      #expect(try gateway.ask("GET /rooms").contains(#""kinds":[]}"#))
    }
  }

  private static let looks = #""name":"Official Support","avatarUrl":"https://elsewhere/x.png""#

  /// A name that was posted counts only where the settings say so.
  @Test(arguments: EventNames.allCases)
  func whoseTokenHasNoNameHasNone(names: EventNames) throws {
    let gifts = [
      #"{"gift":{"sender":{"userId":"7",\#(Self.looks)},"giftId":"rose","extra":"a badge"}}"#,
      #"{"wish":{"sender":{\#(Self.looks)},"text":"hi","ext\u0072a":"a badge","wishId":"w"}}"#,
    ]
    for viewer in [Poster.Viewer(id: "7"), Poster.Viewer(id: "7", name: "阿花")] {
      try withGateway(Permit(poster: .viewer(viewer)), names: names) {
        (gateway: RunningGateway, topic: CommandTopic) throws in
        for gift in gifts {
          let record = try record(post(gateway, gift), topic)
          #expect(record.contains("Official Support") == (names == .any && viewer.name == nil), "\(record)")
          #expect(record.contains("elsewhere") == (names == .any), "\(record)")
          #expect(record.contains("a badge") == (names == .any), "\(record)")
          #expect(record.contains("阿花") == (viewer.name != nil), "\(record)")
        }
      }
    }
    for poster in [Poster.platform, .stranger] {
      try withGateway(Permit(poster: poster), names: names) { (gateway: RunningGateway, topic: CommandTopic) throws in
        let record = try record(post(gateway, gifts[0]), topic)
        #expect(record.contains(Self.looks) && record.contains("a badge"), "\(record)")
      }
    }
  }

  @Test func aWishOfWhichNothingCanBeSeenIsRefused() throws {
    func wish(_ text: String) -> String { #"{"wish":{"sender":{"userId":"7"},"text":"\#(text)","wishId":"w"}}"# }
    for poster in [Self.viewer, .platform, .stranger] {
      try withGateway(Permit(poster: poster)) { (gateway: RunningGateway, _: CommandTopic) throws in
        for text in ["  ", "\\u200b", "\\u2800\\u3164", "\\u0007\u{3000}"] {
          let answer = try post(gateway, wish(text))
          #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains(#""reason":"missing""#), "\(text): \(answer)")
        }
        #expect(try post(gateway, wish(" \u{200b}.")).hasPrefix("HTTP/1.1 202 "))
      }
    }
  }

  @Test func oneUserSendsOnlySoManyOfAKindToARoom() throws {
    func wish(_ number: Int, of user: String) -> String {
      #"{"wish":{"sender":{"userId":"\#(user)"},"text":"hi","wishId":"w\#(number)"}}"#
    }
    for poster in [Self.viewer, .stranger] {
      try withGateway(Permit(poster: poster)) { (gateway: RunningGateway, _: CommandTopic) throws in
        var answer = ""
        var taken = 0
        while answer.isEmpty || answer.hasPrefix("HTTP/1.1 202 "), taken < 1000 {
          answer = try post(gateway, wish(taken, of: "7"))
          taken += 1
        }
        #expect(taken > 10 && answer.hasPrefix("HTTP/1.1 429 ") && answer.contains("Retry-After: 1\r\n"), "\(answer)")
        #expect(answer.contains("1 wish events in a room"))
        #expect(try post(gateway, wish(0, of: "7"), to: "r2").hasPrefix("HTTP/1.1 202 "), "in another room")
        #expect(try post(gateway, event(.tap, #""userId":"7","#)).hasPrefix("HTTP/1.1 202 "), "another kind")
      }
    }
    try withGateway(Permit(poster: .platform)) { (gateway: RunningGateway, _: CommandTopic) throws in
      for number in 0..<50 { #expect(try post(gateway, wish(number, of: "7")).hasPrefix("HTTP/1.1 202 ")) }
    }
  }

  @Test func oneUserAsksForOnlySoManySnapshots() throws {
    for poster in [Self.viewer, .stranger, .nameless] {
      try withGateway(Permit(poster: poster)) { (gateway: RunningGateway, _: CommandTopic) throws in
        var answer = ""
        var taken = 0
        while answer.isEmpty || answer.hasPrefix("HTTP/1.1 200 "), taken < 5000 {
          answer = try gateway.ask("GET /rooms/r\(taken)")
          taken += 1
        }
        #expect(taken > 50 && answer.hasPrefix("HTTP/1.1 429 ") && answer.contains("Retry-After: 1\r\n"), "\(answer)")
        #expect(answer.contains(#"{"error":"too_many_snapshots","#))
      }
    }
    try withGateway(Permit(poster: .platform)) { (gateway: RunningGateway, _: CommandTopic) throws in
      for _ in 0..<200 { #expect(try gateway.ask("GET /rooms/r1").hasPrefix("HTTP/1.1 200 ")) }
    }
  }

  @Test func aPlatformsServerNamesAnybodyAsOftenAsItNeeds() throws {
    try withGateway(Permit(poster: .platform), burst: 1) { (gateway: RunningGateway, topic: CommandTopic) throws in
      for user in ["7", "8", "9"] {
        let record = try record(post(gateway, event(.gift, #""userId":"\#(user)","#)), topic)
        #expect(record.contains(#""userId":"\#(user)""#))
      }
      #expect(try post(gateway, event(.tap)).hasPrefix("HTTP/1.1 400 "), "it has to name somebody")
    }
  }

  @Test func aTokenIsLookedAtBeforeWhetherEventsAreTaken() throws {
    let topic = try CommandTopic()
    let gateway = try RunningGateway(topic.broker, authorizer: Everybody(refuses: true))
    let answer = try post(gateway, event(.tap))
    try gateway.stop()
    #expect(answer.hasPrefix("HTTP/1.1 401 ") && answer.contains("X-Content-Type-Options: nosniff\r\n"))
  }
}
