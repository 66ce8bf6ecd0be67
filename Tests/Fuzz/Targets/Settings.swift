import Foundation
import JSON
import Recovery
import RoomEngine
import RoomModel
import Settings

/// Files of settings, and what journals and commits have of them.
extension FuzzTarget {
  static let settings = [
    FuzzTarget("settings-files") {
      [
        "gift: {lanes: 3}\nwish.tracks: 2\n", #"{"gift":{"lanes":3,"order":"value"},"clock":{"graceMs":0}}"#,
        "gift:\n  lanes: 3\n  placement: byUser\n  # a word\ntopics.key: any\n",
      ].map { Array($0.utf8) }
    } run: { bytes in
      try! Data(bytes).write(to: URL(filePath: path))
      if let settings = try? LogSettings(file: path) { expectItComesBack(settings) }
    },
    FuzzTarget("journalled-settings") {
      var settings = LogSettings()
      settings.engine.gift.lanes = 3
      settings.keyRule = .any
      return [Array(settings.wholeJSON.utf8), Array(#"{"gift.order":"value","clock":{"graceMs":"5"}}"#.utf8)]
    } run: { bytes in
      var document = JSONDocument()
      guard let json = try? document.parse(bytes), let settings = try? LogSettings(json, rules: nil) else { return }
      expectItComesBack(settings)
    },
  ]

  private static let path = FileManager.default.temporaryDirectory.appending(path: "flyscreen-\(UUID().uuidString)")
    .path

  private static func expectItComesBack(_ settings: LogSettings) {
    var document = JSONDocument()
    let again = Array("{\(settings.members)}".utf8).withUnsafeBytes { bytes in
      (try? document.parse(bytes)).flatMap { json in
        json["settings"].flatMap { try? LogSettings($0, rules: json["rules"]) }
      }
    }
    guard again == settings else { fatalError("settings that were written can't be read: \(settings.members)") }
  }
}
