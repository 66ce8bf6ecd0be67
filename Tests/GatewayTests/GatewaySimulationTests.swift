import TestSupport
import Testing

struct GatewaySimulationTests {
  /// Each command once, within a client's patience, whatever happens between two steps.
  @Test func whatAClientIsSentIsTheFoldOfTheTopic() throws {
    let seeds = Seeds(count: 60)
    var events = 0
    for seed in seeds.first..<seeds.first + seeds.count {
      let simulation = GatewaySimulation(seed: seed)
      do {
        try simulation.run(steps: 400)
      } catch {
        Issue.record("a schedule fails; FLYSCREEN_SEED=\(seed) repeats it")
        throw error
      }
      events += simulation.events
    }
    #expect(events > 50 * Int(seeds.count), "clients are sent something")
  }
}
