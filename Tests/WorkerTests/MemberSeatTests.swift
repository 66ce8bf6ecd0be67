import Platform
import Settings
import Testing
import Worker

/// Threads of a member that hang, whose place is given to others.
@Suite struct MemberSeatTests {
  private let world = SimulatedWorld(partitions: [1])
  private let clients: SimulatedClients
  private let seat: MemberSeat<SimulatedClients>
  private let comesBack = StopSignal()

  init() {
    let plan = world.plan(isNamed: false, begin: .beginning, LogSettings())
    let process = SimulatedProcess(world, number: 0, id: 0, isNamed: false, plan: plan, seed: 1)
    let clients = SimulatedClients(process)
    self.clients = clients
    let context = MemberContext(clients, plan: plan, number: 0, log: world.log, metrics: world.metrics())
    seat = MemberSeat(context, newClients: { clients }) { _ in
    } work: { [comesBack] _ in
      while !comesBack.isSet { comesBack.wait(ms: 60_000) }
    }
  }

  /// No thread is left, or the tests would end before it.
  private func end() {
    comesBack.set()
    while !seat.ended.isSet { seat.ended.wait(ms: 60_000) }
  }

  @Test func onlySoManyThreadsHangAtOnce() {
    for _ in 0..<8 { #expect(seat.handOver()) }
    #expect(!seat.handOver())
    end()
  }

  @Test func aThreadThatComesBackMakesRoomForAnother() {
    for _ in 0..<8 { #expect(seat.handOver()) }
    end()
    let waiting = StopSignal()
    var tries = 0
    while !seat.handOver(), tries < 1000 {
      waiting.wait(ms: 10)
      tries += 1
    }
    #expect(tries < 1000)
  }
}
