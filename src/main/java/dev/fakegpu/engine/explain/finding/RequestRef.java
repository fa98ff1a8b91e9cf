package dev.fakegpu.engine.explain.finding;

import dev.fakegpu.dra.ClaimRef;

/** A request of one of the claims that are explained. */
public record RequestRef(ClaimRef claim, String request) {}
