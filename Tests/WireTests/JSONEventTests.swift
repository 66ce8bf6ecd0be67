import JSON
import RoomModel
import Testing
import Wire

/// STAGES.md, section 2, in JSON.
struct JSONEventTests {
  private let decoding = Decoding()

  /// A gift whose members are the usual ones and then `members`.
  private func gift(_ members: String = "", sender: String = #"{"userId":"7"}"#) -> String {
    #"{"eventId":"e1","roomId":"r1","gift":{"sender":\#(sender),"giftId":"rose"\#(members)}}"#
  }

  private func event(_ members: String) -> String { #"{"eventId":"e1","roomId":"r1",\#(members)}"# }

  private func read(_ json: String) throws(NotUnderstood) -> String { try decoding.written(json) }

  private func refusal(_ json: String) -> NotUnderstood.Reason? { decoding.refusal(json)?.reason }

  private func giftCount(_ count: String) -> Int64? {
    let json = gift(",\"count\":\(count)")
    return try? decoding.of(Array(json.utf8)) { event in
      if case .gift(let gift) = event.body { gift.count } else { -1 }
    }
  }

  @Test(arguments: [
    #""gift":{"sender":{"userId":"7","name":"阿花","avatarUrl":"a"},"receiverId":"h","giftId":"rose","giftName":"玫瑰","count":2,"value":10,"streakId":"s"}"#,
    #""wish":{"sender":{"userId":"7","name":"n","avatarUrl":""},"text":"hi","wishId":"w","style":"gold"}"#,
    #""wishLike":{"userId":"7","wishId":"w"}"#,
    #""tap":{"userId":"7","x":0,"y":999}"#,
    #""rainStart":{"rainId":"x","durationMs":600000,"perSecond":100,"countdown":60,"budget":1000000000000000,"winEvery":1000000,"prizes":[0,1000000000]}"#,
    #""rainGrab":{"rainId":"x","packet":1000000,"userId":"7"}"#,
  ])
  func everyFieldIsRead(body: String) throws { #expect(try read(event(body)) == event(body)) }

  @Test(arguments: [
    (
      #""gift":{"sender":{"userId":"7"},"giftId":"rose"}"#,
      #""gift":{"sender":{"userId":"7","name":"","avatarUrl":""},"giftId":"rose","giftName":"","count":1,"value":0}"#
    ),
    (
      #""gift":{"sender":{"userId":"7","name":null,"avatarUrl":null},"receiverId":null,"giftId":"rose","giftName":null,"count":null,"value":null,"streakId":""}"#,
      #""gift":{"sender":{"userId":"7","name":"","avatarUrl":""},"giftId":"rose","giftName":"","count":1,"value":0}"#
    ),
    (
      #""wish":{"sender":{"userId":"7"},"text":"hi","wishId":null,"style":null}"#,
      #""wish":{"sender":{"userId":"7","name":"","avatarUrl":""},"text":"hi","wishId":"e1"}"#
    ),
    (#""tap":{"userId":"7"}"#, #""tap":{"userId":"7","x":0,"y":0}"#),
    (
      #""rainStart":{"rainId":"x"}"#,
      #""rainStart":{"rainId":"x","durationMs":0,"perSecond":4,"countdown":5,"budget":0,"winEvery":3}"#
    ),
    (
      #""rainStart":{"rainId":"x","perSecond":0,"countdown":0,"winEvery":0,"prizes":[]}"#,
      #""rainStart":{"rainId":"x","durationMs":0,"perSecond":4,"countdown":0,"budget":0,"winEvery":3}"#
    ),
    (
      #""gift":{"sender":{"userId":"7"},"giftId":"rose","count":"","value":""}"#,
      #""gift":{"sender":{"userId":"7","name":"","avatarUrl":""},"giftId":"rose","giftName":"","count":1,"value":0}"#
    ),
    (
      #""rainStart":{"rainId":"x","countdown":"","budget":""}"#,
      #""rainStart":{"rainId":"x","durationMs":0,"perSecond":4,"countdown":5,"budget":0,"winEvery":3}"#
    ),
    (
      #""rainStart":{"rainId":"x","countdown":null,"prizes":null}"#,
      #""rainStart":{"rainId":"x","durationMs":0,"perSecond":4,"countdown":5,"budget":0,"winEvery":3}"#
    ),
    (#""rainGrab":{"rainId":"x","userId":"7"}"#, #""rainGrab":{"rainId":"x","packet":0,"userId":"7"}"#),
  ])
  func whatIsAbsentHasItsDefault(body: String, whole: String) throws {
    #expect(try read(event(body)) == event(whole))
  }

  @Test(
    arguments: [
      ("3", 3), (#""3""#, 3), (#""03""#, 3), (#""0000000000000000000000000000003""#, 3), ("0", 1), ("-0", 1),
      (#""0""#, 1), (#""-0""#, 1), ("1000000", 1_000_000), (#""1000000""#, 1_000_000),
    ] as [(String, Int64)])
  func anIntegerMayComeAsAStringOfDigits(count: String, read: Int64) {
    #expect(giftCount(count) == read)
  }

  @Test(arguments: [
    "1.0", "2.5", "1e3", "1E0", "0.0", "-0.0", "true", "[]", "{}", #"" ""#, #"" 3""#, #""3 ""#, #""+3""#, #""1.0""#,
    #""1e3""#, #""0x3""#, #""٣""#, #""-""#, #""1_000""#, #""3\u0000""#,
  ])
  func whatIsNoIntegerIsOfTheWrongType(count: String) {
    #expect(refusal(gift(",\"count\":\(count)")) == .wrongType)
  }

  @Test(arguments: [
    "-1", "1000001", #""-5""#, #""1000001""#, "9223372036854775807", "9223372036854775808", "18446744073709551615",
    "-9223372036854775808", #""9223372036854775808""#, #""-9223372036854775809""#,
    #""99999999999999999999999999999999999999999""#, #""18446744073709551617""#,
  ])
  func aNumberBeyondItsRangeIsRefused(count: String) {
    #expect(refusal(gift(",\"count\":\(count)")) == .outOfRange)
  }

  @Test(
    arguments: [
      ("gift", "value", 0, 1_000_000_000_000), ("gift", "apart", 0, 1), ("tap", "x", 0, 999), ("tap", "y", 0, 999),
      ("rainStart", "durationMs", 0, 600_000), ("rainStart", "perSecond", 0, 100), ("rainStart", "countdown", 0, 60),
      ("rainStart", "budget", 0, 1_000_000_000_000_000), ("rainStart", "winEvery", 0, 1_000_000),
      ("rainGrab", "packet", 0, 1_000_000),
    ] as [(String, String, Int64, Int64)])
  func aNumberIsWithinItsRange(body: String, field: String, least: Int64, most: Int64) {
    let rest = #""sender":{"userId":"7"},"giftId":"g","userId":"7","rainId":"x""#
    func refusal(_ value: Int64) -> NotUnderstood? {
      decoding.refusal(event("\"\(body)\":{\(rest),\"\(field)\":\(value)}"))
    }
    #expect(refusal(least) == nil)
    #expect(refusal(most) == nil)
    for value in [least - 1, most + 1, .min, .max] {
      #expect(refusal(value)?.reason == .outOfRange)
      #expect(refusal(value)?.description.hasPrefix("\(body).\(field): ") == true)
    }
  }

  @Test(arguments: [
    ("42", "42"), ("0", "0"), ("-0", "0"), ("-42", "-42"), ("18446744073709551615", "18446744073709551615"),
    ("9223372036854775808", "9223372036854775808"), ("-9223372036854775808", "-9223372036854775808"),
  ])
  func anIdMayComeAsAnInteger(id: String, digits: String) throws {
    let json = { (id: String) in
      #"{"eventId":\#(id),"roomId":\#(id),"gift":{"sender":{"userId":\#(id),"name":"","avatarUrl":""},"receiverId":\#(id),"giftId":\#(id),"giftName":"","count":1,"value":0,"streakId":\#(id)}}"#
    }
    var decoding = decoding
    decoding.key = Array(digits.utf8)
    #expect(try decoding.written(json(id)) == json("\"\(digits)\""))
  }

  @Test(arguments: [
    ("gift.sender.userId", "1.0"), ("gift.sender.userId", "1e3"), ("gift.sender.userId", "true"),
    ("gift.sender.userId", "[]"), ("gift.sender.userId", "{}"), ("gift.sender.name", "1"),
    ("gift.sender.avatarUrl", "1"), ("gift.giftName", "1"), ("wish.text", "1"), ("wish.style", "1"),
    ("wish.text", "[]"), ("wish.style", "[]"), ("gift.receiverId", "[]"), ("gift.streakId", "1.5"),
  ])
  func whatIsNoTextIsOfTheWrongType(path: String, value: String) {
    let names = path.split(separator: ".").map(String.init)
    let json = names.reversed().reduce(value) { inner, name in
      (name == names.last ? "{\"userId\":\"7\"," : "{\"giftId\":\"g\",") + "\"\(name)\":\(inner)}"
    }
    let refusal = decoding.refusal(
      event(String(json.dropFirst().dropLast()).replacing(#""giftId":"g","gift""#, with: #""gift""#)))
    #expect(refusal?.reason == .wrongType)
    #expect(refusal?.description.hasPrefix("\(path): ") == true)
  }

  @Test func ofAMemberThatComesTwiceTheLastCounts() throws {
    #expect(try read(gift(#","count":2,"count":3"#)) == read(gift(#","count":3"#)))
    #expect(try read(gift(#","count":"x","count":3"#)) == read(gift(#","count":3"#)))
    #expect(try read(gift(#","count":3,"count":null"#)) == read(gift()))
    #expect(refusal(gift(#","count":3,"count":"x""#)) == .wrongType)
    #expect(refusal(gift(#","giftId":null"#)) == .missing)
    #expect(try read(gift(sender: #"{"userId":"8"},"sender":{"userId":"7"}"#)) == read(gift()))
    #expect(refusal(gift(sender: #"{"userId":"8"},"sender":{"name":"7"}"#)) == .missing)
    #expect(
      try read(event(#""tap":{"userId":"1","x":5},"tap":{"userId":"2"}"#)) == read(event(#""tap":{"userId":"2"}"#)))
    #expect(try read(event(#""tap":5,"tap":{"userId":"2"}"#)) == read(event(#""tap":{"userId":"2"}"#)))
    #expect(refusal(event(#""tap":{"userId":"2"},"tap":5"#)) == .wrongType)
    #expect(
      try read(event(#""tap":{"userId":"2"},"roomId":"r2","roomId":"r1""#)) == read(event(#""tap":{"userId":"2"}"#)))
  }

  @Test func ofTheBodiesOneIsThere() throws {
    #expect(refusal(event(#""x":1"#)) == .noBody)
    #expect(refusal(event(#""tap":null"#)) == .noBody)
    #expect(refusal(event(#""tap":{"userId":"2"},"tap":null"#)) == .noBody)
    #expect(refusal(event(#""dance":{}"#)) == .unknownBody)
    #expect(refusal(event(#""tap":{"userId":"2"},"rainGrab":{}"#)) == .twoBodies)
    #expect(refusal(event(#""tap":{"userId":"2"},"rainGrab":5"#)) == .twoBodies)
    #expect(
      try read(event(#""gift":{},"tap":{"userId":"2"},"gift":null"#)) == read(event(#""tap":{"userId":"2"}"#)))
    #expect(try read(event(#""tap":{"userId":"2"},"dance":{}"#)) == read(event(#""tap":{"userId":"2"}"#)))
  }

  @Test(arguments: [#""""#, "1", "[]", "true", "2.5"]) func aBodyIsAnObject(body: String) {
    #expect(refusal(event("\"tap\":\(body)")) == .wrongType)
    #expect(refusal(event("\"gift\":\(body)")) == .wrongType)
    #expect(refusal(gift(sender: body)) == .wrongType)
  }

  @Test(arguments: ["[]", "1", "\"x\"", "null", "true", #"[{"eventId":"e1"}]"#]) func anEventIsAnObject(json: String) {
    #expect(refusal(json) == .wrongType)
  }

  @Test func unknownMembersAreIgnoredAtEveryLevel() throws {
    let extra =
      #","other":{"a":[1,2.5e300,null,{"gift":{}}],"b":"\u0000\ud83d\ude00"},"":0,"gift\u0000":1,"aVeryLongMemberNameIndeed":{}"#
    #expect(try read(gift(extra, sender: #"{"userId":"7"\#(extra)}"#)) == read(gift()))
    #expect(try read(event(#""tap":{"userId":"2"\#(extra)}\#(extra)"#)) == read(event(#""tap":{"userId":"2"}"#)))
    #expect(
      try read(event(#""tap":{"userId":"2","userId\u0000":"3","x\u0000":1}"#)) == read(event(#""tap":{"userId":"2"}"#)))
    #expect(try read(event(#""\u0074ap":{"userI\u0064":"2"}"#)) == read(event(#""tap":{"userId":"2"}"#)))
  }

  @Test(arguments: [
    "18446744073709551616", "-9223372036854775809", "1e999", "-1e400", "1.7976931348623159e308", #""\ud83d""#,
    #""\udc00""#, #""\ud83d\u0041""#, #"{"\ud800":1}"#, "01", "1.", "nul", "\"\t\"", "[1,]", "NaN", "Infinity", "'a'",
    String(repeating: "[", count: 1100) + String(repeating: "]", count: 1100),
    String(repeating: "9", count: 400) + ".0",
  ])
  func whatParsersReadDifferentlyIsNoJSONAlsoInWhatIsIgnored(value: String) {
    #expect(refusal(event(#""tap":{"userId":"2"},"extra":\#(value)"#)) == .notJSON)
    #expect(refusal(event(#""tap":{"userId":"2","extra":[\#(value)]}"#)) == .notJSON)
  }

  @Test(
    arguments: [
      [], Array("{not json".utf8), Array("   ".utf8), [0xff, 0xfe, 0, 1], [0xef, 0xbb, 0xbf] + Array("{}".utf8),
      Array("{}{}".utf8), Array(#"{"a":""#.utf8) + [0xed, 0xa0, 0x80] + Array(#""}"#.utf8), [1],
    ] as [[UInt8]])
  func otherBytesAreNoJSON(bytes: [UInt8]) {
    let refusal = decoding.refusal(bytes)
    #expect(refusal?.reason == .notJSON)
    #expect(refusal?.description.contains("\n") == false)
  }

  @Test func twoMegabytesOfNoJSONAreNoJSON() {
    let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 2_000_000)
    #expect(decoding.refusal(bytes)?.reason == .notJSON)
  }

  @Test func aRecordWithoutAValueIsNotUnderstood() {
    #expect(decoding.refusal(nil as [UInt8]?)?.reason == .noValue)
  }

  @Test func theKeyIsTheRoom() throws {
    let tap = event(#""tap":{"userId":"2"}"#)
    for key in [nil, [], Array("r".utf8), Array("r2".utf8), Array("r1 ".utf8), Array("R1".utf8)] as [[UInt8]?] {
      #expect(Decoding(key: key).refusal(tap)?.reason == .key)
      #expect(try Decoding(key: key, keyRule: .any).written(tap) == read(tap))
    }
  }

  @Test(arguments: ["", #""roomId":"","#, #""roomId":null,"#]) func anEventWithoutARoomIsRefused(room: String) {
    #expect(refusal(#"{\#(room)"eventId":"e1","tap":{"userId":"2"}}"#) == .noRoom)
    #expect(Decoding(key: [], keyRule: .any).refusal(#"{\#(room)"tap":{"userId":"2"}}"#)?.reason == .noRoom)
  }

  @Test(arguments: ["[]", "{}", "1.5", "true"]) func aRoomIsAnId(room: String) {
    #expect(refusal(#"{"roomId":\#(room),"tap":{"userId":"2"}}"#) == .wrongType)
    #expect(refusal(#"{"eventId":\#(room),"roomId":"r1","tap":{"userId":"2"}}"#) == .wrongType)
  }

  @Test(arguments: [
    (#""gift":{"giftId":"g"}"#, "gift.sender.userId"), (#""gift":{"sender":null,"giftId":"g"}"#, "gift.sender.userId"),
    (#""gift":{"sender":{"userId":""},"giftId":"g"}"#, "gift.sender.userId"),
    (#""gift":{"sender":{"userId":"7"}}"#, "gift.giftId"),
    (#""gift":{"sender":{"userId":"7"},"giftId":""}"#, "gift.giftId"),
    (#""wish":{"text":"t"}"#, "wish.sender.userId"), (#""wish":{"sender":{"userId":"7"}}"#, "wish.text"),
    (#""wish":{"sender":{"userId":"7"},"text":""}"#, "wish.text"),
    (#""wish":{"sender":{"userId":"7"},"text":"\u0000\u202a\u0085\u2069\u007f"}"#, "wish.text"),
    (#""wishLike":{"wishId":"w"}"#, "wishLike.userId"), (#""wishLike":{"userId":"7"}"#, "wishLike.wishId"),
    (#""tap":{}"#, "tap.userId"), (#""rainStart":{}"#, "rainStart.rainId"),
    (#""rainGrab":{"userId":"7"}"#, "rainGrab.rainId"), (#""rainGrab":{"rainId":"x"}"#, "rainGrab.userId"),
  ])
  func whatMustBeThereIsNamed(body: String, field: String) {
    let refusal = decoding.refusal(event(body))
    #expect(refusal?.reason == .missing)
    #expect(refusal?.description.hasPrefix("\(field) ") == true)
  }

  @Test func aWishWithoutAnyIdIsRefused() {
    for id in ["", #""eventId":"","#, #""eventId":null,"#] {
      #expect(refusal(#"{\#(id)"roomId":"r1","wish":{"sender":{"userId":"7"},"text":"t"}}"#) == .missing)
      #expect(refusal(#"{\#(id)"roomId":"r1","wish":{"sender":{"userId":"7"},"text":"t","wishId":"w"}}"#) == nil)
    }
  }

  @Test(arguments: [
    ("userId", 256), ("name", 1024), ("avatarUrl", 2048), ("receiverId", 256), ("giftId", 256), ("giftName", 1024),
    ("streakId", 256), ("eventId", 256), ("text", 16384), ("wishId", 256), ("style", 256), ("rainId", 256),
  ])
  func aTextHasUpToItsLimitOfBytes(field: String, limit: Int) {
    let body =
      switch field {
      case "text", "wishId", "style": #""wish":{"sender":{"userId":"7"},"text":"t","\#(field)":"§"}"#
      case "rainId": #""rainGrab":{"userId":"7","rainId":"§"}"#
      case "userId", "name", "avatarUrl":
        #""gift":{"sender":{"userId":"7","\#(field)":"§"},"giftId":"g"}"#
      case "eventId": #""tap":{"userId":"7"},"eventId":"§""#
      default: #""gift":{"sender":{"userId":"7"},"count":1,"giftId":"g","\#(field)":"§"}"#
      }
    func refusal(_ text: String) -> NotUnderstood? { decoding.refusal(event(body.replacing("§", with: text))) }
    #expect(refusal(String(repeating: "花", count: limit / 3) + String(repeating: "x", count: limit % 3)) == nil)
    #expect(refusal(String(repeating: "x", count: limit + 1))?.reason == .tooLong)
    #expect(refusal(String(repeating: "花", count: limit / 3 + 1))?.reason == .tooLong)
    // Characters that are left out of a name don't count, and nothing is left out of anything else.
    let controls = refusal(String(repeating: "x", count: limit) + #"\u0000"#)
    #expect((controls == nil) == ["name", "giftName", "text"].contains(field))
  }

  @Test func controlsAreLeftOutOfNamesAndTextsOnly() throws {
    let dirty = #"\u0000a\u001fb\u007f\u0080c\u009f\u00a0\u202ad\u202e\u202f\u2066\u2067e\u2069\u206a玫瑰"#
    let clean = "abc\u{a0}d\u{202f}e\u{206a}玫瑰"
    for padding in ["", "1234567", "12345678", "玫瑰玫瑰"] {
      let sent = padding + dirty + padding
      let kept = padding + clean + padding
      #expect(
        try read(gift(#","giftName":"\#(sent)""#, sender: #"{"userId":"7","name":"x\#(sent)"}"#))
          == read(gift(#","giftName":"\#(kept)""#, sender: #"{"userId":"7","name":"x\#(kept)"}"#)))
      #expect(
        try read(event(#""wish":{"sender":{"userId":"7","name":"\#(sent)"},"text":"\#(sent)y"}"#))
          == read(event(#""wish":{"sender":{"userId":"7","name":"\#(kept)"},"text":"\#(kept)y"}"#)))
    }
    let id = event(#""tap":{"userId":"\u0001\u202e","x":1,"y":2}"#)
    #expect(try read(id) == event("\"tap\":{\"userId\":\"\\u0001\u{202e}\",\"x\":1,\"y\":2}"))
  }

  @Test func everyControlIsLeftOutAndNothingElse() throws {
    for value in (0...0x2fff as ClosedRange<UInt32>) where value < 0xd800 {
      let scalar = Unicode.Scalar(value)!
      let isControl = [0...0x1f, 0x7f...0x9f, 0x202a...0x202e, 0x2066...0x2069].contains { $0.contains(value) }
      let escaped = "\\u" + String(repeating: "0", count: 4 - String(value, radix: 16).count) + String(value, radix: 16)
      let name = try decoding.of(Array(gift(#","giftName":"a\#(escaped)b""#).utf8)) { event in
        if case .gift(let gift) = event.body { gift.giftName.description } else { "" }
      }
      #expect(name == (isControl ? "ab" : "a\(Character(scalar))b"))
    }
  }

  @Test func aStreakNeedsACount() {
    for count in ["", #","count":0"#, #","count":null"#, #","count":"0""#] {
      #expect(refusal(gift(#","streakId":"s"\#(count)"#)) == .streakWithoutCount)
    }
    #expect(refusal(gift(#","streakId":"s","count":1000000000"#)) == nil)
    #expect(refusal(gift(#","streakId":"s","count":1000000001"#)) == .outOfRange)
    #expect(refusal(gift(#","streakId":"s","count":-1"#)) == .outOfRange)
    #expect(refusal(gift(#","streakId":"","count":1000001"#)) == .outOfRange)
  }

  @Test func prizesAreAListOfIntegers() throws {
    func rain(_ prizes: String) -> String { event(#""rainStart":{"rainId":"x","prizes":\#(prizes)}"#) }
    #expect(try read(rain(#"["3",0,"07",1000000000,""]"#)) == read(rain("[3,0,7,1000000000,0]")))
    for prizes in ["[-1]", "[1000000001]", #"[1,"-2"]"#] { #expect(refusal(rain(prizes)) == .outOfRange) }
    for prizes in ["[1.0]", "[null]", "[[]]", "{}", "3", #""""#, #""3""#] {
      #expect(refusal(rain(prizes)) == .wrongType)
    }
    func many(_ count: Int) -> String { "[" + repeatElement("1", count: count).joined(separator: ",") + "]" }
    #expect(refusal(rain(many(10_000))) == nil)
    #expect(refusal(rain(many(10_001))) == .tooLong)
    #expect(refusal(rain(many(20_000))) == .tooLong)
  }

  @Test(
    arguments: [
      (nil, nil), ("application/json", nil), ("Application/JSON; charset=utf-8", nil), (" application/json ;x", nil),
      ("application/jsonl", .contentType), ("text/plain", .contentType), ("", .contentType), (";", .contentType),
      ("application/x-protobuf", .notProtobuf), ("application/json/", .contentType),
    ] as [(String?, NotUnderstood.Reason?)])
  func theContentTypeTellsTheFormat(contentType: String?, reason: NotUnderstood.Reason?) {
    let decoding = Decoding(contentType: contentType)
    #expect(decoding.refusal(event(#""tap":{"userId":"2"}"#))?.reason == reason)
  }

  @Test func anEventWithinALineIsReadAsIfItStoodAlone() throws {
    var document = JSONDocument(depth: JSONDocument.lineDepth)
    var decoder = EventDecoder()
    for (depth, innermost) in (1015...1030).flatMap({ [($0, "1"), ($0, "")] }) {
      let deep = String(repeating: "[", count: depth) + innermost + String(repeating: "]", count: depth)
      let tap = event(#""tap":{"userId":"2"},"extra":\#(deep)"#)
      let line = Array(#"{"topic":"t","value":\#(tap)}"#.utf8)
      // With the event's own object.
      let isRead = depth + 1 <= 1024
      #expect((refusal(tap) == nil) == isRead, "\(depth)")
      let isReadInLine = line.withUnsafeBytes { bytes in
        guard let line = try? document.parse(bytes),
          let value = line.members?.first(where: { $0.name == Text("value") })
        else { return false }
        let key = Array("r1".utf8)
        return key.withUnsafeBytes { (try? decoder.decode(value.value, key: $0, keyRule: .roomId)) != nil }
      }
      #expect(isReadInLine == isRead, "\(depth)")
    }
  }

  @Test func refusalsAreOneLineThatNamesTheField() {
    #expect(decoding.refusal(gift(#","count":2.5"#))?.description == "gift.count: 2.5 is not an integer")
    for one in ["1.0", "1e0", "1E+0"] {
      #expect(
        decoding.refusal(gift(#","count":"# + one))?.description
          == "gift.count: 1, written with a fraction or an exponent, is not an integer")
    }
    #expect(decoding.refusal(gift(#","count":-1"#))?.description == "gift.count: -1 is not in 0…1000000")
    #expect(
      decoding.refusal(gift(#","value":18446744073709551615"#))?
        .description == "gift.value: a number this large is not in 0…1000000000000")
    #expect(
      decoding.refusal(gift(#","count":"a\nb\u202e\#(String(repeating: "x", count: 60))""#))?.description
        == "gift.count: \"a\u{fffd}b\u{fffd}\(String(repeating: "x", count: 36))…\" is not an integer")
    #expect(decoding.refusal(event(#""dance":{}"#))?.description == #""dance" is no body that an event can have"#)
  }
}
