/** What a GPU is at one look: the only place that knows which states there are. */

/** In words, the loudest first. */
export const STATES = ["unhealthy", "conflict", "not published", "in use", "idle"];

/** Modes that are states, too; those of other GPUs say how they are used. */
const MODES = ["conflict", "not published", "idle"];

export function state(gpu) {
  if (gpu.unhealthy) {
    return "unhealthy";
  }
  return MODES.includes(gpu.mode) ? gpu.mode : "in use";
}

/** The class of what is drawn of a state. */
export function look(name) {
  return name.replace(" ", "-");
}

/** [state, how many GPUs are in it], without those in which there is none. */
export function counts(gpus) {
  const found = new Map(STATES.map(name => [name, 0]));
  gpus.forEach(gpu => found.set(state(gpu), found.get(state(gpu)) + 1));
  return [...found].filter(([, count]) => count > 0);
}
