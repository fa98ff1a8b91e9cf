package dev.fakegpu.dra;

import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A taint of a device ({@code DeviceTaint}, KEP-5055).
 *
 * @param effect {@code None}, {@code NoSchedule} or {@code NoExecute}; unknown ones have no effect
 * @param timeAdded in whole seconds; null before it is published, when the API server sets the time. Only
 *     kube-controller-manager uses it, for eviction.
 * @param rule name of the DeviceTaintRule that adds it; null if the driver published it
 */
public record DeviceTaint(
        String key,
        String value,
        String effect,
        @Nullable Instant timeAdded,
        @Nullable String rule) {

    /** A taint that a driver publishes. */
    public DeviceTaint(String key, String value, String effect, @Nullable Instant timeAdded) {
        this(key, value, effect, timeAdded, null);
    }

    /** A taint without a time. */
    public DeviceTaint(String key, String value, String effect) {
        this(key, value, effect, null);
    }

    private static final Pattern TEXT = Pattern.compile("([^=:]+)(?:=([^:]*))?:([A-Za-z]+)");

    private static final Set<String> UNHEALTHY = Set.of("gpu-lost", "xid", "unhealthy");

    /**
     * Whether the taint says that the hardware does not work, so that tolerating it helps nobody. By the key without its domain; the first
     * two are those of NVIDIA's DRA driver and of FakeGpus.
     */
    public boolean meansUnhealthy() {
        return UNHEALTHY.contains(name());
    }

    /** The key without its domain, with the value. */
    public String shortForm() {
        return value.isEmpty() ? name() : name() + "=" + value;
    }

    /** As {@code kubectl} writes taints: {@code key=value:effect}, or {@code key:effect} without a value. */
    public String text() {
        return key + (value.isEmpty() ? "" : "=" + value) + ":" + effect;
    }

    /**
     * Reads what {@link #text} writes.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static DeviceTaint parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("a taint is written as key=value:effect");
        }
        return new DeviceTaint(matcher.group(1), Objects.requireNonNullElse(matcher.group(2), ""), matcher.group(3));
    }

    private String name() {
        return key.substring(key.indexOf('/') + 1);
    }

    public boolean keepsFromScheduling() {
        return effect.equals("NoSchedule") || effect.equals("NoExecute");
    }

    /** Whether pods that use the device without tolerating the taint are evicted. */
    public boolean evicts() {
        return effect.equals("NoExecute");
    }

    /** The same taint with another time. */
    public DeviceTaint addedAt(@Nullable Instant time) {
        return new DeviceTaint(key, value, effect, time, rule);
    }

    /** The same taint, added by a DeviceTaintRule. */
    public DeviceTaint ofRule(String name) {
        return new DeviceTaint(key, value, effect, timeAdded, name);
    }

    @Override
    public String toString() {
        return value.isEmpty() ? key + ":" + effect : key + "=" + value + ":" + effect;
    }
}
