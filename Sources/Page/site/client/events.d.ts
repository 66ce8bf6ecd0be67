// Made by `make types` from Schemas/flyscreen.schema.yaml.

/** The events of a viewer's or a platform's, by kind. */
interface Kinds {
  gift: Gift;
  wish: Wish;
  wishLike: WishLike;
  tap: Tap;
  taps: Taps;
  rainStart: RainStart;
  rainGrab: RainGrab;
  spot: Spot;
  pin: Pin;
  goal: Goal;
  score: Score;
  retract: Retract;
  roomSettings: RoomSettings;
  roomEnd: RoomEnd;
}

/** The body of an event: exactly one kind. */
export type EventBody = {
  [Kind in keyof Kinds]: Pick<Kinds, Kind> & { [Other in Exclude<keyof Kinds, Kind>]?: never };
}[keyof Kinds];

export interface Gift {
  sender?: EventSender;
  receiverId?: string;
  receiverName?: string;
  giftId: string;
  giftName?: string;
  /** The number of gifts; 0 is 1. With a streakId, the number of that streak so far. */
  count?: number;
  /** The price of one. */
  value?: number;
  streakId?: string;
  /** 1 begins a combo of its own, which no other gift joins. */
  apart?: number;
  /** The time that it stays once all is shown; 0 is by its tier. */
  holdMs?: number;
  extra?: string;
}

export interface Wish {
  sender?: EventSender;
  text: string;
  wishId?: string;
  style?: string;
  extra?: string;
}

export interface WishLike {
  userId?: string;
  wishId: string;
}

export interface Tap {
  userId?: string;
  x?: number;
  y?: number;
}

/** Likes that a client has told from taps by itself, gathered. */
export interface Taps {
  userId?: string;
  runId: string;
  /** The likes of this run so far. */
  count: number;
  /** The places of some of them. */
  points?: TapPoint[];
}

export interface RainStart {
  rainId: string;
  durationMs?: number;
  /** 0 is 4. */
  perSecond?: number;
  /** Seconds; absent it is 5. */
  countdown?: number;
  /** Coins. */
  budget?: number;
  /** 0 is 3. */
  winEvery?: number;
  prizes?: number[];
  extra?: string;
}

export interface RainGrab {
  rainId: string;
  packet?: number;
  userId?: string;
}

/** Something that is to fill the screen. */
export interface Spot {
  sender?: EventSender;
  kind: string;
  spotId?: string;
  text?: string;
  style?: string;
  /** By which it comes before others. */
  value?: number;
  /** The time that it is shown; 0 is the setting spot.durationMs. */
  durationMs?: number;
  extra?: string;
}

/** A message that stays for its time. */
export interface Pin {
  sender?: EventSender;
  pinId?: string;
  text: string;
  style?: string;
  /** The price that was paid for it. */
  value?: number;
  /** 1 goes before those that were paid for. */
  first?: number;
  /** The time that it is shown; 0 is the setting pin.durationMs. */
  durationMs?: number;
  extra?: string;
}

/**
 * Counts gifts or likes towards a target, or gifts for the sides of a battle. One that runs is changed: its text,
 * target and extra, and its end if there is a durationMs.
 */
export interface Goal {
  goalId: string;
  text?: string;
  /** The unit that it counts in; absent it is value. */
  by?: string;
  /** Only this gift counts. */
  giftId?: string;
  /** Only gifts for this one count. Not with sides. */
  receiverId?: string;
  target?: number;
  /** 2 to 8 ids, no two equal. Not with by likes. */
  sides?: string[];
  /** One of the sides, for which gifts count that are for none of them. */
  home?: string;
  /** 0 is 3,600,000, and of a goal that runs unchanged. */
  durationMs?: number;
  extra?: string;
}

/** The sum so far of what is counted elsewhere for a goal, or for one of its sides. */
export interface Score {
  goalId: string;
  side?: string;
  total?: number;
}

/** Takes back the wish, the combo, the item of the spot, the pin, the goal, or all of the user, who may be muted. */
export interface Retract {
  wishId?: string;
  comboId?: string;
  userId?: string;
  muteMs?: number;
  spotId?: string;
  pinId?: string;
  goalId?: string;
}

export interface RoomSettings {
  /**
   * Settings of this room's own, by their names: those of gift., wish., like., rain., spot., crowd., pin. and goal.
   * but for gift.queueLimit, gift.streakMs, wish.queueLimit, like.maxPoints, like.runMs, rain.limit, rain.rememberMs,
   * spot.queueLimit, crowd.kinds, pin.limit and goal.limit. None: the worker's are in force again.
   */
  set?: Record<string, string | number>;
  /** 0 is 86,400,000. */
  forMs?: number;
}

/** It says all by being there. */
export interface RoomEnd {
}

export interface EventSender {
  userId?: string;
  name?: string;
  avatarUrl?: string;
}

export interface TapPoint {
  x?: number;
  y?: number;
}
