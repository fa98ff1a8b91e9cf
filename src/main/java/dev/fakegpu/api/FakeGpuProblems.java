package dev.fakegpu.api;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Explains why FakeGpus publish fewer devices than expected, in the words of their conditions. */
public final class FakeGpuProblems {

    private static final int MAX_LISTED = 2;

    /** The maximum length of a phrase in a message that has other parts, too. The FakeGpu may have nothing to do with the pod. */
    public static final int MAX_PHRASE = 300;

    /** Reasons of {@code Published=False} whose messages name only nodes, pools, slices and FakeGpus. */
    private static final Set<String> NOT_PUBLISHED = Set.of("NoNodes", "NodeExists", "PoolTaken", "ForeignSlices");

    private FakeGpuProblems() {}

    /** Phrases about FakeGpus of an allocator that have a problem: one for each of the first by name, and one for all others. */
    public static List<String> of(Collection<FakeGpu> fakeGpus, AllocatorName allocator) {
        List<String> all = fakeGpus.stream()
                .filter(fakeGpu -> fakeGpu.getSpec().allocator() == allocator)
                .sorted(Comparator.comparing(fakeGpu -> fakeGpu.getMetadata().getName()))
                .flatMap(fakeGpu -> of(fakeGpu).stream())
                .toList();
        if (all.size() <= MAX_LISTED) {
            return all;
        }
        var some = new ArrayList<>(all.subList(0, MAX_LISTED));
        int more = all.size() - MAX_LISTED;
        some.add(more == 1 ? "1 more FakeGpu has problems" : more + " more FakeGpus have problems");
        return List.copyOf(some);
    }

    /** A phrase such as {@code FakeGpu "a100" is refused: spec.model: …}; empty if there is no problem. */
    public static Optional<String> of(FakeGpu fakeGpu) {
        return falseCondition(fakeGpu, "Accepted")
                .map(condition -> phrase(fakeGpu, "refused", condition))
                .or(() -> falseCondition(fakeGpu, "Published")
                        .filter(condition -> NOT_PUBLISHED.contains(condition.getReason()))
                        .map(condition -> phrase(fakeGpu, "not published", condition)));
    }

    private static String phrase(FakeGpu fakeGpu, String state, Condition condition) {
        return "FakeGpu \"%s\" is %s: %s".formatted(fakeGpu.getMetadata().getName(), state, condition.getMessage());
    }

    private static Optional<Condition> falseCondition(FakeGpu fakeGpu, String type) {
        return fakeGpu.getStatus() == null
                ? Optional.empty()
                : fakeGpu.getStatus().conditions().stream()
                        .filter(condition -> condition.getType().equals(type)
                                && condition.getStatus().equals("False"))
                        .findFirst();
    }
}
