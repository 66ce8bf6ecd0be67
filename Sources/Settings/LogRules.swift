/// The rules of STAGES.md, by number: which commands come of a log. Whatever gives other commands of the same log, under
/// settings that are named whole, makes it go up.
package enum LogRules {
  /// Those of this program; it knows no others.
  package static let current: Int64 = 2
  /// Of what tells no number: rules had none at first.
  package static let unnumbered: Int64 = 1

  /// In a line, why a log that older rules worked through may give other commands now.
  package static func changed(since rules: Int64) -> String {
    "it was worked through under rules \(rules), and this program has rules \(current) (see CHANGELOG.md)"
  }
}

extension LogSettings {
  /// In force under rules that wrote only what differs from these, for what isn't named. Those of the program now, once
  /// settings are written whole.
  package static func defaults(under rules: Int64) -> LogSettings {
    rules == LogRules.unnumbered ? rules1 : LogSettings()
  }

  /// Computed once: lines of a journal ask for them.
  private static let rules1: LogSettings = {
    var settings = LogSettings()
    settings.rules = 1
    for (name, value) in valuesOfRules1 {
      // One that is gone decides nothing any more.
      guard let setting = table.first(where: { $0.name == name }) else { continue }
      do throws(Refusal) { try setting.store(.one(value), &settings) } catch {
        preconditionFailure("\(name) of rules 1 \(error.reason)")
      }
    }
    return settings
  }()

  /// The defaults of rules 1, for good. What came later has the value with which it does nothing.
  package static let valuesOfRules1: KeyValuePairs = [
    "gift.lanes": "2", "gift.placement": "bottomFirst", "gift.order": "fifo", "gift.tiers": "", "gift.enterMs": "250",
    "gift.tickMs": "300", "gift.holdMs": "1000", "gift.exitMs": "250", "gift.comboWindowMs": "3000",
    "gift.catchUpTicks": "10", "gift.leastMs": "0", "gift.turnMs": "20000", "gift.refreshMs": "30000",
    "gift.queueLimit": "60", "gift.maxWaitMs": "60000", "gift.streakMs": "600000",
    "wish.tracks": "3", "wish.stageWidth": "375", "wish.durationMs": "6000", "wish.gap": "24",
    "wish.intervalMs": "1000", "wish.padding": "72", "wish.em": "14", "wish.queueLimit": "30",
    "wish.maxWaitMs": "30000", "wish.maxLength": "60", "wish.maxName": "20", "wish.likesMs": "500",
    "like.doubleTapMs": "300", "like.streakMs": "1000", "like.paceMs": "200", "like.maxPoints": "16",
    "rain.limit": "1000000000", "rain.fallMinMs": "3500", "rain.fallSpreadMs": "2000", "rain.tallyMs": "500",
    "rain.graceMs": "500", "rain.rememberMs": "86400000",
    "dedupe.windowMs": "60000", "clock.graceMs": "100", "topics.key": "roomId",
  ]
}
