/**
 * What the cluster looks like now: one informer per kind for the whole process, with our own writes visible at once, and a call
 * when something changed.
 */
@NullMarked
package dev.fakegpu.watch;

import org.jspecify.annotations.NullMarked;
