/** @import { Place } from "./flight.js" */

/**
 * @typedef {{way: Keyframe[], sparks: keyof typeof sparks}} Choreography `way`: of the gift, from nothing to nothing, from the
 *   beginning of its moment to the end
 */

const [soft, hard, back] = ["ease-in-out", "cubic-bezier(.6, 0, .9, .4)", "cubic-bezier(.2, 1.3, .4, 1)"];
const rest = { transform: "none" };

/** Each gift of the page moves in its own way. @type {Record<string, Choreography>} */
const ways = {
  rose: {
    sparks: "fall",
    way: [
      { transform: "translateY(45cqh) rotate(24deg) scale(.4)", easing: back },
      { transform: "rotate(-8deg)", offset: 0.25, easing: soft }, { transform: "rotate(8deg)", offset: 0.5, easing: soft },
      { transform: "rotate(-6deg)", offset: 0.75, easing: soft }, { transform: "translateY(-12cqh) rotate(10deg) scale(.7)" },
    ],
  },
  heart: {
    sparks: "rise",
    way: [
      { transform: "scale(0)", easing: back }, { transform: "scale(1)", offset: 0.14 }, { transform: "scale(1.22)", offset: 0.22 },
      { transform: "scale(1)", offset: 0.3 }, { transform: "scale(1.14)", offset: 0.36 }, { transform: "scale(1)", offset: 0.52 },
      { transform: "scale(1.26)", offset: 0.6 }, { transform: "scale(1)", offset: 0.68 }, { transform: "scale(1.16)", offset: 0.74 },
      { transform: "scale(1)", offset: 0.86, easing: hard }, { transform: "scale(2.6)" },
    ],
  },
  lollipop: {
    sparks: "burst",
    way: [
      { transform: "translateX(-80cqw) rotate(-540deg)", easing: "ease-out" }, { transform: "rotate(14deg)", offset: 0.34, easing: soft },
      { transform: "rotate(-12deg)", offset: 0.5, easing: soft }, { transform: "rotate(9deg)", offset: 0.66, easing: soft },
      { transform: "rotate(0)", offset: 0.78, easing: "ease-in" }, { transform: "translateX(80cqw) rotate(540deg)" },
    ],
  },
  beer: {
    sparks: "rise",
    way: [
      { transform: "translateX(-60cqw) rotate(-30deg)", easing: "ease-out" }, { transform: "rotate(-16deg)", offset: 0.22, easing: hard },
      { transform: "translateX(6px) rotate(22deg)", offset: 0.32, easing: "ease-out" }, { transform: "rotate(-8deg)", offset: 0.46, easing: hard },
      { transform: "translateX(6px) rotate(22deg)", offset: 0.58, easing: "ease-out" }, { transform: "none", offset: 0.74, easing: "ease-in" },
      { transform: "translateY(45cqh)" },
    ],
  },
  coffee: {
    sparks: "rise",
    way: [
      { transform: "translateY(-50cqh)", easing: "cubic-bezier(.2, .8, .3, 1)" }, { ...rest, offset: 0.3 }, { transform: "translateY(5px)", offset: 0.36 },
      { transform: "translateY(-4px)", offset: 0.6 }, { ...rest, offset: 0.84, easing: "ease-in" }, { transform: "scale(.5)" },
    ],
  },
  bouquet: {
    sparks: "fall",
    way: [
      { transform: "rotate(-120deg) scale(.1)", easing: back }, { transform: "rotate(6deg) scale(1.1)", offset: 0.3, easing: soft },
      { transform: "rotate(-5deg) scale(1)", offset: 0.55, easing: soft }, { transform: "rotate(4deg) scale(1.05)", offset: 0.8, easing: hard },
      { transform: "translateY(-60cqh) rotate(180deg) scale(.6)" },
    ],
  },
  cake: {
    sparks: "burst",
    way: [
      { transform: "translateY(-70cqh)", easing: "ease-in" }, { transform: "translateY(10px) scale(1.16, .8)", offset: 0.22, easing: "ease-out" },
      { transform: "translateY(-34px) scale(.95, 1.06)", offset: 0.32, easing: "ease-in" }, { transform: "translateY(6px) scale(1.07, .92)", offset: 0.42 },
      { ...rest, offset: 0.5 }, { ...rest, offset: 0.86 }, { transform: "scale(.3)" },
    ],
  },
  fireworks: {
    sparks: "salvo",
    way: [
      { transform: "translateY(60cqh) scale(.1)", easing: "cubic-bezier(.1, .7, .3, 1)" }, { transform: "translateY(-6cqh) scale(.12)", offset: 0.24, easing: back },
      { transform: "translateY(-6cqh) scale(1.25)", offset: 0.38, easing: "ease-out" }, { transform: "scale(1.3)", offset: 0.8 },
      { transform: "translateY(6cqh) scale(1.4)" },
    ],
  },
  crown: {
    sparks: "fall",
    way: [
      { transform: "translateY(-60cqh) scaleX(1)" }, { transform: "translateY(-40cqh) scaleX(-1)", offset: 0.1 },
      { transform: "translateY(-20cqh) scaleX(1)", offset: 0.2, easing: "ease-in" }, { transform: "translateY(8px) scale(1.08, .9)", offset: 0.3, easing: "ease-out" },
      { ...rest, offset: 0.4 }, { transform: "scale(1.06)", offset: 0.6 }, { ...rest, offset: 0.84, easing: hard }, { transform: "translateY(-50cqh) scale(.8)" },
    ],
  },
  car: {
    sparks: "trail",
    way: [
      { transform: "translateX(90cqw) skewX(-12deg)", easing: "cubic-bezier(.1, .8, .3, 1)" }, { transform: "translateX(0) skewX(8deg)", offset: 0.3 },
      { transform: "translateX(0)", offset: 0.36 }, { transform: "translateX(0) rotate(-3deg)", offset: 0.52, easing: soft },
      { transform: "translateX(18px) rotate(0) skewX(6deg)", offset: 0.66, easing: "cubic-bezier(.7, 0, 1, .5)" }, { transform: "translateX(-110cqw) skewX(-16deg)" },
    ],
  },
  rocket: {
    sparks: "exhaust",
    way: [
      { transform: "translateY(50cqh) rotate(-38deg)", easing: "ease-out" }, { transform: "translateY(8cqh) rotate(-38deg)", offset: 0.22 },
      ...Array.from({ length: 10 }, (_, i) => ({ transform: `translate(${i % 2 ? 4 : -4}px, 8cqh) rotate(-38deg)`, offset: 0.26 + i * 0.035 })),
      { transform: "translateY(8cqh) rotate(-38deg)", offset: 0.62, easing: "cubic-bezier(.7, 0, 1, .6)" }, { transform: "translateY(-110cqh) rotate(-38deg) scale(.8)" },
    ],
  },
  castle: {
    sparks: "salvo",
    way: [
      { transform: "translateY(60cqh) scale(1.1, .3)", easing: "cubic-bezier(.2, .7, .2, 1)" }, { transform: "translateY(-8px) scale(1.1, 1.2)", offset: 0.36, easing: soft },
      { transform: "scale(1.12)", offset: 0.46 }, { transform: "scale(1.2)", offset: 0.84, easing: "ease-in" }, { transform: "scale(1.5)" },
    ],
  },
};

