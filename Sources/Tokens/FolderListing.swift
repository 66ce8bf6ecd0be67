import Glibc
import Platform

/// The files of keys in a folder, as they are known without being read.
struct FolderListing {
  struct File: Equatable {
    let name: String
    private let size: Int
    private let inode: UInt
    fileprivate let changed: Int
    private let changedNs: Int

    /// nil: gone again, or a folder.
    fileprivate init?(_ name: String, in folder: String) {
      var info = stat()
      // Follows links: where files are mounted by Kubernetes, a link is what changes.
      guard stat("\(folder)/\(name)", &info) == 0, info.st_mode & S_IFMT != S_IFDIR else { return nil }
      self.name = name
      size = info.st_size
      inode = info.st_ino
      changed = info.st_mtim.tv_sec
      changedNs = info.st_mtim.tv_nsec
    }

    private static var maxCount: Int { 65_536 }

    /// nil: can't be read, or is too large for a key.
    func read(in folder: String) -> [UInt8]? {
      let bytes = try? ShortFile.read("\(folder)/\(name)", mostBytes: Self.maxCount, waits: false)
      return bytes.flatMap { $0.count <= Self.maxCount ? $0 : nil }
    }
  }

  /// Files in the order of their names.
  let files: [File]
  /// The same files; nil: some changed so lately that another change might leave their time as it is.
  let settled: [File]?

  /// nil: no folder that can be read.
  init?(_ path: String) {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var files: [File] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard name.hasSuffix(".pem") || name.hasSuffix(".secret"), !name.hasPrefix("."),
        let file = File(name, in: path)
      else { continue }
      files.append(file)
    }
    self.files = files.sorted { $0.name < $1.name }
    let now = Int(WallClock.nowMs() / 1000)
    settled = self.files.allSatisfy { $0.changed < now - 2 } ? self.files : nil
  }
}
