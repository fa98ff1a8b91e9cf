package dev.fakegpu.explainer;

import dev.fakegpu.events.EventReason;

/** What is said to one who waits. */
record EventText(EventReason reason, String sentence) {}
