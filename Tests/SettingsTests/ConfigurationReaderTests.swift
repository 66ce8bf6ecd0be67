import Foundation
import RoomEngine
import RoomModel
import Settings
import Testing

struct ConfigurationReaderTests {
  let reader = ConfigurationReader(kafkaProperties: ["bootstrap.servers", "group.id", "sasl.password"]) { name, value in
    name == "group.id" && value == "bad" ? "that group is bad" : nil
  }

  @Test func withNothingSetEverythingHasItsDefault() throws {
    let configuration = try reader.read(environment: ["PATH": "/bin", "GIFTS": "1", "KAFKA_OPTS": "-Dx"])
    #expect(configuration == Configuration())
    #expect(configuration.engine == EngineSettings())
    #expect(configuration.groupId == "flyscreen")
  }

  @Test func aFlagBeatsTheEnvironmentWhichBeatsTheFile() throws {
    let configuration = try withFile("gift: {lanes: 3, tickMs: 50, holdMs: 5}\n") {
      try reader.read(
        file: $0, environment: ["GIFT_LANES": "4", "GIFT_TICK_MS": "60"],
        flags: [SettingFlag(name: "gift.lanes", value: "5")])
    }
    #expect(configuration.engine.gift.lanes == 5)
    #expect(configuration.engine.gift.tickMs == 60)
    #expect(configuration.engine.gift.holdMs == 5)
  }

  @Test(arguments: [
    "gift:\n  comboWindowMs: 7\ntopics:\n  input: [a, b]\nkafka:\n  bootstrap:\n    servers: h:1\n",
    "gift.comboWindowMs: 7\ntopics.input: a,b\nkafka.bootstrap.servers: h:1\n",
    "kafka: {bootstrap.servers: 'h:1'}\ntopics:\n  input:\n  - a\n  - b\ngift.comboWindowMs: '7'\nwish:\n  # nothing\n",
    #"{"gift":{"comboWindowMs":7},"topics":{"input":["a","b"]},"kafka":{"bootstrap.servers":["h:1"]}}"#,
  ])
  func namesInAFileAreNestedOrDotted(text: String) throws {
    let configuration = try withFile(text) { try reader.read(file: $0) }
    #expect(configuration.engine.gift.comboWindowMs == 7)
    #expect(configuration.topics.input == ["a", "b"])
    #expect(configuration.kafka == ["bootstrap.servers": "h:1"])
  }

  @Test func theEnvironmentSpellsNamesWithUnderscores() throws {
    let configuration = try reader.read(environment: [
      "GIFT_COMBO_WINDOW_MS": "7", "WORKER_HTTP_PORT": "0", "TOPICS_PRODUCE_WISH_LIKE": "likes", "TOPICS_INPUT": "a, b",
      "KAFKA_BOOTSTRAP_SERVERS": "h:1,h:2", "GIFT_PLACEMENT": "byUser", "TOPICS_KEY": "any", "CLOCK_GRACE_MS": "5",
    ])
    #expect(configuration.engine.gift.comboWindowMs == 7)
    #expect(configuration.engine.gift.placement == .byUser)
    #expect(configuration.worker.httpPort == 0)
    #expect(configuration.topics.produced(.wishLike) == ["likes"])
    #expect(configuration.topics.input == ["a", "b"])
    #expect(configuration.logSettings.keyRule == .any)
    #expect(configuration.logSettings.graceMs == 5)
    #expect(try configuration.bootstrapServers() == "h:1,h:2")
  }

  @Test(arguments: ["on", "true", "off", "false"])
  func whatIsOnOrOffIsTrueOrFalseToo(word: String) throws {
    let configuration = try reader.read(
      flags: ["gateway.events", "gateway.results"].map { SettingFlag(name: $0, value: word) })
    #expect(configuration.gateway.events.isOn == ["on", "true"].contains(word))
    #expect(configuration.gateway.results.isOn == ["on", "true"].contains(word))
    #expect(
      try withFile(#"{"gateway":{"events":\#(word),"results":\#(word)}}"#) { try reader.read(file: $0) }
        == configuration)
  }

  @Test func aBlankInTheEnvironmentIsNoSetting() throws {
    #expect(try reader.read(environment: ["GIFT_LANES": "", "KAFKA_GROUP_ID": ""]) == Configuration())
  }

  @Test func everySettingTakesItsOwnDefault() throws {
    let flags = Configuration.table.map { SettingFlag(name: $0.name, value: $0.text(Configuration())) }
    #expect(try reader.read(flags: flags) == Configuration())
  }

  @Test func anItemIsOverOnlyAfterItsRulesTellOfItAgainOrEndIt() throws {
    #expect(Configuration().staleAfterMs == 32_300)
    for name in ["pin.refreshMs", "goal.refreshMs", "goal.graceMs", "crowd.showMs", "rain.graceMs"] {
      #expect(try reader.read(flags: [SettingFlag(name: name, value: "60000")]).staleAfterMs == 62_000, "\(name)")
    }
    #expect(try reader.read(flags: [SettingFlag(name: "gift.refreshMs", value: "60000")]).staleAfterMs == 62_300)
    #expect(try reader.read(flags: [SettingFlag(name: "gift.refreshMs", value: "0")]).staleAfterMs == 0)
  }

