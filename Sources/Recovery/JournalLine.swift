internal import Foundation
package import RoomModel
package import Settings

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

  /// Nil for what is no line of a journal.
  package init?(json bytes: UnsafeRawBufferPointer) {
    guard let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any],
      let offset = object["offset"] as? Int64
    else { return nil }
    if let time = object["firedToMs"] as? Int64 {
      self.init(offset: offset, what: .firedTo(time))
    } else if let settings = object["settings"], let nested = try? JSONSerialization.data(withJSONObject: settings),
      let inForce = try? LogSettings(nested: String(decoding: nested, as: UTF8.self), place: "the journal")
    {
      self.init(offset: offset, what: .settings(inForce))
    } else {
      return nil
    }
  }
}
