package dev.fakegpu.advise;

import dev.fakegpu.events.EventReason;

/** What is said to one who waits. */
record Advice(EventReason reason, String sentence) {}
