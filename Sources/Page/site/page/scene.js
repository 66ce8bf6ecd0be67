import { drawing, element } from "./element.js";
import { concert } from "./scenes/concert.js";
import { HEIGHT } from "./scenes/terrain.js";
import { sea } from "./scenes/sea.js";
import { Seed, hash } from "./seed.js";

const scenes = [concert, sea];
let made = 0;

/**
 * The place behind a room, the same on every screen. Its parts are layers, so that a compositor
 * moves them and nothing is painted twice.
 * @param {string} roomId
 * @returns {{node: HTMLElement, tint: string, glow: string}}
 */
export function scene(roomId) {
  // Rooms with numbers stand side by side mostly, and should not look alike.
  const number = /(\d{1,6})$/.exec(roomId)?.[1] ?? hash(roomId);
  made += 1;
  const place = scenes[Number(number) % scenes.length](new Seed(roomId), `scene${made}`);
  const node = element("div.scene", { "aria-hidden": "true" });
  for (const { kind, art, left } of place.layers) {
    const layer = element(`div.layer.${kind}`, {}, drawing(art));
    if (left !== undefined) layer.style.left = `${left}%`;
    node.append(layer);
  }
  // On a phone on its side this height of the drawing stays in sight.
  node.style.setProperty("--focus", String(place.focus / HEIGHT));
  return { node, tint: place.tint, glow: place.glow };
}
