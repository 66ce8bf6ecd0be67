import RoomEngine
import RoomModel
package import Wire

/// Settings nested by the dots of their names, as in the journal and in `--settings` files.
extension LogSettings {
  /// The settings that differ from the defaults of this program, for people, in the order of the table:
  /// `{"gift":{"lanes":3}}`.
  package var changedJSON: String {
    let defaults = LogSettings()
    return json { $0.text(self) != $0.text(defaults) }
  }

  /// All of them, in the order of the table. Equal settings give equal bytes.
  package var wholeJSON: String { json { _ in true } }

  /// The members of an object that tell them for good, whatever the defaults become: `"settings":{…},"rules":3`.
  package var members: String {
    let mapping = mapping.map { ",\"mapping\":\($0.text)" } ?? mappingSum.map { ",\"mappingSum\":\"\($0)\"" } ?? ""
    return "\"settings\":\(wholeJSON),\"rules\":\(rules)\(mapping)"
  }

  /// The same with the sum of its mapping in place of that.
  package var withoutMapping: LogSettings {
    guard let mapping else { return self }
    var settings = self
    settings.mapping = nil
    settings.mappingSum = mapping.sum
    return settings
  }

  /// Puts a mapping in whose sum is the one that is told.
  package mutating func find(_ mapping: Mapping?) {
    guard let mapping, mappingSum == mapping.sum else { return }
    self.mapping = mapping
    mappingSum = nil
  }

  /// Settings that `next` changes, in the order of the table: `gift.lanes 2 → 5`.
  package func changes(to next: LogSettings) -> [String] {
    (rules == next.rules ? [] : ["rules \(rules) → \(next.rules)"])
      + Self.table.filter { $0.text(self) != $0.text(next) }.map {
        "\($0.name) \($0.text(self)) → \($0.text(next))"
      } + (mapping == next.mapping ? [] : ["the topic's entry in topics.mapping"])
  }

  /// A hash of all settings, 16 hexadecimal digits: workers with the same settings have the same.
  package var fingerprint: String {
    let digits = String(fnv1a(members.utf8), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private func json(where isWanted: (Setting<LogSettings>) -> Bool) -> String {
    var json = "{"
    var group: Substring?
    for setting in Self.table where isWanted(setting) {
      if setting.group == group {
        json += ","
      } else {
        if group != nil { json += "}," }
        json += "\"\(setting.group)\":{"
        group = setting.group
      }
      let value = setting.text(self)
      json += "\"\(setting.name.dropFirst(setting.group.count + 1))\":" + (setting.isNumber ? value : "\"\(value)\"")
    }
    return json + (group == nil ? "}" : "}}")
  }

  /// Settings that were taken apart already: `[("gift.lanes", "3")]`. What isn't there is as in `others`.
  package init(
    named values: [(name: String, value: String)], others: LogSettings = LogSettings(), place: String
  ) throws(SettingsError) {
    self = others
    try apply(values.map { SettingsFile.Entry(name: $0.name, text: .one($0.value), origin: .place(place)) })
  }

  /// The file of `--settings` or `--what-if`, as people write it: YAML or JSON, names nested or dotted.
  package init(file path: String) throws(SettingsError) {
    self.init()
    try apply(SettingsFile(path: path).entries)
  }

  mutating func apply(_ entries: [SettingsFile.Entry]) throws(SettingsError) {
    var origins = SettingOrigins()
    for entry in entries {
      guard let setting = Self.table.first(where: { $0.name == entry.name }) else {
        if entry.text == nil, Self.table.contains(where: { $0.group == entry.name }) { continue }
        throw Self.refusal(of: entry)
      }
      try setting.store(entry, in: &self)
      origins[entry.name] = entry.origin
    }
    try check(origins)
  }

  private static func refusal(of entry: SettingsFile.Entry) -> SettingsError {
    if Configuration.table.contains(where: { $0.name == entry.name }) {
      return SettingsError(
        entry.origin, "\(entry.name) does not change what a log's commands are; leave it out here")
    }
    let nearest = NearestName.of(entry.name, among: table.lazy.map(\.name)) ?? ""
    return SettingsError(entry.origin, "there is no setting \(entry.name); the nearest is \(nearest)")
  }

  /// The rules between settings. STAGES.md, section 11.
  func check(_ origins: SettingOrigins) throws(SettingsError) {
    if engine.wish.gap >= engine.wish.stageWidth {
      throw SettingsError(
        "wish.gap (\(engine.wish.gap), \(origins["wish.gap"])) must be less than wish.stageWidth"
          + " (\(engine.wish.stageWidth), \(origins["wish.stageWidth"])); change one of them")
    }
  }
}
