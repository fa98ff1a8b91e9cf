package dev.fakegpu.simulate.controller;

import java.time.Instant;

/**
 * A pod that was evicted because of a taint.
 *
 * @param uid the UID of the pod
 * @param reason the reason of the Event
 * @param cause the taint, and the object that has it
 */
public record Eviction(Instant at, String namespace, String pod, String uid, String reason, String cause) {}
