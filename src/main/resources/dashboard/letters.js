/** Short names of claims, which are the same wherever a claim is shown, and never those of another one on the page. */

/** A to ZZ: more than there is place for on a screen. */
const MOST = 26 * 27;

/** Those that were shown longest ago come first. */
const given = new Map();

function nth(index) {
  return (index >= 26 ? nth(Math.floor(index / 26) - 1) : "") + String.fromCharCode(65 + (index % 26));
}

/** One that nobody has, or that of the claim which was shown longest ago. */
function next() {
  if (given.size < MOST) {
    return nth(given.size);
  }
  const [claim, freed] = given.entries().next().value;
  given.delete(claim);
  return freed;
}

/** That of a claim which is shown now. */
export function letter(claim) {
  const own = given.get(claim) || next();
  given.delete(claim);
  given.set(claim, own);
  return own;
}
