package import JSON
package import RoomModel
package import Settings
internal import Wire

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
    /// The records from here to the one with offset `through` are a batch that was too large to unpack: in their place
    /// stands one record without key and value, with that offset and time.
    case passed(through: Int64, at: LogTime)
  }

  package init(offset: Int64, what: What) {
    self.offset = offset
    self.what = what
  }

  package static let version: Int64 = 4
  /// Lines of all kinds but the last are as they were then, so that programs of that version go on reading them.
  private static let earlier: Int64 = 3

  private var version: Int64 {
    switch what {
    case .firedTo, .settings: Self.earlier
    case .passed: Self.version
    }
  }

  package var json: String {
    let what =
      switch what {
      case .firedTo(let time): "\"firedToMs\":\(time)"
      case .settings(let settings): settings.members
      case .passed(let last, let time): "\"passedThrough\":\(last),\"timestampMs\":\(time)"
      }
    let line = "{\"offset\":\(offset),\(what),\"version\":\(version)"
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
    guard version >= Self.earlier, let offset = json["offset"]?.natural else { throw .journal }
    if let time = json["firedToMs"]?.time {
      self.init(offset: offset, what: .firedTo(time))
    } else if let settings = json["settings"],
      let inForce = try? LogSettings(settings, rules: json["rules"], mapping: json["mapping"])
    {
      self.init(offset: offset, what: .settings(inForce))
    } else if let last = json["passedThrough"]?.natural, last >= offset, let time = json["timestampMs"]?.time {
      self.init(offset: offset, what: .passed(through: last, at: time))
    } else {
      throw .journal
    }
  }
}
