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
 * @param effect {@code None}, {@code NoSchedule} or {@code NoExecute}; a taint with any other effect is ignored
 * @param timeAdded in whole seconds; null if the API server sets it when the taint is published. Only kube-controller-manager uses it, for
 *     eviction.
 * @param rule the name of the DeviceTaintRule that added the taint; null if the driver published it
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
     * Whether the taint says that the hardware does not work, so that tolerating it does not help. The key decides this, without its
     * domain. The first two keys are those of NVIDIA's DRA driver and of FakeGpus.
     */
    public boolean meansUnhealthy() {
        return UNHEALTHY.contains(name());
    }

    /** The key without its domain, and the value. */
    public String shortForm() {
        return value.isEmpty() ? name() : name() + "=" + value;
    }

    /** The taint as {@code kubectl} writes it: {@code key=value:effect}, or {@code key:effect} without a value. */
    public String text() {
        return key + (value.isEmpty() ? "" : "=" + value) + ":" + effect;
    }

    /**
     * Parses the result of {@link #text}.
     *
     * @throws IllegalArgumentException if the text is not a taint
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

    /** Whether the taint evicts pods that use the device without tolerating it. */
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
