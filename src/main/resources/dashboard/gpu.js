/** One GPU: strip, holders, what they exclude, and all of it as a table. */
import {html, nothing} from "./lit-html/lit-html.js";
import {age, fill, fits, plural} from "./format.js";
import {letter} from "./letters.js";

const WIDTH = 10000;
const NOT_BUSY = ["idle", "conflict", "not published"];

function place(segment) {
  return `left:${segment.from / 100}%;width:${(segment.to - segment.from) / 100}%`;
}

function segment(each, inWay) {
  if (each.state !== "HELD") {
    const text = each.state === "FREE" ? "free" : "blocked";
    return html`<div class="seg ${text}" .style=${place(each)} title=${each.why ? `blocked: ${each.why}` : text}><span class=${fits(text)}>${text}</span></div>`;
  }
  const name = letter(each.claim);
  return html`<div class="seg ${fill(each.claim)} ${inWay.has(each.claim) ? "inway" : ""}" .style=${place(each)} title="${each.device}, held by ${each.claim}">
    <b><span class="n1">${name}</span></b><span class=${fits(name + " " + each.claim)}>${each.claim}</span></div>`;
}

/** In a sentence, for those who do not see it. */
function description(gpu) {
  const held = (gpu.holdings || []).map(each => `${each.device} held by ${each.claim}`);
  const part = state => Math.round(gpu.strip.segments.filter(each => each.state === state).reduce((sum, each) => sum + each.to - each.from, 0) / 100);
  const blocked = part("BLOCKED");
  return `${gpu.name}, ${gpu.mode}${gpu.unhealthy ? ", unhealthy" : ""}: ${held.length ? held.join(", ") : "nothing held"}; ${part("FREE")}% of ${gpu.strip.scale} free${blocked ? `, ${blocked}% blocked` : ""}`;
}

function strip(gpu, inWay) {
  const lanes = Array.from({length: gpu.strip.lanes}, (ignored, lane) => gpu.strip.segments.filter(each => each.lane === lane));
  const ticks = gpu.strip.slots > 1 ? html`<div class="ticks" .style=${`background-size:${100 / gpu.strip.slots}% 100%`}></div>` : nothing;
  return html`<figure>
    <div class="strip" role="img" aria-label=${description(gpu)}>
      ${lanes.map(segments => html`<div class="lane">${ticks}${segments.map(each => segment(each, inWay))}</div>`)}
    </div>
    <figcaption class="scale"><span>${gpu.strip.scale}</span>${gpu.strip.lanes > 1 ? html`<span class="inwaytext">held twice: not all of it can work</span>` : nothing}</figcaption>
  </figure>`;
}

function holder(each, inWay, now) {
  const pods = each.pods || [];
  return html`<li>
    <span class="letter ${fill(each.claim)}"><b>${letter(each.claim)}</b></span>
    <span class="what">${each.claim}${pods.length === 1 && each.claim.endsWith("/" + pods[0]) ? nothing : pods.length ? html` <span class="quiet">for ${pods.length === 1 ? "pod" : plural(pods.length, "pod")} ${pods.join(", ")}</span>` : nothing}
      <span class="device">${each.device}${(each.share || []).map(share => `, ${share}`)}</span>
      ${each.prepared === "failed" ? html`<span class="failed">preparation failed: ${each.problem}</span>` : nothing}
      ${(each.notes || []).map(note => html`<span class="quiet">(${note})</span> `)}
      ${inWay.has(each.claim) ? html`<span class="inwaytext">in the way</span>` : nothing}</span>
    <span class="age">${age(each.since, now)}</span></li>`;
}

function excluded(gpu) {
  const all = gpu.excluded || [];
  return all.length === 0 ? nothing : html`<div class="excludes"><span>Excluded now:</span>
    ${all.map(each => html`<details><summary data-rule=${each.rule}>${each.title}${each.devices > 1 ? html` <span class="quiet">· ${each.devices} devices</span>` : nothing}</summary>
      <p>${each.kinds.join(", ")}: ${each.rule}.</p></details>`)}</div>`;
}

