/** Those that wait, by reason, and of each the longest first; and why. */
import {html, nothing} from "./lit-html/lit-html.js";
import {repeat} from "./lit-html/directives/repeat.js";
import {age, kindWord, plural, words} from "./format.js";

const SHOWN = 200;

function list(title, items, kind = "") {
  return items.length === 0 ? nothing : html`<div><h4>${title}</h4><ul class=${kind}>${items.map(item => html`<li>${item}</li>`)}</ul></div>`;
}

function grouped(holders) {
  const nodes = new Map();
  holders.forEach(({claim, node}) => nodes.set(claim, [...(nodes.get(claim) || []), node]));
  return [...nodes].map(([claim, on]) => `${claim} on ${on.length > 3 ? `${on.slice(0, 3).join(", ")} and ${on.length - 3} more` : on.join(", ")}`);
}

/** What it says of each node is a line of its own. */
function sentence(text) {
  const [head, ...places] = text.split(/[:;] (?=on [^\s:]+: )/);
  return places.length === 0 ? html`<p>${head}.</p>`
    : html`<div><p>${head}:</p><ul class="places">${places.map(place => html`<li>${place}</li>`)}</ul></div>`;
}

function wayOut(each, way, tryOut) {
  const text = `on ${way.nodes.join(", ")}: ${way.text}`;
  return way.releases || way.tolerates ? html`${text} <button class="plain try" aria-label="Try: ${text}" @click=${() => tryOut(each, way)}>Try</button>` : text;
}

/** A sentence that names its device is about one of them, and others say themselves how many. */
function refusal({text, device, devices}) {
  return devices > 1 && text.includes(device) ? `${text} (and ${devices - 1} more likewise)` : text;
}

function why(each, id, marked, tryOut) {
  return html`<div class="why" id=${id}>
    ${sentence(each.sentence)}
    ${each.queue ? html`<p>${each.queue[0].toUpperCase()}${each.queue.slice(1)}.</p>` : nothing}
    ${marked === nothing ? list("In the way, and marked in the picture", grouped(each.inTheWay || [])) : marked}
    ${list("What would help", (each.waysOut || []).map(way => wayOut(each, way, tryOut)), "ways")}
    ${list("Devices", (each.refused || []).slice(0, 8).map(refusal))}
    ${list("Nodes that do not fit, whatever is free", (each.unfit || []).map(unfit => `${plural(unfit.nodes, "node")}: ${unfit.reason}`))}
    ${list("Also", each.facts || [])}
    ${each.assumed ? html`<p class="quiet">Assumed: ${each.assumed}.</p>` : nothing}
  </div>`;
}

function groupId(each) {
  return each.podGroup ? `PodGroup/${each.namespace}/${each.podGroup}` : "";
}

function isItself(each, opened) {
  return each.id === opened || (each.claims || []).includes(opened);
}

/** Whether it is what is looked at, belongs to the PodGroup that is, or is the pod that waits for the claim that was looked at before the pod was there. */
export function isOpened(each, opened) {
  return isItself(each, opened) || (opened !== "" && groupId(each) === opened);
}

function htmlId(id) {
  return `why-${id.replace(/[^A-Za-z0-9]/g, "-")}`;
}

function waiter(each, isOpen, now, marked, act) {
  const id = htmlId(each.id);
  const kind = kindWord(each.kind);
  return html`<li class=${isOpen ? "open" : ""}>
    <button class="waiter" aria-expanded=${isOpen ? "true" : "false"} aria-controls=${isOpen ? id : nothing} @click=${() => act.open(isOpen ? "" : each.id)}>
      <span class="name">${each.namespace}/${each.name}</span><span class="age"><span class="hidden">waits since </span>${age(each.since, now)}</span>
      <span class="code">${kind}<span class="hidden">: ${words(each.code)}</span></span></button>
    ${isOpen ? why(each, id, marked, act.tryOut) : nothing}</li>`;
}

/** The pods of a PodGroup that wait for the same reason as one row, which opens. */
function gang(pods, opened, now, marked, act) {
  const [first] = pods;
  const whole = groupId(first);
  const isOpen = pods.some(each => isOpened(each, opened));
  const id = htmlId(`${whole}/${first.code}`);
  return html`<li class=${isOpen ? "open" : ""}>
    <button class="waiter gang" aria-expanded=${isOpen ? "true" : "false"} aria-controls=${isOpen ? id : nothing} @click=${() => act.open(isOpen ? "" : whole)}>
      <span class="name">${first.namespace}/${first.podGroup}</span><span class="age"><span class="hidden">waits since </span>${age(first.since, now)}</span>
      <span class="code">PodGroup, ${plural(pods.length, "pod")}<span class="hidden">: ${words(first.code)}</span></span></button>
    ${isOpen ? html`<div class="members" id=${id}>
      ${opened === whole ? sentence(first.sentence) : nothing}
      <ul class="waiting">${repeat(pods, each => each.id, each => waiter(each, isItself(each, opened), now, marked, act))}</ul></div>` : nothing}</li>`;
}

/** [key, those of one row]: the pods of a PodGroup are together, where the first of them would be. */
function rows(waiting) {
  const known = new Map();
  waiting.forEach(each => {
    const key = groupId(each) || each.id;
    known.set(key, [...(known.get(key) || []), each]);
  });
  return [...known];
}

function row(pods, opened, now, marked, act) {
  return pods.length === 1 ? waiter(pods[0], isOpened(pods[0], opened), now, marked, act) : gang(pods, opened, now, marked, act);
}

/** Of one that was looked at until it was gone. */
function gone(opened, act) {
  const [kind, ...name] = opened.split("/");
  return html`<p><span role="status">The ${kindWord(kind)} ${name.join("/")} does not wait.</span> <button class="plain" @click=${() => act.open("")}>Close</button></p>`;
}

/** [reason, those that wait for it], first the reason for which somebody waits the longest. */
function byReason(all) {
  const groups = new Map();
  all.forEach(each => groups.set(each.code, [...(groups.get(each.code) || []), each]));
  return [...groups];
}

/**
 * @param all those that wait, with those that are not searched for
 * @param marked what is in the way of the one that is opened, or nothing if it is marked elsewhere
 * @param act open(id), tryOut(waiting, way)
 */
export function panel(shown, all, opened, now, marked, act) {
  const total = all.length;
  return html`<section aria-labelledby="waiting">
    <h2 id="waiting">Waiting${total ? html` <span class="quiet">(${shown.length === total ? total : `${shown.length} of ${total}`})</span>` : nothing}</h2>
    ${total === 0 ? html`<p class="quiet">No pod and no claim waits for devices.</p>` : nothing}
    ${opened && !all.some(each => isOpened(each, opened)) ? gone(opened, act) : nothing}
    ${repeat(byReason(shown.slice(0, SHOWN)), ([code]) => code, ([code, group]) => html`<h3 class="reason">${words(code)} <span class="quiet">(${group.length})</span></h3>
      <ul class="waiting">${repeat(rows(group), ([key]) => key, ([, pods]) => row(pods, opened, now, marked, act))}</ul>`)}
    ${shown.length > SHOWN ? html`<p class="quiet">${shown.length - SHOWN} more, which a search can find.</p>` : nothing}
  </section>`;
}
