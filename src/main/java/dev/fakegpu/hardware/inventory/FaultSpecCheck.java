package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.FaultSpec;
import dev.fakegpu.api.FaultSpec.Effect;
import dev.fakegpu.api.FaultSpec.When;
import dev.fakegpu.hardware.inventory.field.NodeSelectorReader;
import dev.fakegpu.hardware.inventory.field.Problems;
import dev.fakegpu.hardware.inventory.field.Syntax;
import dev.fakegpu.hardware.inventory.field.TaintReader;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks the parts of {@code spec.faults} that do not depend on the hardware. */
final class FaultSpecCheck {
    private FaultSpecCheck() {}

    /** @param names the names of other faults, to which these are added */
    static void check(List<FaultSpec> faults, Set<String> names, Problems problems) {
        for (int i = 0; i < faults.size(); i++) {
            String field = "spec.faults[" + i + "]";
            FaultSpec fault = faults.get(i);
            FaultTimingCheck.checkName(field, fault, names, problems);
            checkEffect(field, fault, problems);
            checkChange(field, fault, problems);
            if (fault.when() != null) {
                checkWhen(field + ".when", fault.when(), problems);
            }
            if (fault.claims() != null) {
                checkClaims(field + ".claims", fault.claims(), problems);
            }
        }
    }

    private static void checkEffect(String field, FaultSpec fault, Problems problems) {
        if (fault.delay() != null && fault.effect() == Effect.Hang) {
            problems.add(field + ".delay", fault.delay(), "does not go with effect Hang", "no delay");
        } else if ((fault.delay() != null && !TimedFaults.isTimed(fault)) || fault.effect() == Effect.Delay) {
            problems.unlessMatches(Syntax.DELAY, field + ".delay", fault.delay());
        }
        if (fault.message() != null && fault.effect() != Effect.Fail) {
            problems.add(field + ".message", fault.message(), "goes with effect Fail only", "no message");
        }
    }

    private static void checkChange(String field, FaultSpec fault, Problems problems) {
        boolean timed = TimedFaults.isTimed(fault);
        unlessTogether(field + ".health", fault.health(), fault.effect(), Effect.Health, problems);
        unlessTogether(field + ".taint", fault.taint(), fault.effect(), Effect.Taint, problems);
        boolean prepares = fault.operation() == FaultSpec.Operation.Prepare;
        if (!prepares && (timed || fault.effect() == Effect.WrongDevice)) {
            problems.add(
                    field + ".operation", fault.operation(), "does not go with effect " + fault.effect(), "Prepare");
        }
        if (timed) {
            refuse(field + ".when", fault.when() == null ? null : "{...}", fault.effect(), problems);
            refuse(field + ".delay", fault.delay(), fault.effect(), problems);
            checkMoment(field, fault, problems);
        } else {
            refuse(field + ".after", fault.after(), fault.effect(), problems);
            refuse(field + ".at", fault.at(), fault.effect(), problems);
            refuse(field + ".since", fault.since(), fault.effect(), problems);
            refuse(field + ".for", fault.lasts(), fault.effect(), problems);
        }
        if (fault.health() != null) {
            DeviceSettingsCheck.checkXid(
                    field + ".health.xid",
                    fault.health().state(),
                    fault.health().xid(),
                    problems);
        }
        if (fault.taint() != null) {
            TaintReader.check(
                    field + ".taint",
                    fault.taint().key(),
                    fault.taint().value(),
                    fault.taint().effect(),
                    null,
                    problems);
        }
    }

    private static void checkMoment(String field, FaultSpec fault, Problems problems) {
        boolean prepared = fault.since() == FaultSpec.Since.Prepared;
        FaultTimingCheck.checkMoment(field, fault, problems);
        if (fault.at() != null && prepared) {
            problems.add(field + ".at", fault.at(), "does not go with since Prepared", "after");
        }
        if (fault.claims() != null && !prepared) {
            problems.add(field + ".claims", "{...}", "goes with since Prepared only", "no claims");
        }
    }

    private static void unlessTogether(
            String field, @Nullable Object change, Effect actual, Effect effect, Problems problems) {
        if (change == null && actual == effect) {
            problems.add(field, "", "is missing", "what effect " + effect + " does");
        } else if (change != null && actual != effect) {
            problems.add(field, "{...}", "goes with effect " + effect + " only", "nothing with effect " + actual);
        }
    }

    private static void refuse(String field, @Nullable Object value, Effect effect, Problems problems) {
        if (value != null) {
            problems.add(field, value, "does not go with effect " + effect, "nothing");
        }
    }

    private static void checkWhen(String field, When when, Problems problems) {
        Integer fromOrTo = when.from() == null ? when.to() : when.from();
        long set = Stream.of(when.first(), when.everyNth(), when.nth(), fromOrTo, when.probability())
                .filter(Objects::nonNull)
                .count();
        if (set != 1) {
            problems.add(
                    field,
                    set,
                    "is the number of ways to choose calls",
                    "exactly one of first, everyNth, nth, from/to and probability");
        }
        checkRange(field + ".first", when.first(), 1, 1_000_000, problems);
        checkRange(field + ".everyNth", when.everyNth(), 1, 1_000_000, problems);
        checkRange(field + ".nth", when.nth(), 1, 1_000_000, problems);
        checkRange(field + ".from", when.from(), 1, 1_000_000, problems);
        checkRange(field + ".to", when.to(), 1, 1_000_000, problems);
        if (when.from() != null && when.to() != null && when.from() > when.to()) {
            problems.add(field + ".from", when.from(), "is greater than to", "1 to " + when.to());
        }
        checkRange(field + ".probability", when.probability(), 0, 100, problems);
        if (when.seed() != null && when.probability() == null) {
            problems.add(field + ".seed", when.seed(), "goes with probability only", "no seed");
        }
    }

    private static void checkRange(String field, @Nullable Integer value, int min, int max, Problems problems) {
        if (value != null && (value < min || value > max)) {
            problems.add(field, value, "is out of range", min + " to " + max);
        }
    }

    private static void checkClaims(String field, FaultSpec.ClaimsSelector claims, Problems problems) {
        claims.matchLabels().forEach((name, value) -> {
            problems.unlessMatches(Syntax.LABEL_NAME, field + ".matchLabels", name);
            problems.unlessMatches(Syntax.LABEL_VALUE, field + ".matchLabels[" + name + "]", value);
        });
        for (int i = 0; i < claims.matchExpressions().size(); i++) {
            NodeSelectorReader.checkLabel(
                    field + ".matchExpressions[" + i + "]",
                    claims.matchExpressions().get(i),
                    problems);
        }
    }
}
