package dev.fakegpu.e2e.faults;

import java.util.Set;

/**
 * Selects the requests that have a fault.
 *
 * @param verbs the verbs; empty for all
 * @param resources the resources, such as {@code pods/status}; empty for all
 * @param probability the probability that a selected request has the fault, from 0 to 1
 * @param times how often it happens at most
 */
public record FaultRule(Fault fault, Set<String> verbs, Set<String> resources, double probability, int times) {

    private static final Set<String> WRITES = Set.of("create", "update", "patch", "delete", "deletecollection");

    public FaultRule {
        verbs = Set.copyOf(verbs);
        resources = Set.copyOf(resources);
    }

    /** Selects every request, or every watch if the fault is one of watches. */
    public static FaultRule always(Fault fault) {
        return sometimes(fault, 1);
    }

    public static FaultRule sometimes(Fault fault, double probability) {
        return new FaultRule(fault, Set.of(), Set.of(), probability, Integer.MAX_VALUE);
    }

    /** Selects the first requests that equal this one. */
    public static FaultRule first(int times, ApiRequest like, Fault fault) {
        return new FaultRule(fault, Set.of(like.verb()), Set.of(like.resource()), 1, times);
    }

    /** The same rule for requests that change an object. */
    public FaultRule onlyWrites() {
        return new FaultRule(fault, WRITES, resources, probability, times);
    }

    /** The same rule for some resources, such as {@code pods/status}. */
    public FaultRule of(String... names) {
        return new FaultRule(fault, verbs, Set.of(names), probability, times);
    }

    boolean selects(ApiRequest request) {
        return (verbs.isEmpty() || verbs.contains(request.verb()))
                && (resources.isEmpty() || resources.contains(request.resource()))
                && (!fault.isForWatches() || request.isWatch());
    }
}
