/** Puts the page together: draws it when something has changed, at most once per frame, and only what is on the screen. */
import {nothing, render} from "./lit-html/lit-html.js";
import {Directive, PartType, directive} from "./lit-html/directive.js";
import {Feed} from "./feed.js";
import {fromUrl, toUrl} from "./filter.js";
import {load} from "./compare.js";
import {draft, release} from "./tried.js";
import {page} from "./view.js";

const root = document.getElementById("page");
const narrow = matchMedia("(max-width: 59.99rem)");
const look = {filter: fromUrl(), narrow: narrow.matches, chosen: null, comparison: null, tried: null, problem: "", seen: new Set()};
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
    loadComparison();
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
    look.tried = null;
    look.problem = "";
    redraw();
  },
  observe,
};

/** Once it is looked at, and again if that has failed. */
async function loadComparison() {
  if (look.filter.view === "compare" && look.comparison === null) {
    try {
      look.comparison = await load();
    } catch (failure) {
      look.problem = failure.message;
      look.filter = {...look.filter, view: ""};
    }
    redraw();
  }
}

/** What would be, once it is known. */
async function show(trial) {
  look.problem = "";
  look.tried = null;
  try {
    look.tried = await trial;
    look.chosen = null;
    requestAnimationFrame(() => requestAnimationFrame(showTried));
  } catch (failure) {
    look.problem = failure.message;
  }
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

const feed = new Feed(redraw);

function draw() {
  requested = false;
  render(page(feed, look, act), root);
}

narrow.addEventListener("change", () => {
  look.narrow = narrow.matches;
  redraw();
});
window.addEventListener("popstate", () => {
  look.filter = fromUrl();
  loadComparison();
  redraw();
});
loadComparison();
redraw();
