/** Plays a scenario step by step, in one world or in two beside each other, whatever is in the cluster. */
import {html, nothing} from "./lit-html/lit-html.js";
import {repeat} from "./lit-html/directives/repeat.js";
import {card} from "./gpu.js";
import {map, size} from "./map.js";

/** What is played if nothing is chosen. */
const FIRST = {play: "example-3.scenario.yaml", worlds: "gate"};

const NONE = new Set();

const WORLDS = [["", "As it is"], ["gate", "Feature gate on and off"], ["policy", "Groups when allocated and now"], ["version", "Kubernetes 1.36 and 1.37"]];

/** What there is to play: [{title, plays: [{name, title}]}]. */
export function list() {
  return ask("api/scenarios");
}

/** What is chosen, or else what was given to the command, or an example. */
export function choice(filter, groups) {
  if (filter.play) {
    return {play: filter.play, worlds: filter.worlds};
  }
  return groups.some(group => group.plays.some(each => each.name === "given")) ? {play: "given", worlds: filter.worlds} : {...FIRST, worlds: filter.worlds || FIRST.worlds};
}

/** @throws Error if it cannot be played at present */
export function load({play, worlds}) {
  return ask(`api/scenario?${new URLSearchParams({name: play, worlds})}`);
}

async function ask(url) {
  const response = await fetch(url);
  if (!response.ok) {
    throw new Error((await response.text()).trim());
  }
  return response.json();
}

/** What is in the way of anybody, by node. */
function obstacles(picture) {
  const byNode = new Map();
  picture.waiting.forEach(each => (each.inTheWay || []).forEach(({claim, node}) => byNode.set(node, (byNode.get(node) || new Set()).add(claim))));
  return byNode;
}

/** Without ages: what is simulated takes no time. */
function outcome(picture, checks, filter, act) {
  const marked = {inWay: obstacles(picture), changes: NONE};
  const kind = size(filter.size, picture.nodes);
  const cards = (node, named) => node.gpus.map(gpu => card(gpu, marked.inWay.get(node.name) || NONE, NONE, NaN, named && picture.nodes.length > 1 ? node.name : ""));
  return html`${checks.length ? html`<ul class="checks" aria-label="Expected">${checks.map(each => html`<li class=${each.passed ? "passed" : "failed"}>${each.passed ? "✔" : "✘"} ${each.text}</li>`)}</ul>` : nothing}
    ${picture.waiting.map(each => html`<section class="notice"><h4>${each.name} waits</h4><p>${each.sentence}.</p></section>`)}
    ${kind === "cards" ? repeat(picture.nodes, node => node.name, node => cards(node, true)) : map(picture.nodes, kind, filter.at, marked, node => html`<div class="gpus">${cards(node, false)}</div>`, at => act.set({at}))}
    ${(picture.overview.problems || []).map(problem => html`<section class="notice"><p>${problem}</p></section>`)}`;
}

function chooser(groups, chosen, act) {
  const isKnown = groups.some(group => group.plays.some(each => each.name === chosen.play));
  return html`<form class="filters" aria-label="What is played" @submit=${event => event.preventDefault()}>
    <label>Scenario<select @change=${event => act.set({play: event.target.value, worlds: "", step: ""})}>
      ${isKnown ? nothing : html`<option selected>${chosen.play}</option>`}
      ${groups.map(group => html`<optgroup label=${group.title}>${group.plays.map(each => html`<option value=${each.name} ?selected=${each.name === chosen.play}>${each.title}</option>`)}</optgroup>`)}
    </select></label>
    <label>Worlds<select @change=${event => act.set({...chosen, worlds: event.target.value})}>
      ${WORLDS.map(([name, title]) => html`<option value=${name} ?selected=${name === chosen.worlds}>${name === "" && chosen.play === "given" ? "As given to the command" : title}</option>`)}
    </select></label></form>`;
}

function steps(played, at, act) {
  const go = index => act.set({step: String(index)});
  return html`<div class="moves"><button class="plain" ?disabled=${at === 0} @click=${() => go(at - 1)}>← Back</button>
      <button class="plain" ?disabled=${at === played.steps.length - 1} @click=${() => go(at + 1)}>Forward →</button>
      <span role="status">Step ${at + 1} of ${played.steps.length}</span></div>
    <ol class="steps">${played.steps.map((each, index) => html`<li>
      <button aria-current=${index === at ? "step" : nothing} @click=${() => go(index)}>${each.title || "what is expected"}</button></li>`)}</ol>`;
}

/** The number of the step that is shown, from 0. */
export function current(played, filter) {
  return Math.max(0, Math.min(Number(filter.step) || 0, played.steps.length - 1));
}

/**
 * @param groups what there is to play
 * @param played null while it is played
 * @param isAlone whether there is no cluster to go back to
 * @param act set(filter)
 */
export function player(groups, played, filter, isAlone, problem, act) {
  const at = played ? current(played, filter) : 0;
  const step = played?.steps[at];
  return html`<main id="devices" class="play" tabindex="-1" aria-labelledby="play">
    <h2 id="play">Scenario</h2>
    <p class="quiet">Played in memory, step by step; the arrow keys go forward and back.
      ${isAlone ? nothing : html`It has nothing to do with what is in your cluster. <button class="plain" @click=${() => act.set({view: "", play: "", worlds: "", step: "", at: ""})}>Back to the cluster</button>`}</p>
    ${chooser(groups, choice(filter, groups), act)}
    ${problem ? html`<section class="notice" role="alert"><p>It could not be played:</p><p class="problem">${problem}</p></section>` : nothing}
    ${step ? html`${steps(played, at, act)}
      <div class="worlds">${played.worlds.map((world, index) => html`<section aria-label=${world || "Result"}>
        <h3 class=${world ? "" : "hidden"}>${world || "Result"}</h3>
        ${outcome(step.pictures[index], step.checks[index], filter, act)}
      </section>`)}</div>` : problem ? nothing : html`<p role="status">Playing …</p>`}
  </main>`;
}
