/// Something that takes bytes of others.
struct FuzzTarget: Sendable {
  let name: String
  /// Good inputs, made by the program itself, so always in the form of today.
  let seeds: @Sendable () -> [[UInt8]]
  /// Takes anything. It keeps nothing for the next time.
  let run: @Sendable (UnsafeRawBufferPointer) -> Void

  init(
    _ name: String, seeds: @escaping @Sendable () -> [[UInt8]],
    run: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
  ) {
    self.name = name
    self.seeds = seeds
    self.run = run
  }

  static let all = wire + logs + rooms + restores + settings + streams + tokens
}
