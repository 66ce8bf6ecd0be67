/**
 * Makes elements without markup: what viewers wrote only ever becomes text.
 * @param {string} tag `button.banner.is-gold`
 * @param {Record<string, any>} [properties] `data-…` and `aria-…` become attributes, the others properties
 * @param {(Node | string)[]} children
 * @returns {HTMLElement}
 */
export function element(tag, properties = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElement(name || "div");
  if (classes.length > 0) node.className = classes.join(" ");
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes("-") || key === "role") node.setAttribute(key, value);
    else node[key] = value;
  }
  node.append(...children);
  return node;
}

/**
 * Says a text in place of the one before, in the same node: numbers that count make and lay out nothing anew.
 * @param {Element} node holds nothing but text
 * @param {string} text
 */
export function say(node, text) {
  const { firstChild } = node;
  if (!(firstChild instanceof Text)) node.textContent = text;
  else if (firstChild.data !== text) firstChild.data = text;
}

/** Drawings that were read, by their markup: gifts come by the hundred. @type {Map<string, Element>} */
const drawings = new Map();
const MOST_DRAWINGS = 64;

/**
 * Our own drawings, never what came from outside.
 * @param {string} markup of an `<svg>`
 * @returns {SVGElement}
 */
export function drawing(markup) {
  let drawn = drawings.get(markup);
  if (!drawn) {
    const template = document.createElement("template");
    template.innerHTML = markup.trim();
    drawn = /** @type {Element} */ (template.content.firstElementChild);
    drawings.set(markup, drawn);
    if (drawings.size > MOST_DRAWINGS) drawings.delete(drawings.keys().next().value);
  }
  return /** @type {any} */ (document.importNode(drawn, true));
}
