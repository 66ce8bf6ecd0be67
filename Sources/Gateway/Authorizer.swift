package import HTTP
package import RoomModel
package import RoomScreen

/// Who may see which rooms: every request passes here, once, before anything else is looked at.
package protocol Authorizer: Sendable {
  /// Called on any of the loops, for each request but those of probes and of the page's own files.
  ///
  /// - Parameter rooms: that the request names; none for a list of rooms.
  func authorize(_ request: Request, rooms: [ID]) -> Authorization
}

package enum Authorization: Sendable {
  case allowed(Permit)
  /// Of status 401 or 403, with its reason.
  case refused(Response)
}

/// What a request may do.
package struct Permit: Sendable {
  /// Milliseconds since 1970: a stream ends then.
  package var untilMs: Int64
  /// In whose name events may be posted.
  package var poster: Poster
  /// Kinds of events that may be posted; nil: as the settings have it.
  package var kinds: [EventKind]?
  /// Which rooms may be told of.
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

/// Who posts events.
package enum Poster: Equatable, Sendable {
  /// Nobody was asked for a token: whoever it is may name anybody.
  case stranger
  /// A platform's own server, which names anybody.
  case platform
  /// Whom a token was given to: events are theirs.
  case viewer(Viewer)
  /// Of a token that names nobody: it posts nothing.
  case nameless

  package struct Viewer: Equatable, Sendable {
    package let id: ID
    /// What they are called and look like, whatever is posted; nil: the token doesn't say (`gateway.events.names`).
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
