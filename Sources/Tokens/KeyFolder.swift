import RoomScreen
import Synchronization

/// A folder of keys, read anew when they change: `KID.pem` has a public key, `KID.secret` a secret of 32 bytes or
/// more. Other files are left aside.
///
/// A file that can't be read or understood, while the folder is served, leaves its key as it was, since its writer may
/// not be done; a file that is gone takes its key with it.
package final class KeyFolder: Sendable {
  /// News after a reload, in a line each.
  package enum News: Equatable, Sendable {
    case keys(String)
    case trouble(String)
  }

  private struct State {
    /// The files as they were read; nil: read them again in any case.
    var files: [FolderListing.File]?
    var byFile: [String: Key]
    var troubles: Set<String> = []
  }

  private let path: String
  private let state: Mutex<State>
  /// Apart from the state: a request doesn't wait for a slow folder.
  private let current: Mutex<Keys>

  /// Reads the folder at the start: every file must be good, and there must be one.
  package init(path: String) throws(KeyFolderError) {
    self.path = path
    guard let listing = FolderListing(path) else {
      throw KeyFolderError("\(path) is no folder that can be read; gateway.auth.keys names a folder of keys")
    }
    var keys: [String: Key] = [:]
    for file in listing.files {
      do throws(KeyTrouble) {
        keys[file.name] = try Self.read(file, in: path)
      } catch {
        throw KeyFolderError("\(path)/\(file.name) \(error.description)")
      }
    }
    if let id = Self.ambiguous(keys) { throw KeyFolderError(Self.twice(id, path)) }
    if keys.isEmpty {
      throw KeyFolderError("\(path) has no key; put one there, a public one as KID.pem or a secret as KID.secret")
    }
    state = Mutex(State(files: listing.settled, byFile: keys))
    current = Mutex(Self.byId(keys))
  }

  package var keys: Keys { current.withLock { $0 } }

  /// Reads what has changed since the last time.
  package func reload() -> [News] {
    state.withLock { state in
      var troubles: Set<String> = []
      if let listing = FolderListing(path) {
        if listing.files == state.files { return [] }
        state.files = listing.settled
        state.byFile = state.byFile.filter { name, _ in listing.files.contains { $0.name == name } }
        for file in listing.files {
          do throws(KeyTrouble) {
            state.byFile[file.name] = try Self.read(file, in: path)
          } catch {
            troubles.insert("\(path)/\(file.name) \(error.description)")
          }
        }
        if let id = Self.ambiguous(state.byFile) { troubles.insert(Self.twice(id, path)) }
        if state.byFile.isEmpty { troubles.insert("\(path) has no key left; no token is taken") }
      } else {
        state.files = nil
        troubles.insert("\(path) can't be read; its keys stay as they were")
      }
      let old = keys
      let new = Self.byId(state.byFile)
      current.withLock { $0 = new }
      let news =
        troubles.subtracting(state.troubles).sorted().map { News.trouble($0) }
        + (new == old ? [] : [.keys(new.names)])
      state.troubles = troubles
      return news
    }
  }

  private static func read(_ file: FolderListing.File, in folder: String) throws(KeyTrouble) -> Key {
    guard let bytes = file.read(in: folder) else { throw KeyTrouble("can't be read") }
    return file.name.hasSuffix(".pem") ? Key(try PublicKey(pem: bytes)) : try Key(secret: bytes)
  }

  private static func twice(_ id: ID, _ path: String) -> String {
    "\(path) has \(id).pem and \(id).secret; a key's id is its own, so rename one"
  }

  /// The public one of two with one id: a secret may be anybody's who could write it.
  private static func byId(_ keys: [String: Key]) -> Keys {
    Keys(Dictionary(keys.map { (id(of: $0), $1) }) { $0.algorithm == .hmac ? $1 : $0 })
  }

  private static func ambiguous(_ keys: [String: Key]) -> ID? {
    var ids: Set<ID> = []
    return keys.keys.map(id).sorted().first { !ids.insert($0).inserted }
  }

  private static func id(of file: String) -> ID {
    ID(String(file[..<file.lastIndex(of: ".")!]))
  }
}

/// A fault of a folder of keys, and what to do.
package struct KeyFolderError: Error, Equatable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
