package import HTTP
package import RoomModel
package import RoomScreen

/// Decides who may see which rooms. Every request passes here once, before anything else is looked at.
package protocol Authorizer: Sendable {
  /// Called on any of the loops, for each request but those of probes and of the page's own files.
  ///
  /// - Parameter rooms: the rooms that the request names; none for a list of rooms.
  func authorize(_ request: Request, rooms: [ID]) -> Authorization
}

package enum Authorization: Sendable {
  case allowed(Permit)
  /// An answer of status 401 or 403, with its reason.
  case refused(Response)
}

/// The rights of a request.
package struct Permit: Sendable {
  /// Milliseconds since 1970: a stream ends then.
  package var untilMs: Int64
  /// The user in whose name events may be posted.
  package var poster: Poster
  /// Kinds of events that may be posted; nil: as the settings have it.
  package var kinds: [EventKind]?
  /// Whether a room may be told of.
  package var mayName: @Sendable (ID) -> Bool

  package init(
    untilMs: Int64 = .max, poster: Poster = .stranger, kinds: [EventKind]? = nil,
    mayName: @escaping @Sendable (ID) -> Bool = { _ in true }
  ) {
    self.untilMs = untilMs
    self.poster = poster
    self.kinds = kinds
    self.mayName = mayName
  }
}

/// The poster of an event.
package enum Poster: Equatable, Sendable {
  /// A gateway without tokens: any client may name any sender.
  case stranger
  /// A platform's own server, which names anybody.
  case platform
  /// The holder of a token: events are theirs.
  case viewer(Viewer)
  /// The holder of a token that names nobody: they post nothing.
  case nameless

  package struct Viewer: Equatable, Sendable {
    package let id: ID
    /// Their name and picture, whatever is posted; nil: the token has none (`gateway.events.names`).
    package let name: String?
    package let avatarURL: String?

    package init(id: ID, name: String? = nil, avatarURL: String? = nil) {
      self.id = id
      self.name = name
      self.avatarURL = avatarURL
    }
  }
}

/// Everybody may see everything: where no keys are set.
package struct AllowAll: Authorizer {
  package init() {}

  package func authorize(_ request: Request, rooms: [ID]) -> Authorization { .allowed(Permit()) }
}
