package dev.fakegpu.hardware.inventory.field;

import dev.fakegpu.api.TaintSpec;
import dev.fakegpu.dra.DeviceTaint;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Validates the taints of a FakeGpu and converts them. */
public final class TaintReader {
    private TaintReader() {}

    public static void check(
            String field,
            @Nullable String key,
            @Nullable String value,
            TaintSpec.@Nullable Effect effect,
            @Nullable String timeAdded,
            Problems problems) {
        problems.ifMissing(field + ".effect", effect, "one of " + List.of(TaintSpec.Effect.values()));
        problems.unlessMatches(Syntax.LABEL_NAME, field + ".key", key);
        if (value != null && !value.isEmpty()) {
            problems.unlessMatches(Syntax.LABEL_VALUE, field + ".value", value);
        }
        if (timeAdded != null) {
            checkTime(field + ".timeAdded", timeAdded, problems);
        }
    }

    public static void checkTime(String field, String written, Problems problems) {
        try {
            time(written);
        } catch (DateTimeException e) {
            problems.add(field, written, "is not a time", "RFC 3339, for example 2026-01-31T12:00:00Z");
        }
    }

    public static DeviceTaint read(
            String key, @Nullable String value, TaintSpec.Effect effect, @Nullable String timeAdded) {
        return new DeviceTaint(
                key, value == null ? "" : value, effect.name(), timeAdded == null ? null : time(timeAdded));
    }

    /** Truncated to whole seconds, as the API stores it. */
    private static Instant time(String written) {
        return OffsetDateTime.parse(written).toInstant().truncatedTo(ChronoUnit.SECONDS);
    }
}
