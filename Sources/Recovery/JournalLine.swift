package import RoomModel
package import Settings
package import Wire

/// What the log alone does not tell, and where in it (INTERFACES.md, "Topics"): this came before the record with
/// `offset`.
package struct JournalLine: Equatable {
  package var offset: Int64
  package var what: What

  package enum What: Equatable {
    /// On the idle log every timer with a deadline up to then was fired, and one had just this deadline.
    case firedTo(LogTime)
    /// In force from here, whole.
    case settings(LogSettings)
  }

  package init(offset: Int64, what: What) {
    self.offset = offset
    self.what = what
  }

  package var json: String {
    switch what {
    case .firedTo(let time): "{\"offset\":\(offset),\"firedToMs\":\(time)}"
    case .settings(let settings): "{\"offset\":\(offset),\"settings\":\(settings.json)}"
    }
  }

  /// - Throws: ``RestoreError/journal`` for what is no line of a journal.
  package init(json bytes: UnsafeRawBufferPointer, with document: inout JSONDocument) throws(RestoreError) {
    guard let json = try? document.parse(bytes), let offset = json["offset"]?.natural else { throw .journal }
    if let time = json["firedToMs"]?.time {
      self.init(offset: offset, what: .firedTo(time))
    } else if let settings = json["settings"], let inForce = try? LogSettings(settings) {
      self.init(offset: offset, what: .settings(inForce))
    } else {
      throw .journal
    }
  }
}
