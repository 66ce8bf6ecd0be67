import Platform

/// A password that stands in a file, `kafka.sasl.password.file`: read for each new client, so that it can be changed
/// while the program runs.
enum PasswordFile {
  static let property = "sasl.password.file"
  /// The property that it replaces.
  static let replaced = "sasl.password"

  private static let mostBytes = 4096

  /// The password in a file, without one line end.
  static func read(_ path: String) throws(KafkaError) -> String {
    var bytes: [UInt8]
    do { bytes = try ShortFile.read(path, mostBytes: mostBytes) } catch {
      throw .settings("kafka.\(property): \(path) can't be read: \(error)")
    }
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    guard !bytes.isEmpty, bytes.count <= mostBytes, !bytes.contains(0) else {
      throw .settings("kafka.\(property): \(path) holds no password of 1 to \(mostBytes) bytes")
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
