import RoomModel
import Settings
import Wire

extension LogSettings {
  /// As a line of a log has them.
  init(journalled json: JSONValue) throws(BrokenLog) {
    var named: [(name: String, value: String)] = []
    try json.flatten(under: "", into: &named)
    do { try self.init(named: named, place: "settings") } catch { throw BrokenLog(error.description) }
  }
}

extension JSONValue {
  /// Settings nested by their dots, by their whole names.
  fileprivate func flatten(
    under prefix: String, into named: inout [(name: String, value: String)]
  ) throws(BrokenLog) {
    guard let members else { throw BrokenLog(#"settings must be an object like {"gift":{"lanes":3}}"#) }
    for member in members {
      let name = prefix + member.name.description
      let value = member.value
      if value.kind == .object {
        try value.flatten(under: name + ".", into: &named)
      } else if let text = value.text?.description ?? value.integer?.description {
        named.append((name, text))
      } else {
        throw BrokenLog("settings: \(name) must be an integer or a word")
      }
    }
  }
}
