import { direction } from "./words.js";

const query = new URLSearchParams(location.search);

/** `?overlay`: a room over nothing, for a browser source in a streaming program or above an app's own video. */
export const isOverlay = query.has("overlay");
/** `?stage`: a room for a television, to be read from across the room. */
export const isStage = query.has("stage");
/** The parts of a room that `only` may name. */
export const PARTS = ["gifts", "wishes", "rain", "likes", "moments", "pins", "goals"];
const named = (query.get("only") ?? "").split(",").map((part) => part.trim().toLowerCase()).filter((part) => part !== "");
/** `?only=gifts,rain`: parts of a room; null: all of it. */
export const only = named.length > 0 ? named.filter((part) => PARTS.includes(part)) : null;
if (only && only.length < named.length) console.warn(`only=${named}: the parts of a room are ${PARTS}`);
/** `?quiet`: nothing that takes the whole stage, and no hearts. */
export const isQuiet = query.has("quiet");
/** Whether the page has nothing but the room. */
export const isWatched = isOverlay || isStage;
/** `?overlay&touch`: packets, wishes and hearts take fingers; whoever shows the page passes on all other touches. */
export const isTouched = isOverlay && query.has("touch");
/** Whether a viewer may touch what is on the stage. */
export const mayTouch = !isWatched || isTouched;
/** `?side=right`: the lanes are there, as on the page where words are read from the right. */
export const isRight = query.get("side") === "right" || (direction === "rtl" && !isOverlay);
/** `?overlay&sound`: nobody can touch it, so its address turns the sound on. */
export const hasSound = isWatched && query.has("sound");

/** The least sizes that a stage is drawn for, in pixels. It is enlarged as far as the window lets it. */
const PHONE = { width: 390, height: 844 };
const OVERLAY = { width: 390, height: 520 };
/** 11 pixels, the smallest text, are 2.3 % of it. */
const TELEVISION = { width: 390, height: 480 };
/** The least stages that all has its place on: one that stands, and one on its side. Smaller ones are drawn smaller. */
const LEAST = { width: 360, height: 560 };
const LEAST_LOW = { width: 667, height: 375 };
/** The width from which there is room beside the stage. */
const DESK_WIDTH = 900;
/** The room's share of a window's height: the rest is its frame. */
const DESK_SHARE = 0.95;

/** Pixels of the window for each pixel of the stage. */
let scale = 1;

/** The pixels of the screen for each pixel of the stage. */
export const pixelsOfStage = () => scale * devicePixelRatio;

/** @param {{clientX: number, clientY: number}} place in the window @returns {{x: number, y: number}} in pixels of the stage */
export const placeOnStage = ({ clientX, clientY }) => ({ x: clientX / scale, y: clientY / scale });

/**
 * Keeps the stage as large as the window lets it be: a phone is filled as it is, on a tablet and on a desk all is made
 * larger, in proportion.
 */
export function fitStage() {
  const root = document.documentElement;
  root.classList.toggle("is-overlay", isOverlay);
  root.classList.toggle("is-stage", isStage);
  root.classList.toggle("is-touched", isTouched);
  root.classList.toggle("is-right", isRight);
  const fit = () => {
    const [width, height] = [innerWidth, innerHeight];
    const isLarge = width >= 560 && height >= 520;
    const isDesk = !isWatched && isLarge && width >= DESK_WIDTH;
    const largest = (least, { width, height }) => Math.min(width / least.width, height / least.height);
    const high = height * DESK_SHARE;
    const size = isDesk ? { width: Math.min(width * 0.46, high * 0.62), height: high } : { width, height };
    if (isWatched) scale = largest(isOverlay ? OVERLAY : TELEVISION, size) * factor(query.get("scale"));
    else {
      const enlarged = isDesk ? high / PHONE.height : isLarge ? largest(PHONE, size) : 0;
      const least = width >= 560 && height < 520 ? LEAST_LOW : LEAST;
      // The height that a keyboard takes makes nothing smaller.
      const isWriting = document.activeElement?.matches("input") === true;
      scale = Math.max(enlarged, Math.min(1, largest(least, isWriting ? { ...size, height: Infinity } : size)));
    }
    const style = { "--stage-scale": scale, "--frame-width": `${size.width}px`, "--frame-height": `${size.height}px` };
    for (const [name, value] of Object.entries(style)) root.style.setProperty(name, String(value));
    root.classList.toggle("is-desk", isDesk);
  };
  addEventListener("resize", fit);
  fit();
}

/** @param {string | null} text of the address @returns {number} from 0.5 to 3; 1 where it is none */
function factor(text) {
  const value = Number(text);
  return value > 0 ? Math.min(3, Math.max(0.5, value)) : 1;
}
