/** The page as a function of what is known and what is looked at. */
import {html, nothing} from "./lit-html/lit-html.js";
import {repeat} from "./lit-html/directives/repeat.js";
import {age, plural, time} from "./format.js";
import {choices, isSet, nodes as shownNodes, waiting as shownWaiting} from "./filter.js";
import {card} from "./gpu.js";
import {isInWay, legend, map, size, SIZES} from "./map.js";
import {places} from "./place.js";
import {counts} from "./states.js";
import {isOpened, panel} from "./waiting.js";
import {timeline} from "./story.js";
import {banner, box} from "./tried.js";
import {player} from "./play.js";

const NONE = new Set();
/** So many nodes are drawn before it is known what is on the screen. */
const FIRST = 6;
/** So many cards of what is marked are drawn above the map, or after the pod on a phone, most of them folded, so that the map stays on the screen. */
const SPOTLIGHT = 8;
const UNFOLDED = 4;
const UNFOLDED_IF_NARROW = 2;

function totals(picture) {
  const gpus = [...picture.nodes.values()].flatMap(node => node.gpus);
  const states = new Map(counts(gpus));
  return html`<p class="totals"><b>${plural(picture.nodes.size, "node")}</b>, <b>${plural(gpus.length, "GPU")}</b>, ${states.get("idle") || 0} idle,
    ${states.has("unhealthy") ? html`<b class="bad">${states.get("unhealthy")} unhealthy</b>,` : nothing} <b>${picture.waiting.length}</b> waiting</p>`;
}

function liveness(feed, chosen) {
  if (!feed.loaded) {
    return html`<p class="live away" role="status">Reading the cluster …</p>`;
  }
  if (chosen !== null) {
    return html`<p class="live past"><span><span role="status">Looking back: the picture is of ${time(chosen.at)}</span>, ${age(new Date(chosen.at).toISOString(), feed.time())} ago</span></p>`;
  }
  return feed.isLive()
    ? html`<p class="live" role="status">Live</p>`
    : html`<p class="live away"><span><span role="status">${feed.reachable ? "The API server is away" : "fakegpu is away"}</span>: the picture is from ${time(feed.asOf)}, ${age(new Date(feed.asOf).toISOString(), feed.time())} ago</span></p>`;
}

function enforcers(all) {
  return all.length === 0 ? nothing : html`<details class="enforcers"><summary>Who enforces groups: ${all.map(each => each.summary).join(" · ")}</summary>
    <dl>${all.map(each => html`<dt>${each.summary}</dt><dd>${each.detail}</dd>`)}</dl></details>`;
}

function notices(title, texts) {
  return texts.length === 0 ? nothing : html`<section class="notice"><h2>${title}</h2>
    <ul>${texts.slice(0, 5).map(text => html`<li>${text}</li>`)}</ul>${texts.length > 5 ? html`<p>and ${texts.length - 5} more</p>` : nothing}</section>`;
}

function choice(name, label, values, filter, set) {
  return html`<label>${label}<select @change=${event => set({[name]: event.target.value})}>
    <option value="" ?selected=${!filter[name]}>all</option>
    ${[...new Set([...values, ...(filter[name] ? [filter[name]] : [])])].map(value => html`<option value=${value} ?selected=${filter[name] === value}>${value}</option>`)}
  </select></label>`;
}

function filters(picture, filter, narrow, set) {
  const known = choices(picture);
  const all = html`<label>Node<input type="search" .value=${filter.node} @input=${event => set({node: event.target.value})}></label>
    ${choice("mode", "Mode", known.mode, filter, set)}
    ${choice("holder", "Namespace", known.holder, filter, set)}
    ${choice("product", "Hardware", known.product, filter, set)}
    ${choice("class", "Device class", known.class, filter, set)}
    ${choice("reason", "Reason of waiting", known.reason, filter, set)}`;
  return html`<form class="filters" role="search" aria-label="Filter the picture" @submit=${event => event.preventDefault()}>
    <label class="search">Search<input type="search" .value=${filter.q} placeholder="node, GPU, device, claim or pod" @input=${event => set({q: event.target.value})}></label>
    ${narrow ? html`<details class="more"><summary>More filters</summary><div>${all}</div></details>` : all}
    ${isSet(filter) ? html`<button type="button" class="plain" @click=${() => set({q: "", node: "", mode: "", holder: "", product: "", class: "", reason: ""})}>Show everything</button>` : nothing}
  </form>`;
}

