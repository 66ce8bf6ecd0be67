// Made by `make types` from Schemas/flyscreen.schema.yaml.

/**
 * A command, which clients draw. It has one body; a reader ignores a body, and members, that it doesn't know: a newer
 * server has more of them.
 */
export interface Command {
  roomId: string;
  /** topic/partition/offset/n. Within its room it never comes again. */
  id: string;
  /** The time at which a client acts on it. */
  atMs: number;
  giftShow?: GiftShow;
  giftBump?: GiftBump;
  giftHide?: GiftHide;
  wishFly?: WishFly;
  wishLikes?: WishLikes;
  wishGone?: WishGone;
  likeBurst?: LikeBurst;
  rainCountdown?: RainCountdown;
  rainDrop?: RainDrop;
  rainTally?: RainTally;
  rainEnd?: RainEnd;
  spotShow?: SpotShow;
  spotGone?: SpotGone;
  crowdShow?: CrowdShow;
  crowdHide?: CrowdHide;
  pinShow?: PinShow;
  pinGone?: PinGone;
  goalShow?: GoalShow;
  goalCount?: GoalCount;
  goalEnd?: GoalEnd;
  retracted?: Retracted;
  skipped?: Skipped;
  roomEnd?: RoomEnded;
}

/**
 * A room's screen at nowMs, as commands that draw it, in the order of their atMs; if the room has ended and nothing
 * has come since, its end is the last.
 */
export interface Snapshot {
  roomId: string;
  /** Milliseconds since 1970 by the log's clock. */
  nowMs: number;
  /**
   * An item that only a command ends (a gift view, a rain, a crowd) is over when no command has told of it for so many
   * milliseconds. Absent: the gateway tells no such span.
   */
  staleAfterMs?: number;
  /**
   * How far behind the log viewers show the room, so that commands come in time. Absent: the gateway tells no such
   * span.
   */
  lagMs?: number;
  commands: Command[];
  past?: Past;
  /**
   * The last command of each input partition that came before it, whatever became of it on the screen, in the order of
   * their ids. Only GET /rooms/{roomId} tells it.
   */
  position?: CommandMark[];
}

/** The result of a grab of a red packet. */
export interface Result {
  /** The id of the grab. */
  id: string;
  roomId: string;
  eventId: string;
  rainId: string;
  packet: number;
  userId: string;
  outcome: "missed" | "again" | "won" | "empty";
  coins: number;
}

/** The combo that is on this lane, as it is now. */
export interface GiftShow {
  /** topic/partition/offset. */
  comboId: string;
  /** 0 is the top. */
  lane: number;
  sender: Sender;
  receiverId: string;
  receiverName: string;
  giftId: string;
  giftName: string;
  value: number;
  /** The last number drawn. */
  from: number;
  /** The number that has arrived. */
  total: number;
  /** 0 means that it stands there already. */
  enterMs: number;
  /** The tier by value × total; 0 is the lowest. */
  tier: number;
  extra: string;
}

/** The number of the combo on this lane pops. */
export interface GiftBump {
  /** topic/partition/offset. */
  comboId: string;
  /** 0 is the top. */
  lane: number;
  count: number;
  /** Milliseconds. */
  tickMs: number;
}

/** The combo leaves its lane. */
export interface GiftHide {
  /** topic/partition/offset. */
  comboId: string;
  /** 0 is the top. */
  lane: number;
  count: number;
  /** Milliseconds. */
  exitMs: number;
}

/** A banner starts, from right to left. */
export interface WishFly {
  wishId: string;
  /** 0 is the top. */
  track: number;
  sender: Sender;
  text: string;
  style: string;
  /** In the units of the setting wish.stageWidth, which is the whole stage's. */
  width: number;
  /** Milliseconds. */
  durationMs: number;
  likes: number;
  extra: string;
}

export interface WishLikes {
  wishId: string;
  /** The total. */
  likes: number;
}

/** The wish that flies is taken back, and off the screen at once. */
export interface WishGone {
  wishId: string;
}

/** Hearts rise, some of them at these points. */
export interface LikeBurst {
  count: number;
  points: Point[];
}

/** A rain starts in as many seconds as are left; 0 is now. */
export interface RainCountdown {
  rainId: string;
  left: number;
  /** Milliseconds since 1970 by the log's clock. */
  startMs: number;
  /** Milliseconds. */
  durationMs: number;
  extra: string;
}

