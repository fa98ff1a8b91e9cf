/** The same steps in two worlds, one beside the other: an example that is simulated, whatever is in the cluster. */
import {html, nothing} from "./lit-html/lit-html.js";
import {repeat} from "./lit-html/directives/repeat.js";
import {card} from "./gpu.js";

const NONE = new Set();

/** @throws Error if it cannot be simulated at present */
export async function load() {
  const response = await fetch("api/compare");
  if (!response.ok) {
    throw new Error((await response.text()).trim());
  }
  return response.json();
}

/** Without ages: what is simulated takes no time. */
function outcome(picture) {
  const gpus = picture.nodes.flatMap(node => node.gpus);
  return html`${repeat(gpus, gpu => gpu.id, gpu => card(gpu, NONE, NONE, NaN))}
    ${picture.waiting.map(each => html`<section class="notice"><h4>${each.name} waits</h4><p>${each.sentence}.</p></section>`)}`;
}

/**
 * @param comparison null while it is simulated
 * @param chosen the number of a step, from 0
 * @param act set(filter)
 */
export function comparison(comparison, chosen, act) {
  const step = comparison?.steps[Math.min(chosen, comparison.steps.length - 1)];
  return html`<main id="devices" class="compare" tabindex="-1" aria-labelledby="compare">
    <h2 id="compare">The same steps with the feature gate on and off</h2>
    <p class="quiet">KEP-5963, example 3, simulated with kube-scheduler. It has nothing to do with what is in your cluster.
      <button class="plain" @click=${() => act.set({view: "", step: ""})}>Back to the cluster</button></p>
    ${comparison ? html`<ol class="steps">${comparison.steps.map((each, index) => html`<li>
        <button aria-current=${each === step ? "step" : nothing} @click=${() => act.set({step: String(index)})}>${each.title}</button></li>`)}</ol>
      <div class="worlds">${comparison.worlds.map((world, index) => html`<section aria-label=${world}>
        <h3>${world}</h3>
        ${outcome(step.pictures[index])}
      </section>`)}</div>` : html`<p role="status">Simulating …</p>`}
  </main>`;
}