function nodeState(node) {
  const parts = [];
  if (node.simulated) {
    parts.push("simulated");
  }
  parts.push(plural(node.gpus.length, "GPU"));
  return parts.join(", ");
}

function cards(node, marked, now) {
  return places(node.gpus, gpu => card(gpu, marked.inWay.get(node.name) || NONE, marked.changes, now));
}

function section(node, isSeen, marked, now, observe) {
  return html`<section class="node ${isSeen ? "" : "unseen"}" data-node=${node.name} ${observe}>
    <h2><span>${node.name}</span><small>${nodeState(node)}</small>${node.state === "NotReady" ? html`<small class="notready">not ready</small>` : nothing}</h2>
    ${isSeen ? cards(node, marked, now) : nothing}
  </section>`;
}

function emptyPage() {
  const steps = [
    ["Install the operator, which publishes fake GPUs, unless it is already running", "kubectl apply -f deploy/install.yaml"],
    ["Make a node with an A100 that can be partitioned", "kubectl apply -f config/samples/03-groups-keep-incompatible-apart/10.FakeGpu.a100.yaml"],
    ["Let a pod take a MIG device, and another one ask for a vGPU of the same GPU", "kubectl apply -f config/samples/03-groups-keep-incompatible-apart/"],
  ];
  return html`<section class="empty"><h2>No devices yet</h2>
    <p>This page draws every device that a DRA driver publishes. For a first picture:</p>
    <ol>${steps.map(([text, command]) => html`<li>${text}<pre><code>${command}</code></pre></li>`)}</ol></section>`;
}

function sizes(kind, nodes, marked, set) {
  return html`<div class="sizes"><div role="group" aria-label="Size of the picture">${SIZES.map(([name, title]) =>
    html`<button aria-pressed=${name === kind ? "true" : "false"} @click=${() => set({size: name})}>${title}</button>`)}</div>
    ${kind === "cards" ? nothing : legend(nodes, marked.inWay.size > 0)}</div>`;
}

/** The cards of what is marked, which a map shows too small. */
function spotlight(nodes, marked, now, narrow) {
  const found = nodes.flatMap(node => node.gpus.filter(gpu => isInWay(gpu, marked.inWay.get(node.name)) || marked.changes.has(gpu.id)).map(gpu => ({node, gpu})));
  if (found.length === 0) {
    return nothing;
  }
  const title = marked.changes.size > 0 ? "Would change" : "In the way";
  const shown = found.slice(0, SPOTLIGHT);
  const unfolded = narrow ? UNFOLDED_IF_NARROW : UNFOLDED;
  const folded = shown.slice(unfolded);
  const drawn = some => html`<div class="gpus">${repeat(some, ({gpu}) => gpu.id, ({node, gpu}) => card(gpu, marked.inWay.get(node.name) || NONE, marked.changes, now, node.name))}</div>`;
  return html`<section class="spotlight" aria-label=${title}><h3>${title}: ${plural(found.length, "GPU")}${found.length > SPOTLIGHT ? html` <span class="quiet">(${SPOTLIGHT} have cards, all are marked)</span>` : nothing}</h3>
    ${drawn(shown.slice(0, unfolded))}
    ${folded.length ? html`<details><summary>${folded.length} more</summary>${drawn(folded)}</details>` : nothing}</section>`;
}

/** The devices in the size that is chosen. */
function devices(nodes, marked, now, look, act) {
  const {filter, narrow, seen} = look;
  const kind = size(filter.size, nodes);
  const isMap = kind !== "cards";
  const inPlace = node => html`<section class="node" aria-label=${node.name}><h2><span>${node.name}</span><small>${nodeState(node)}</small></h2>${cards(node, marked, now)}</section>`;
  return html`${nodes.length ? sizes(kind, nodes, marked, act.set) : nothing}
    ${isMap && !(narrow && marked.changes.size === 0) ? spotlight(nodes, marked, now, narrow) : nothing}
    ${isMap ? map(nodes, kind, filter.at, marked, inPlace, at => act.set({at}))
    : repeat(nodes, node => node.name, (node, index) => section(node, index < FIRST || seen.has(node.name), marked, now, act.observe))}`;
}

