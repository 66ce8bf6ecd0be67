import Foundation

enum Files {
  /// The file of that path, or those of that folder, in the order of their names.
  static func read(all path: String) throws -> [[UInt8]] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return [] }
    guard isFolder.boolValue else { return [Array(try Data(contentsOf: URL(filePath: path)))] }
    let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    return try names.map { Array(try Data(contentsOf: URL(filePath: "\(path)/\($0)"))) }
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    let file = URL(filePath: path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }
}
