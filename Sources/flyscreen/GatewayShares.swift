import Settings

/// The gateways and their partitions of the commands topic: those of one share are behind one upstream of a proxy.
struct GatewayShares: Equatable {
  struct Share: Equatable {
    var partitions: Set<Int>
    var addresses: [String]
  }

  /// The shares, in the order in which they were named.
  private(set) var shares: [Share] = []

  /// - Parameter words: `10.0.0.11:8080=0-3,8`.
  init(_ words: [String]) throws(SettingsError) {
    if words.isEmpty {
      throw SettingsError(
        "name the gateways with their partitions: flyscreen gateway partitions 10.0.0.11:8080=0-3 10.0.0.12:8080=4-7")
    }
    for word in words {
      let (address, partitions) = try Self.parse(word)
      if shares.contains(where: { $0.addresses.contains(address) }) {
        throw SettingsError("\(address) is named twice; give it all of its partitions at once")
      }
      if let same = shares.firstIndex(where: { $0.partitions == partitions }) {
        shares[same].addresses.append(address)
        continue
      }
      for share in shares {
        guard let both = share.partitions.intersection(partitions).min() else { continue }
        throw SettingsError(
          "\(share.addresses[0]) and \(address) both have partition \(both), but not the same share;"
            + " give them the same partitions, or none in common")
      }
      shares.append(Share(partitions: partitions, addresses: [address]))
    }
  }

  private static func parse(_ word: String) throws(SettingsError) -> (String, Set<Int>) {
    let wrong = SettingsError("'\(word)' is not ADDRESS=PARTITIONS, as 10.0.0.11:8080=0-3,8 is")
    guard let equals = word.firstIndex(of: "="), equals != word.startIndex else { throw wrong }
    let address = word[..<equals]
    // It goes into nginx's configuration as it is.
    guard address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && !"'\"\\;{}$#".utf8.contains($0) }) else { throw wrong }
    var partitions: Set<Int> = []
    for part in word[equals...].dropFirst().split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { UInt16($0) }
      guard let first = ends[0], let last = ends[ends.count - 1], first <= last else { throw wrong }
      partitions.formUnion(Int(first)...Int(last))
    }
    return (String(address), partitions)
  }

  /// Whether each partition of the topic has somebody.
  func check(partitions count: Int, of topic: String) throws(SettingsError) {
    let named = shares.reduce(into: Set<Int>()) { $0.formUnion($1.partitions) }
    if let beyond = named.filter({ $0 >= count }).min() {
      throw SettingsError("\(topic) has the partitions 0-\(count - 1), so nobody can have \(beyond)")
    }
    let nobodys = Set(0..<count).subtracting(named).sorted()
    guard let first = nobodys.first else { return }
    throw SettingsError(
      "no gateway has partition \(first) of \(topic)"
        + (nobodys.count > 1 ? " (nor \(nobodys.count - 1) more)" : "") + ", so its rooms could not be seen;"
        + " it has the partitions 0-\(count - 1)")
  }

  /// The text for the inside of nginx's `http { … }`.
  func nginx(partitions count: Int, of topic: String, drainMs: Int64) -> String {
    var text = "# The gateways of the \(count) partitions of \(topic), by flyscreen gateway partitions.\n"
    for (number, share) in shares.enumerated() {
      text += "upstream flyscreen_\(number) {\n"
      for address in share.addresses { text += "  server \(address) max_fails=1 fail_timeout=2s;\n" }
      // nginx gives connections up before a gateway that ends closes them (Deploy/nginx.conf).
      text += "  least_conn;\n  keepalive 64;\n  keepalive_timeout \(max(1, drainMs * 4 / 5))ms;\n}\n"
    }
    text += "map \"\" $flyscreen_partitions { default \(count); }\n"
    text += "map $flyscreen_partition $flyscreen_gateways {\n  default flyscreen_0;\n"
    for (number, share) in shares.enumerated() {
      for partition in share.partitions.sorted() { text += "  \(partition) flyscreen_\(number);\n" }
    }
    return text + "}\n"
  }
}
