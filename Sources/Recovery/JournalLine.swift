package import RoomModel
package import Settings
package import Wire

/// A fact that the log alone does not tell, and its place in the log (INTERFACES.md, "Topics"): this came before the
/// record with `offset`.
///
/// It names all settings, and the number of the rules, and ends with the checksum of what stands before it.
package struct JournalLine: Equatable {
  package var offset: Int64
  package var what: What

  package enum What: Equatable {
    /// On the idle log every timer with a deadline up to then was fired, and one had just this deadline.
    case firedTo(LogTime)
    /// All settings in force from here.
    case settings(LogSettings)
  }

  package init(offset: Int64, what: What) {
    self.offset = offset
    self.what = what
  }

  package static let version: Int64 = 3

  package var json: String {
    let what =
      switch what {
      case .firedTo(let time): "\"firedToMs\":\(time)"
      case .settings(let settings): settings.members
      }
    let line = "{\"offset\":\(offset),\(what),\"version\":\(Self.version)"
    return line + ",\"sum\":\"\(Checksum.text(of: line))\"}"
  }

  /// The length of the sum, with its name and the end of the line.
  private static let sumCount = #","sum":"01234567"}"#.utf8.count

  /// - Throws: ``RestoreError/journal`` for bytes that are no line of a journal, ``RestoreError/damagedLine`` for a
  ///   damaged one, ``RestoreError/newer(_:)`` for one that this version does not read.
  package init(json bytes: UnsafeRawBufferPointer, with document: inout JSONDocument) throws(RestoreError) {
    let json = try? document.parse(bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    // One of the two is there still if a byte of the other is wrong.
    guard text.contains(",\"sum\":") || text.contains(",\"version\":") else { throw .journal }
    guard let json, let version = json["version"]?.natural, let sum = json["sum"]?.text?.description,
      bytes.count > Self.sumCount,
      sum == Checksum.text(of: UnsafeRawBufferPointer(rebasing: bytes.dropLast(Self.sumCount)))
    else { throw .damagedLine }
    if version > Self.version { throw .newer("a line of a journal of version \(version)") }
    if let rules = json["rules"]?.natural, rules > LogRules.current {
      throw .newer("a line of a journal under rules \(rules)")
    }
    guard version == Self.version, let offset = json["offset"]?.natural else { throw .journal }
    if let time = json["firedToMs"]?.time {
      self.init(offset: offset, what: .firedTo(time))
    } else if let settings = json["settings"], let inForce = try? LogSettings(settings, rules: json["rules"]) {
      self.init(offset: offset, what: .settings(inForce))
    } else {
      throw .journal
    }
  }
}