  @Test func everySettingIsStoredUnderItsOwnNameAlone() throws {
    for setting in Configuration.table {
      guard let value = Self.anotherValue(of: setting) else { continue }
      let changed = try reader.read(flags: [SettingFlag(name: setting.name, value: value)])
      let differing = Configuration.table.filter { $0.text(changed) != $0.text(Configuration()) }
      #expect(differing.map(\.name) == [setting.name])
      #expect(setting.text(changed) == value)
    }
  }

  /// Values of lists that are empty by default, by what they take.
  private static let examples = [
    "numbers in 0…99999": "3,1", "origins": "https://example.org", "addresses, networks": "10.0.0.0/8,::1",
    "an address": "127.0.0.1", "0…65535, or empty": "9091", "1…64, or empty": "2",
    "up to 16 times worth:holdMs, the worths rising, or empty": "7:0,1000000000000000:1000000000", "topics": "a,b",
    "commits, or follow": "im.gifts/3@1200", "streams:ms, or empty": "7:100,9:200",
  ]

  /// One that is allowed and isn't the default.
  private static func anotherValue(of setting: Setting<Configuration>) -> String? {
    let usual = setting.text(Configuration())
    if let number = Int(usual) { return String(number + 1) }
    if let example = Self.examples[setting.values] { return example }
    if setting.values.contains(",") {
      return setting.values.split(separator: ", ").map(String.init).first { $0 != usual }
    }
    return "another"
  }

  @Test func noTwoSettingsShareANameInTheEnvironment() {
    let names = reader.names.map(ConfigurationReader.environmentName)
    #expect(Set(names).count == names.count)
  }

