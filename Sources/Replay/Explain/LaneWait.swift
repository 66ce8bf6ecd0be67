import RoomEngine
import RoomModel
import RoomScreen

/// The wait of a queued combo: the queue before it, and the views on the lanes that it could take, until it has one.
struct LaneWait {
  /// The wait as it began, in lines.
  let standing: [String]
  private let combo: Int64
  private let partitionName: String
  /// The lanes that it could take, from each time on: they change with settings.
  private var choices: [(from: LogTime, choice: Choice)]
  /// Its stretches before it was queued.
  private let before: [Stretch]
  /// The holders of each lane since then, in their order.
  private var lanes: [[Span]] = []
  private let start: LogTime
  /// The step that had it queued is still to be followed: the picture that it began with tells that one.
  private var isNew: Bool
  private(set) var got: (lane: Int, at: LogTime)?

  fileprivate struct Span {
    enum State { case shown, leaving, free }

    let state: State
    let who: String
    let combo: Int64
    let from: LogTime
    /// It was given the lane while this one was queued.
    let isLater: Bool
    var until: LogTime?
    var cause: Decision.HideCause?
    var command: CommandName?
  }

  private struct Choice: Equatable {
    /// The one that it needs; nil: any will do.
    let own: Int?
    let count: Int
    let placement: String

    init(of combo: ComboPicture, _ settings: GiftSettings) {
      count = Int(settings.lanes)
      own = combo.ownLane
      placement = settings.placement.rawValue
    }

    var words: String {
      own.map { "it needs lane \($0), its user's (placement \(placement))" }
        ?? "it needs no lane of its own (placement \(placement))"
    }
  }

  private static var most: Int { 6 }

  /// Nil: it is not queued.
  ///
  /// - Parameters:
  ///   - picture: after the step that had it queued.
  ///   - settings: in force in the room.
  ///   - before: what it had waited for until then.
  ///   - isNew: the step that had it queued is followed next; false: the one after it.
  init?(
    of combo: Int64, at now: LogTime, in picture: RoomPicture, _ settings: GiftSettings, _ partitionName: String,
    before: [Stretch], isNew: Bool
  ) {
    self.isNew = isNew
    guard let place = picture.queue.firstIndex(where: { $0.offset == combo }) else { return nil }
    let own = picture.queue[place]
    let choice = Choice(of: own, settings)
    let lane = choice.own
    var lines = lane == nil ? [] : [choice.words]
    for (number, holder) in picture.lanes.enumerated() where lane == nil || lane == number {
      lines.append("lane \(number): \(holder.map { "\($0.words), \($0.standing(partitionName))" } ?? "free")")
    }
    let ahead = picture.queue[..<place].filter { $0.ownLane == lane }
    let some = ahead.prefix(Self.most).enumerated().map { "\($0.offset + 1). \($0.element.words)" }
    lines.append(
      ahead.isEmpty
        ? "nothing stands before it in the queue"
        : "before it in the queue: " + some.joined(separator: ", ")
          + (ahead.count > Self.most ? ", … and \(ahead.count - Self.most) more" : ""))
    standing = lines
    self.combo = combo
    self.partitionName = partitionName
    choices = [(now, choice)]
    self.before = before
    start = now
    lanes = picture.lanes.map { [Span(there: $0, at: now)] }
  }

  // MARK: Holders of the lanes

  /// Returns, in words, which lanes it can take from now on, if settings changed that.
  ///
  /// - Parameter picture: after the change.
  mutating func change(to settings: GiftSettings, at now: LogTime, _ picture: RoomPicture) -> String? {
    guard let own = picture.queue.first(where: { $0.offset == combo }) else { return nil }
    let (old, new) = (choices[choices.count - 1].choice, Choice(of: own, settings))
    if new == old { return nil }
    choices.append((now, new))
    return "from here on " + (new.own == old.own ? "there are \(counted(new.count, "lane"))" : new.words)
  }

