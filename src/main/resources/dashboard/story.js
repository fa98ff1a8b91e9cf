/** What happened between two pictures, in words, and the timeline of it. */
import {html} from "./lit-html/lit-html.js";
import {repeat} from "./lit-html/directives/repeat.js";
import {kindWord, time, words} from "./format.js";

const SHOWN = 100;

function holdings(picture, changedNodes) {
  const held = new Map();
  changedNodes.forEach(name => (picture.nodes.get(name)?.gpus || []).forEach(gpu =>
    (gpu.holdings || []).forEach(holding => held.set(`${gpu.id} ${holding.device} ${holding.claim}`, {gpu, holding, node: name}))));
  return held;
}

/** What happened: {kind, text}: who got what and whether it was prepared, who gave back what, who waits and why, or does not any more. */
export function events(before, after) {
  const all = new Set([...before.names, ...after.names]);
  const changed = [...all].filter(name => before.nodes.get(name) !== after.nodes.get(name));
  const was = holdings(before, changed);
  const is = holdings(after, changed);
  const told = [];
  const tell = (kind, text) => told.push({kind, text});
  was.forEach(({holding, node}, key) => is.has(key) || tell("released", `${holding.claim} released ${holding.device} on ${node}`));
  is.forEach(({holding, node}, key) => {
    was.has(key) || tell("allocated", `${holding.claim} was allocated ${holding.device} on ${node}`);
    const prepared = holding.prepared || "";
    if (prepared !== (was.get(key)?.holding.prepared || "")) {
      prepared === "succeeded" && tell("prepared", `${holding.device} was prepared for ${holding.claim} on ${node}`);
      prepared === "failed" && tell("failed", `preparing ${holding.device} for ${holding.claim} failed on ${node}: ${holding.problem}`);
    }
  });
  const named = each => `${kindWord(each.kind)} ${each.namespace}/${each.name}`;
  const waited = new Map(before.waiting.map(each => [each.id, each]));
  after.waiting.forEach(each => waited.get(each.id)?.code === each.code || tell("waits", `${named(each)} waits: ${words(each.code)}`));
  const waits = new Set(after.waiting.flatMap(each => [each.id, ...(each.claims || [])]));
  before.waiting.forEach(each => waits.has(each.id) || tell("served", `${named(each)} waits no more`));
  return told;
}

/** A slider over the pictures that are kept, and what happened, the newest first. */
export function timeline(history, chosen, choose) {
  const told = [];
  for (let i = history.length - 1; i >= 0 && told.length < SHOWN; i--) {
    history[i].events.forEach((event, n) => told.push({key: `${history[i].at} ${n}`, index: i, at: history[i].at, ...event}));
  }
  if (told.length === 0) {
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
    <ol tabindex="0" aria-label="Events, the newest first">${repeat(told, each => each.key, each => html`<li>
      <button aria-current=${index === each.index && chosen !== null ? "true" : "false"} @click=${() => choose(history[each.index])}>
        <time>${time(each.at)}</time><span class="event ${each.kind}">${each.text}</span></button></li>`)}</ol>
  </section>`;
}
