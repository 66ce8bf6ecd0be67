import Foundation
import JSON
import RoomModel
import TestSupport
import Testing
import Wire

/// A decoder remembers how messages were written, and so may read the next one by a mapping without a parser. Nobody must
/// see which.
struct MappingPatternTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `what came before changes nothing`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var (events, ignored) = (0, 0)
    for _ in 0..<12 {
      let mapping = try Mappings.any(&random)
      let forms = (0..<4).map { _ in random.next() }
      var kept = EventDecoder()
      for _ in 0..<200 {
        let message = Self.message(form: random.one(of: forms), &random)
        let header = random.one(of: ["", "h1", "h2"])
        var fresh = EventDecoder()
        let expected = Self.read(message, mapping, header, &fresh)
        #expect(Self.read(message, mapping, header, &kept) == expected, "\(message)\n\(mapping.text)")
        if expected.hasPrefix("{") { events += 1 }
        if expected.hasPrefix("ignored") { ignored += 1 }
      }
    }
    #expect(events + ignored > 100, "\(events) \(ignored)")
  }

  /// The event by the rules of section 2, and as it was mapped.
  private static func read(
    _ message: String, _ mapping: Mapping, _ header: String, _ decoder: inout EventDecoder
  ) -> String {
    withBytes(Array(header.utf8)) { header in
      withBytes(Array(message.utf8)) { value in
        let headers: [RecordHeader] = [("id", header)]
        let event: String
        do throws(NotUnderstood) {
          event = try decoder.decode(
            key: header, value: value, contentType: nil, keyRule: .any, mapping: mapping, headers: headers
          ).json
        } catch {
          event = "\(error.reason) \(error.description)"
        }
        let shape = decoder.shape
        switch decoder.map(
          key: header, value: value, contentType: nil, keyRule: .any, mapping: mapping, headers: headers)
        {
        case .event(let json, _, _): return "\(event) shape \(shape) of \(json)"
        case .ignored: return "ignored \(event) shape \(shape)"
        case .refused, .own: return "\(event) shape \(shape)"
        }
      }
    }
  }

  /// Messages of one form are alike but for the values of texts and integers.
  private static func message(form: UInt64, _ random: inout SplitMix64) -> String {
    var form = SplitMix64(seed: form)
    func text(_ random: inout SplitMix64) -> String {
      random.one(of: [#""""#, #""r1""#, #""阿花""#, #""7""#, #""-3""#, #""x y""#, #""a\u0041""#, #""1.5""#])
    }
    func integer(_ random: inout SplitMix64) -> String { random.one(of: ["0", "1", "7", "42", "1000000007"]) }
    func value(_ form: inout SplitMix64, _ random: inout SplitMix64, depth: Int = 0) -> String {
      switch form.next() % 12 {
      case 0...3: return text(&random)
      case 4...6: return integer(&random)
      case 7: return form.one(of: ["true", "false", "null", "{}", "[]"])
      case 8: return form.one(of: ["-5", "1.50", "1e3", "18446744073709551615"])
      case 9:
        return random.one(of: [#""{\"a\":1}""#, #""{\"a\":\"x\"}""#, #""[7]""#, #""7""#, #""{""#])
      case _ where depth > 1: return text(&random)
      case 10: return #"[\#(value(&form, &random, depth: depth + 1)),\#(value(&form, &random, depth: depth + 1))]"#
      default: return #"{"x":\#(value(&form, &random, depth: depth + 1))}"#
      }
    }
    let kind = random.one(of: ["gift", "gift", "wish", "noise"])
    var members = [
      #""cmd":\#(form.once(in: 5) ? value(&form, &random) : "\"\(kind)\"")"#,
      #""room":\#(form.once(in: 8) ? value(&form, &random) : "\"r1\"")"#,
    ]
    var data: [String] = []
    for name in ["uid", "name", "n", "t"] where !form.once(in: 5) {
      data.append(#""\#(name)":\#(form.once(in: 3) ? value(&form, &random) : integer(&random))"#)
    }
    members.append(#""data":{\#(data.joined(separator: form.one(of: [",", " , "])))}"#)
    if form.once(in: 3) { members.append(#""more":\#(value(&form, &random))"#) }
    if form.once(in: 4) { members.reverse() }
    return "{\(members.joined(separator: ","))}"
  }

  /// Random mappings.
  private enum Mappings {
    static let paths = [
      "cmd", "room", "data.uid", "data.name", "data.n", "data.t", "data.t(json).a", "data.n[0]", "data", "more.x", "$",
      "@key", "@header.id", "data.none", "room.x",
    ]
    static let constants = [#""gift""#, #""wish""#, "1", "7", "true", #""7""#, #""r1""#]

    static func any(_ random: inout SplitMix64) throws -> Mapping {
      while true {
        let shapes = (0..<Int(random.number(1...4))).map { _ in shape(&random) }
        let others = random.one(of: ["", #""otherwise":"ignore","#, #""own":false,"#])
        let text = "{\(others)\"shapes\":[\(shapes.joined(separator: ","))]}"
        var document = JSONDocument()
        let mapping = Array(text.utf8).withUnsafeBytes { try? Mapping(MappingNode(document.parse($0)), at: "t") }
        // A constant may be none that the field takes.
        if let mapping { return mapping }
      }
    }

    private static func shape(_ random: inout SplitMix64) -> String {
      var members: [String] = []
      let asked = random.one(of: [0, 1, 1, 2])
      if asked > 0 {
        let names = Set((0..<asked).map { _ in random.once(in: 2) ? "cmd" : random.one(of: paths) })
        let when = names.sorted().map { name in
          let wanted = random.one(
            of: [#""present""#, #""absent""#, #""gift""#, #""wish""#, "[\(random.one(of: constants)),7]"])
          return "\"\(name)\":\(wanted)"
        }
        members.append("\"when\":{\(when.joined(separator: ","))}")
      }
      if random.once(in: 4) { return "{\((members + ["\"ignore\":true"]).joined(separator: ","))}" }
      members.append("\"roomId\":\(random.once(in: 3) ? field(&random) : random.one(of: ["\"room\"", "\"@key\""]))")
      if random.once(in: 2) { members.append("\"eventId\":\(field(&random))") }
      switch random.next() % 3 {
      case 0:
        members.append(
          "\"wish\":{\"sender\":{\"userId\":\(field(&random))},\"text\":\(field(&random)),\"extra\":\(field(&random))}")
      case 1: members.append("\"retract\":{\"userId\":\(field(&random)),\"muteMs\":\(field(&random))}")
      default:
        members.append(
          "\"gift\":{\"sender\":{\"userId\":\(field(&random)),\"name\":\(field(&random))},\"giftId\":\(field(&random)),\"count\":\(field(&random))}"
        )
      }
      return "{\(members.joined(separator: ","))}"
    }

    private static func field(_ random: inout SplitMix64, depth: Int = 0) -> String {
      switch random.next() % (depth > 1 ? 4 : 8) {
      case 0...3: return "\"\(random.one(of: paths))\""
      case 4: return #"{"is":\#(random.one(of: ["1", "\"x\""]))}"#
      case 5: return "[\(field(&random, depth: depth + 1)),\(field(&random, depth: depth + 1))]"
      case 6: return #"{"at":\#(field(&random, depth: depth + 1)),"else":\#(random.one(of: ["1", "\"x\""]))}"#
      default:
        let change = random.one(of: [#""times":3,"per":2"#, #""words":{"7":"seven","1":1,"阿花":"A"}"#])
        return #"{"at":\#(field(&random, depth: depth + 1)),\#(change)}"#
      }
    }
  }
}
