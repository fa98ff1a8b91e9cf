/** What happened between two pictures, in words, and the timeline of it. */
import {html} from "./lit-html/lit-html.js";
import {repeat} from "./lit-html/directives/repeat.js";
import {byName, kindWord, time, words} from "./format.js";

const SHOWN = 100;

function holdings(picture, changedNodes) {
  const held = new Map();
  changedNodes.forEach(name => (picture.nodes.get(name)?.gpus || []).forEach(gpu =>
    (gpu.holdings || []).forEach(holding => held.set(`${gpu.id} ${holding.device} ${holding.claim}`, {gpu, holding, node: name}))));
  return held;
}

/** Some, or how many there are from the first to the last. */
function named(devices) {
  const sorted = [...devices].sort(byName);
  return sorted.length <= 3 ? sorted.join(", ") : `${sorted.length} devices (${sorted[0]} to ${sorted[sorted.length - 1]})`;
}

/** What happened to devices: one line for those of a claim on a node, however many there are. */
function deviceEvents(was, is) {
  const lines = new Map();
  const add = (kind, {holding, node}, problem = "") => {
    const key = [kind, holding.claim, node, problem].join(" ");
    const line = lines.get(key) || {kind, claim: holding.claim, node, problem, devices: []};
    line.devices.push(holding.device);
    lines.set(key, line);
  };
  was.forEach((each, key) => is.has(key) || add("released", each));
  is.forEach((each, key) => was.has(key) || add("allocated", each));
  is.forEach((each, key) => {
    const prepared = each.holding.prepared || "";
    if (prepared !== (was.get(key)?.holding.prepared || "")) {
      prepared === "succeeded" && add("prepared", each);
      prepared === "failed" && add("failed", each, each.holding.problem);
    }
  });
  const text = {
    released: line => `${line.claim} released ${named(line.devices)} on ${line.node}`,
    allocated: line => `${line.claim} was allocated ${named(line.devices)} on ${line.node}`,
    prepared: line => `${named(line.devices)} ${line.devices.length === 1 ? "was" : "were"} prepared for ${line.claim} on ${line.node}`,
    failed: line => `preparing ${named(line.devices)} for ${line.claim} failed on ${line.node}: ${line.problem}`,
  };
  return [...lines.values()].map(line => ({kind: line.kind, text: text[line.kind](line)}));
}

/** Between a pod's creation and its decision, or between this and its binding: it does not wait any more, and is not served yet. */
const ON_THE_WAY = ["Allocatable", "NotBoundYet"];

/** What happened, in this order: {kind, text}: who gave back what, who got what and whether it was prepared, who waits and why, or does not any more. */
export function events(before, after) {
  const all = new Set([...before.names, ...after.names]);
  const changed = [...all].filter(name => before.nodes.get(name) !== after.nodes.get(name));
  const told = deviceEvents(holdings(before, changed), holdings(after, changed));
  const tell = (kind, text) => told.push({kind, text});
  const waiter = each => `${kindWord(each.kind)} ${each.namespace}/${each.name}`;
  const waited = new Map(before.waiting.map(each => [each.id, each]));
  after.waiting.forEach(each => waited.get(each.id)?.code === each.code || ON_THE_WAY.includes(each.code) || tell("waits", `${waiter(each)} waits: ${words(each.code)}`));
  const waits = new Set(after.waiting.flatMap(each => [...(ON_THE_WAY.includes(each.code) ? [] : [each.id]), ...(each.claims || [])]));
  before.waiting.forEach(each => waits.has(each.id) || ON_THE_WAY.includes(each.code) || tell("served", `${waiter(each)} waits no more`));
  return told;
}

/** The newest second first, and what happened within a second in its order, since people read equal times from the top. */
export function told(history) {
  const seconds = [];
  for (let index = history.length - 1, shown = 0; index >= 0 && shown < SHOWN; index--) {
    const {at, events} = history[index];
    const lines = events.map((event, n) => ({key: `${at} ${n}`, index, at, ...event}));
    shown += lines.length;
    const last = seconds[seconds.length - 1];
    if (last && time(last[0].at) === time(at)) {
      last.unshift(...lines);
    } else if (lines.length > 0) {
      seconds.push(lines);
    }
  }
  return seconds.flat();
}

/** A slider over the pictures that are kept, and what happened, the newest first. */
export function timeline(history, chosen, choose) {
  const lines = told(history);
  if (lines.length === 0) {
    return html``;
  }
  const last = history.length - 1;
  const index = chosen === null ? last : Math.max(0, history.indexOf(chosen));
  return html`<section class="story" aria-labelledby="story">
    <h2 id="story">What happened</h2>
    <label><span class="hidden">Time of the picture</span>
      <input type="range" min="0" max=${last} .value=${String(index)} aria-valuetext=${chosen === null ? "now" : time(history[index].at)}
        @input=${event => choose(Number(event.target.value) >= last ? null : history[Number(event.target.value)])}></label>
    <p class="quiet">${chosen === null ? "The picture is of now. Move the slider to look back." : html`The picture is of ${time(history[index].at)}.
      <button class="plain" @click=${() => choose(null)}>Back to now</button>`}</p>
    <ol tabindex="0" aria-label="Events, the newest first">${repeat(lines, each => each.key, each => html`<li>
      <button aria-current=${index === each.index && chosen !== null ? "true" : "false"} @click=${() => choose(history[each.index])}>
        <time>${time(each.at)}</time><span class="event ${each.kind}">${each.text}</span></button></li>`)}</ol>
  </section>`;
}
