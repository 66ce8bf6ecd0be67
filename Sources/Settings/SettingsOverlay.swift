internal import RoomEngine
package import RoomModel

/// Some settings that are laid over others: what a file names is as it says, the rest as it was.
package struct SettingsOverlay {
  /// The settings that it names, in the order of the table.
  package let names: [String]
  private let entries: [SettingsFile.Entry]

  /// A file as that of `--settings`.
  ///
  /// - Throws: an error if the file can't be read, names no setting, or gives a value that will not do.
  package init(file path: String) throws(SettingsError) {
    entries = try SettingsFile(path: path).entries
    names = Self.names(entries)
    try checkAlone()
  }

  /// `[("gift.lanes", "3")]`
  package init(named values: [(name: String, value: String)], place: String) throws(SettingsError) {
    entries = values.map { SettingsFile.Entry(name: $0.name, text: .one($0.value), origin: .place(place)) }
    names = Self.names(entries)
    try checkAlone()
  }

  private static func names(_ entries: [SettingsFile.Entry]) -> [String] {
    let named = Set(entries.map(\.name))
    return LogSettings.table.map(\.name).filter { named.contains($0) }
  }

  /// Checks the values by themselves: a gap alone may be too wide for the default stage, and fit the one in force.
  private func checkAlone() throws(SettingsError) {
    var wide = LogSettings()
    if !names.contains("wish.stageWidth") { wide.engine.wish.stageWidth = .max }
    if !names.contains("wish.gap") { wide.engine.wish.gap = 0 }
    try wide.apply(entries)
  }

  /// - Throws: an error if its settings can't be in force with the rest.
  package func laid(over settings: LogSettings) throws(SettingsError) -> LogSettings {
    var settings = settings
    try settings.apply(entries)
    return settings
  }

  /// The settings of a room's own that this beats. The gap of wishes and the stage's width go
  /// together.
  package var overruled: Set<RoomSetting> {
    let pair: Set<RoomSetting> = [.wishGap, .wishStageWidth]
    let named = Set(names.compactMap(RoomSetting.init(rawValue:)))
    return named.isDisjoint(with: pair) ? named : named.union(pair)
  }
}
