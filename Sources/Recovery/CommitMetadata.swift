internal import JSON
package import RoomModel
package import Settings
internal import Wire

/// The metadata of a partition's commit: where its next owner begins to restore, and what must come out of it.
///
/// One line of ASCII JSON, since librdkafka 2.0.2 reads metadata with other bytes wrongly; brokers take up to 4096
/// bytes. It names all settings, the topic's mapping by its sum, and the number of the rules, and begins with the checksum
/// of its version and of all that follows.
package struct CommitMetadata: Equatable {
  package var restorePoint: RestorePoint
  /// Every room's newest checkpoint was written here or later, or the room has not changed since: only from here on it
  /// gets its events again. Those before tell of duplicates.
  package var applyFrom: Int64
  /// The first record of the changelog that can be some room's newest checkpoint, or a savepoint with the topic's mapping.
  package var changelogFrom: Int64
  /// The log's clock at the commit, so that a restore can be held against it.
  package var clock: LogTime
  package var lastOffset: Int64
  /// The commit's own name, of all that ever were: a member's name and its count of commits. Two commits can have all
  /// else in common, as where one only changed the settings.
  package var commit: String
  /// The count of the input topic's partitions: with another, rooms would be somewhere else.
  package var partitions: Int32
  /// The seed of the marks of events; nil: the changelog has none.
  package var markSeed: UInt64?

  package init(
    restorePoint: RestorePoint, applyFrom: Int64, changelogFrom: Int64, clock: LogTime, lastOffset: Int64,
    commit: String,
    partitions: Int32, markSeed: UInt64? = nil
  ) {
    self.restorePoint = restorePoint
    self.applyFrom = applyFrom
    self.changelogFrom = changelogFrom
    self.clock = clock
    self.lastOffset = lastOffset
    self.commit = commit
    self.partitions = partitions
    self.markSeed = markSeed
  }

  /// The metadata before a log of which only the settings in force are known, and maybe how far it had come.
  package static func nothing(
    before offset: Int64, partitions: Int32, settings: LogSettings = LogSettings(), clock: LogTime = .min,
    lastOffset: Int64 = -1
  ) -> CommitMetadata {
    let restorePoint = RestorePoint(
      offset: offset, clock: clock, lastOffset: lastOffset, settings: settings, settingsEpoch: 0, journalFrom: 0)
    return CommitMetadata(
      restorePoint: restorePoint, applyFrom: offset, changelogFrom: 0, clock: clock, lastOffset: lastOffset,
      commit: "", partitions: partitions)
  }

  /// It has the sum of the topic's mapping, which may be longer than a commit, or have other bytes: a savepoint from
  /// ``changelogFrom`` on has it whole.
  package var text: String { text(with: restorePoint.settings.withoutMapping) }

  /// The same with the topic's mapping.
  var wholeText: String { text(with: restorePoint.settings) }

  /// Written at every commit of every partition, so not with a `JSONEncoder`, which takes ten times as long.
  private func text(with settings: LogSettings) -> String {
    var text = "\"commit\":\"\(commit)\",\"clock\":\(clock),\"lastOffset\":\(lastOffset)"
    text += ",\"partitions\":\(partitions),\"applyFrom\":\(applyFrom),\"changelogFrom\":\(changelogFrom)"
    if let markSeed { text += ",\"markSeed\":\(Int64(bitPattern: markSeed))" }
    text += ",\"mark\":{\"offset\":\(restorePoint.offset),\"clock\":\(restorePoint.clock)"
    text += ",\"lastOffset\":\(restorePoint.lastOffset),\"settingsEpoch\":\(restorePoint.settingsEpoch)"
    text += ",\"journalFrom\":\(restorePoint.journalFrom)},\(settings.members)}"
    return Self.head(version: Self.version, of: text) + text
  }

  /// Whether a worker may have committed that offset with the metadata: what sets offsets leaves it empty, or takes it
  /// along from another log, as what mirrors a cluster does.
  package static func isWorkers(_ text: String?, at offset: Int64) -> Bool {
    guard let text, !text.isEmpty else { return false }
    guard let metadata = try? Self(text: text) else { return true }
    return max(metadata.lastOffset + 1, metadata.restorePoint.offset, metadata.applyFrom) <= offset
  }

  package static let version: Int64 = 4

  private static func head(version: Int64, of text: String) -> String {
    "{\"version\":\(version),\"sum\":\"\(Checksum.text(of: "\(version)" + text))\","
  }

  /// - Throws: ``RestoreError/damagedMetadata`` for what a version that writes sums wrote otherwise;
  ///   ``RestoreError/newer(_:)`` for what a later version wrote;
  ///   ``RestoreError/metadata(_:)`` for all else that this version does not read.
  package init(text: String) throws(RestoreError) {
    var document = JSONDocument()
    let bytes = Array(text.utf8)
    let json = bytes.withUnsafeBytes { try? document.parse($0) }
    // One of the two is there still if a byte of the other is wrong.
    guard text.hasPrefix("{\"version\":\(Self.version)") || text.contains("\"sum\":") else {
      throw Self.unknown(json?["version"]?.natural ?? 0, text)
    }
    guard let version = json?["version"]?.natural, Self.isWhole(text, version: version) else { throw .damagedMetadata }
    guard version == Self.version else { throw Self.unknown(version, text) }
    if let rules = json?["rules"]?.natural, rules > LogRules.current {
      throw .newer("a commit under rules \(rules), and rules \(LogRules.current) are the last known here")
    }
    guard let json, let metadata = Self(json) else { throw .metadata(text) }
    self = metadata
  }

  private static func unknown(_ version: Int64, _ text: String) -> RestoreError {
    guard version > Self.version else { return .metadata(text) }
    return .newer("a commit of version \(version), and version \(Self.version) is the last known here")
  }

  private static func isWhole(_ text: String, version: Int64) -> Bool {
    let rest = String(Substring(text.utf8.dropFirst(head(version: version, of: "").utf8.count)))
    return text == head(version: version, of: rest) + rest
  }

  private init?(_ json: JSONValue) {
    guard let clock = json["clock"]?.clock,
      let lastOffset = json["lastOffset"]?.lastOffset,
      let partitions = json["partitions"]?.integer.flatMap(Int32.init(exactly:)),
      let changelogFrom = json["changelogFrom"]?.natural, let applyFrom = json["applyFrom"]?.natural,
      let commit = json["commit"]?.text?.description, let settings = json["settings"],
      let inForce = try? LogSettings(
        settings, rules: json["rules"], mapping: json["mapping"], mappingSum: json["mappingSum"]),
      let mark = json["mark"],
      let restorePoint = RestorePoint(mark, settings: inForce)
    else { return nil }
    self.init(
      restorePoint: restorePoint, applyFrom: applyFrom, changelogFrom: changelogFrom, clock: clock,
      lastOffset: lastOffset, commit: commit, partitions: partitions,
      markSeed: json["markSeed"]?.integer.map { UInt64(bitPattern: $0) })
  }
}

extension RestorePoint {
  fileprivate init?(_ json: JSONValue, settings: LogSettings) {
    guard let offset = json["offset"]?.natural, let clock = json["clock"]?.clock,
      let lastOffset = json["lastOffset"]?.lastOffset, let epoch = json["settingsEpoch"]?.natural,
      let journalFrom = json["journalFrom"]?.natural
    else { return nil }
    self.init(
      offset: offset, clock: clock, lastOffset: lastOffset, settings: settings, settingsEpoch: epoch,
      journalFrom: journalFrom)
  }
}
