/** Kubernetes events: what happened to an object, where {@code kubectl describe} shows it, counted instead of repeated. */
@NullMarked
package dev.fakegpu.events;

import org.jspecify.annotations.NullMarked;
