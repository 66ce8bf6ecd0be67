import Gateway
import HTTP
import Probes
import RoomModel
import RoomScreen
import Settings
import Tokens

/// The files of a gateway: its catalogue of gifts, and those that it reads anew while it serves, keys of tokens and a
/// certificate. The main thread looks after them, so that no loop waits for a disk.
struct GatewayFiles {
  private let keys: KeyFolder?
  let authorizer: any Authorizer
  let tls: TLSCertificate?
  let gifts: GiftCatalogue
  /// Sentences about what may not be meant.
  let warnings: [String]
  private let log: Log

  /// - Throws: `CommandFailure` with what is wrong with a file.
  init(_ settings: GatewaySettings, _ log: Log) throws {
    let names = [("gateway.tls.certificate", settings.tls.certificate), ("gateway.tls.key", settings.tls.key)]
    if let given = names.first(where: { !$0.1.isEmpty }), let missing = names.first(where: { $0.1.isEmpty }) {
      throw CommandFailure(.usage, "\(given.0) is given, and \(missing.0) is not; TLS needs both")
    }
    if settings.tls.certificate.isEmpty, !settings.tls.ticketKeys.isEmpty {
      throw CommandFailure(
        .usage, "gateway.tls.ticketKeys is given, and gateway.tls.certificate is not; there are no tickets without TLS")
    }
    let claims = [("gateway.auth.issuer", settings.auth.issuer), ("gateway.auth.audience", settings.auth.audience)]
    if settings.auth.keys.isEmpty, let given = claims.first(where: { !$0.1.isEmpty }) {
      throw CommandFailure(
        .usage, "\(given.0) is given, and gateway.auth.keys is not; without keys nobody is asked for a token")
    }
    var warnings: [String] = []
    do {
      gifts = settings.gifts.isEmpty ? .empty : try GiftCatalogue(path: settings.gifts)
      warnings += Self.warning(of: gifts, settings.imageOrigins)
      tls =
        settings.tls.certificate.isEmpty
        ? nil
        : try TLSCertificate(
          certificate: settings.tls.certificate, key: settings.tls.key, ticketKeys: settings.tls.ticketKeys)
      if settings.auth.keys.isEmpty {
        keys = nil
        authorizer = AllowAll()
        if settings.events.isOn, !settings.eventKinds.isEmpty {
          let kinds = settings.eventKinds.map(\.rawValue).joined(separator: ", ")
          warnings.append(
            "gateway.events is on and gateway.auth.keys is not given: anybody can send \(kinds), in anybody's name")
        }
      } else {
        let keys = try KeyFolder(path: settings.auth.keys)
        self.keys = keys
        authorizer = TokenAuthorizer(
          keys: keys,
          verifier: Verifier(
            rules: .init(
              issuer: given(settings.auth.issuer).map { ID($0) }, audience: given(settings.auth.audience).map { ID($0) }
            ))
        )
        log.info("tokens are required", .keys(keys.keys.names))
      }
    } catch let error as GiftCatalogue.Refusal {
      throw CommandFailure(.usage, "\(error)")
    } catch let error as TLSError {
      throw CommandFailure(.usage, "\(error)")
    } catch let error as KeyFolderError {
      throw CommandFailure(.usage, "\(error)")
    }
    for warning in warnings { log.warning(warning) }
    self.warnings = warnings
    self.log = log
  }

  /// A warning and no refusal: the page's own origin may have them, which only a proxy knows, and apps that read the
  /// catalogue may show all.
  private static func warning(of gifts: GiftCatalogue, _ allowed: [String]) -> [String] {
    let origins = gifts.origins(beside: allowed)
    if origins.isEmpty { return [] }
    let names = origins.prefix(5).joined(separator: ", ") + (origins.count > 5 ? " and \(origins.count - 5) more" : "")
    return [
      "gateway.gifts: the page shows no icons and effects from \(names), unless it is served there itself;"
        + " add to gateway.images.origins what it shall show"
    ]
  }

  /// Again and again; logs what has changed.
  func reload() {
    for news in keys?.reload() ?? [] {
      switch news {
      case .keys(let names): log.info("the token keys have changed", .keys(names))
      case .trouble(let what): log.warning("ignored a token key", .reason(what))
      }
    }
    switch tls?.reload() {
    case nil: break
    case .success: log.info("TLS has changed: new connections get the certificate and keys that its files have now")
    case .failure(let error): log.warning("ignored the new TLS certificate or keys", .error(error))
    }
  }
}

/// A setting that is empty is none.
private func given(_ text: String) -> String? { text.isEmpty ? nil : text }
