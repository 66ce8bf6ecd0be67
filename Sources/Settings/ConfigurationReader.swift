/// Makes a `Configuration` of a file, the environment and flags, each beating the one before.
package struct ConfigurationReader: Sendable {
  let kafkaProperties: [String]
  let checkKafkaProperty: @Sendable (_ name: String, _ value: String) -> String?

  /// `kafkaProperties` are librdkafka's names, without `kafka.`; `checkKafkaProperty` says what is wrong with a value.
  package init(
    kafkaProperties: [String],
    checkKafkaProperty: @escaping @Sendable (_ name: String, _ value: String) -> String? = { _, _ in nil }
  ) {
    self.kafkaProperties = kafkaProperties
    self.checkKafkaProperty = checkKafkaProperty
  }

  package func read(
    file: String? = nil, environment: [String: String] = [:], flags: [SettingFlag] = []
  ) throws(SettingsError) -> Configuration {
    let reading = try readAll(file: file, environment: environment, flags: flags)
    if let first = reading.problems.first { throw first }
    return reading.configuration
  }

  /// The settings that were read, also where something is wrong.
  package struct Reading: Sendable {
    /// The settings, with defaults for those that are wrong.
    package let configuration: Configuration
    /// The origin of each setting that was given.
    package let origins: [String: Origin]
    package let problems: [SettingsError]
  }

  /// Goes on after what is wrong.
  ///
  /// - Throws: an error if the file as a whole can't be read.
  package func readAll(
    file: String? = nil, environment: [String: String] = [:], flags: [SettingFlag] = []
  ) throws(SettingsError) -> Reading {
    var entries = try file.map { path throws(SettingsError) in try SettingsFile(path: path).entries } ?? []
    entries += self.entries(of: environment)
    entries += flags.map {
      SettingsFile.Entry(name: $0.name, text: .one($0.value), origin: .flag($0.name))
    }
    var configuration = Configuration()
    var origins = SettingOrigins()
    var problems: [SettingsError] = []
    for entry in entries {
      do throws(SettingsError) {
        if try store(entry, in: &configuration) { origins[entry.name] = entry.origin }
      } catch {
        problems.append(error)
      }
    }
    configuration.topics.helpers.group = configuration.groupId
    if !entries.contains(where: { $0.name == "topics.helpers" }) {
      configuration.topics.helpers.prefix = configuration.groupId
    }
    if problems.isEmpty {
      do throws(SettingsError) { try configuration.check(origins) } catch { problems.append(error) }
    }
    return Reading(configuration: configuration, origins: origins.given, problems: problems)
  }

  /// Every name that a flag or a file may hold.
  package var names: [String] { Configuration.table.map(\.name) + kafkaProperties.map { "kafka." + $0 } }

  /// The name of a setting in the environment: `gift.comboWindowMs` is `GIFT_COMBO_WINDOW_MS`.
  package static func environmentName(_ name: String) -> String {
    var result = ""
    for character in name {
      if character.isUppercase { result.append("_") }
      result += character == "." || character == "-" ? "_" : character.uppercased()
    }
    return result
  }

  /// Names in the environment that are nearly one of a setting, and what was likely meant. They are no settings, so they
  /// have no effect.
  package func misspelled(_ environment: [String: String]) -> [(variable: String, setting: String)] {
    let known = names.map(Self.environmentName)
    let taken = Set(known)
    return environment.keys.sorted().compactMap { variable in
      guard !taken.contains(variable), let nearest = NearestName.of(variable, among: known),
        NearestName.edits(Array(variable.utf8), Array(nearest.utf8)) <= min(2, variable.utf8.count / 5)
      else { return nil }
      return (variable, nearest)
    }
  }

  /// Only names of settings count, and none that is empty: so a template's blanks are no settings.
  private func entries(of environment: [String: String]) -> [SettingsFile.Entry] {
    names.compactMap { name in
      let variable = Self.environmentName(name)
      guard let value = environment[variable], !value.isEmpty else { return nil }
      return SettingsFile.Entry(name: name, text: .one(value), origin: .environment(variable))
    }
  }

  /// False: a group with nothing in it.
  private func store(_ entry: SettingsFile.Entry, in configuration: inout Configuration) throws(SettingsError) -> Bool {
    if let setting = Configuration.table.first(where: { $0.name == entry.name }) {
      try setting.store(entry, in: &configuration)
    } else if let property = kafkaProperty(entry.name) {
      try store(entry, as: property, in: &configuration)
    } else if let member = names.first(where: { $0.hasPrefix(entry.name + ".") }) {
      if entry.text == nil { return false }
      throw SettingsError(entry.origin, "\(entry.name) is a group of settings; name one, as \(member)")
    } else {
      let nearest = NearestName.of(entry.name, among: names) ?? ""
      throw SettingsError(entry.origin, "there is no setting \(entry.name); the nearest is \(nearest)")
    }
    return true
  }

  private func kafkaProperty(_ name: String) -> String? {
    guard name.hasPrefix("kafka.") else { return nil }
    let property = String(name.dropFirst("kafka.".count))
    return kafkaProperties.contains(property) ? property : nil
  }

  private func store(
    _ entry: SettingsFile.Entry, as property: String, in configuration: inout Configuration
  ) throws(SettingsError) {
    let value: String
    switch entry.text {
    case nil: throw SettingsError(entry.origin, "\(entry.name) has no value; leave it out for the default")
    case .one(let text): value = text
    case .list(let items): value = items.joined(separator: ",")
    }
    // Not the value: it may be a password.
    if let reason = checkKafkaProperty(property, value) {
      throw SettingsError(entry.origin, reason)
    }
    configuration.kafka[property] = value
  }
}

/// A setting on the command line.
package struct SettingFlag: Equatable, Sendable {
  package let name: String
  package let value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}
