/// What rooms go by: the settings in force, and since when. Lent, never copied.
struct Rules: ~Copyable {
  let settings: EngineSettings
  /// Counts the changes of settings.
  let epoch: Int64
  /// The epoch in which a setting of the wish stage last changed.
  let wishesSince: Int64
  /// Of hashes; the process's own.
  let seed: UInt64

  init(settings: EngineSettings, epoch: Int64 = 0, wishesSince: Int64 = 0, seed: UInt64) {
    self.settings = settings
    self.epoch = epoch
    self.wishesSince = wishesSince
    self.seed = seed
  }

  var gift: GiftSettings { settings.gift }
  var wish: WishSettings { settings.wish }
  var like: LikeSettings { settings.like }
  var rain: RainSettings { settings.rain }
}
