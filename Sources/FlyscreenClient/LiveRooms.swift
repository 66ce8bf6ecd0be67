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
    /// By room, of those that are followed and have been told.
    public private(set) var screens: [String: Screen] = [:]
    /// How the stream of each room is, of those that are followed and have one.
    public private(set) var connections: [String: RoomUpdate.Connection] = [:]
    /// What grabs of the user gave, the latest last; the last hundred of them.
    public private(set) var results: [RainResult] = []

    @ObservationIgnored private let client: GatewayClient
    @ObservationIgnored private let user: String?
    @ObservationIgnored private var paced: [String: PacedRoom] = [:]
    /// Rings when the next command is due.
    @ObservationIgnored private var alarm = Alarm()
    @ObservationIgnored private let bell = RetryBell()
    /// By number, which counts up.
    @ObservationIgnored private var streams: [Int: HeldTask] = [:]
    /// Which stream a room is followed by.
    @ObservationIgnored private var sources: [String: Int] = [:]
    @ObservationIgnored private var streamCount = 0
    @ObservationIgnored private var rooms: Set<String> = []

    /// - Parameters:
    ///   - client: whose rooms they are.
    ///   - user: also tells what this user's grabs of red packets gave.
    public init(_ client: GatewayClient, user: String? = nil) {
      self.client = client
      self.user = user
    }

    /// Follows these rooms from now on, and no others. What is known of those that stay is kept, and goes on until the
    /// new stream has told them: a switch waits for no network.
    public func follow(_ rooms: [String]) {
      let rooms = Set(rooms)
      guard rooms != self.rooms || hasRefused else { return }
      self.rooms = rooms
      screens = screens.filter { rooms.contains($0.key) }
      paced = paced.filter { rooms.contains($0.key) }
      sources = sources.filter { rooms.contains($0.key) }
      connections = connections.filter { sources[$0.key] != nil }
      // One that was overtaken before it told anything is of no use.
      dropStreams(before: streamCount + 1)
      if !rooms.isEmpty { open(rooms.sorted()) }
    }

    /// The network is back, say, or somebody asks for it: streams that wait connect now, and what was refused is asked for
    /// again.
    public func retryNow() {
      bell.ring()
      if hasRefused { follow(Array(rooms)) }
    }

    /// Nil before it was told.
    public func screen(of room: String) -> Screen? { screens[room] }

    /// The log time at which to draw, less the client's `Options.lag`; 0 before anything was told.
    public func nowMs(in room: String) -> Int64 { paced[room]?.nowMs ?? 0 }

    private func open(_ rooms: [String]) {
      streamCount += 1
      let number = streamCount
      let updates = client.updates(of: rooms, user: user, bell: bell)
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

    /// Those that tell no room any more have been followed by a newer one.
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
      case .result(let result):
        // Two streams may tell the same while one follows the other.
        guard !results.contains(where: { $0.id == result.id }) else { return }
        results = results.suffix(99) + [result]
      case .connection(let connection, let rooms): setConnection(connection, of: rooms, from: number)
      }
    }

    /// A room's connection is that of the stream that tells it, or else of the newest.
    private func setConnection(_ connection: RoomUpdate.Connection, of rooms: [String], from number: Int) {
      for room in rooms where self.rooms.contains(room) && number == sources[room] ?? streamCount {
        connections[room] = connection
        if case .refused = connection { sources[room] = nil }
      }
    }

    private func reset(to snapshot: Snapshot, from number: Int) {
      let room = snapshot.roomId
      guard streams[number] != nil, rooms.contains(room), sources[room] ?? 0 <= number else { return }
      paced[room, default: PacedRoom(room, lag: client.options.lag, time: client.time)].reset(to: snapshot)
      screens[room] = paced[room]?.screen
      sources[room] = number
      connections[room] = .open
      dropStreams(before: number)
    }

    private func settle(_ room: String) {
      if paced[room]?.settle() == true { screens[room] = paced[room]?.screen }
      setAlarm()
    }

    private func setAlarm() {
      alarm.set(after: paced.values.compactMap(\.nextDue).min(), client.time) { [weak self] in await self?.ring() }
    }

    private func ring() {
      alarm.clear()
      for room in rooms { settle(room) }
    }
  }
#endif