/** The claims that are in the way of who is looked at, by node. */
function obstacles(picture, opened) {
  const byNode = new Map();
  (picture.waiting.find(each => isOpened(each, opened))?.inTheWay || [])
    .forEach(({claim, node}) => byNode.set(node, (byNode.get(node) || new Set()).add(claim)));
  return byNode;
}

/**
 * @param look what is looked at: filter, narrow (as on a phone), plays and played (what can be played, and what is; null until it is there), playProblem, chosen (an entry of the history, or null for now), tried (what would be, or
 *     null), trying, problem (why something could not be tried), seen (nodes on the screen)
 * @param act set(filter), choose(entry), tryOut(waiting, way), tryDraft(yaml), endTry(), observe (a directive that tells which nodes are on the screen)
 */
export function page(feed, look, act) {
  const {filter, chosen} = look;
  const picture = chosen === null ? feed.now : chosen.picture;
  const isAlone = hasNoCluster(feed);
  const isPlaying = isAlone || filter.view === "play";
  const isEmpty = feed.loaded && picture.nodes.size === 0;
  return html`<a class="skip" href="#devices">Skip to the devices</a>
    <header class="top">
      <div class="title"><h1>GPUs</h1>${isAlone ? nothing : html`${feed.loaded ? totals(picture) : nothing}<p class="cluster">${picture.overview.cluster || ""}</p>
        ${isPlaying ? nothing : html`<button class="plain" @click=${() => act.set({view: "play"})}>Play scenarios</button>`}`}${isAlone && feed.isLive() ? nothing : liveness(feed, chosen)}</div>
      ${isAlone ? nothing : html`${enforcers(picture.overview.enforcement || [])}
      ${notices("Problems", picture.overview.problems || [])}
      ${notices("Not seen", picture.overview.notes || [])}`}
    </header>
    ${isPlaying ? player(look.plays, look.played, filter, isAlone, look.playProblem, act) : html`${feed.loaded && !isEmpty ? filters(picture, filter, look.narrow, act.set) : nothing}
    ${cluster(feed, picture, isEmpty, look, act)}`}`;
}

/** Whether it only plays a scenario. */
export function hasNoCluster(feed) {
  return feed.loaded && !feed.now.overview.cluster;
}

/** On a narrow screen what happened comes after the devices. */
function cluster(feed, picture, isEmpty, look, act) {
  const {filter, chosen, narrow, tried} = look;
  const now = chosen === null ? feed.time() : chosen.at;
  const nodes = shownNodes(tried === null ? picture : tried.picture, filter);
  const marked = tried === null ? {inWay: obstacles(picture, filter.open), changes: NONE} : {inWay: new Map(), changes: tried.changes};
  const trying = look.trying ? html`<p role="status">Trying …</p>` : nothing;
  const others = html`${narrow ? trying : nothing}
    ${look.problem ? html`<section class="notice" role="alert"><p>It could not be tried:</p><p class="problem">${look.problem}</p></section>` : nothing}
    ${timeline(feed.history, chosen, act.choose)}
    ${feed.loaded && feed.drafts ? box(act.tryDraft) : nothing}`;
  const inWay = narrow && tried === null ? spotlight(nodes, marked, now, narrow) : nothing;
  return html`<div class="columns ${feed.loaded && !feed.isLive() ? "stale" : ""}">
      <aside aria-label="Who waits${narrow ? "" : ", and what happened"}">${feed.loaded && (!isEmpty || picture.waiting.length) ? panel(shownWaiting(picture, filter), picture.waiting, filter.open, now, inWay, {open: id => act.set({open: id}), tryOut: act.tryOut}) : nothing}
        ${narrow ? nothing : others}</aside>
      <main id="devices" tabindex="-1" aria-label="Devices">
        ${narrow ? nothing : trying}
        ${tried === null ? nothing : banner(tried, act.endTry)}
        ${isEmpty && tried === null ? emptyPage() : nothing}
        ${!isEmpty && feed.loaded && nodes.length === 0 ? html`<p>Nothing is like that.</p>` : nothing}
        ${devices(nodes, marked, now, look, act)}
      </main>
      ${narrow ? html`<aside aria-label="What happened">${others}</aside>` : nothing}
    </div>`;
}
