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
    /// How the newest stream is.
    public private(set) var connection = RoomUpdate.Connection.connecting
    /// Why nothing comes any more; nil while something may.
    public private(set) var failure: GatewayError?
    /// What grabs of the user gave, the latest last; the last hundred of them.
    public private(set) var results: [RainResult] = []

    @ObservationIgnored private let client: GatewayClient
    @ObservationIgnored private let user: String?
    @ObservationIgnored private var paced: [String: PacedRoom] = [:]
    /// Rings when the next command is due.
    @ObservationIgnored private var alarm = Alarm()
    @ObservationIgnored private var streams: [Stream] = []
    /// Which stream tells a room.
    @ObservationIgnored private var tellers: [String: Int] = [:]
    @ObservationIgnored private var streamCount = 0
    @ObservationIgnored private var rooms: [String] = []

    /// The stream of one list of rooms.
    private struct Stream {
      let number: Int
      /// Rooms that it has yet to tell.
      var untold: Set<String>
      let task: HeldTask
    }

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
      guard rooms != self.rooms || failure != nil else { return }
      self.rooms = rooms
      failure = nil
      screens = screens.filter { rooms.contains($0.key) }
      paced = paced.filter { rooms.contains($0.key) }
      tellers = tellers.filter { rooms.contains($0.key) }
      // One that was overtaken before it told anything is of no use.
      streams.removeAll { !tellers.values.contains($0.number) }
      if !rooms.isEmpty { open(rooms) }
    }

    /// Nil before it was told.
    public func screen(of room: String) -> Screen? { screens[room] }

    /// The log time at which to draw, less the client's `Options.lag`; 0 before anything was told.
    public func nowMs(in room: String) -> Int64 { paced[room]?.nowMs ?? 0 }

    private func open(_ rooms: [String]) {
      streamCount += 1
      let number = streamCount
      let updates = client.updates(of: rooms, user: user)
      let task = Task { [weak self] in
        do throws(GatewayError) {
          for try await update in updates { self?.take(update, from: number) }
        } catch {
          self?.fail(error, from: number)
        }
      }
      streams.append(Stream(number: number, untold: Set(rooms), task: HeldTask(task)))
    }

    private func take(_ update: RoomUpdate, from number: Int) {
      switch update {
      case .snapshot(let snapshot): reset(to: snapshot, from: number)
      case .command(let command):
        guard tellers[command.roomId] == number else { return }
        paced[command.roomId]?.receive(command)
        settle(command.roomId)
      case .result(let result):
        // Two streams may tell the same while one follows the other.
        guard !results.contains(where: { $0.id == result.id }) else { return }
        results = results.suffix(99) + [result]
      case .connection(let connection):
        if number == streamCount { self.connection = connection }
      }
    }

    private func reset(to snapshot: Snapshot, from number: Int) {
      let room = snapshot.roomId
      guard let place = streams.firstIndex(where: { $0.number == number }), rooms.contains(room),
        tellers[room] ?? 0 <= number
      else { return }
      paced[room, default: PacedRoom(room, lag: client.options.lag, time: client.time)].reset(to: snapshot)
      screens[room] = paced[room]?.screen
      tellers[room] = number
      streams[place].untold.remove(room)
      if streams[place].untold.isEmpty { streams.removeAll { $0.number < number } }
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

    private func fail(_ error: GatewayError, from number: Int) {
      streams.removeAll { $0.number == number }
      if number == streamCount { failure = error }
    }
  }
#endif
