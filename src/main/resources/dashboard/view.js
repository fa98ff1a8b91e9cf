/** The page as a function of what is known and what is looked at. */
import {html, nothing} from "./lit-html/lit-html.js";
import {repeat} from "./lit-html/directives/repeat.js";
import {age, plural, time} from "./format.js";
import {choices, isSet, nodes as shownNodes, waiting as shownWaiting} from "./filter.js";
import {card} from "./gpu.js";
import {isOpened, panel} from "./waiting.js";
import {timeline} from "./story.js";
import {banner, box} from "./tried.js";
import {comparison} from "./compare.js";

const NONE = new Set();
/** So many nodes are drawn before it is known what is on the screen. */
const FIRST = 6;

function totals(picture) {
  let gpus = 0;
  let idle = 0;
  picture.nodes.forEach(node => node.gpus.forEach(gpu => {
    gpus++;
    idle += gpu.mode === "idle" ? 1 : 0;
  }));
  return html`<p class="totals"><b>${plural(picture.nodes.size, "node")}</b>, <b>${plural(gpus, "GPU")}</b>, ${idle} idle, <b>${picture.waiting.length}</b> waiting</p>`;
}

function liveness(feed) {
  if (!feed.loaded) {
    return html`<p class="live away" role="status">Reading the cluster …</p>`;
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

function filters(picture, filter, set) {
  const known = choices(picture);
  return html`<form class="filters" role="search" aria-label="Filter the picture" @submit=${event => event.preventDefault()}>
    <label class="search">Search<input type="search" .value=${filter.q} placeholder="node, GPU, device, claim or pod" @input=${event => set({q: event.target.value})}></label>
    <label>Node<input type="search" .value=${filter.node} @input=${event => set({node: event.target.value})}></label>
    ${choice("mode", "Mode", known.mode, filter, set)}
    ${choice("holder", "Namespace", known.holder, filter, set)}
    ${choice("product", "Hardware", known.product, filter, set)}
    ${choice("class", "Device class", known.class, filter, set)}
    ${choice("reason", "Reason of waiting", known.reason, filter, set)}
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

function section(node, isSeen, marked, now, observe) {
  return html`<section class="node ${isSeen ? "" : "unseen"}" data-node=${node.name} ${observe}>
    <h2><span>${node.name}</span><small>${nodeState(node)}</small>${node.state === "NotReady" ? html`<small class="notready">not ready</small>` : nothing}</h2>
    ${isSeen ? html`<div class="gpus">${repeat(node.gpus, gpu => gpu.id, gpu => card(gpu, marked.inWay.get(node.name) || NONE, marked.changes, now))}</div>` : nothing}
  </section>`;
}

function emptyPage() {
  const steps = [
    ["Install the operator, which publishes fake GPUs", "kubectl apply -f deploy/install.yaml"],
    ["Make a node with an A100 that can be partitioned", "kubectl apply -f config/samples/03-groups-keep-incompatible-apart/10.FakeGpu.a100.yaml"],
    ["Let a pod take a MIG device, and another one ask for a vGPU of the same GPU", "kubectl apply -f config/samples/03-groups-keep-incompatible-apart/"],
  ];
  return html`<section class="empty"><h2>No devices yet</h2>
    <p>This page draws every device that a DRA driver publishes. For a first picture:</p>
    <ol>${steps.map(([text, command]) => html`<li>${text}<pre><code>${command}</code></pre></li>`)}</ol></section>`;
}

/** The claims that are in the way of who is looked at, by node. */
function obstacles(picture, opened) {
  const byNode = new Map();
  (picture.waiting.find(each => isOpened(each, opened))?.inTheWay || [])
    .forEach(({claim, node}) => byNode.set(node, (byNode.get(node) || new Set()).add(claim)));
  return byNode;
}

/**
 * @param look what is looked at: filter, comparison (null until it is there), chosen (an entry of the history, or null for now), tried (what would be, or null), problem (why
 *     something could not be tried), seen (nodes on the screen)
 * @param act set(filter), choose(entry), tryOut(waiting, way), tryDraft(yaml), endTry(), observe (a directive that tells which nodes are on the screen)
 */
export function page(feed, look, act) {
  const {filter, chosen, tried} = look;
  const picture = chosen === null ? feed.now : chosen.picture;
  const now = chosen === null ? feed.time() : chosen.at;
  const nodes = shownNodes(tried === null ? picture : tried.picture, filter);
  const marked = tried === null ? {inWay: obstacles(picture, filter.open), changes: NONE} : {inWay: new Map(), changes: tried.changes};
  const isEmpty = feed.loaded && picture.nodes.size === 0;
  return html`<a class="skip" href="#devices">Skip to the devices</a>
    <header class="top">
      <div class="title"><h1>GPUs</h1>${feed.loaded ? totals(picture) : nothing}<p class="cluster">${picture.overview.cluster || ""}</p>${filter.view === "compare" ? nothing : html`<button class="plain" @click=${() => act.set({view: "compare"})}>Compare: the feature gate on and off</button>`}${liveness(feed)}</div>
      ${enforcers(picture.overview.enforcement || [])}
      ${notices("Problems", picture.overview.problems || [])}
      ${notices("Not seen", picture.overview.notes || [])}
    </header>
    ${filter.view === "compare" ? comparison(look.comparison, Number(filter.step) || 0, act) : html`${feed.loaded && !isEmpty ? filters(picture, filter, act.set) : nothing}
    <div class="columns ${feed.loaded && !feed.isLive() ? "stale" : ""}">
      <aside aria-label="Who waits, and what happened">${feed.loaded && (!isEmpty || picture.waiting.length) ? panel(shownWaiting(picture, filter), picture.waiting, filter.open, now, {open: id => act.set({open: id}), tryOut: act.tryOut}) : nothing}
        ${look.problem ? html`<section class="notice" role="alert"><p>It could not be tried:</p><p class="problem">${look.problem}</p></section>` : nothing}
        ${timeline(feed.history, chosen, act.choose)}
        ${feed.loaded && feed.drafts ? box(act.tryDraft) : nothing}</aside>
      <main id="devices" tabindex="-1" aria-label="Devices">
        ${tried === null ? nothing : banner(tried, act.endTry)}
        ${isEmpty && tried === null ? emptyPage() : nothing}
        ${!isEmpty && feed.loaded && nodes.length === 0 ? html`<p>Nothing is like that.</p>` : nothing}
        ${repeat(nodes, node => node.name, (node, index) => section(node, index < FIRST || look.seen.has(node.name), marked, now, act.observe))}
      </main>
    </div>`}`;
}
