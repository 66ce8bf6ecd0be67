internal import RoomEngine
package import RoomModel
package import RoomScreen
package import Settings
internal import Wire

/// The same log in several runs: as it was, and with other settings laid over those that were in force.
package struct WhatIfReplay {
  /// The run as it was; then one for each overlay, in their order.
  package let runs: [ShowRun]
  package var summary: ReplaySummary { runs[0].summary }

  /// - Parameters:
  ///   - settings: those that were in force before the first line.
  ///   - overlays: what each of the other runs has in their place, a room's own too.
  package init(settings: LogSettings, overlays: [SettingsOverlay], room: ID?) throws(SettingsError) {
    let names = Set(overlays.flatMap(\.names))
    var runs = [try ShowRun(settings, under: nil, noting: names, room: room)]
    for overlay in overlays { runs.append(try ShowRun(settings, under: overlay, noting: names, room: room)) }
    self.runs = runs
  }

  /// Whether an event of that room, or the room itself, was in what was played.
  package func knows(_ room: ID) -> Bool { runs[0].knows(room) }

  package func play(_ line: LogLine) throws(BrokenLog) {
    for run in runs { try run.play(line) }
  }

  /// Fires every timer with a deadline up to then, that one included.
  package func fire(to time: LogTime) {
    for run in runs { run.fire(to: time) }
  }

  /// Counts what is still to be shown, once all was played.
  package func end() {
    for run in runs { run.end() }
  }
}

/// One run of a log under some settings, and what became of gifts and wishes there.
package final class ShowRun {
  package private(set) var show = ShowStatistics()
  package private(set) var commands = 0
  /// The settings that any overlay names, with the values that were in force, in the order in which they came.
  package var settings: [(name: String, values: [String])] {
    noted.compactMap { setting in inForce[setting.name].map { (setting.name, $0) } }
  }
  private var inForce: [String: [String]] = [:]

  private let overlay: SettingsOverlay?
  private let noted: [Setting<LogSettings>]
  /// The settings before a partition's first line.
  private let first: LogSettings
  private var replayer: Replayer
  /// Partitions by number, and whether their settings are noted.
  private var numbers: [ObjectIdentifier: Int] = [:]
  /// The settings told last, by partition.
  private var told: [Int: LogSettings] = [:]

  /// - Parameter overlay: nil: as it was.
  init(
    _ settings: LogSettings, under overlay: SettingsOverlay?, noting names: Set<String>, room: ID?
  ) throws(SettingsError) {
    self.overlay = overlay
    noted = LogSettings.table.filter { names.contains($0.name) }
    first = try overlay?.laid(over: settings) ?? settings
    replayer = Replayer(settings: first, room: room, keeping: .nothing, hashSeed: .random(in: .min ... .max))
    replayer.batch.listening = .toItems
    if let overlay { replayer.overruled = overlay.overruled }
  }

  var summary: ReplaySummary { replayer.summary }

  func play(_ line: LogLine) throws(BrokenLog) {
    let partition: PartitionReplay
    switch line.content {
    case .settings(let settings):
      let laid = try lay(over: settings)
      partition = try replayer.step(LogLine(topic: line.topic, partition: line.partition, content: .settings(laid)))
      note(laid, in: number(of: partition))
    case .state(let state):
      partition = try replayer.step(line)
      let laid = try lay(over: state.settings)
      if laid != state.settings { partition.change(to: laid) }
      note(laid, in: number(of: partition))
      for room in state.rooms { room.id.withText { noteOwn($0, in: partition) } }
    case .record, .firedTo, .doubt:
      partition = try replayer.step(line)
      if told[number(of: partition)] == nil { note(first, in: number(of: partition)) }
    }
    if case .record = line.content, let event = replayer.lastEvent, case .roomSettings = event.body {
      noteOwn(event.roomId, in: partition)
    }
    take(partition, line)
  }

  func fire(to time: LogTime) {
    replayer.eachPartition { replayer, partition in
      _ = partition.engine.fireTimers(through: time, into: &replayer.batch)
      Self.take(partition, nil, number: number(of: partition), from: &replayer, into: &show, &commands)
    }
  }

  func end() {
    replayer.eachPartition { replayer, partition in
      partition.engine.forEachRoom { handle in
        let room = partition.engine.roomId(handle)
        guard replayer.isAskedFor(room) else { return }
        show.end(partition.engine.picture(of: room))
      }
    }
  }

  private func lay(over settings: LogSettings) throws(BrokenLog) -> LogSettings {
    do { return try overlay?.laid(over: settings) ?? settings } catch {
      throw BrokenLog("the settings of --what-if can't be laid over those that were in force: \(error.description)")
    }
  }

  private func number(of partition: PartitionReplay) -> Int {
    let id = ObjectIdentifier(partition)
    if let known = numbers[id] { return known }
    numbers[id] = numbers.count
    return numbers.count - 1
  }

  private func note(_ settings: LogSettings, in number: Int) {
    told[number] = settings
    for setting in noted { note(setting.text(settings), of: setting.name) }
  }

  /// Settings of a room's own that are in force there.
  private func noteOwn(_ room: Text, in partition: PartitionReplay) {
    guard replayer.isAskedFor(room), let worker = told[number(of: partition)] else { return }
    var own = worker
    own.engine = partition.engine.settings(of: room)
    for setting in noted where setting.text(own) != setting.text(worker) {
      note("\(setting.text(own)) (a room's own)", of: setting.name)
    }
  }

  private func note(_ text: String, of name: String) {
    if !(inForce[name]?.contains(text) ?? false) { inForce[name, default: []].append(text) }
  }

  func knows(_ room: ID) -> Bool { replayer.knows(room) }

  private func take(_ partition: PartitionReplay, _ line: LogLine) {
    Self.take(partition, line, number: number(of: partition), from: &replayer, into: &show, &commands)
  }

  private static func take(
    _ partition: PartitionReplay, _ line: LogLine?, number: Int, from replayer: inout Replayer,
    into show: inout ShowStatistics, _ commands: inout Int
  ) {
    defer { replayer.batch.removeAll() }
    var record: LogRecord?
    if case .record(let one)? = line?.content { record = one }
    for case let skip? in replayer.batch.decisions.lazy.map(\.skip) where replayer.isAskedFor(skip.roomId) {
      show.skipped(skip)
    }
    // One for each spotShow, in their order.
    var spotWaits = replayer.batch.decisions.compactMap { decision in
      if case .drawn(.spot, let ms) = decision { ms } else { nil }
    }.makeIterator()
    for command in replayer.batch.commands {
      let isSpot = if case .spotShow = command.body { true } else { false }
      let spotWait = isSpot ? spotWaits.next() : nil
      guard replayer.isAskedFor(command.roomId) else { continue }
      if let spotWait { show.spotWaited(spotWait) }
      // Commands of timers before the record are named after the record before.
      show.sent(command, isOwn: command.recordOffset == record?.offset, number: number)
      commands += 1
    }
    if let record, let event = replayer.lastEvent, replayer.isAskedFor(event.roomId) {
      show.arrived(event, offset: record.offset, number: number, in: partition)
    }
  }
}
