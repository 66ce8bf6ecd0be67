import JSON
import RoomModel
import Simulation
import Wire

/// Reading a platform's own messages by a mapping, beside the same events in the project's own JSON. The two take turns.
enum MappedBenchmark {
  /// A gift, a wish and one that is passed over, as a live room's messages are written.
  private static let mapping = #"""
    {"otherwise":"ignore","shapes":[{"when":{"cmd":"SEND_GIFT"},"roomId":"room","eventId":"data.tid","gift":{"sender":{"userId":"data.uid","name":"data.uname","avatarUrl":"data.face"},"giftId":"data.giftId","giftName":"data.giftName","count":{"at":"data.num","else":1},"value":"data.price"}},{"when":{"cmd":"DANMU"},"roomId":"room","eventId":"data.tid","wish":{"sender":{"userId":"data.uid","name":"data.uname","avatarUrl":"data.face"},"text":"data.text"}},{"when":{"cmd":["ONLINE_RANK_COUNT","WATCHED_CHANGE"]},"ignore":true}]}
    """#
  private static let rounds = 21

  /// Of the kinds only that which `--part` names (`gift`, `mapped-gift`, …), if it does: so what counts instructions
  /// counts those of one.
  static func run(_ options: Options) throws {
    let count = try options.integer("count") ?? 100_000
    var document = JSONDocument()
    let mapping = try Array(mapping.utf8).withUnsafeBytes { try Mapping(MappingNode(document.parse($0)), at: "bench") }
    if let part = options["part"] {
      guard let kind = Kind(rawValue: part) else { throw Refusal("--part is one of \(Kind.allCases)") }
      let records = Records(kind, count: count)
      var decoder = EventDecoder()
      return Report.line(part, ("ns", Report.each(records.read(mapping, &decoder), count)))
    }
    compare(.gift, .mappedGift, mapping, count)
    compare(.wish, .mappedWish, mapping, count)
    compare(.mappedGift, .ignored, mapping, count)
    compare(.gift, .parsedGift, mapping, count)
    compare(.parsedGift, .parsedIgnored, mapping, count)
  }

  /// Prints both costs, the least of all rounds, and the median of the rounds' ratios.
  private static func compare(_ one: Kind, _ other: Kind, _ mapping: Mapping, _ count: Int) {
    let first = Records(one, count: count)
    let second = Records(other, count: count)
    var a = EventDecoder()
    var b = EventDecoder()
    var (least, leastOther, ratios) = (Int64.max, Int64.max, [Double]())
    for round in 0..<rounds {
      let time: Int64
      let otherTime: Int64
      if round % 2 == 0 {
        time = first.read(mapping, &a)
        otherTime = second.read(mapping, &b)
      } else {
        otherTime = second.read(mapping, &b)
        time = first.read(mapping, &a)
      }
      (least, leastOther) = (min(least, time), min(leastOther, otherTime))
      ratios.append(Double(otherTime) / Double(time))
    }
    let median = ratios.sorted()[rounds / 2]
    Report.line(
      "\(other.rawValue) beside \(one.rawValue)", ("ns", Report.each(least, count)),
      ("ns", Report.each(leastOther, count)), ("ratio", "\((median * 100).rounded() / 100)"),
      ("bytes", "\(first.bytes / count) and \(second.bytes / count)"))
  }

  private enum Kind: String, CaseIterable {
    case gift, wish
    case mappedGift = "mapped-gift"
    case mappedWish = "mapped-wish"
    case ignored
    /// No pattern fits them, since a text in them has an escape.
    case parsedGift = "parsed-gift"
    case parsedIgnored = "parsed-ignored"

    var isMapped: Bool { self != .gift && self != .wish }
  }

  /// One after the other in memory.
  private struct Records: ~Copyable {
    private let kind: Kind
    private var values = ByteBuffer(capacity: 1 << 20)
    private var ends = [0]

    var bytes: Int { values.count }

    init(_ kind: Kind, count: Int) {
      self.kind = kind
      var backlog = Backlog(count: count, pace: .flood)
      while let (_, event) = backlog.next() {
        guard case .gift(let gift) = event.body else { continue }
        values.append(string: Self.text(kind, event, gift.whole, place: ends.count))
        ends.append(values.count)
        backlog.forget()
      }
    }

    private static func text(_ kind: Kind, _ event: RoomEvent, _ gift: Gift, place: Int) -> String {
      let sender = gift.sender
      let own = #"{"eventId":"\#(event.eventId)","roomId":"\#(event.roomId)","#
      let ownSender =
        #""sender":{"userId":"\#(sender.userId)","name":"\#(sender.name)","avatarUrl":"\#(sender.avatarUrl)"}"#
      func foreign(_ command: String, _ data: String) -> String {
        #"{"cmd":"\#(command)","room":"\#(event.roomId)","data":{"tid":"\#(event.eventId)","uid":\#(sender.userId),"uname":"\#(sender.name)","face":"\#(sender.avatarUrl)","#
          + data + "}}"
      }
      switch kind {
      case .gift:
        return own
          + #""gift":{\#(ownSender),"giftId":"\#(gift.giftId)","giftName":"\#(gift.giftName)","count":\#(gift.count),"value":\#(gift.value)}}"#
      case .wish: return own + #""wish":{\#(ownSender),"text":"祝主播生日快乐 \#(place)"}}"#
      case .mappedWish: return foreign("DANMU", #""text":"祝主播生日快乐 \#(place)""#)
      case .mappedGift, .parsedGift, .ignored, .parsedIgnored:
        let escape = kind == .parsedGift || kind == .parsedIgnored ? #","t":"\n""# : ""
        return foreign(
          kind == .ignored || kind == .parsedIgnored ? "WATCHED_CHANGE" : "SEND_GIFT",
          #""giftId":"\#(gift.giftId)","giftName":"\#(gift.giftName)","num":\#(gift.count),"price":\#(gift.value)"#
            + escape)
      }
    }

    /// - Returns: nanoseconds.
    func read(_ mapping: Mapping, _ decoder: inout EventDecoder) -> Int64 {
      let start = cpuNanoseconds()
      for i in 1..<ends.count {
        let value = UnsafeRawBufferPointer(start: values.base + ends[i - 1], count: ends[i] - ends[i - 1])
        do throws(NotUnderstood) {
          _ = try decoder.decode(
            key: nil, value: value, contentType: nil, keyRule: .any, mapping: kind.isMapped ? mapping : nil)
        } catch {
          if error.reason != .passedOver { fatalError("a message can't be read: \(error.description)") }
        }
      }
      return cpuNanoseconds() - start
    }
  }
}
