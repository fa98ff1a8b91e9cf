package dev.fakegpu.cluster.check;

import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.matrix.Lint;
import dev.fakegpu.engine.matrix.Matrix;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** The lints of {@code fakegpu matrix} as rules, under the same names. */
final class LintChecks {

    private static final String POOLS = Sources.allocator("incomplete and invalid pools are skipped");
    private static final String COUNTERS = Sources.kep("4815 (partitionable devices)");
    private static final String GROUPS = Sources.kep("5963 (compatibility groups)");

    private static final Map<Lint.Rule, Rule> BY_LINT = new EnumMap<>(Map.ofEntries(
            entry(
                    Lint.Rule.INCOMPLETE_POOL,
                    Severity.ERROR,
                    "An allocator waits for the missing slices and uses no device of the pool; requests for all devices fail on the node.",
                    "Write as many slices as resourceSliceCount says, all with the same generation.",
                    POOLS),
            entry(
                    Lint.Rule.DUPLICATE_NAME,
                    Severity.ERROR,
                    "The API server refuses two in one slice; over several slices the pool is invalid, and an allocator uses none of its"
                            + " devices.",
                    "Give every device and every counter set of the pool its own name.",
                    POOLS),
            entry(
                    Lint.Rule.UNKNOWN_COUNTER,
                    Severity.ERROR,
                    "The pool is invalid: an allocator uses none of its devices.",
                    "Declare the counter in sharedCounters of the same pool, or correct the name.",
                    POOLS),
            entry(
                    Lint.Rule.NEVER_ALLOCATED,
                    Severity.ERROR,
                    "The device consumes more than the counter set has, so it is never allocated, and no message says why.",
                    "Correct the counter or the consumption; mind units, such as 40Gi and 40G.",
                    COUNTERS),
            entry(
                    Lint.Rule.UNSHARED_SET,
                    Severity.WARNING,
                    "Either the set is superfluous, or devices of the hardware forget to consume from it.",
                    "Remove the counter set, or let the other devices of the hardware consume from it.",
                    COUNTERS),
            entry(
                    Lint.Rule.UNUSED_COUNTER,
                    Severity.WARNING,
                    "Either the counter is superfluous, or devices forget to consume it and are overcommitted.",
                    "Consume it, or remove it.",
                    COUNTERS),
            entry(
                    Lint.Rule.UNREACHABLE_MAXIMUM,
                    Severity.WARNING,
                    "More interchangeable devices are published than ever fit, so slices are larger than they need be.",
                    "Publish as many as fit, or correct the counters.",
                    COUNTERS),
            entry(
                    Lint.Rule.MIXED_GROUPS,
                    Severity.WARNING,
                    "A device without groups never goes with one that has groups.",
                    "Give all devices of the counter set groups, or none.",
                    GROUPS),
            entry(
                    Lint.Rule.NEVER_MEET,
                    Severity.WARNING,
                    "The group allows what the counters exclude.",
                    "Remove the group, or correct the counters.",
                    GROUPS),
            entry(
                    Lint.Rule.LONELY_GROUP,
                    Severity.WARNING,
                    "The group excludes the device from everything on the counter set, though there is room.",
                    "Use the group of the devices that it may run with; check the spelling.",
                    GROUPS),
            entry(
                    Lint.Rule.REDUNDANT_GROUP,
                    Severity.WARNING,
                    "The group makes no difference, and a device can name only two.",
                    "Remove it.",
                    GROUPS)));

    private static final Rule OTHER_POOL = Rule.error(
            Scope.POOL,
            "counter-set-of-other-pool",
            "Counters are shared within a pool only, so the set is unknown and an allocator uses no device of the pool.",
            "Publish the counter set and its consumers in one pool.",
            COUNTERS + "; " + POOLS);

    static final List<Rule> RULES =
            Stream.concat(BY_LINT.values().stream(), Stream.of(OTHER_POOL)).toList();

    private LintChecks() {}

    private static Map.Entry<Lint.Rule, Rule> entry(
            Lint.Rule lint, Severity severity, String why, String fix, String source) {
        return Map.entry(lint, new Rule(lint.toString(), severity, Scope.POOL, why, fix, source));
    }

    static void check(List<CheckedPool> pools, Map<PoolId, Violations> findings) {
        List<Slice> slices = pools.stream()
                .flatMap(pool -> pool.current().stream())
                .map(CheckedSlice::slice)
                .toList();
        if (slices.isEmpty()) {
            return;
        }
        Map<PoolId, CheckedPool> byId = new HashMap<>();
        pools.forEach(pool -> byId.put(pool.id(), pool));
        Matrix.of(slices).lints().forEach(lint -> {
            PoolId id = lint.subject().pool();
            CheckedPool pool = Objects.requireNonNull(byId.get(id));
            boolean known = lint.rule() == Lint.Rule.INCOMPLETE_POOL && !pool.hasOneCount();
            if (!known) {
                Objects.requireNonNull(findings.get(id))
                        .add(rule(lint, byId.values()), where(lint.subject(), pool), lint.sentence());
            }
        });
    }

    private static Rule rule(Lint lint, Collection<CheckedPool> pools) {
        Lint.Subject subject = lint.subject();
        boolean isElsewhere = lint.rule() == Lint.Rule.UNKNOWN_COUNTER
                && pools.stream()
                        .filter(pool -> pool.id().driver().equals(subject.pool().driver()))
                        .anyMatch(pool -> !pool.id().equals(subject.pool())
                                && pool.counterSet(subject.counterSet()).isPresent())
                && pools.stream()
                        .filter(pool -> pool.id().equals(subject.pool()))
                        .noneMatch(pool -> pool.counterSet(subject.counterSet()).isPresent());
        return isElsewhere ? OTHER_POOL : Objects.requireNonNull(BY_LINT.get(lint.rule()));
    }

    private static Where where(Lint.Subject subject, CheckedPool pool) {
        Optional<Where> device = subject.device().isEmpty() ? Optional.empty() : pool.device(subject.device());
        return device.or(() -> pool.counterSet(subject.counterSet()))
                .orElseGet(() -> pool.first().at("spec.pool"));
    }
}
