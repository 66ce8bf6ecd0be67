/// Checks that topics keep what is still needed, by their settings as the broker tells them.
/// Each answer is nil, or one line that says what to do.
package enum TopicRules {
  /// A compacted topic keeps the last record of a key, and a room's gifts have one key.
  package static func compaction(of topic: String, _ settings: [String: String]) -> String? {
    guard let policy = settings["cleanup.policy"], policy.contains("compact") else { return nil }
    return "\(topic) has cleanup.policy=\(policy), which drops records that have the key of a later one: "
      + mend(topic, "cleanup.policy=delete")
  }

  /// - Parameter why: The setting or program that needs it that long.
  package static func retention(
    of topic: String, _ settings: [String: String], needsMs: Int64, why: String
  ) -> String? {
    // -1 is for ever.
    guard let has = settings["retention.ms"].flatMap({ Int64($0) }), has >= 0, has < needsMs else { return nil }
    return "\(topic) has retention.ms=\(has), but \(why) (\(needsMs)): " + mend(topic, "retention.ms=\(needsMs)")
      + ", or lower that"
  }

  private static func mend(_ topic: String, _ setting: String) -> String {
    "run `kafka-configs --alter --entity-type topics --entity-name \(topic) --add-config \(setting)`"
  }
}