const MARKS = {TAINT: "taint", UNHEALTHY: "unhealthy", CHANGE: "change", FAULT: "fault"};

function mark(each, devices) {
  const kind = MARKS[each.kind];
  const label = {taint: "Taint ", unhealthy: "Unhealthy: ", change: "Pending: ", fault: "Injected faults "}[kind];
  const count = each.devices > 0 && each.devices < devices ? ` (${each.devices} of ${devices} devices)` : "";
  return html`<li class="mark ${kind}">${label}${each.text}${count}</li>`;
}

function table(gpu) {
  return html`<details class="behind"><summary>Table of ${gpu.name}</summary>
    <div class="scroll" tabindex="0" role="group" aria-label="Table of ${gpu.name}"><table>
      <caption>Who holds what of ${gpu.name}, driver ${gpu.driver}, pool ${gpu.pool}</caption>
      <thead><tr><th scope="col">Part</th><th scope="col">State</th><th scope="col">Device</th><th scope="col">Claim</th></tr></thead>
      <tbody>${gpu.strip.segments.map(each => html`<tr>
        <td>${each.from / 100}% to ${each.to / 100}%</td>
        <td>${each.state.toLowerCase()}${each.why ? ` (${each.why})` : ""}</td>
        <td>${each.device || "—"}</td><td>${each.claim || "—"}</td></tr>`)}</tbody>
    </table>
    ${gpu.counters ? html`<table><caption>What is left</caption>
      <thead><tr><th scope="col">Counter</th><th scope="col">Left</th><th scope="col">Of</th></tr></thead>
      <tbody>${gpu.counters.map(each => html`<tr><th scope="row">${each.name}</th><td>${each.left}</td><td>${each.total}</td></tr>`)}</tbody></table>` : nothing}
    ${gpu.room ? html`<table><caption>Room for any of</caption>
      <thead><tr><th scope="col">Kind</th><th scope="col">At once</th></tr></thead>
      <tbody>${gpu.room.map(each => html`<tr><th scope="row">${each.kind}</th><td>${each.count}</td></tr>`)}</tbody></table>` : nothing}
    </div></details>`;
}

/**
 * @param inWay claims that are in the way of who is looked at
 * @param changes ids of GPUs that would change
 * @param node is named if it is given
 */
export function card(gpu, inWay, changes, now, node = "") {
  const involved = (gpu.holdings || []).some(each => inWay.has(each.claim));
  const mode = NOT_BUSY.includes(gpu.mode) ? gpu.mode.split(" ")[0] : "busy";
  const publisher = gpu.fakeGpu ? `FakeGpu ${gpu.fakeGpu}` : `driver ${gpu.driver}`;
  return html`<article class="gpu ${involved ? "involved" : ""} ${changes.has(gpu.id) ? "changes" : ""}" aria-label=${node ? `${gpu.name} on ${node}` : gpu.name}>
    <header><h3>${node ? `${gpu.name} on ${node}` : gpu.name}</h3>${gpu.unhealthy ? html`<span class="mode unhealthy">unhealthy: ${gpu.unhealthy.join(", ")}</span>` : nothing}<span class="mode ${mode}">${gpu.mode}</span><span class="product">${gpu.product ? `${gpu.product} · ` : ""}${publisher}</span>${changes.has(gpu.id) ? html`<span class="wouldchange">would change</span>` : nothing}</header>
    ${gpu.strip.segments.length ? strip(gpu, inWay) : nothing}
    ${gpu.holdings ? html`<ul class="holders">${gpu.holdings.map(each => holder(each, inWay, now))}</ul>` : nothing}
    ${excluded(gpu)}
    ${gpu.marks ? html`<ul class="marks">${gpu.marks.map(each => mark(each, gpu.devices))}</ul>` : nothing}
    ${table(gpu)}
  </article>`;
}
