import CRdKafka
import Glibc

/// librdkafka's properties as a user set them (`kafka.*`, without the prefix), checked.
package struct KafkaProperties: Sendable {
  private let values: [String: String]

  /// Refuses properties that librdkafka doesn't know or take, and those that would break exactly-once, in a line each.
  package init(_ values: [String: String]) throws(KafkaError) {
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      guard Self.roles[name] != nil else { throw .settings("kafka.\(name) is not a property of librdkafka") }
      if let reason = Self.objection(to: name, value) { throw .settings("kafka.\(name)=\(value): \(reason)") }
    }
    if values[PasswordFile.property] != nil, values[PasswordFile.replaced] != nil {
      throw .settings("kafka.\(PasswordFile.replaced) and kafka.\(PasswordFile.property) are both set; leave one out")
    }
    _ = try UnpackBound.limit(values[UnpackBound.property])
    let own = values.filter { $0.key != PasswordFile.property && $0.key != UnpackBound.property }
    _ = try ClientConfiguration(own.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    self.values = values
  }

  package subscript(name: String) -> String? { values[name] }

  /// Every property that librdkafka knows, and ours, for whoever looks for the nearest to a wrong one.
  package static var names: [String] { roles.keys.sorted() }

  /// Merges our defaults and the user's properties for one kind of client: the user's override `defaults`;
  /// `fixed` overrides both. Leaves out properties of the other kind of client: librdkafka would warn of them.
  func resolved(
    for role: Role, clientId: String, defaults: [String: String], fixed: [String: String]
  ) throws(KafkaError) -> [(name: String, value: String)] {
    guard values["bootstrap.servers"] != nil || values["metadata.broker.list"] != nil else {
      throw .settings("kafka.bootstrap.servers is not set: give it the address of a broker, as in 127.0.0.1:9092")
    }
    var all = Self.everyClient.merging(["client.id": clientId]) { $1 }
    all.merge(defaults) { $1 }
    all.merge(values) { $1 }
    all = all.filter { Self.roles[$0.key]?.serves(role) ?? false }
    all.merge(fixed) { $1 }
    if let path = all.removeValue(forKey: PasswordFile.property) {
      all[PasswordFile.replaced] = try PasswordFile.read(path)
    }
    return all.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

extension KafkaProperties {
  /// The kind of client that a property is for.
  enum Role: Sendable {
    case consumer, producer, both

    func serves(_ other: Role) -> Bool { self == .both || self == other }
  }

  /// Every property with its role, as librdkafka's own table of them says, and ours. (Its dump of a configuration leaves out
  /// those without a value.)
  static let roles: [String: Role] = {
    var text: UnsafeMutablePointer<CChar>?
    var size = 0
    guard let file = open_memstream(&text, &size) else { return [:] }
    rd_kafka_conf_properties_show(file)
    fclose(file)
    defer { free(text) }
    let table = String(decoding: UnsafeRawBufferPointer(start: text, count: size), as: UTF8.self)
    var roles: [String: Role] = [PasswordFile.property: .both, UnpackBound.property: .consumer]
    for line in table.split(separator: "\n") {
      let cells = line.split(separator: "|", maxSplits: 2, omittingEmptySubsequences: false).map {
        $0.split(separator: " ").joined()
      }
      guard cells.count == 3, let role = ["*": Role.both, "C": .consumer, "P": .producer][cells[1]] else { continue }
      // Some are listed twice, for clients and for topics.
      roles[cells[0]] = roles[cells[0]].map { $0 == role ? role : .both } ?? role
    }
    return roles
  }()
}
