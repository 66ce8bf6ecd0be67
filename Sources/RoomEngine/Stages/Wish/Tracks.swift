import RoomModel

/// The rows that banners fly along (STAGES.md, section 4).
struct Tracks: ~Copyable {
  /// The last banner that started on a track.
  struct Last {
    var startedAt: LogTime
    var width: Int64
    /// The time when all that fly there have landed, or would have that were taken back.
    var landedAt: LogTime
    /// Settings have changed since: nobody starts before that.
    var isClosed = false
  }

  var tracks = Block<Last>()

  var byteCount: Int { tracks.byteCount }

  mutating func started(_ flight: RoomWish.Flight, width: Int64, isClosed: Bool = false) {
    while flight.track >= tracks.count {
      tracks.append(Last(startedAt: .min, width: 0, landedAt: .min))
    }
    let landedAt = max(flight.landsAt, tracks[Int(flight.track)].landedAt)
    tracks[Int(flight.track)] = Last(
      startedAt: flight.startedAt, width: width, landedAt: landedAt, isClosed: isClosed)
  }

  /// No track takes a banner until those on it have landed.
  mutating func close(at now: LogTime) {
    for track in 0..<tracks.count where tracks[track].landedAt > now { tracks[track].isClosed = true }
  }

  /// The time when all that fly have landed; `.min`: none did.
  var landedAt: LogTime {
    var latest = LogTime.min
    for track in 0..<tracks.count { latest = max(latest, tracks[track].landedAt) }
    return latest
  }

  /// The first track that takes a banner of this width first, and from when on (not before `now`).
  func first(for width: Int64, from now: LogTime, _ rules: borrowing Rules) -> (track: Int32, at: LogTime) {
    var best = (track: Int32(0), at: LogTime.max)
    for track in 0..<Int32(rules.wish.tracks) {
      let at = max(now, opening(of: track, for: width, at: now, rules))
      if at < best.at { best = (track, at) }
      if at == now { break }
    }
    return best
  }

  mutating func removeAll() { tracks.removeAll() }

  /// The time from which on the track takes a banner of this width: the tail of the one before is in, and the head
  /// never comes nearer to it than the gap.
  private func opening(of track: Int32, for width: Int64, at now: LogTime, _ rules: borrowing Rules) -> LogTime {
    guard track < tracks.count else { return .min }
    let last = tracks[Int(track)]
    guard last.landedAt > now else { return .min }
    if last.isClosed { return last.landedAt }
    let stage = Int128(rules.wish.stageWidth)
    let gap = Int128(rules.wish.gap)
    let crossing = Int128(rules.wish.durationMs)
    let way = (Int128(last.width) + gap) * crossing
    let tailIsIn = (way + stage + Int128(last.width) - 1) / (stage + Int128(last.width))
    let headIsBehind = crossing - (stage - gap) * crossing / (stage + Int128(width))
    return last.startedAt + LogTime(max(tailIsIn, headIsBehind))
  }
}
