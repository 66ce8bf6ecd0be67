import { element } from "./element.js";
import { isReduced, moveSince, removeAfter } from "./motion.js";

/** A moment that is celebrated. @typedef {{label: string, count?: number, shape: string, fly: (turn: number) => number[]}} Milestone */

/** Numbers of a combo that are celebrated: each has its own shape, that flies in its own way. */
const milestones = [
  { count: 66, shape: "leaf", fly: (turn) => [Math.cos(turn * 6.283) * 110, Math.sin(turn * 6.283) * 56] },
  { count: 188, shape: "coin", fly: (turn) => [20 + turn * 240, -150 + 300 * (turn - 0.5) ** 2 * 4] },
  { count: 520, shape: "heart", fly: (turn) => [(turn - 0.5) * 200, -120 - 130 * Math.abs(Math.sin(turn * 9.4))] },
  { count: 1314, shape: "star", fly: (turn) => [Math.cos(turn * 18.85) * (40 + turn * 130), Math.sin(turn * 18.85) * (30 + turn * 90) - 60] },
].map((one) => ({ ...one, label: `×${one.count}` }));
const SHAPES = 16;
/** The time that a milestone is celebrated. */
export const CELEBRATES_MS = 1600;

/**
 * The milestone that a number has come to, or passed.
 * @param {number} before @param {number} count
 */
export const milestoneOf = (before, count) => milestones.findLast((one) => before < one.count && one.count <= count);

/**
 * Celebrates a milestone on the picture of the gift whose number reached it, or on the bar of a goal.
 * @param {Milestone} milestone
 * @param {{atMs: number, now: () => number}} time log time
 * @returns {HTMLElement} takes itself away
 */
export function celebrate({ label: text, count, shape, fly }, { atMs, now }) {
  const label = element("b", {}, text);
  const node = element("div.milestone", { "data-milestone": count ?? "", "aria-hidden": "true" }, label);
  const time = { atMs, now, durationMs: CELEBRATES_MS };
  const fade = { opacity: 0, offset: 1 };
  const way = isReduced()
    ? [{ opacity: 1 }, { opacity: 1, offset: 0.8 }, fade]
    : [{ transform: "scale(.2)", opacity: 0, easing: "cubic-bezier(.2, 1.5, .4, 1)" }, { transform: "none", opacity: 1, offset: 0.2 }, { transform: "none", opacity: 1, offset: 0.75 }, { ...fade, transform: "translateY(-30px)" }];
  removeAfter(moveSince(label, way, time), () => node.remove());
  if (isReduced()) return node;
  for (let i = 0; i < SHAPES; i += 1) {
    const one = element(`i.is-${shape}`);
    const [x, y] = fly(i / SHAPES);
    node.append(one);
    moveSince(
      one,
      [{ transform: "scale(.2)", opacity: 0 }, { transform: `translate(${x * 0.7}px, ${y * 0.7}px) rotate(${i * 20}deg)`, opacity: 1, offset: 0.35 }, { transform: `translate(${x}px, ${y + 50}px) rotate(${i * 60}deg) scale(.5)`, opacity: 0 }],
      { ...time, atMs: atMs + i * 18, easing: "ease-out" });
  }
  return node;
}
