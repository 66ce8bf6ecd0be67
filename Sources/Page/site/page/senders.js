/** @import { Command, Past, Sender } from "../client/commands.js" */

const MOST = 500;
/** The most givers that a gateway tells; where it tells fewer, there were no others. */
const MOST_TOLD = 20;

/**
 * The senders of a room with what they sent, counted by the numbers that were drawn: since the time that the gateway
 * tells, or else since the page was opened.
 */
export class Senders {
  /** Log time; null: since this viewer came. @type {number | null} */
  sinceMs = null;
  /** Gifts that crowds told, without their senders. */
  crowds = { gifts: 0, coins: 0 };
  /** @type {Map<string, {sender: Sender, gifts: number, coins: number, isLate: boolean}>} `isLate`: counted only since this viewer came */
  #people = new Map();
  /** @type {Map<string, {userId: string, value: number, count: number, counted: number}>} counted so far of combos, and of that since this viewer came */
  #combos = new Map();
  /** @type {Map<string, number>} units counted so far of crowds */
  #units = new Map();
  #isLate = false;

  /** Begins anew with the past, and what is on the screen. @param {Past | null} past @param {Command[]} commands */
  begin(past, commands) {
    if (past) {
      this.#combos.clear();
      // A gateway of before tells of none while gateways are replaced.
      this.#units = new Map((past.crowds.told ?? []).map(({ crowdId, units }) => [crowdId, units]));
      this.#people = new Map(past.givers.map((giver) => [giver.sender.userId, { ...giver, isLate: false }]));
      [this.sinceMs, this.crowds, this.#isLate] = [past.sinceMs, { gifts: past.crowds.gifts, coins: past.crowds.coins }, past.givers.length >= MOST_TOLD];
    }
    for (const { giftShow, crowdShow } of commands) {
      if (giftShow) this.apply({ giftShow });
      // What it told before is counted, or was before this viewer came.
      else if (crowdShow && !this.#units.has(crowdShow.crowdId)) this.#units.set(crowdShow.crowdId, crowdShow.units);
    }
  }

  /** @param {Partial<Command>} command @returns {boolean} whether it changed anything */
  apply({ giftShow, giftBump, giftHide, wishFly, crowdShow, retracted }) {
    if (giftShow) {
      const { comboId, sender, value, from } = giftShow;
      this.#meet(sender);
      // Numbers drawn before are told, or were before this viewer came.
      if (!this.#combos.has(comboId)) this.#keep(this.#combos, comboId, { userId: sender.userId, value, count: from, counted: 0 });
      this.#countTo(comboId, from);
      return true;
    }
    if (crowdShow) return this.#crowd(crowdShow);
    if (retracted) return this.#takeBack(retracted);
    if (wishFly) return this.#meet(wishFly.sender), true;
    const drawn = giftBump ?? giftHide;
    return drawn ? this.#countTo(drawn.comboId, drawn.count) : false;
  }

  /** @returns {{sender: Sender, gifts: number, coins: number, isLate: boolean}[]} who sent for the most coins first */
  ranking(most = Infinity) {
    return [...this.#people.values()]
      .filter(({ gifts }) => gifts > 0)
      .sort((a, b) => b.coins - a.coins || b.gifts - a.gifts)
      .slice(0, most);
  }

  /** Gifts that joined a crowd stay in it. @param {import("../client/commands.js").Retracted} retracted */
  #takeBack({ userId, comboId }) {
    if (userId) {
      for (const [id, combo] of this.#combos) if (combo.userId === userId) this.#combos.delete(id);
      return this.#people.delete(userId);
    }
    const combo = this.#combos.get(comboId);
    const person = this.#people.get(combo?.userId);
    this.#combos.delete(comboId);
    if (!person) return false;
    person.gifts -= combo.counted;
    person.coins -= combo.counted * combo.value;
    return true;
  }

  #meet(sender) {
    const known = this.#people.get(sender.userId);
    if (known) known.sender = sender;
    else this.#keep(this.#people, sender.userId, { sender, gifts: 0, coins: 0, isLate: this.#isLate });
  }

  #crowd({ crowdId, units, value }) {
    const more = Math.max(0, units - (this.#units.get(crowdId) ?? 0));
    this.#keep(this.#units, crowdId, units);
    this.crowds.gifts += more;
    this.crowds.coins += more * value;
    return false;
  }

  #countTo(comboId, count) {
    const combo = this.#combos.get(comboId);
    const person = this.#people.get(combo?.userId);
    if (!person || count <= combo.count) return false;
    person.gifts += count - combo.count;
    person.coins += (count - combo.count) * combo.value;
    combo.counted += count - combo.count;
    combo.count = count;
    return true;
  }

  /** Keeps an entry. The oldest entries are forgotten; of people, those who sent least. */
  #keep(map, key, value) {
    map.set(key, value);
    if (map.size <= MOST) return;
    if (map !== this.#people) return void map.delete(map.keys().next().value);
    const least = [...map].reduce((a, b) => (b[1] !== value && b[1].coins < a[1].coins ? b : a));
    map.delete(least[0]);
  }
}
