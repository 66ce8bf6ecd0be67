// Made by `make types` from Schemas/flyscreen.schema.yaml.

/** The events of a viewer's or a platform's, by kind. */
interface Kinds {
  gift: Gift;
  wish: Wish;
  wishLike: WishLike;
  tap: Tap;
  rainStart: RainStart;
  rainGrab: RainGrab;
  retract: Retract;
  roomSettings: RoomSettings;
  roomEnd: RoomEnd;
  spot: Spot;
}

/** The body of an event: exactly one kind. */
export type EventBody = {
  [Kind in keyof Kinds]: Pick<Kinds, Kind> & { [Other in Exclude<keyof Kinds, Kind>]?: never };
}[keyof Kinds];

export interface Gift {
  sender?: EventSender;
  receiverId?: string;
  giftId: string;
  giftName?: string;
  /** The number of gifts; 0 is 1. With a streakId, the number of that streak so far. */
  count?: number;
  /** The price of one. */
  value?: number;
  streakId?: string;
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

/** Takes back the wish, the combo, the item of the spot, or all of the user, who may be muted. */
export interface Retract {
  wishId?: string;
  comboId?: string;
  userId?: string;
  muteMs?: number;
  spotId?: string;
}

export interface RoomSettings {
  /**
   * Settings of this room's own, by their names: those of gift., wish., like., rain., spot. and crowd. but for
   * gift.queueLimit, gift.streakMs, wish.queueLimit, like.maxPoints, rain.limit, rain.rememberMs, spot.queueLimit and
   * crowd.kinds. None: the worker's are in force again.
   */
  set?: Record<string, string | number>;
  /** 0 is 86,400,000. */
  forMs?: number;
}

/** It says all by being there. */
export interface RoomEnd {
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

export interface EventSender {
  userId?: string;
  name?: string;
  avatarUrl?: string;
}
