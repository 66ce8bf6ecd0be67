import RoomEngine
import RoomModel
import RoomScreen
import Wire

/// The events behind what stands in a room, and what was skipped and not yet told, of many the first and the last. It
/// holds no more than the room does.
struct Origins {
  enum Item: Hashable {
    case combo(Int64), wish(ID), rain(ID), spot(ID), pin(ID), goal(ID)
    /// Since they were told last.
    case likes, grabs(ID), counts(ID), crowd(Int64), skips(Skipped.Stage, Skipped.Reason)
  }

  private struct Story {
    /// All that led to the item is known, not only what came since this piece of the log began.
    let isWhole: Bool
    var lines: [(at: LogTime, words: String)] = []
    var left = 0
  }

  private var stories: [Item: Story] = [:]
  /// The crowd that was told last: what joins it from then on is all that is behind its next command.
  private var toldCrowd: Int64?

  // MARK: Learning

  /// Called before its commands are looked at.
  mutating func learn(from step: RoomStep) {
    if case .event(let event, let record, _) = step.cause {
      let id = event.eventId.isEmpty ? "" : " (event \(event.eventId.description.printable))"
      let words = "\(record.name)\(id): \(event.words)"
      for decision in step.decisions {
        for item in items(of: decision, event, record) { add(words, to: item, at: step.at) }
      }
    }
    for item in step.skips {
      guard let crowd = item.crowdOffset else {
        add(item.words, to: .skips(item.stage, item.reason), at: step.at)
        continue
      }
      // An item that began the crowd named it.
      add(item.words, to: .crowd(crowd), at: step.at, isWhole: crowd == toldCrowd || crowd == item.offset)
    }
  }

  /// The items that the event is behind, by what was decided about it.
  private mutating func items(of decision: Decision, _ event: RoomEvent, _ record: SeenRecord) -> [Item] {
    switch (decision, event.body) {
    case (.gift(let combo, _, _), _):
      if combo != record.offset, stories[.combo(combo)] == nil { stories[.combo(combo)] = Story(isWhole: false) }
      return [.combo(combo)]
    case (.item(let item), .wish), (.item(let item), .wishLike):
      switch item.fate {
      case .queued, .began: return [.wish(ID(item.id))]
      // One that was there before has no story.
      case .liked: return stories[.wish(ID(item.id))] == nil ? [] : [.wish(ID(item.id))]
      default: return []
      }
    case (.item(let item), .rainStart): if case .began = item.fate { return [.rain(ID(item.id))] }
    case (.item(let item), .spot): if case .queued = item.fate { return [.spot(ID(item.id))] }
    case (.grab(let fate), .rainGrab(let grab)):
      if fate.outcome == .won || fate.outcome == .empty { return [.grabs(ID(grab.rainId))] }
    case (.tap(true), _), (.taps(_, _, 1..., _), _): return [.likes]
    case (.pin(let pin), _): if case .shown = pin.fate { return [.pin(ID(pin.id))] }
    case (.goal(let goal), _):
      switch goal.fate {
      case .began: return [.goal(ID(goal.id))]
      case .counted: return [.counts(ID(goal.id))]
      default: return []
      }
    // It is behind no command but those that it causes at once.
    default: break
    }
    return []
  }

  private mutating func add(_ words: String, to item: Item, at now: LogTime, isWhole: Bool = true) {
    var story = stories.removeValue(forKey: item) ?? Story(isWhole: isWhole)
    story.lines.append((now, words))
    if story.lines.count > 20 {
      story.lines.remove(at: 1)
      story.left += 1
    }
    stories[item] = story
  }

  /// Called after its commands were looked at.
  mutating func forget(after step: RoomStep) {
    for command in step.commands {
      for item in told(by: command) { stories[item] = nil }
      switch command.body {
      case .crowdShow(let show): toldCrowd = show.crowdOffset
      case .roomEnd: self = Origins()
      // No other ends more than itself.
      default: break
      }
    }
    for decision in step.decisions {
      switch decision {
      case .pin(let pin): if case .over = pin.fate { stories[.pin(ID(pin.id))] = nil }
      case .removed(let item, _): stories[Item(item)] = nil
      case .skipped(let item) where item.reason == .overflow || item.reason == .expired:
        stories[Item(item.whole)] = nil
      // No other ends an item.
      default: break
      }
    }
    guard case .timer(let timer) = step.cause else { return }
    switch timer.kind {
    case .restRunsOut: stories[.combo(timer.combo!.offset)] = nil
    case .bannerLands: stories[.wish(ID(timer.wish!.wishId))] = nil
    default: break
    }
  }

  // MARK: Lines

  /// The events that led to the command, where they are more than its cause.
  func lines(behind command: RoomCommand, partitionName: String) -> [String] {
    behind(command).map { lines(of: $0, partitionName) } ?? []
  }

  private func lines(of item: Item, _ partitionName: String) -> [String] {
    let name = item.name(partitionName)
    let before = name.map { "\($0), which was there when this piece of the log began" }
    guard let story = stories[item] else { return before.map { [$0] } ?? [] }
    var lines = story.lines.map { "\($0.at.clock) \($0.words)" }
    if story.left > 0 { lines.insert("… \(story.left) more …", at: 1) }
    switch item {
    case .combo: return [story.isWhole ? "\(name!), of these gifts:" : "\(before!), and of these gifts since:"] + lines
    default: return (story.isWhole ? [] : ["\(before!), and since then"]) + lines
    }
  }
}

extension Origins.Item {
  fileprivate init(_ item: Decision.Removed) {
    switch item.kind {
    case .combo: self = .combo(item.offset)
    case .wish: self = .wish(ID(item.id))
    case .spot: self = .spot(ID(item.id))
    case .pin: self = .pin(ID(item.id))
    case .goal: self = .goal(ID(item.id))
    }
  }

  fileprivate init(_ item: SkippedItem) {
    switch item.stage {
    case .gift: self = .combo(item.offset)
    case .wish: self = .wish(ID(item.id))
    case .spot: self = .spot(ID(item.id))
    case .pin: self = .pin(ID(item.id))
    }
  }

  /// Nil: it has none, and begins with what is told of it.
  fileprivate func name(_ partitionName: String) -> String? {
    switch self {
    case .combo(let offset): "combo \(partitionName)/\(offset)"
    case .crowd(let offset): "crowd \(partitionName)/\(offset)"
    case .wish(let id): "wish \(id.printable)"
    case .rain(let id): "rain \(id.printable)"
    case .spot(let id): "item \(id.printable)"
    case .pin(let id): "pin \(id.printable)"
    case .goal(let id): "goal \(id.printable)"
    case .likes, .grabs, .counts, .skips: nil
    }
  }
}