  mutating func follow(_ step: RoomStep, in partition: PartitionReplay) {
    defer { isNew = false }
    if isNew { return }
    if case .timer(let timer) = step.cause, timer.kind == .laneBecomesFree,
      case .leaving(let lane, _, _)? = timer.combo?.place
    {
      begin(Span(.free, who: "", combo: -1, from: timer.deadline, isLater: true), on: lane)
    }
    for command in step.commands {
      switch command.body {
      case .giftShow(let show):
        let lane = Int(show.lane)
        if show.comboOffset == combo {
          got = (lane, command.atMs)
          return
        }
        // A view that is there already is told again.
        if lane < lanes.count, let last = lanes[lane].last, last.state == .shown, last.combo == show.comboOffset {
          continue
        }
        let who = brief(show.sender.name.description, show.sender.userId.description)
        begin(Span(.shown, who: who, combo: show.comboOffset, from: command.atMs, isLater: true), on: lane)
      case .giftHide(let hide):
        let lane = Int(hide.lane)
        guard lane < lanes.count, let last = lanes[lane].last, last.combo == hide.comboOffset else { continue }
        lanes[lane][lanes[lane].count - 1].cause = step.hideCause
        lanes[lane][lanes[lane].count - 1].command = CommandName(partition, command)
        begin(Span(.leaving, who: last.who, combo: last.combo, from: command.atMs, isLater: last.isLater), on: lane)
      // The room's end ends the wait, too; nothing else has a lane.
      default: break
      }
    }
  }

  private mutating func begin(_ span: Span, on lane: Int) {
    while lane >= lanes.count {
      lanes.append([Span(.free, who: "", combo: -1, from: start, isLater: false)])
    }
    lanes[lane][lanes[lane].count - 1].until = span.from
    lanes[lane].append(span)
  }

  // MARK: Parts of the wait

  /// It is told by the lane that it needed or got; where that is none, or was not in use yet, by the lowest one on the
  /// screen.
  func wait(until end: LogTime) -> Wait? {
    var stretches = before
    var told: [Int] = []
    for (index, (from, choice)) in choices.enumerated() {
      let until = min(index + 1 < choices.count ? choices[index + 1].from : end, end)
      let lane = choice.own ?? got.map { min($0.lane, choice.count - 1) } ?? choice.count - 1
      told.append(lane)
      let spans = lane < lanes.count ? lanes[lane] : [Span(.free, who: "", combo: -1, from: start, isLater: false)]
      for span in spans {
        let (from, until) = (max(span.from, from), min(span.until ?? end, until))
        guard from < until else { continue }
        stretches.append(span.stretch(from, until, lane: lane, isCut: until < end && until != span.until))
      }
    }
    let isSure = got != nil || choices[choices.count - 1].choice.own != nil
    let last = told[told.count - 1]
    if told.contains(where: { $0 != last }) { return Wait(for: "a lane", stretches) }
    return Wait(for: isSure ? "lane \(last)" : "a lane (on lane \(last) meanwhile)", stretches)
  }
}

extension LaneWait.Span {
  fileprivate init(_ state: State, who: String, combo: Int64, from: LogTime, isLater: Bool) {
    self.init(state: state, who: who, combo: combo, from: from, isLater: isLater)
  }

  /// The holder of a lane where a wait begins.
  fileprivate init(there combo: ComboPicture?, at now: LogTime) {
    guard let combo else {
      self.init(.free, who: "", combo: -1, from: now, isLater: false)
      return
    }
    var state = State.shown
    if case .leaving = combo.place { state = .leaving }
    self.init(state, who: brief(combo.name, combo.userId), combo: combo.offset, from: now, isLater: false)
  }

  /// - Parameter isCut: Settings changed at its end, so that other lanes count from there on, and the view stayed.
  fileprivate func stretch(_ from: LogTime, _ until: LogTime, lane: Int, isCut: Bool) -> Stretch {
    let words: String
    switch state {
    case .free: return Stretch(from: from, until: until, words: "lane \(lane) was free, and lanes were not given yet")
    case .leaving: words = "left lane \(lane)"
    case .shown:
      let end =
        isCut
        ? "; then the settings changed" : self.until == until ? cause.map { " until \($0.words)" } ?? "" : " still"
      words = isLater ? "went before it on lane \(lane)\(end)" : "held lane \(lane)\(end)"
    }
    let ending = state == .shown && !isCut ? command : nil
    return Stretch(from: from, until: until, who: who, words: words, command: ending)
  }
}

extension Decision.HideCause {
  /// The words for `until …`, and for a view's own story.
  var words: String {
    switch self {
    case .hold: "its hold ran out"
    case .turn: "its turn ended"
    case .dearer: "its least time was over and a higher tier waited"
    case .retracted: "it was taken back"
    case .ended: "the room ended"
    }
  }
}
