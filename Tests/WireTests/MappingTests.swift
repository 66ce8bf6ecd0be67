import JSON
import Foundation
import RoomModel
import TestSupport
import Testing
import Wire

/// `Schemas/mapping/cases.ndjson`, and what MAPPING.md says beside them.
struct MappingTests {
  private static let cases: [Data] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../Schemas/mapping/cases.ndjson")
    return try! Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map { Data($0) }
  }()

  /// A mapping as a journal has it.
  private static func mapping(_ text: String) throws -> Mapping {
    var document = JSONDocument()
    return try Array(text.utf8).withUnsafeBytes { try Mapping(MappingNode(document.parse($0)), at: "t") }
  }

  /// What a mapping makes of a message, as `flyscreen map --json` says.
  private static func mapped(
    _ mapping: Mapping, _ message: String, key: String? = "r1", headers: [(String, String?)] = [],
    decoder: inout EventDecoder
  ) -> String {
    let copies = headers.map { ($0.0, $0.1.map { Array($0.utf8) }) }
    let kept = copies.map { $0.1.map { bytes in UnsafeMutableBufferPointer<UInt8>.copy(of: bytes) } }
    defer { for bytes in kept { bytes?.deallocate() } }
    let given = zip(copies, kept).map { (name: $0.0, value: $1.map { UnsafeRawBufferPointer($0) }) }
    return withBytes(key.map { Array($0.utf8) }) { key in
      withBytes(Array(message.utf8)) { value in
        switch decoder.map(
          key: key, value: value, contentType: nil, keyRule: .any, mapping: mapping, headers: given)
        {
        case .event(let json, _, _): #"{"event":\#(json)}"#
        case .ignored: #"{"ignored":true}"#
        case .refused(let reason): #"{"refused":"\#(reason.description)"}"#
        case .own: #"{"own":true}"#
        }
      }
    }
  }

  private static func mapped(_ mapping: String, _ message: String, key: String? = "r1") throws -> String {
    var decoder = EventDecoder()
    return mapped(try self.mapping(mapping), message, key: key, decoder: &decoder)
  }

  private static func mistake(_ mapping: String) -> String? {
    do {
      _ = try self.mapping(mapping)
      return nil
    } catch {
      return (error as? MappingMistake)?.description
    }
  }

  @Test func `each case comes out as it says`() throws {
    var decoder = EventDecoder()
    var count = 0
    for line in Self.cases {
      let one = try #require(JSONSerialization.jsonObject(with: line) as? [String: Any])
      let name = try #require(one["name"] as? String)
      // The text as it stands, since numbers count by how they are written.
      let text = String(decoding: line, as: UTF8.self)
      let mapping = try #require(try? Self.mapping(Self.member("mapping", of: text)), "\(name)")
      let record = try #require(one["record"] as? [String: Any])
      let value = record["valueText"] as? String ?? Self.member("value", of: Self.member("record", of: text))
      let headers = (record["headers"] as? [[Any]] ?? []).map { ($0[0] as! String, $0[1] as? String) }
      let found = Self.mapped(mapping, value, key: record["key"] as? String, headers: headers, decoder: &decoder)
      let outcome = try #require(JSONSerialization.jsonObject(with: Data(found.utf8)) as? NSDictionary)
      #expect(outcome == one["is"] as? NSDictionary, "\(name): \(found)")
      // The canonical form means the same, and is its own.
      #expect(try Self.mapping(mapping.text).text == mapping.text, "\(name)")
      count += 1
    }
    #expect(count == 46)
  }

  private static func member(_ name: String, of json: String) -> String {
    var document = JSONDocument()
    return Array(json.utf8).withUnsafeBytes { bytes in
      var places = JSONPlaces()
      places.read(bytes)
      var out = ByteBuffer()
      for member in try! document.parse(bytes).members! where member.name.description == name {
        places.append(member.value, to: &out)
      }
      return out.text.description
    }
  }

  @Test(arguments: [
    (#"{}"#, "t: `shapes` is missing"),
    (#"{"shapes":[{"roomId":"r","gift":{"giftID":"x"}}]}"#, "t.shapes[0].gift.giftID: gift has no such field"),
    (
      #"{"shapes":[{"roomId":"r","gift":{"sender":{"at":"x"}}}]}"#, "t.shapes[0].gift.sender.at: gift has no such field"
    ),
    (
      #"{"shapes":[{"roomId":"r","gift":{"sender":{"name":"a"},"sender.name":"b"}}]}"#,
      "t.shapes[0].gift.sender.name: gift.sender.name is given twice"
    ),
    (
      #"{"shapes":[{"roomId":"r","gift":{},"wish":{}}]}"#,
      "t.shapes[0].wish: an event has one body, and gift stands there already"
    ),
    (
      #"{"shapes":[{"roomId":"r","gift":{"count":{"at":"n"}}}]}"#,
      "t.shapes[0].gift.count: beside `at` stands `words`, `times`, `per` or `else`; a path alone needs no `at`"
    ),
    (
      #"{"shapes":[{"when":{"a":""},"ignore":true}]}"#,
      "t.shapes[0].when.a: a constant is not empty; ask for `absent`"
    ),
    (
      #"{"shapes":[{"when":{"a":["present"]},"ignore":true}]}"#,
      "t.shapes[0].when.a: as a value this word is asked for as { is: … }"
    ),
    (
      #"{"shapes":[{"roomId":"a(json)(json)(json)","roomEnd":{}}]}"#,
      "t.shapes[0].roomId: `a(json)(json)(json)` is no path: (json) stands there more than twice"
    ),
    (
      #"{"shapes":[{"roomId":"a..b","roomEnd":{}}]}"#,
      "t.shapes[0].roomId: `a..b` is no path: a name is missing, or has a character for which it must stand in quotes"
    ),
    (
      #"{"shapes":[{"roomId":"r","rainStart":{"prizes":"p"}}]}"#, "t.shapes[0].rainStart.prizes: prizes can't be mapped"
    ),
  ])
  func `a mistake is told with its place`(mapping: String, mistake: String) {
    #expect(Self.mistake(mapping) == mistake)
  }

  @Test func `fields stand within each other four deep`() {
    func nested(_ depth: Int) -> String {
      (0..<depth).reduce("\"p\"") { inner, _ in #"{"at":\#(inner),"else":1}"# }
    }
    func shape(_ field: String) -> String { #"{"shapes":[{"roomId":\#(field),"roomEnd":{}}]}"# }
    #expect(Self.mistake(shape(nested(4))) == nil)
    #expect(Self.mistake(shape(nested(5)))?.contains("up to 4 deep") == true)
  }

  @Test(arguments: [
    ("$", true), ("[0].a", true), ("a[0][1].b", true), (#""a b"."c\"d\\""#, true), ("日本.x-y_1", true), ("@key", true),
    ("@header.a.b(json)", true), ("a(json)[2](json).c", true), ("", false), (".a", false), ("a.", false),
    ("a[01]", false),
    ("a[-1]", false), ("a[", false), ("$.a", false), ("(json)", false), ("@key.a", false), ("@header.", false),
    ("@x", false),
    ("a b", false), (#"a"b""#, false), (#""\n""#, false), ("[0]a", false), (#""a"#, false),
  ])
  func `a path is one, or none`(path: String, isPath: Bool) throws {
    var text = ByteBuffer()
    text.appendString(path)
    let mapping = #"{"shapes":[{"roomId":\#(text.text),"roomEnd":{}}]}"#
    #expect((Self.mistake(mapping) == nil) == isPath)
  }

  @Test func `numbers stay as they are written, and blanks between the parts of extra go`() throws {
    let mapping = #"{"shapes":[{"roomId":"r","wish":{"sender.userId":"u","text":"n","extra":"x"}}]}"#
    #expect(
      try Self.mapped(mapping, #"{"r":-0,"u":18446744073709551615,"n":1.50e+1,"x":[ {"a" : " b " } ]}"#)
        == #"{"event":{"roomId":"0","wish":{"sender":{"userId":"18446744073709551615"},"text":"1.50e+1","extra":"[{\"a\":\" b \"}]"}}}"#
    )
  }

  @Test(
    arguments: [
      ("12", "36", 3, 1), ("-0.5", "-1", 1, 1), ("00000000000000000000001.9999999999", "1", 1, 1),
      ("999999999999999999", "999999999999999999000000000", 1_000_000_000, 1), ("19.9", "1990", 100, 1),
      ("7", "3", 1, 2),
      ("1.", nil, 1, 1), (".5", nil, 1, 1), ("+1", nil, 1, 1), ("1e3", nil, 1, 1), ("1000000000000000000", nil, 1, 1),
    ] as [(String, String?, Int, Int)])
  func `a number is multiplied, divided and rounded down`(number: String, result: String?, times: Int, per: Int) throws
  {
    let mapping = #"{"shapes":[{"roomId":{"at":"n","times":\#(times),"per":\#(per)},"roomEnd":{}}]}"#
    let found = try Self.mapped(mapping, #"{"n":"\#(number)"}"#)
    #expect(
      found == result.map { #"{"event":{"roomId":"\#($0)","roomEnd":{}}}"# }
        ?? #"{"refused":"roomId (n) is no number"}"#)
  }

  @Test func `a text that is long is not read as JSON`() throws {
    let mapping = #"{"shapes":[{"when":{"b(json).a":1},"roomId":"@key","roomEnd":{}}]}"#
    func message(_ count: Int) -> String { #"{"b":"{\"a\":1\#(String(repeating: " ", count: count - 7))}"}"# }
    #expect(try Self.mapped(mapping, message(65_536)).contains("roomEnd"))
    #expect(try Self.mapped(mapping, message(65_537)) == #"{"own":true}"#)
  }

  @Test func `what the rules refuse is told with the place in the message`() throws {
    var decoder = EventDecoder()
    let mapping = try Self.mapping(
      #"{"shapes":[{"roomId":"r","gift":{"sender.userId":"u","giftId":"g","value":{"at":"v","times":100}}}]}"#)
    for (message, reason) in [
      (#"{"r":"a","u":"b","g":"c","v":-1}"#, "gift.value (v): -100 is not in 0…1000000000000"),
      (#"{"r":"a","u":"b","v":1}"#, "gift.giftId (g) must be there, and not be empty"),
      (#"{"u":"b","g":"c"}"#, "roomId (r) must be there, and not be empty"),
    ] {
      let refusal: NotUnderstood? = withBytes(Array(message.utf8)) { value in
        do throws(NotUnderstood) {
          _ = try decoder.decode(key: nil, value: value, contentType: nil, keyRule: .any, mapping: mapping)
          return nil
        } catch {
          return error
        }
      }
      #expect(refusal?.description == reason)
    }
  }

  @Test func `a mapped event is the one that its own JSON would be`() throws {
    let mapping = try Self.mapping(
      #"{"shapes":[{"roomId":"@key","gift":{"sender":{"userId":"u","name":"n"},"giftId":"g","count":"c"}}]}"#)
    var decoder = EventDecoder()
    let event = withBytes(Array("r1".utf8)) { key in
      withBytes(Array(#"{"u":7,"n":"A\u0007","g":1,"c":"3"}"#.utf8)) { value in
        try! decoder.decode(key: key, value: value, contentType: nil, keyRule: .roomId, mapping: mapping).json
      }
    }
    let own = #"{"roomId":"r1","gift":{"sender":{"userId":"7","name":"A\u0007"},"giftId":"1","count":3}}"#
    #expect(try Decoding().written(own) == event)
  }

  @Test func `a record without a value fits no shape, whatever came before`() throws {
    let mapping = try Self.mapping(#"{"shapes":[{"roomId":"r","roomEnd":{}}]}"#)
    var decoder = EventDecoder()
    let shapes = withBytes(Array(#"{"r":"r1"}"#.utf8)) { value in
      [value, nil].map { value in
        _ = try? decoder.decode(key: nil, value: value, contentType: nil, keyRule: .any, mapping: mapping)
        return decoder.shape
      }
    }
    #expect(shapes == [1, 0])
  }

  @Test func `framed values are read, JSON and Protobuf`() throws {
    let json = #"{"roomId":"r1","roomEnd":{}}"#
    #expect(try Decoding().of([0, 0, 0, 1, 2] + Array(json.utf8)) { $0.json } == Decoding().written(json))
    // roomId, field 2, and roomEnd, field 11, empty.
    let protobuf: [UInt8] = [0x12, 2, 0x72, 0x31, 0x5a, 0]
    for indexes: [UInt8] in [[0], [2, 0], [4, 2, 0x80, 1]] {
      #expect(try Decoding().of([0, 0, 0, 0, 9] + indexes + protobuf) { $0.json } == Decoding().written(json))
    }
    for broken: [UInt8] in [[0], [0, 0, 0, 0, 1], [0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 1, 0xfe, 0xff, 0xff, 0xff, 0x7f]] {
      #expect(Decoding().refusal(broken)?.reason == .notProtobuf)
    }
  }
}

extension UnsafeMutableBufferPointer<UInt8> {
  fileprivate static func copy(of bytes: [UInt8]) -> Self {
    let copy = Self.allocate(capacity: bytes.count)
    _ = copy.initialize(from: bytes)
    return copy
  }
}