  @Test(arguments: [
    ("gift.lane", "3", "flag --gift.lane: there is no setting gift.lane; the nearest is gift.lanes"),
    (
      "comboWindowMs", "3", "flag --comboWindowMs: there is no setting comboWindowMs; the nearest is gift.comboWindowMs"
    ),
    (
      "kafka.boostrap.servers", "h",
      "flag --kafka.boostrap.servers: there is no setting kafka.boostrap.servers; the nearest is kafka.bootstrap.servers"
    ),
    (
      "gateway.events.kinds", "tap,hug",
      "flag --gateway.events.kinds: 'hug' is not a choice; give some of gift, wish, wishLike, tap, taps, rainStart, "
        + "rainGrab, spot, pin, goal, score, retract, roomSettings, roomEnd"
    ),
    ("gateway.events.kinds", "tap,tap", "flag --gateway.events.kinds: 'tap' is there twice; give it once"),
    ("gateway.probes.port", "65536", "flag --gateway.probes.port: '65536' will not do; give one in 0…65535, or empty"),
    (
      "gateway.http.address", "localhost",
      "flag --gateway.http.address: 'localhost' is no address; give one in digits, like 127.0.0.1 or ::1"
    ),
    ("gift.lanes", "65", "flag --gift.lanes: 65 is out of range; give one in 1…64"),
    ("gift.lanes", "0", "flag --gift.lanes: 0 is out of range; give one in 1…64"),
    ("gift.tickMs", "9", "flag --gift.tickMs: 9 is out of range; give one in 10…1000000000"),
    ("gift.holdMs", "-1", "flag --gift.holdMs: -1 is out of range; give one in 0…1000000000"),
    ("gift.holdMs", "1000000001", "flag --gift.holdMs: 1000000001 is out of range; give one in 0…1000000000"),
    ("gift.holdMs", "1.0", "flag --gift.holdMs: '1.0' is not a whole number; give one in 0…1000000000"),
    ("gift.holdMs", "010", "flag --gift.holdMs: '010' is not a whole number; give one in 0…1000000000"),
    ("gift.holdMs", "+1", "flag --gift.holdMs: '+1' is not a whole number; give one in 0…1000000000"),
    (
      "gift.holdMs", "99999999999999999999",
      "flag --gift.holdMs: 99999999999999999999 is out of range; give one in 0…1000000000"
    ),
    ("gift.order", "lifo", "flag --gift.order: 'lifo' is not a choice; give tier or fifo or value"),
    (
      "topics.input", "a,,b",
      "flag --topics.input: '' is no name for a topic; give 1 to 229 of a-z, A-Z, 0-9, '.', '_', '-'"
    ),
    ("topics.input", "a,a", "flag --topics.input: 'a' is there twice; give it once"),
    (
      "topics.commands", "a b",
      "flag --topics.commands: 'a b' is no name for a topic; give 1 to 249 of a-z, A-Z, 0-9, '.', '_', '-'"
    ),
    ("worker.http.port", "65536", "flag --worker.http.port: 65536 is out of range; give one in 0…65535"),
    (
      "kafka.group.id", "bad",
      "flag --kafka.group.id: that group is bad"
    ),
    (
      "wish.gap", "375",
      "wish.gap (375, flag --wish.gap) must be less than wish.stageWidth (375, the default); change one of them"
    ),
    (
      "topics.commands", "im.gifts",
      "im.gifts is in topics.input (the default) and is topics.commands (flag --topics.commands);"
        + " events and what becomes of them need topics of their own"
    ),
    (
      "topics.commands", "flyscreen.changelog.im.wishes",
      "topics.commands (flag --topics.commands): flyscreen.changelog.im.wishes is what a worker keeps beside its input"
        + " im.wishes; give another topic"
    ),
    (
      "topics.input", "a,a.dlq",
      "topics.input (flag --topics.input): a.dlq is what a worker keeps beside its input a; give another topic"
    ),
    (
      "topics.results", "render.commands",
      "topics.commands (the default) and topics.results (flag --topics.results) are both render.commands;"
        + " each needs a topic of its own"
    ),
  ])
  func whatCantBeUsedIsRefusedWithWhatToDo(name: String, value: String, message: String) {
    let error = #expect(throws: SettingsError.self) {
      try reader.read(flags: [SettingFlag(name: name, value: value)])
    }
    #expect(error?.description == message)
  }

  @Test(arguments: [
    ("gift:\n  lanes: 3\n  lane: 4\n", "line 3: there is no setting gift.lane; the nearest is gift.lanes"),
    ("gift:\n  lanes: many\n", "line 2: gift.lanes 'many' is not a whole number; give one in 1…64"),
    ("gift:\n  lanes:\n", "line 2: gift.lanes has no value; leave it out for the default"),
    ("gift:\n  lanes: [1]\n", "line 2: gift.lanes is a list; give one value"),
    ("gift: 3\n", "line 1: gift is a group of settings; name one, as gift.lanes"),
    ("gift.lanes: 3\ngift: {lanes: 4}\n", "line 2: gift.lanes is set already in file F line 1; leave one out"),
    ("topics: {input: []}\n", "line 1: topics.input is empty; give at least one"),
    ("topics: {input: [[a]]}\n", "line 1: topics.input: an item of a list must be a single value"),
    ("- gift\n", "line 1: settings are names with values, as in 'gift: {lanes: 3}'"),
    ("{\"gift\": {\"lanes\": 3\n", "line 2: neither YAML nor JSON: did not find expected ',' or '}'"),
    ("gift: &a {lanes: 3}\nwish: *a\n", "line 2: aliases are not read here; write the value out"),
    ("gift: {lanes: 3}\n---\ngift: {lanes: 4}\n", "line 3: a second document begins; put all settings in one"),
  ])
  func whatAFileHasWrongIsToldWithItsLine(text: String, message: String) throws {
    try withFile(text) { path in
      let error = #expect(throws: SettingsError.self) { try reader.read(file: path) }
      #expect(error?.description.replacing(path, with: "F") == "file F " + message)
    }
  }

  @Test func aFileThatIsNotThereIsNamed() {
    let error = #expect(throws: SettingsError.self) { try reader.read(file: "/no/such.yaml") }
    #expect(error?.description == "file /no/such.yaml can't be read: No such file or directory")
  }

  @Test func aPasswordIsNotRepeatedInAnError() {
    let strict = ConfigurationReader(kafkaProperties: ["sasl.password"]) { _, _ in "no" }
    let error = #expect(throws: SettingsError.self) {
      try strict.read(environment: ["KAFKA_SASL_PASSWORD": "hunter2"])
    }
    #expect(error?.description.contains("hunter2") == false)
  }

  @Test func aNameInTheEnvironmentThatIsNearlyASettingsIsTold() {
    let reader = ConfigurationReader(kafkaProperties: ["bootstrap.servers"])
    let environment = [
      "GIFT_LANSE": "3", "GIFT_LANES": "2", "KAFKA_BOOTSTRAP_SERVER": "k:9092", "KAFKA_HEAP_OPTS": "-Xmx1g",
      "PATH": "/bin", "HOME": "/",
    ]
    let found = reader.misspelled(environment)
    #expect(found.map(\.variable) == ["GIFT_LANSE", "KAFKA_BOOTSTRAP_SERVER"])
    #expect(found.map(\.setting) == ["GIFT_LANES", "KAFKA_BOOTSTRAP_SERVERS"])
  }
}

/// Returns what `body` makes of a file with this text, which is gone afterwards.
func withFile<Result>(_ text: String, _ body: (String) throws -> Result) throws -> Result {
  let file = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID().uuidString).yaml")
  try Data(text.utf8).write(to: file)
  defer { try? FileManager.default.removeItem(at: file) }
  return try body(file.path)
}
