package dev.fakegpu.engine.preemption;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.preemption.PreemptionProblem.Candidate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Tries every set of victims with every device for every claim, without using the search or the allocator. */
final class PreemptionBruteForce {

    private final RandomPreemption preemption;

    PreemptionBruteForce(RandomPreemption preemption) {
        this.preemption = preemption;
    }

    /**
     * Victims on a node.
     *
     * @param victims the victims, with the most important one first
     */
    record Answer(String node, List<Victim> victims, int violations) {

        private long sum() {
            return pods().stream()
                    .mapToLong(pod -> pod.priority() + 2147483648L)
                    .sum();
        }

        private List<Victim.Member> pods() {
            return victims.stream().flatMap(victim -> victim.pods().stream()).toList();
        }

        private Instant start() {
            int highest =
                    pods().stream().mapToInt(Victim.Member::priority).max().orElseThrow();
            return pods().stream()
                    .filter(pod -> pod.priority() == highest)
                    .map(Victim.Member::started)
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }

        private boolean isBetterThan(Answer other) {
            if (violations != other.violations) {
                return violations < other.violations;
            }
            int first = pods().get(0).priority();
            int otherFirst = other.pods().get(0).priority();
            if (first != otherFirst) {
                return first < otherFirst;
            }
            if (sum() != other.sum()) {
                return sum() < other.sum();
            }
            return pods().size() != other.pods().size()
                    ? pods().size() < other.pods().size()
                    : start().isAfter(other.start());
        }
    }

    /** The best victims; empty if no victims help, and without victims if none are needed. */
    Optional<Answer> best() {
        Answer best = null;
        for (Candidate node : preemption.problem().nodes()) {
            Optional<Answer> here = on(node);
            if (here.isPresent() && here.get().victims().isEmpty()) {
                return here;
            }
            if (here.isPresent() && (best == null || here.get().isBetterThan(best))) {
                best = here.get();
            }
        }
        return Optional.ofNullable(best);
    }

    /** Of all sets that help, the one that keeps the first victim, then the second one, and so on. */
    private Optional<Answer> on(Candidate node) {
        List<Victim> sorted = new ArrayList<>(node.victims());
        sorted.sort(Comparator.comparing((Victim victim) -> -victim.priority())
                .thenComparing(victim -> victim.isOfGroup() ? 0 : 1)
                .thenComparing(victim -> -victim.pods().size())
                .thenComparing(victim -> victim.pods().stream()
                        .map(Victim.Member::started)
                        .sorted()
                        .findFirst()
                        .orElseThrow()));
        int[] violations = violations(sorted);
        List<Integer> order = new ArrayList<>();
        for (boolean violating : new boolean[] {true, false}) {
            for (int i = 0; i < sorted.size(); i++) {
                if (violations[i] > 0 == violating) {
                    order.add(i);
                }
            }
        }
        for (int gone = 0; gone < 1 << order.size(); gone++) {
            Set<Integer> going = new HashSet<>();
            for (int position = 0; position < order.size(); position++) {
                if ((gone >> (order.size() - 1 - position) & 1) == 1) {
                    going.add(order.get(position));
                }
            }
            List<Victim> victims = going.stream().sorted().map(sorted::get).collect(Collectors.toList());
            if (helps(node, victims)) {
                return Optional.of(new Answer(
                        node.node().name(),
                        victims,
                        going.stream().mapToInt(i -> violations[i]).sum()));
            }
        }
        return Optional.empty();
    }

    private int[] violations(List<Victim> sorted) {
        int[] counts = new int[sorted.size()];
        int[] used = new int[preemption.problem().budgets().size()];
        for (int i = 0; i < counts.length; i++) {
            for (Victim.Member pod : sorted.get(i).pods()) {
                for (int budget = 0; budget < used.length; budget++) {
                    Budget each = preemption.problem().budgets().get(budget);
                    if (each.pods().contains(pod.uid()) && ++used[budget] > each.allowed()) {
                        counts[i]++;
                        break;
                    }
                }
            }
        }
        return counts;
    }

    /** Whether the pending pod fits on a node without these victims. */
    boolean helps(Candidate node, List<Victim> victims) {
        Set<String> gone = victims.stream()
                .flatMap(victim -> victim.pods().stream())
                .map(Victim.Member::uid)
                .collect(Collectors.toSet());
        long there = preemption.nodeOf().entrySet().stream()
                .filter(each -> each.getValue().equals(node.node().name()) && !gone.contains(each.getKey()))
                .count();
        List<AllocatedDevice> held = preemption.held().entrySet().stream()
                .filter(each -> !isReleased(each.getKey(), gone))
                .flatMap(each -> each.getValue().stream())
                .toList();
        return there < preemption.places().get(node.node().name()) && canAllocate(node, wanted(node.claims()), held);
    }

    private boolean isReleased(ClaimRef claim, Set<String> gone) {
        Set<String> users = preemption.problem().users().get(claim);
        return users != null && gone.containsAll(users);
    }

    /** The requests, one for each device. */
    private static List<ExactRequest> wanted(List<Claim> claims) {
        var wanted = new ArrayList<ExactRequest>();
        for (Claim claim : claims) {
            ExactRequest request =
                    Objects.requireNonNull(claim.requests().get(0).exactly());
            for (int i = 0; i < request.count(); i++) {
                wanted.add(request);
            }
        }
        return wanted;
    }

    private boolean canAllocate(Candidate node, List<ExactRequest> wanted, List<AllocatedDevice> held) {
        if (!RandomPreemption.canBeHeld(preemption.slices(), held)) {
            return false;
        }
        if (wanted.isEmpty()) {
            return true;
        }
        ExactRequest request = wanted.get(0);
        for (Slice slice : preemption.slices()) {
            boolean reaches = !(slice.nodes() instanceof NodeSelection.NodeName only)
                    || only.name().equals(node.node().name());
            for (Device device : slice.devices()) {
                String kind = String.valueOf(device.attributes().get("kind"));
                String asked = request.deviceClassName();
                boolean matches =
                        asked.equals("part") ? Set.of("quarter", "half").contains(kind) : asked.equals(kind);
                if (reaches && matches) {
                    var more = new ArrayList<>(held);
                    more.add(new AllocatedDevice(
                            slice.pool().device(device.name()),
                            new ClaimRef("team", "waiting", "waiting"),
                            null,
                            request.capacity() == null ? null : new AllocatedDevice.Share(null, request.capacity())));
                    if (canAllocate(node, wanted.subList(1, wanted.size()), more)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }
}
