/** All nodes at one look: each is a row, and each of its GPUs a small strip. */
import {html, noChange, nothing} from "./lit-html/lit-html.js";
import {Directive, directive} from "./lit-html/directive.js";
import {repeat} from "./lit-html/directives/repeat.js";
import {hue, plural} from "./format.js";
import {counts, look, state} from "./states.js";

/** With more GPUs than that, their cards are shown only of the nodes that are chosen. */
const CARDS = 16;
/** With more nodes than that, rows are beside each other. */
const LARGE = 24;
/** With more nodes than that, rows are as small as can be read. */
const ROOMY = 150;
/** Of longer names the end is shown. Then 1,000 nodes with 8 GPUs fit on two screens. */
const MAX_NAME = 13;

export const SIZES = [["compact", "Compact"], ["large", "Large"], ["cards", "Cards"]];

/** The size that is chosen, or else the largest in which all is seen at one look. */
export function size(chosen, nodes) {
  if (SIZES.some(([name]) => name === chosen)) {
    return chosen;
  }
  const gpus = nodes.reduce((sum, node) => sum + node.gpus.length, 0);
  return gpus <= CARDS ? "cards" : nodes.length <= LARGE ? "large" : "compact";
}

/** Draws anew only if one of the values has changed: there can be thousands of rows. */
const memo = directive(class extends Directive {
  render(values, draw) {
    return draw();
  }

  update(part, [values, draw]) {
    if (this.values?.every((value, index) => value === values[index])) {
      return noChange;
    }
    this.values = values;
    return draw();
  }
});

/** The end of a long name, which tells nodes of a pool apart. */
export function short(name, length) {
  return name.length <= length ? name : `…${name.slice(1 - length)}`;
}

/** What is held of it, in the colours of its claims, and what is blocked, to scale. */
export function paint(gpu) {
  const parts = gpu.strip.segments.filter(each => each.lane === 0);
  if (parts.every(each => each.state === "FREE")) {
    return "";
  }
  const colour = each => each.state === "HELD" ? `var(--hue-${hue(each.claim)})` : each.state === "BLOCKED" ? "var(--shade)" : "transparent";
  return `background-image:linear-gradient(to right,${parts.map(each => `${colour(each)} ${each.from / 100}% ${each.to / 100}%`).join(",")})`;
}

/** In a sentence, for those who do not see it. */
function description(node, inWay) {
  const all = counts(node.gpus).map(([name, count]) => `${count} ${name}`).join(", ");
  const marked = node.gpus.filter(gpu => isInWay(gpu, inWay)).map(gpu => gpu.name);
  return `${node.name}${node.state === "NotReady" ? ", not ready" : ""}: ${plural(node.gpus.length, "GPU")}, ${all}${marked.length ? `; in the way: ${marked.join(", ")}` : ""}`;
}

export function isInWay(gpu, inWay) {
  return inWay !== undefined && (gpu.holdings || []).some(each => inWay.has(each.claim));
}

function strip(gpu, inWay, changes, isLarge) {
  const name = state(gpu);
  const label = name === "idle" ? nothing : html`<span>${name === "in use" ? gpu.mode : name}</span>`;
  return html`<i class="strip-${look(name)} ${isInWay(gpu, inWay) ? "inway" : ""} ${changes.has(gpu.id) ? "changes" : ""}" .style=${name === "unhealthy" ? "" : paint(gpu)} title=${`${gpu.name}: ${name === "in use" ? gpu.mode : name}`}>${isLarge ? label : nothing}</i>`;
}

function row(node, isOpen, inWay, changes, isLarge, length, open) {
  const marked = node.gpus.some(gpu => isInWay(gpu, inWay) || changes.has(gpu.id));
  return html`<button class="${node.state === "NotReady" ? "notready" : ""} ${marked ? "marked" : ""}" aria-expanded=${isOpen ? "true" : "false"} aria-label=${description(node, inWay)}
      title=${node.name} @click=${() => open(isOpen ? "" : node.name)}>
    <span class="host">${isLarge ? node.name : short(node.name, length)}</span><span class="strips">${node.gpus.map(gpu => strip(gpu, inWay, changes, isLarge))}</span></button>`;
}

/** What the strips look like, and how many there are of each. */
export function legend(nodes, hasInWay) {
  return html`<ul class="legend" aria-label="States of GPUs">${counts(nodes.flatMap(node => node.gpus)).map(([name, count]) =>
    html`<li><i class="strip-${look(name)}"></i>${count} ${name}</li>`)}${hasInWay ? html`<li><i class="inway"></i>in the way</li>` : nothing}</ul>`;
}

/**
 * @param opened the name of the node whose cards are shown
 * @param marked inWay (claims by node) and changes (ids of GPUs)
 * @param cards draws those of a node
 * @param open called with a name, or without one to close
 */
export function map(nodes, kind, opened, marked, cards, open) {
  const isLarge = kind === "large";
  const length = Math.min(MAX_NAME, nodes.reduce((longest, node) => Math.max(longest, node.name.length), 0));
  const gpus = nodes.reduce((most, node) => Math.max(most, node.gpus.length), 0);
  return html`<ul class="map ${kind} ${nodes.length <= ROOMY ? "roomy" : ""}" .style=${`--name:${(length * 0.6).toFixed(1)}em;--gpus:${Math.min(gpus, 16)}`} aria-label="Nodes">${repeat(nodes, node => node.name, node => {
    const inWay = marked.inWay.get(node.name);
    const changes = marked.changes;
    const isOpen = node.name === opened;
    return html`<li>${memo([node, isOpen, inWay, changes, isLarge, length], () => row(node, isOpen, inWay, changes, isLarge, length, open))}</li>
      ${isOpen ? html`<li class="opened">${cards(node)}</li>` : nothing}`;
  })}</ul>`;
}
