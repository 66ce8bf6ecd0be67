import Foundation
import RoomScreen

/// A file of Tests/ScreenCases, which tells its form.
struct ScreenCase: Decodable {
  let about: String
  let roomId: ID
  let steps: [Step]

  struct Step: Decodable {
    let apply: Command?
    let advance: Int64?
    let reset: Snapshot?
    let expect: Shown?
  }

  /// The part of a screen that was looked at.
  struct Shown: Decodable {
    let nowMs: Int64?
    let gifts: [Gift]?
    let banners: [Flying]?
    let rains: [Falling]?
    let bursts: [Int64]?
    let skips: [Command.Skipped]?
    /// Nil twice: it is not looked at; once: there is to be none.
    let spot: Spot??
    let crowd: Crowd??
    let pins: [Pinned]?
    let goals: [Counting]?
    let ended: Bool?
    let stalled: Bool?
    let snapshot: Snapshot?

    private enum CodingKeys: String, CodingKey {
      case nowMs, gifts, banners, rains, bursts, skips, spot, crowd, pins, goals, ended, stalled, snapshot
    }

    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: CodingKeys.self)
      nowMs = try members.decodeIfPresent(Int64.self, forKey: .nowMs)
      gifts = try members.decodeIfPresent([Gift].self, forKey: .gifts)
      banners = try members.decodeIfPresent([Flying].self, forKey: .banners)
      rains = try members.decodeIfPresent([Falling].self, forKey: .rains)
      bursts = try members.decodeIfPresent([Int64].self, forKey: .bursts)
      skips = try members.decodeIfPresent([Command.Skipped].self, forKey: .skips)
      spot = members.contains(.spot) ? .some(try members.decode(Spot?.self, forKey: .spot)) : nil
      crowd = members.contains(.crowd) ? .some(try members.decode(Crowd?.self, forKey: .crowd)) : nil
      ended = try members.decodeIfPresent(Bool.self, forKey: .ended)
      pins = try members.decodeIfPresent([Pinned].self, forKey: .pins)
      goals = try members.decodeIfPresent([Counting].self, forKey: .goals)
      stalled = try members.decodeIfPresent(Bool.self, forKey: .stalled)
      snapshot = try members.decodeIfPresent(Snapshot.self, forKey: .snapshot)
    }
  }

  struct Spot: Decodable, Equatable {
    let spotId: ID
    let startMs, endMs: Int64
  }

  struct Crowd: Decodable, Equatable {
    let crowdId: ID
    let items, units: Int64
    let names: [ID]
  }

  struct Gift: Decodable, Equatable {
    let lane: Int
    let comboId: ID
    let count, total, enteredMs: Int64
    let leavesMs: Int64?
  }

  struct Flying: Decodable, Equatable {
    let wishId: ID
    let track: Int
    let startMs, likes, left: Int64
  }

  struct Falling: Decodable, Equatable {
    let rainId: ID
    let left, opened: Int64?
    let drops: [Drop]

    struct Drop: Decodable, Equatable {
      let packet: Int
      let fallen: Int64
    }
  }

  struct Pinned: Decodable, Equatable {
    let pinId: ID
    let startMs, endMs: Int64
  }

  struct Counting: Decodable, Equatable {
    let goalId: ID
    let progress: Int64
    let reached: Int
    let sides: [Command.GoalSide]
    let endMs: Int64
  }

  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "ScreenCases")

  static let names =
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?
    .filter { $0.hasSuffix(".json") }.sorted() ?? []

  init(file name: String) throws {
    self = try JSONDecoder().decode(ScreenCase.self, from: Data(contentsOf: Self.folder.appending(path: name)))
  }
}

extension Screen {
  var shownGifts: [ScreenCase.Gift] {
    gifts.map { view in
      var leavesMs: Int64?
      if case .leaving(let untilMs) = view.phase { leavesMs = untilMs }
      return ScreenCase.Gift(
        lane: view.lane, comboId: view.id, count: view.count, total: view.total, enteredMs: view.enteredMs,
        leavesMs: leavesMs)
    }
  }

  var shownBanners: [ScreenCase.Flying] {
    banners.map {
      ScreenCase.Flying(
        wishId: $0.wishId, track: $0.track, startMs: $0.startMs, likes: $0.likes,
        left: $0.left(atMs: nowMs, width: $0.width, stageWidth: 375))
    }
  }

  var shownRains: [ScreenCase.Falling] {
    rains.map { rain in
      ScreenCase.Falling(
        rainId: rain.id, left: rain.countdown?.left, opened: rain.tally?.opened,
        drops: rain.drops.map { .init(packet: $0.packet, fallen: $0.fallen(atMs: nowMs)) })
    }
  }

  var shownSpot: ScreenCase.Spot? { spot.map { .init(spotId: $0.id, startMs: $0.startMs, endMs: $0.endMs) } }

  var shownCrowd: ScreenCase.Crowd? {
    crowd.map { .init(crowdId: $0.id, items: $0.items, units: $0.units, names: $0.names.map(\.userId)) }
  }

  var shownPins: [ScreenCase.Pinned] { pins.map { .init(pinId: $0.id, startMs: $0.startMs, endMs: $0.endMs) } }

  var shownGoals: [ScreenCase.Counting] {
    goals.map {
      .init(goalId: $0.id, progress: $0.progress, reached: $0.isReached ? 1 : 0, sides: $0.sides, endMs: $0.endMs)
    }
  }

  var shownSkips: [Command.Skipped] {
    skips.map { Command.Skipped(stage: $0.stage, reason: $0.reason, items: $0.items, units: $0.units) }
  }
}
