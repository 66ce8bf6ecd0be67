import TestSupport
import Testing

/// Workers that crash, freeze, lose their partitions and their transactions in any of their calls: what is committed is
/// what one undisturbed run over the log and its journal gives.
@Suite struct ScheduleTests {
  private static let seeds = Seeds(count: 200)

  @Test(arguments: seeds.stretches)
  func committedOutputIsThatOfAnUndisturbedRun(seeds: Range<UInt64>) {
    for seed in seeds where !Self.run(seed) { return }
    Seeds.tell(seeds.count)
  }

  /// Seeds that have found a mistake once, when no schedule had any feature.
  @Test(
    arguments: [
      1_795_480_947_228, 1_795_480_947_276, 1_795_491_248_647, 1_795_492_735_967, 1_795_524_924_674,
      1_795_529_998_882, 1_795_651_094_054,
    ] as [UInt64])
  func seedsThatFoundAMistake(seed: UInt64) {
    #expect(Self.run(seed, features: []))
  }

  /// Seeds that have found a mistake since.
  @Test(
    arguments: [
      1_795_500_000_278, 1_795_664_501_147, 1_795_664_501_288, 1_795_664_501_403, 1_795_664_501_564,
      1_795_674_300_984, 1_795_676_454_188, 1_795_707_124_865,
      1_795_712_438_433, 1_795_712_439_025, 1_795_744_605_644, 1_795_747_797_383, 1_795_747_803_092,
      1_795_750_437_968,
    ] as [UInt64])
  func seedsThatFoundAMistakeWithFeatures(seed: UInt64) {
    #expect(Self.run(seed))
  }

  /// Nothing is drawn while a hash is walked, nor from another clock.
  @Test func seedsRepeat() {
    let seed = Self.seeds.first
    let stories = (0..<2).map { _ in
      let schedule = Schedule(seed: seed)
      _ = schedule.run()
      return schedule.world.story
    }
    #expect(stories[0] == stories[1], "seed \(seed)")
  }

  private static func run(_ seed: UInt64, features: [Feature] = Feature.allCases) -> Bool {
    let schedule = Schedule(seed: seed, features: features)
    let difference = schedule.run()
    if seeds.isOne { print(schedule.world.story.joined(separator: "\n")) }
    if let difference { Issue.record("FLYSCREEN_SEED=\(seed): \(difference)") }
    return difference == nil
  }
}
