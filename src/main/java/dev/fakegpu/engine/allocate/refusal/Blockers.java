package dev.fakegpu.engine.allocate.refusal;

import dev.fakegpu.dra.ClaimRef;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The claims that block a device. Allocated claims come first, by name, because they can be released, followed by claims that are being
 * allocated. Immutable. Many devices have equal blockers, so the hash is computed once.
 */
public final class Blockers {

    /** Sorts the claims, so that messages do not depend on the order in which they were found. */
    private static final Comparator<Blocker> BY_CLAIM = Comparator.comparing(
                    (Blocker blocker) -> blocker.claim().namespace())
            .thenComparing(blocker -> blocker.claim().name());

    static final Blockers NOBODY = new Blockers(List.of());

    private final List<Blocker> list;
    private final int hash;

    private Blockers(List<Blocker> list) {
        this.list = List.copyOf(list);
        hash = this.list.hashCode();
    }

    /** Collects claims and their devices. */
    public static final class Collector {
        private final Map<Key, List<String>> devices = new LinkedHashMap<>();

        private record Key(ClaimRef claim, String request) {}

        /** @param request empty for an allocated claim */
        public void add(ClaimRef claim, String request, String device) {
            of(claim, request).add(device);
        }

        /** Adds a claim that holds the needed device itself. */
        public void add(ClaimRef claim, String request) {
            of(claim, request);
        }

        private List<String> of(ClaimRef claim, String request) {
            return devices.computeIfAbsent(new Key(claim, request), ignored -> new ArrayList<>());
        }

        public Blockers collect() {
            Map<Boolean, List<Blocker>> byKind = devices.entrySet().stream()
                    .map(entry ->
                            new Blocker(entry.getKey().claim(), entry.getKey().request(), entry.getValue()))
                    .collect(Collectors.partitioningBy(Blocker::isOther));
            return new Blockers(Stream.concat(
                            byKind.getOrDefault(true, List.of()).stream().sorted(BY_CLAIM),
                            byKind.getOrDefault(false, List.of()).stream())
                    .toList());
        }
    }

    public List<Blocker> list() {
        return list;
    }

    public boolean isEmpty() {
        return list.isEmpty();
    }

    @Override
    public boolean equals(Object other) {
        return this == other || other instanceof Blockers that && hash == that.hash && list.equals(that.list);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return list.toString();
    }
}
