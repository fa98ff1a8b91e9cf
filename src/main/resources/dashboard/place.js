/** The cards of a node, by NUMA node and PCIe root as far as it has several. */
import {html} from "./lit-html/lit-html.js";
import {repeat} from "./lit-html/directives/repeat.js";
import {byName} from "./format.js";

/** With the values of a key in order, and what has none at the end (or at the beginning, as CPUs, which are at no root). */
function grouped(gpus, key, order, isFirst) {
  const groups = new Map();
  gpus.forEach(gpu => groups.set(key(gpu), (groups.get(key(gpu)) || []).concat(gpu)));
  return [...groups].sort(([a], [b]) => a === "" || b === "" ? (a === b ? 0 : (a === "") === isFirst ? -1 : 1) : order(a, b));
}

/** By the root, too: of network cards some drivers publish only that. */
function numaNodes(gpus) {
  const ofRoots = new Map(gpus.filter(gpu => gpu.numaNode).map(gpu => [gpu.pcieRoot, gpu.numaNode]));
  ofRoots.delete(undefined);
  return gpu => gpu.numaNode || ofRoots.get(gpu.pcieRoot) || "";
}

/** Roots have hexadecimal numbers of a fixed width: 15 comes before 9a. */
function byRoot(a, b) {
  return a < b ? -1 : 1;
}

function titled(title, kind, content) {
  return html`<div class=${kind} role="group" aria-label=${title}><p class="place">${title}</p>${content}</div>`;
}

function flat(gpus, card) {
  return html`<div class="gpus">${repeat(gpus, gpu => gpu.id, card)}</div>`;
}

function roots(gpus, card) {
  const groups = grouped(gpus, gpu => gpu.pcieRoot || "", byRoot, true);
  return groups.filter(([root]) => root).length < 2 ? flat(gpus, card)
    : html`<div class="gpus">${repeat(groups, ([root]) => root, ([root, ofRoot]) =>
      root ? titled(`PCIe root ${root}`, "root", ofRoot.map(card)) : ofRoot.map(card))}</div>`;
}

/** @param card draws one of them */
export function places(gpus, card) {
  const groups = grouped(gpus, numaNodes(gpus), byName, false);
  return groups.filter(([numa]) => numa).length < 2 ? roots(gpus, card)
    : html`<div class="numas">${repeat(groups, ([numa]) => numa, ([numa, ofNode]) =>
      titled(numa ? `NUMA node ${numa}` : "No NUMA node", "numa", roots(ofNode, card)))}</div>`;
}
