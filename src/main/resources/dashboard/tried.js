/** A change that nobody has made: asks the server what it would lead to, and shows that. Nothing is written. */
import {html, nothing} from "./lit-html/lit-html.js";
import {plural} from "./format.js";
import {changed} from "./feed.js";

/** What would be if claims were released, or a taint were tolerated: {title, remarks, answer, picture, changes}, where changes are the ids of GPUs that would change. */
export async function release(picture, waiting, way) {
  const query = new URLSearchParams([["waiting", waiting.id], ...(way.releases || []).map(claim => ["release", claim])]);
  if (way.tolerates) {
    query.append("tolerate", way.tolerates);
  }
  const title = way.tolerates ? `If ${waiting.namespace}/${waiting.name} tolerated ${way.tolerates}` : `If ${way.releases.join(" and ")} were released`;
  return ask(picture, title, `api/try?${query}`);
}

/** What would be if objects were created or changed. */
export async function draft(picture, yaml) {
  return ask(picture, "If this YAML were applied", "api/try", {method: "POST", headers: {"content-type": "application/yaml"}, body: yaml});
}

async function ask(picture, title, url, options) {
  const response = await fetch(url, options);
  if (!response.ok) {
    throw new Error((await response.text()).trim());
  }
  const json = await response.json();
  const then = changed(picture, json.change);
  return {
    title,
    remarks: json.remarks,
    answer: json.answer,
    picture: then,
    changes: differing(picture, then),
  };
}

function differing(before, after) {
  const ids = new Set();
  after.nodes.forEach((node, name) => {
    const known = before.nodes.get(name);
    if (known !== node) {
      const texts = new Map((known?.gpus || []).map(gpu => [gpu.id, JSON.stringify(gpu)]));
      node.gpus.filter(gpu => texts.get(gpu.id) !== JSON.stringify(gpu)).forEach(gpu => ids.add(gpu.id));
    }
  });
  return ids;
}

/** Says that the picture is not of what is. */
export function banner(tried, end) {
  return html`<section class="tried" aria-labelledby="tried">
    <h2 id="tried" tabindex="-1">${tried.title}</h2>
    ${tried.remarks.length ? html`<h3>Checked</h3><ul>${tried.remarks.map(remark => html`<li>${remark}</li>`)}</ul>` : nothing}
    <ul>${tried.answer.map(sentence => html`<li>${sentence}</li>`)}</ul>
    <p class="quiet">Tried out, and nothing is written. ${plural(tried.changes.size, "device")} below would change, marked with “would change”.</p>
    <button class="plain" @click=${end}>Back to what is</button>
  </section>`;
}

/** Where users write what is to be tried. */
export function box(tryDraft) {
  const send = event => {
    event.preventDefault();
    tryDraft(new FormData(event.target).get("yaml"));
  };
  return html`<section aria-labelledby="draft"><h2 id="draft">Try YAML</h2>
    <form class="draft" @submit=${send}>
      <label for="yaml" class="quiet">A pod, claim, Deployment or FakeGpu: checked, and tried against the cluster. Nothing is written.</label>
      <textarea id="yaml" name="yaml" rows="6" spellcheck="false" required></textarea>
      <button class="plain">Check and try</button>
    </form></section>`;
}