/** A packet falls from x to toX within fallMs. It turns from angle by spin degrees within spinMs, and no further. */
export interface RainDrop {
  rainId: string;
  packet: number;
  x: number;
  fallMs: number;
  angle: number;
  spin: number;
  toX: number;
  spinMs: number;
}

/** Totals of this rain. */
export interface RainTally {
  rainId: string;
  opened: number;
  winners: number;
  coins: number;
}

/** The rain is over. */
export interface RainEnd {
  rainId: string;
}

/** This fills the screen from now on. Of an event the combo and the gift are empty, total and tier 0. */
export interface SpotShow {
  spotId: string;
  /** `gift`, or a word of the platform's. */
  kind: string;
  comboId: string;
  sender: Sender;
  receiverId: string;
  receiverName: string;
  giftId: string;
  giftName: string;
  value: number;
  total: number;
  tier: number;
  text: string;
  style: string;
  /** Milliseconds. */
  durationMs: number;
  extra: string;
}

/** The item that fills the screen is taken back. */
export interface SpotGone {
  spotId: string;
}

/** The bar shows this crowd, as it is now. */
export interface CrowdShow {
  /** topic/partition/offset. */
  crowdId: string;
  receiverId: string;
  receiverName: string;
  giftId: string;
  giftName: string;
  value: number;
  items: number;
  units: number;
  /** Up to three who sent the dearest. */
  names: Sender[];
}

/** The bar is free. */
export interface CrowdHide {
  /** topic/partition/offset. */
  crowdId: string;
}

/** A pin that is shown, as it is. It ends at endMs, without a command. */
export interface PinShow {
  pinId: string;
  sender: Sender;
  text: string;
  style: string;
  value: number;
  first: number;
  /** Milliseconds since 1970 by the log's clock. */
  startMs: number;
  /** Milliseconds since 1970 by the log's clock. */
  endMs: number;
  extra: string;
}

/** A pin goes before its time. */
export interface PinGone {
  pinId: string;
  reason: "limit" | "retracted" | "ended";
}

/** A goal that runs, as it is now. */
export interface GoalShow {
  goalId: string;
  text: string;
  by: "value" | "units" | "likes" | "none";
  giftId: string;
  receiverId: string;
  target: number;
  progress: number;
  reached: number;
  sides: GoalSide[];
  /** Milliseconds since 1970 by the log's clock. */
  startMs: number;
  /** Milliseconds since 1970 by the log's clock. */
  endMs: number;
  extra: string;
}

/** A goal's progress. */
export interface GoalCount {
  goalId: string;
  progress: number;
  reached: number;
  sides: GoalSide[];
}

/** A goal is over, with its progress at the end. */
export interface GoalEnd {
  goalId: string;
  progress: number;
  reached: number;
  sides: GoalSide[];
  reason: "over" | "retracted" | "ended";
}

/** The id that a retract names; the others are empty. Lists of what was shown leave it out from then on. */
export interface Retracted {
  wishId: string;
  comboId: string;
  spotId: string;
  pinId: string;
  goalId: string;
  userId: string;
}

/** Items that were not drawn. */
export interface Skipped {
  stage: "gift" | "wish" | "spot" | "pin";
  reason: "overflow" | "expired" | "retracted" | "ended";
  items: number;
  units: number;
}

/** Nothing of this room that came from this input partition is on the screen any more. */
export interface RoomEnded {
}

/**
 * The room's past, as far back as this gateway knows it: who gave the most coins in gifts that were drawn, what crowds
 * told beside that, and the wishes that flew last, the latest first; up to 20 each.
 */
export interface Past {
  /** Milliseconds since 1970 by the log's clock. */
  sinceMs: number;
  givers: { sender: Sender; gifts: number; coins: number }[];
  crowds: { gifts: number; coins: number; told: { crowdId: string; units: number }[] };
  wishes: PastWish[];
}

export interface CommandMark {
  /** topic/partition/offset/n. */
  id: string;
  /** Milliseconds since 1970 by the log's clock. */
  atMs: number;
}

export interface Sender {
  userId: string;
  name: string;
  avatarUrl: string;
}

/** In thousandths of the stage. */
export interface Point {
  x: number;
  y: number;
}

/** A side of a battle. */
export interface GoalSide {
  id: string;
  total: number;
}

export interface PastWish {
  /** Milliseconds since 1970 by the log's clock. */
  atMs: number;
  wishId: string;
  sender: Sender;
  text: string;
  style: string;
  likes: number;
}
