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

  /// What a screen shows, as far as it was looked at.
  struct Shown: Decodable {
    let nowMs: Int64?
    let gifts: [Gift]?
    let banners: [Flying]?
    let rains: [Falling]?
    let bursts: [Int64]?
    let skips: [Command.Skipped]?
    let ended: Bool?
    let snapshot: Snapshot?
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

  var shownSkips: [Command.Skipped] {
    skips.map { Command.Skipped(stage: $0.stage, reason: $0.reason, items: $0.items, units: $0.units) }
  }
}
