/** How the page writes and orders things. No state. */

/** Such as "5 s" or "3 h", in the largest unit; empty without a time. */
export function age(since, now) {
  const seconds = Math.max(0, Math.floor((now - Date.parse(since)) / 1000));
  if (Number.isNaN(seconds)) {
    return "";
  }
  const units = [["d", 86400], ["h", 3600], ["min", 60]];
  const unit = units.find(([, length]) => seconds >= 2 * length);
  return unit ? `${Math.floor(seconds / unit[1])} ${unit[0]}` : `${seconds} s`;
}

export function time(instant) {
  return new Date(instant).toLocaleTimeString([], {hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false});
}

const ORDER = new Intl.Collator("en", {numeric: true});

/** node-2 before node-10. */
export function byName(a, b) {
  return ORDER.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}

function hash(claim) {
  let value = 2166136261;
  for (let i = 0; i < claim.length; i++) {
    value = Math.imul(value ^ claim.charCodeAt(i), 16777619) >>> 0;
  }
  return value;
}

/** One of eight colours of a claim, the same wherever and whenever it is seen. */
export function hue(claim) {
  return hash(claim) % 8;
}

/** A fill for a claim: its colour in one of three patterns. */
export function fill(claim) {
  return `fill h${hue(claim)} p${(hash(claim) >>> 8) % 3}`;
}

const WIDTHS = [1, 4, 8, 12, 16, 20, 25, 32, 42];

/** A class that shows a text only where all of it fits. */
export function fits(text) {
  const width = WIDTHS.find(each => text.length <= each);
  return width ? `n${width}` : "never";
}

export function plural(count, one, many = one + "s") {
  return `${count} ${count === 1 ? one : many}`;
}

/** What the page calls a Pod, a PodGroup or a ResourceClaim. */
export function kindWord(kind) {
  return {Pod: "pod", PodGroup: "PodGroup"}[kind] || "claim";
}

/** DevicesInUse as "devices in use". */
export function words(code) {
  return code.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}
