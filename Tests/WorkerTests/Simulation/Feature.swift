/// Conditions that only some schedules have.
///
/// Each draws from chances of its own, so a seed means what it meant before there was the feature, but for the feature.
enum Feature: UInt64, CaseIterable {
  /// Some events come as Protobuf.
  case protobuf = 0x5052_4F54
  /// Input topics grow, and brokers hear of it late.
  case growth = 0x4752_4F57
  /// A tool sets the group's offsets.
  case setBack = 0x5345_5442
  /// Consumers are told twice.
  case repeats = 0x5457_4943
  /// New leaders haven't heard yet how much was committed, and readers meet an end that is none. Not beside the tool: a
  /// search for what was set back takes any end for the log's.
  case newLeaders = 0x4C45_4144

  /// Nil: the schedule of that seed doesn't have it.
  func chance(seed: UInt64) -> Chance? {
    var chance = Chance(seed: seed ^ rawValue)
    return chance.one(in: self == .protobuf ? 2 : 3) ? chance : nil
  }
}
