import Platform
import Testing

@Suite struct CgroupQuotaTests {
  private static let secondMount = "30 23 0:26 / /sys/fs/cgroup rw,relatime shared:4 - cgroup2 cgroup2 rw\n"
  private static let firstMounts = """
    32 31 0:29 / /sys/fs/cgroup/cpuset rw,relatime - cgroup cgroup rw,cpuset
    33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct

    """

  private func cores(_ files: [String: String]) -> Double? { CgroupQuota { files[$0] }.cores }

  @Test func theLeastOfACgroupAndThoseAbove() {
    var files = [
      "/proc/self/mountinfo": Self.secondMount, "/proc/self/cgroup": "0::/live.slice/worker.service\n",
      "/sys/fs/cgroup/live.slice/worker.service/cpu.max": "max 100000\n",
      "/sys/fs/cgroup/live.slice/cpu.max": "250000 100000\n",
      // Another's, beside it.
      "/sys/fs/cgroup/other.slice/cpu.max": "10000 100000\n",
    ]
    #expect(cores(files) == 2.5)
    files["/sys/fs/cgroup/live.slice/worker.service/cpu.max"] = "75000 50000\n"
    #expect(cores(files) == 1.5)
    files["/sys/fs/cgroup/cpu.max"] = "20000 100000\n"
    #expect(cores(files) == 0.2)
  }

  @Test func versionOne() {
    var files = [
      "/proc/self/mountinfo": Self.firstMounts,
      "/proc/self/cgroup": "5:cpuset:/a\n4:cpu,cpuacct:/a/b\n1:name=systemd:/a/b\n0::/\n",
      "/sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_quota_us": "-1\n",
      "/sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_period_us": "100000\n",
      "/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us": "300000\n",
      "/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us": "200000\n",
    ]
    #expect(cores(files) == 1.5)
    files["/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us"] = "-1\n"
    #expect(cores(files) == nil)
  }

  /// The path is as the machine has it, and what is mounted is the container's own.
  @Test func aContainerSeesItsOwnCgroupAtTheRoot() {
    let mount = "40 35 0:33 /docker/c0ffee /sys/fs/cgroup/cpu ro,relatime master:11 - cgroup cgroup rw,cpu\n"
    var files = [
      "/proc/self/mountinfo": mount, "/proc/self/cgroup": "4:cpu:/docker/c0ffee/inner\n",
      "/sys/fs/cgroup/cpu/cpu.cfs_quota_us": "400000\n", "/sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
    ]
    #expect(cores(files) == 4)
    files["/sys/fs/cgroup/cpu/inner/cpu.cfs_quota_us"] = "200000\n"
    files["/sys/fs/cgroup/cpu/inner/cpu.cfs_period_us"] = "100000\n"
    #expect(cores(files) == 2)
  }

  @Test(arguments: ["/../../other", "/elsewhere"])
  func aCgroupThatIsNotMounted(path: String) {
    let mount = "40 35 0:33 /docker/c0ffee /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
    let files = [
      "/proc/self/mountinfo": mount, "/proc/self/cgroup": "0::\(path)\n", "/sys/fs/cgroup/cpu.max": "300000 100000\n",
    ]
    #expect(cores(files) == 3)
  }

  @Test(arguments: ["", "max", "max max", "abc 100000", "100000 0", "-1 100000", "0 100000"])
  func whatIsNoQuotaBoundsNothing(text: String) {
    let files = [
      "/proc/self/mountinfo": Self.secondMount, "/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/cpu.max": text,
    ]
    #expect(cores(files) == nil)
    #expect(cores([:]) == nil)
    #expect(cores(["/proc/self/cgroup": "0::/\n", "/proc/self/mountinfo": "\n1 2 - \nno mount\n"]) == nil)
  }
}
