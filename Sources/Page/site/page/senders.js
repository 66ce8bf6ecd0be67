/** @import { Command, Sender } from "../client/commands.js" */

const MOST = 500;

/**
 * The senders of a room with what they sent since the page was opened, counted by the numbers that were drawn.
 */
export class Senders {
  /** @type {Map<string, {sender: Sender, gifts: number, coins: number}>} */
  #people = new Map();
  /** @type {Map<string, {userId: string, value: number, count: number}>} what of a combo has been counted */
  #combos = new Map();

  /** @param {Command} command @returns {boolean} whether it changed anything */
  apply({ giftShow, giftBump, giftHide, wishFly }) {
    if (giftShow) {
      const { comboId, sender, value, from } = giftShow;
      this.#meet(sender);
      if (!this.#combos.has(comboId)) this.#keep(this.#combos, comboId, { userId: sender.userId, value, count: 0 });
      this.#countTo(comboId, from);
      return true;
    }
    if (wishFly) return this.#meet(wishFly.sender), true;
    const drawn = giftBump ?? giftHide;
    return drawn ? this.#countTo(drawn.comboId, drawn.count) : false;
  }

  /** @returns {{sender: Sender, gifts: number, coins: number}[]} who sent for the most coins first */
  ranking(most = Infinity) {
    return [...this.#people.values()]
      .filter(({ gifts }) => gifts > 0)
      .sort((a, b) => b.coins - a.coins || b.gifts - a.gifts)
      .slice(0, most);
  }

  #meet(sender) {
    const known = this.#people.get(sender.userId);
    if (known) known.sender = sender;
    else this.#keep(this.#people, sender.userId, { sender, gifts: 0, coins: 0 });
  }

  #countTo(comboId, count) {
    const combo = this.#combos.get(comboId);
    const person = this.#people.get(combo?.userId);
    if (!person || count <= combo.count) return false;
    person.gifts += count - combo.count;
    person.coins += (count - combo.count) * combo.value;
    combo.count = count;
    return true;
  }

  /** The oldest are forgotten, of people those who sent least. */
  #keep(map, key, value) {
    map.set(key, value);
    if (map.size <= MOST) return;
    if (map === this.#combos) return void map.delete(map.keys().next().value);
    const least = [...map].reduce((a, b) => (b[1] !== value && b[1].coins < a[1].coins ? b : a));
    map.delete(least[0]);
  }
}
