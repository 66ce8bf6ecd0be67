package import JSON
internal import RoomModel

package import Settings
import Wire

extension LogSettings {
  /// Reads what `members` writes, in a document that was read already: a line of a journal or of a saved log, a commit's
  /// metadata. A setting that isn't there has its default.
  ///
  /// - Parameter rules: The member beside `settings`; nil: there is none, since a person wrote it for these rules.
  ///   `mapping`, `mappingSum`: the members of these names beside it.
  /// - Throws: Its description begins with `settings`, or with `rules`.
  package init(
    _ json: JSONValue, rules: JSONValue?, mapping: JSONValue? = nil, mappingSum: JSONValue? = nil
  ) throws(SettingsError) {
    let number = rules == nil ? LogRules.current : rules?.integer
    guard let number, number >= 1 else { throw SettingsError("rules must be a number of 1 or more") }
    guard number <= LogRules.current else {
      throw SettingsError("rules \(number) are not known here; the last that are have the number \(LogRules.current)")
    }
    var named: [(name: String, value: String)] = []
    try json.flatten(under: "", into: &named)
    try self.init(named: named, place: "settings")
    self.rules = number
    self.mappingSum = mappingSum?.text?.description
    guard let mapping, !mapping.isNull else { return }
    do throws(MappingMistake) { self.mapping = try Mapping(MappingNode(mapping), at: "mapping") } catch {
      throw SettingsError("settings: \(error.description)")
    }
  }
}

extension JSONValue {
  /// Settings nested by their dots, by their whole names.
  fileprivate func flatten(
    under prefix: String, into named: inout [(name: String, value: String)]
  ) throws(SettingsError) {
    guard let members else { throw SettingsError(#"settings must be an object like {"gift":{"lanes":3}}"#) }
    for member in members {
      let name = prefix + member.name.description
      let value = member.value
      if value.kind == .object {
        try value.flatten(under: name + ".", into: &named)
      } else if let text = value.text?.description ?? value.integer?.description {
        named.append((name, text))
      } else {
        throw SettingsError("settings: \(name) must be an integer or a word")
      }
    }
  }
}
