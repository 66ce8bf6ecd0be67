import Glibc
import Platform
import Testing

@Suite struct UsableCoresTests {
  @Test(arguments: [
    (4, nil, 4, UsableCores.Bound.affinity), (4, 8.0, 4, .affinity), (4, 4.0, 4, .affinity), (4, 1.5, 2, .quota),
    (4, 0.1, 1, .quota), (1, 0.1, 1, .affinity), (0, nil, 1, .affinity),
  ])
  func theLessCounts(affinity: Int, quota: Double?, count: Int, bound: UsableCores.Bound) {
    let cores = UsableCores(affinity: affinity, quota: quota)
    #expect(cores.count == count)
    #expect(cores.bound == bound)
  }

  @Test(arguments: [
    ("0-3", "0-3\n", 4), ("0-127", "0-1\n", 2), ("0,2-3,8", "0-7\n", 3), ("1", "0-1\n", 1), ("0-1", nil, 2),
    ("", "0-1\n", 1), ("x-y", "0-1\n", 1),
  ])
  func thoseThatAreThereAndThatItMayRunOn(allowed: String, online: String?, count: Int) {
    let status = "Name:\tflyscreen\nCpus_allowed:\tff\nCpus_allowed_list:\t\(allowed)\nMems_allowed_list:\t0\n"
    let files = ["/proc/self/status": status, "/sys/devices/system/cpu/online": online]
    #expect(UsableCores(reading: { files[$0] ?? nil }) == UsableCores(affinity: count, quota: nil))
  }

  @Test func oneWhereNothingIsTold() {
    #expect(UsableCores(reading: { _ in nil }).count == 1)
  }

  @Test func noMoreThanTheMachineHas() {
    #expect((1...sysconf(Int32(_SC_NPROCESSORS_CONF))).contains(UsableCores.current().count))
  }
}
