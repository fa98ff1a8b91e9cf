/** What is searched for, kept in the URL so that it can be shared and reloaded. */

export const FIELDS = ["q", "node", "mode", "holder", "product", "class", "reason", "open", "at", "size", "view", "play", "worlds", "step"];

/** They say what is looked at, not what is searched for. */
const NO_FILTER = ["open", "at", "size", "view", "play", "worlds", "step"];

export function fromUrl() {
  const given = new URLSearchParams(location.search);
  return Object.fromEntries(FIELDS.map(field => [field, given.get(field) || ""]));
}

export function toUrl(filter) {
  const query = new URLSearchParams(FIELDS.filter(field => filter[field]).map(field => [field, filter[field]]));
  const text = query.toString();
  history.replaceState(null, "", text ? `?${text}` : location.pathname);
}

export function isSet(filter) {
  return FIELDS.some(field => !NO_FILTER.includes(field) && filter[field]);
}

function holds(text, words) {
  const lower = text.toLowerCase();
  return words.every(word => lower.includes(word));
}

function gpuText(gpu, node) {
  const held = (gpu.holdings || []).map(each => `${each.device} ${each.claim} ${(each.pods || []).join(" ")}`);
  const sick = gpu.unhealthy ? ["unhealthy", ...gpu.unhealthy] : [];
  return [node, gpu.id, gpu.product, gpu.fakeGpu, gpu.mode, ...sick, ...held].join(" ");
}

/** The nodes with those of their GPUs that are searched for; nodes without any are left out. */
export function nodes(picture, filter) {
  const words = filter.q.toLowerCase().split(/\s+/).filter(Boolean);
  const shows = (gpu, node) => (!filter.mode || gpu.mode === filter.mode || (filter.mode === "unhealthy" && gpu.unhealthy))
    && (!filter.product || (gpu.product || gpu.driver) === filter.product)
    && (!filter.holder || (gpu.holdings || []).some(each => each.claim.startsWith(filter.holder + "/")))
    && (!filter.class || (gpu.holdings || []).some(each => (each.classes || []).includes(filter.class)))
    && (words.length === 0 || holds(gpuText(gpu, node), words));
  return picture.names
    .filter(name => !filter.node || name.toLowerCase().includes(filter.node.toLowerCase()))
    .map(name => picture.nodes.get(name))
    .map(node => isSet(filter) ? {...node, gpus: node.gpus.filter(gpu => shows(gpu, node.name))} : node)
    .filter(node => node.gpus.length > 0);
}

export function waiting(picture, filter) {
  const words = filter.q.toLowerCase().split(/\s+/).filter(Boolean);
  return picture.waiting.filter(each => (!filter.reason || each.code === filter.reason)
    && (!filter.holder || each.namespace === filter.holder)
    && (!filter.class || (each.classes || []).includes(filter.class))
    && (words.length === 0 || holds(`${each.id} ${each.code} ${each.sentence}`, words)));
}

/** What there is to choose from. */
export function choices(picture) {
  const modes = new Set();
  const holders = new Set(picture.waiting.map(each => each.namespace));
  const products = new Set();
  const classes = new Set(picture.waiting.flatMap(each => each.classes || []));
  picture.nodes.forEach(node => node.gpus.forEach(gpu => {
    modes.add(gpu.mode);
    modes.add(gpu.unhealthy && "unhealthy");
    products.add(gpu.product || gpu.driver);
    (gpu.holdings || []).forEach(each => {
      holders.add(each.claim.split("/")[0]);
      (each.classes || []).forEach(name => classes.add(name));
    });
  }));
  const reasons = new Set(picture.waiting.map(each => each.code));
  return {mode: sorted(modes), holder: sorted(holders), product: sorted(products), class: sorted(classes), reason: sorted(reasons)};
}

function sorted(set) {
  return [...set].filter(Boolean).sort();
}