/** @type {Choreography} */
const other = {
  sparks: "burst",
  way: [
    { transform: "translateY(60cqh) scale(.3) rotate(-20deg)", easing: "cubic-bezier(.2, 1.2, .4, 1)" },
    { transform: "rotate(3deg)", offset: 0.28, easing: soft }, { transform: "translateY(-8px) scale(1.06) rotate(-3deg)", offset: 0.55, easing: soft },
    { transform: "rotate(2deg)", offset: 0.8, easing: "ease-in" }, { transform: "translateY(-30cqh) scale(.5)" },
  ],
};

/** @param {string} giftId @returns {Choreography} */
export const choreography = (giftId) => (Object.hasOwn(ways, giftId) ? ways[giftId] : other);

/** The chances here are for the eye alone. */
const by = (span) => (Math.random() - 0.5) * span;
/**
 * A spark goes through three places, from nothing to nothing: `across` and `down` are hundredths of the stage from the
 * middle of the moment, `x` and `y` pixels more.
 * @param {{across?: number, down?: number, x?: number, y?: number, size: number}[]} places
 * @returns {Place[]}
 */
const through = (...places) => places.map(({ across = 0, down = 0, x = 0, y = 0, size }, i) => (
  { offset: [0, 0.4, 1][i], x: 0.5 + across / 100, xPx: x, y: MIDDLE + down / 100, yPx: y, turn: 0, size, opacity: [0, 1, 0][i] }));
/** The middle of a moment, as a share of the stage's height. */
const MIDDLE = 0.44;

/** Ways of a spark; `turn` is 0…1, its share of all of them. */
export const sparks = {
  burst: (turn, [cx, cy] = [0, 0]) => {
    const [angle, far] = [turn * 6.283 + by(0.3), 110 + Math.random() * 150];
    const [x, y] = [cx + Math.cos(angle) * far, cy + Math.sin(angle) * far];
    return through({ x: cx, y: cy, size: 0.2 }, { x: (cx + x * 2) / 3, y: (cy + y * 2) / 3, size: 1 }, { x, y: y + 60, size: 0.3 });
  },
  salvo: (turn) => sparks.burst((turn * 3) % 1, [[0, -60], [-90, 20], [90, 40]][Math.floor(turn * 3) % 3]),
  fall: (turn) => {
    const x = (turn - 0.5) * 90;
    return through({ across: x, down: -45, size: 1 }, { across: x + by(12), down: -8, size: 1 }, { across: x + by(24), down: 40, size: 0.8 });
  },
  rise: (turn) => {
    const x = (turn - 0.5) * 220;
    return through({ x, y: 60, size: 0.2 }, { x: x + by(30), y: -60 - Math.random() * 60, size: 1 }, { x: x + by(60), down: -38, size: 0.9 });
  },
  trail: () => {
    const y = 30 + by(50);
    return through({ x: 70, y, size: 0.2 }, { across: 24, y, size: 0.9 }, { across: 60, y: y - 20, size: 0.3 });
  },
  exhaust: () => {
    const x = by(50);
    return through({ x: x / 3, down: 15, size: 0.2 }, { x, down: 28, size: 1.2 }, { x: x * 3, down: 46, size: 0.4 });
  },
};
