#if canImport(Observation)
  public import Observation
  public import RoomScreen

  /// The room that is watched and its neighbours, for a view to draw: their screens are at hand before anybody swipes.
  ///
  /// ```swift
  /// @State private var rooms = LiveRooms(client)
  ///
  /// var body: some View {
  ///   TimelineView(.animation) { _ in StageView(rooms.screen(of: room), nowMs: rooms.nowMs(in: room)) }
  ///     .task(id: room) { rooms.follow([room, roomAbove, roomBelow]) }
  /// }
  /// ```
  @MainActor @Observable public final class LiveRooms {
    /// The screens of followed rooms whose snapshot has come, by room.
    public private(set) var screens: [ID: Screen] = [:]
    /// The state of each room's stream, of those that are followed and have one.
    public private(set) var connections: [ID: RoomUpdate.Connection] = [:]
    /// Results of the user's grabs, the latest last; the last hundred of them.
    public private(set) var results: [RainResult] = []
    /// The user's own wishes that don't fly yet, by room, the oldest first: to be shown at once.
    public private(set) var ownWishes: [ID: [OwnWish]] = [:]

    @ObservationIgnored private let client: GatewayClient
    @ObservationIgnored private let user: ID?
    @ObservationIgnored private let isFed: Bool
    /// What the channel has pushed, by room.
    @ObservationIgnored private var pushed: [ID: PushedCommands] = [:]
    @ObservationIgnored private var paced: [ID: PacedRoom] = [:]
    /// Rings when the next command is due.
    @ObservationIgnored private var alarm = Alarm()
    /// Streams by number, which counts up.
    @ObservationIgnored private var streams: [Int: HeldTask] = [:]
    /// The stream that each room is followed by.
    @ObservationIgnored private var sources: [ID: Int] = [:]
    @ObservationIgnored private var streamCount = 0
    @ObservationIgnored private var rooms: Set<ID> = []
    /// The ends of own wishes that are awaited, by wish.
    @ObservationIgnored private var wishEnds: [ID: WishEnd] = [:]
    /// The last commands that ended wishes which don't fly, while one of its own was on its way.
    @ObservationIgnored private var wishSkips: [Command] = []

    /// - Parameters:
    ///   - client: whose rooms they are.
    ///   - user: also tells what this user's grabs of red packets gave.
    ///   - isFed: no stream is opened, since a channel of the app's own pushes commands (`feed`).
    public init(_ client: GatewayClient, user: ID? = nil, isFed: Bool = false) {
      self.client = client
      self.user = user
      self.isFed = isFed
    }

    /// Follows these rooms from now on, and no others. The screens of rooms that stay are kept, and go on until the new
    /// stream has told them: a switch waits for no network.
    public func follow(_ rooms: [ID]) {
      let rooms = Set(rooms)
      guard rooms != self.rooms || hasRefused else { return }
      self.rooms = rooms
      screens = screens.filter { rooms.contains($0.key) }
      paced = paced.filter { rooms.contains($0.key) }
      pushed = pushed.filter { rooms.contains($0.key) }
      sources = sources.filter { rooms.contains($0.key) }
      connections = connections.filter { sources[$0.key] != nil }
      // A stream that was overtaken before it told anything is of no use.
      dropStreams(before: streamCount + 1)
      if !rooms.isEmpty, !isFed { open(rooms.sorted()) }
    }

    /// The network is back, say, or somebody asks for it: streams that wait connect now, and what was refused is asked for
    /// again.
    public func retryNow() {
      client.retryNow()
      if hasRefused { follow(Array(rooms)) }
    }

    /// Nil before it was told.
    public func screen(of room: ID) -> Screen? { screens[room] }

    /// The log time at which to draw, less the lag that the gateway tells or `Options.lag`; 0 before anything was told.
    public func nowMs(in room: ID) -> Int64 { paced[room]?.nowMs ?? 0 }

    private func open(_ rooms: [ID]) {
      streamCount += 1
      let number = streamCount
      let updates = client.updates(of: rooms, user: user)
      let task = Task { [weak self] in
        do throws(GatewayError) {
          for try await update in updates { self?.take(update, from: number) }
        } catch {
          self?.setConnection(.refused(error), of: rooms, from: number)
          self?.streams[number] = nil
        }
      }
      streams[number] = HeldTask(task)
    }

    /// Ends streams that tell no room any more: a newer stream tells them.
    private func dropStreams(before number: Int) {
      streams = streams.filter { $0.key >= number || sources.values.contains($0.key) }
    }

    private var hasRefused: Bool {
      connections.values.contains { if case .refused = $0 { true } else { false } }
    }

    private func take(_ update: RoomUpdate, from number: Int) {
      switch update {
      case .snapshot(let snapshot): reset(to: snapshot, from: number)
      case .command(let command):
        guard sources[command.roomId] == number else { return }
        paced[command.roomId]?.receive(command)
        settle(command.roomId)
      case .result(let result): add(result)
      case .pace(let lag, let rooms):
        for room in rooms where sources[room] == number { paced[room]?.follow(lagMs: lag.milliseconds) }
        setAlarm()
      case .connection(let connection, let rooms): setConnection(connection, of: rooms, from: number)
      }
    }

    /// A room's connection is that of the stream that tells it, or else of the newest.
    private func setConnection(_ connection: RoomUpdate.Connection, of rooms: [ID], from number: Int) {
      for room in rooms where self.rooms.contains(room) && number == sources[room] ?? streamCount {
        connections[room] = connection
        if case .refused = connection { sources[room] = nil }
      }
    }

    private func reset(to snapshot: Snapshot, from number: Int) {
      let room = snapshot.roomId
      guard streams[number] != nil, rooms.contains(room), sources[room] ?? 0 <= number else { return }
      draw(snapshot)
      sources[room] = number
      connections[room] = .open
      endFlyingWishes(in: room)
      for command in snapshot.commands { endWishes(by: command) }
      dropStreams(before: number)
    }

    private func draw(_ snapshot: Snapshot) {
      let room = snapshot.roomId
      paced[room, default: PacedRoom(room, lag: client.options.lag, time: client.time)].reset(to: snapshot)
      screens[room] = paced[room]?.screen
      setAlarm()
    }

    /// Two streams may tell the same while one follows the other.
    private func add(_ result: RainResult) {
      if !results.contains(where: { $0.id == result.id }) { results = results.suffix(99) + [result] }
    }

    private func settle(_ room: ID) {
      let (drawn, isChanged) = paced[room]?.settle() ?? ([], false)
      if isChanged { screens[room] = paced[room]?.screen }
      endFlyingWishes(in: room)
      for command in drawn { endWishes(by: command) }
      setAlarm()
    }

    // MARK: A channel of the app's own

    /// The channel's subscription to a room stands, the first or another: what was pushed before may have been lost. Get
    /// `GET /rooms/{roomId}` now, and feed that.
    public func subscribed(to room: ID) {
      expectFed()
      pushed[room] = nil
    }

    /// The channel has pushed a command.
    ///
    /// - Returns: of its room, if that is followed, whether nothing is missing.
    @discardableResult public func feed(_ command: Command) -> Bool {
      expectFed()
      let room = command.roomId
      guard rooms.contains(room) else { return false }
      pushed[room, default: PushedCommands()].append(command)
      paced[room]?.receive(command)
      settle(room)
      return pushed[room]!.isJoined
    }

    /// The gateway has told a snapshot, with its `position`.
    ///
    /// - Returns: of its room, if that is followed, whether nothing is missing. False: the snapshot may be older than the
    ///   subscription, so get another in a second.
    @discardableResult public func feed(_ snapshot: Snapshot) -> Bool {
      expectFed()
      let room = snapshot.roomId
      guard rooms.contains(room) else { return false }
      draw(snapshot)
      for command in pushed[room, default: PushedCommands()].join(screens[room]!) { paced[room]?.receive(command) }
      for command in snapshot.commands { endWishes(by: command) }
      settle(room)
      return pushed[room]!.isJoined
    }

    /// The channel has pushed a result of this user's.
    public func feed(_ result: RainResult) {
      expectFed()
      client.grabs.hear(result)
      add(result)
    }

    private func expectFed() {
      precondition(isFed, "rooms are fed only with isFed: true, which opens no streams")
    }

    // MARK: Own wishes

    /// Makes a wish. Until it flies it is one of `ownWishes`.
    ///
    /// - Returns: whether it flies; false: too many waited, it was taken back, or the room ended, and it is never shown.
    /// - Throws: why it was not taken.
    @discardableResult public func wish(_ text: String, style: String = "", in room: ID) async throws(SendError)
      -> Bool
    {
      let wish = OwnWish(id: OutgoingEvents.newId(), text: text, style: style)
      ownWishes[room, default: []].append(wish)
      let (ends, end) = AsyncStream<Bool>.makeStream()
      wishEnds[wish.id] = WishEnd(room: room, madeAt: client.time.now(), end: end)
      do {
        let receipt = try await client.send(wish: text, style: style, id: wish.id, to: room)
        wishEnds[wish.id]?.receipt = receipt
        // The stream may be faster than the answer.
        endFlyingWishes(in: room)
        if let end = wishEnds[wish.id], wishSkips.contains(where: end.isSkipped(by:)) { endWish(wish.id, flies: false) }
      } catch {
        endWish(wish.id, flies: false)
        throw error
      }
      let time = client.time
      // One is queued for `wish.maxWaitMs` (30 s) at most, and what is skipped then is told within a second.
      let limit = Task { [weak self] in
        try await time.sleep(.seconds(32))
        self?.endWish(wish.id, flies: false)
      }
      defer { limit.cancel() }
      for await flies in ends { return flies }
      // The task that waited was cancelled.
      endWish(wish.id, flies: false)
      return false
    }

    private struct WishEnd {
      let room: ID
      /// By the client's clock.
      let madeAt: Duration
      let end: AsyncStream<Bool>.Continuation
      /// Nil: it is not known that Kafka has it.
      var receipt: SendReceipt?

      /// - Parameter command: tells of a wish that is skipped, or ends the room.
      func isSkipped(by command: Command) -> Bool {
        guard command.roomId == room, let receipt, let id = CommandID(command.id),
          CommandID.log(of: command.id).elementsEqual("\(receipt.topic)/\(receipt.partition)".utf8)
        else { return false }
        if case .roomEnd = command.body { return receipt.offset < id.offset }
        return receipt.offset == id.offset
      }
    }

    private func endWish(_ id: ID, flies: Bool) {
      guard let (room, end) = wishEnds.removeValue(forKey: id).map({ ($0.room, $0.end) }) else { return }
      ownWishes[room]?.removeAll { $0.id == id }
      if ownWishes[room]?.isEmpty == true { ownWishes[room] = nil }
      end.yield(flies)
      end.finish()
    }

    private func endFlyingWishes(in room: ID) {
      guard let own = ownWishes[room], let banners = screens[room]?.banners, let logMs = paced[room]?.logMs else {
        return
      }
      for wish in own {
        guard let end = wishEnds[wish.id] else { continue }
        let atMs = logMs.minus((client.time.now() - end.madeAt).milliseconds)
        let flies = banners.contains {
          $0.wishId == wish.id || end.receipt != nil && $0.startMs > atMs.minus(Banner.mergeMs) && $0.isEqual(to: wish)
        }
        if flies { endWish(wish.id, flies: true) }
      }
    }

    /// A wish that is skipped as it comes is told by a command of its own event, unless another was told just before.
    /// Those that are queued when their room ends have none of their own.
    private func endWishes(by command: Command) {
      switch command.body {
      case .wishFly(let fly) where wishEnds[fly.wishId]?.room == command.roomId:
        // The room may have ended by now, so that the screen shows it no more.
        return endWish(fly.wishId, flies: true)
      case .skipped(let skipped) where skipped.stage == .wish: break
      case .roomEnd: break
      default: return
      }
      if wishEnds.isEmpty { return }
      wishSkips = wishSkips.suffix(63) + [command]
      for (id, end) in wishEnds where end.isSkipped(by: command) { endWish(id, flies: false) }
    }

    private func setAlarm() {
      alarm.set(after: paced.values.compactMap(\.nextDue).min(), client.time) { [weak self] in await self?.ring() }
    }

    private func ring() {
      alarm.clear()
      for room in rooms { settle(room) }
    }
  }

  extension Banner {
    /// A wish that is equal to one that began so recently is a like of it (`wish.mergeMs`).
    fileprivate static let mergeMs: Int64 = 3000

    /// Whether the wish says the same, byte for byte. Text of banners is cut.
    fileprivate func isEqual(to wish: OwnWish) -> Bool {
      guard style.utf8.elementsEqual(wish.style.utf8) else { return false }
      return text.utf8.elementsEqual(wish.text.utf8)
        || text.hasSuffix("…") && wish.text.utf8.starts(with: text.utf8.dropLast("…".utf8.count))
    }
  }
#endif
