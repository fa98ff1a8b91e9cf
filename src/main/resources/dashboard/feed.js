/** The newest picture, and the earlier ones of the last minutes. Pictures are never changed, so that earlier ones stay as they were. */
import {byName} from "./format.js";
import {events} from "./story.js";

const KEPT_MILLIS = 15 * 60 * 1000;
const KEPT_PICTURES = 2000;
/** The server says every second that it is there. */
const SILENCE_MILLIS = 5000;
const AGAIN_MILLIS = 3000;

export const EMPTY = {overview: {}, nodes: new Map(), names: [], waiting: []};

function picture(overview, nodes, names, waiting) {
  return {overview, nodes, names, waiting};
}

export function first(json) {
  const nodes = new Map(json.nodes.map(node => [node.name, node]));
  return picture(json.overview, nodes, json.nodes.map(node => node.name), json.waiting);
}

/** The picture after a change, which says what is new, changed and gone. */
export function changed(before, change) {
  let {nodes, names} = before;
  if (change.nodes || change.nodesGone) {
    nodes = new Map(nodes);
    (change.nodesGone || []).forEach(name => nodes.delete(name));
    (change.nodes || []).forEach(node => nodes.set(node.name, node));
    names = nodes.size === names.length && names.every(name => nodes.has(name)) ? names : [...nodes.keys()].sort(byName);
  }
  let waiting = before.waiting;
  if (change.waiting || change.waitingGone) {
    const other = new Set([...(change.waitingGone || []), ...(change.waiting || []).map(each => each.id)]);
    waiting = [...waiting.filter(each => !other.has(each.id)), ...(change.waiting || [])]
      .sort((a, b) => byName(a.since || "", b.since || "") || byName(a.id, b.id));
  }
  return picture(change.overview || before.overview, nodes, names, waiting);
}

export class Feed {
  now = EMPTY;
  loaded = false;
  connected = false;
  reachable = true;
  /** Whether YAML can be tried. */
  drafts = false;
  asOf = null;
  /** Server's clock minus this browser's. */
  skew = 0;
  /** Of the last minutes: {at, picture, events}, and of these {kind, text}. */
  history = [];

  constructor(onChange) {
    this.onChange = onChange;
    this.listen();
    setInterval(() => Date.now() - this.heard > SILENCE_MILLIS && this.silent(), 1000);
    this.heard = Date.now();
  }

  /** Browsers give up when the answer is an error, as while the server starts. */
  listen() {
    const source = new EventSource("api/events");
    source.addEventListener("dashboard", event => this.show(first(JSON.parse(event.data))));
    source.addEventListener("change", event => this.show(changed(this.now, JSON.parse(event.data))));
    source.addEventListener("status", event => this.status(JSON.parse(event.data)));
    source.addEventListener("error", () => {
      this.silent();
      if (source.readyState === EventSource.CLOSED) {
        setTimeout(() => this.listen(), AGAIN_MILLIS);
      }
    });
  }

  time() {
    return Date.now() + this.skew;
  }

  show(next) {
    const at = this.time();
    this.history.push({at, picture: next, events: this.loaded ? events(this.now, next) : []});
    while (this.history.length > KEPT_PICTURES || this.history[0].at < at - KEPT_MILLIS) {
      if (this.history.length === 1) {
        break;
      }
      this.history.shift();
    }
    this.now = next;
    this.loaded = true;
    this.onChange();
  }

  status(status) {
    this.heard = Date.now();
    this.skew = Date.parse(status.now) - this.heard;
    this.connected = status.connected;
    this.drafts = status.drafts;
    this.asOf = Date.parse(status.asOf);
    this.reachable = true;
    this.onChange();
  }

  silent() {
    if (this.reachable) {
      this.reachable = false;
      this.onChange();
    }
  }

  /** Whether what is shown is what is. */
  isLive() {
    return this.reachable && this.connected;
  }
}
