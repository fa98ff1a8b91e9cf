package dev.fakegpu.cluster.check;

/**
 * A place where a rule is broken.
 *
 * @param message what is wrong there, with the values; without a period at the end
 */
public record Violation(Rule rule, Where where, String message) {}
