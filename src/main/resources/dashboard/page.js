/** Puts the page together: draws it when something has changed, at most once per frame, and only what is on the screen. */
import {nothing, render} from "./lit-html/lit-html.js";
import {Directive, PartType, directive} from "./lit-html/directive.js";
import {Feed} from "./feed.js";
import {fromUrl, toUrl} from "./filter.js";
import {choice, current, list, load} from "./play.js";
import {draft, release} from "./tried.js";
import {hasNoCluster, page} from "./view.js";

const root = document.getElementById("page");
const narrow = matchMedia("(max-width: 59.99rem)");
const look = {filter: fromUrl(), narrow: narrow.matches, chosen: null, plays: [], played: null, playProblem: "", tried: null, trial: 0, trying: false, problem: "", seen: new Set()};
let requested = false;

const observer = new IntersectionObserver(entries => {
  entries.forEach(({target, isIntersecting}) => isIntersecting ? look.seen.add(target.dataset.node) : hide(target));
  redraw();
}, {rootMargin: "600px 0px"});

/** Leaves the height as it was, so that nothing moves. */
function hide(section) {
  if (look.seen.delete(section.dataset.node)) {
    section.style.minHeight = `${section.offsetHeight}px`;
  }
}

/** Tells which nodes are on the screen. */
const observe = directive(class extends Directive {
  constructor(part) {
    super(part);
    if (part.type !== PartType.ELEMENT) {
      throw new Error("for elements only");
    }
  }

  update(part) {
    if (this.element !== part.element) {
      this.element = part.element;
      observer.observe(part.element);
    } else if (look.seen.has(part.element.dataset.node)) {
      part.element.style.minHeight = "";
    }
    return nothing;
  }

  render() {
    return nothing;
  }
})();

function redraw() {
  if (!requested) {
    requested = true;
    requestAnimationFrame(draw);
  }
}

const act = {
  set(change) {
    if ("open" in change) {
      act.endTry();
    }
    look.filter = {...look.filter, ...change};
    toUrl(look.filter);
    loadPlay();
    redraw();
    if (change.open) {
      requestAnimationFrame(() => requestAnimationFrame(showInvolved));
    }
  },
  choose(entry) {
    look.chosen = entry;
    look.tried = null;
    redraw();
  },
  /** Of the picture as it is now, whichever is shown. */
  tryOut(waiting, way) {
    return show(release(feed.now, waiting, way));
  },
  tryDraft(yaml) {
    return show(draft(feed.now, yaml));
  },
  endTry() {
    look.trial++;
    look.tried = null;
    look.trying = false;
    look.problem = "";
    redraw();
  },
  observe,
};

let asked = "";

/** What is chosen, once scenarios are looked at. */
async function loadPlay() {
  if (look.filter.view !== "play" && !hasNoCluster(feed)) {
    return;
  }
  try {
    if (look.plays.length === 0) {
      look.plays = await list();
    }
    const chosen = choice(look.filter, look.plays);
    const name = JSON.stringify(chosen);
    if (name === asked) {
      return;
    }
    asked = name;
    look.played = null;
    look.playProblem = "";
    const played = await load(chosen);
    if (name === asked) {
      look.played = played;
    }
  } catch (failure) {
    look.playProblem = failure.message;
    asked = "";
  }
  redraw();
}

/** Forward and back with the arrow keys, except where they move something else. */
function move(event) {
  const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
  if (by && look.played && (look.filter.view === "play" || hasNoCluster(feed)) && !event.target.closest("input, select, textarea")) {
    const step = Math.max(0, current(look.played, look.filter) + by);
    act.set({step: String(Math.min(step, look.played.steps.length - 1))});
  }
}

/** What would be, once it is known, unless something else is tried by then. */
async function show(trial) {
  const mine = ++look.trial;
  look.problem = "";
  look.tried = null;
  look.trying = true;
  redraw();
  try {
    const tried = await trial;
    if (mine !== look.trial) {
      return;
    }
    look.tried = tried;
    look.chosen = null;
    requestAnimationFrame(() => requestAnimationFrame(showTried));
  } catch (failure) {
    if (mine !== look.trial) {
      return;
    }
    look.problem = failure.message;
  }
  look.trying = false;
  redraw();
}

/** Whoever tries something wants to know what comes of it. */
function showTried() {
  document.getElementById("tried")?.focus();
}

/** What is marked is not of much use below the end of the screen. */
function showInvolved() {
  const motion = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
  if (!look.narrow) {
    document.querySelector(".gpu.involved")?.scrollIntoView({block: "nearest", behavior: motion});
  }
}

const feed = new Feed(() => {
  if (hasNoCluster(feed) && look.plays.length === 0 && !look.playProblem) {
    loadPlay();
  }
  redraw();
});

function draw() {
  requested = false;
  render(page(feed, look, act), root);
}

narrow.addEventListener("change", () => {
  look.narrow = narrow.matches;
  redraw();
});
window.addEventListener("keydown", move);
window.addEventListener("popstate", () => {
  look.filter = fromUrl();
  loadPlay();
  redraw();
});
loadPlay();
redraw();
