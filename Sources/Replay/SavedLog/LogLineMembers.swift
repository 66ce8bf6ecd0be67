import JSON
import Recovery
import RoomModel
import Settings

/// The members of a line that mean something; of one that comes twice the last, and nil for `null`.
struct LogLineMembers {
  private(set) var topic, partition, offset, timestampMs, headers: JSONValue?
  private(set) var key, keyBase64: JSONValue?
  private(set) var value, valueText, valueBase64: JSONValue?
  private(set) var firedToMs, clockMs, settings, rules, mapping, state, doubt: JSONValue?

  mutating func take(_ member: JSONMember) {
    let value = member.value.isNull ? nil : member.value
    switch JSONName(of: member) {
    case "topic": topic = value
    case "partition": partition = value
    case "offset": offset = value
    case "timestampMs": timestampMs = value
    case "headers": headers = value
    case "key": key = value
    case "keyBase64": keyBase64 = value
    case "value": self.value = value
    case "valueText": valueText = value
    case "valueBase64": valueBase64 = value
    case "firedToMs": firedToMs = value
    case "clockMs": clockMs = value
    case "settings": settings = value
    case "rules": rules = value
    case "mapping": mapping = value
    case "state": state = value
    case "doubt": doubt = value
    default: break
    }
  }

  func topicName() throws(BrokenLog) -> Text {
    guard let name = topic?.text, !name.isEmpty else { throw BrokenLog("topic must be there: a string") }
    return name
  }

  func partitionNumber() throws(BrokenLog) -> Int32 {
    guard let number = partition?.integer.flatMap(Int32.init(exactly:)), number >= 0 else {
      throw BrokenLog("partition must be there: an integer of 0 or more")
    }
    return number
  }

  func allHeaders() throws(BrokenLog) -> [LogRecord.Header] {
    guard let headers else { return [] }
    guard let list = headers.elements else { throw Self.wrongHeaders }
    var all: [LogRecord.Header] = []
    for header in list {
      guard var pair = header.elements, let name = pair.next()?.text, let value = pair.next(), pair.next() == nil else {
        throw Self.wrongHeaders
      }
      // A header of Kafka may have no value.
      guard value.isNull || value.text != nil else { throw Self.wrongHeaders }
      all.append((name.description, value.text?.bytes))
    }
    return all
  }

  private static var wrongHeaders: BrokenLog { BrokenLog(#"headers must be a list like [["name","value"]]"#) }
}

extension JSONValue {
  /// - Parameters rules, mapping: The members of these names beside it; nil: there is none.
  func settings(rules: JSONValue?, mapping: JSONValue?) throws(BrokenLog) -> LogSettings {
    do { return try LogSettings(self, rules: rules, mapping: mapping) } catch {
      throw BrokenLog(error.description)
    }
  }
}
