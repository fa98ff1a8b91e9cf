package dev.fakegpu.dra;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A reason to keep off a device.
 *
 * @param effect {@code None}, {@code NoSchedule} or {@code NoExecute}; others may come and are then without effect here
 * @param timeAdded in whole seconds; null in what is to be published means: when the API server first stores it. Nothing here
 *     decides by it, but kube-controller-manager evicts by it.
 * @param rule name of the DeviceTaintRule that it comes from; null for one that the driver published
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

    /** A taint of no particular time. */
    public DeviceTaint(String key, String value, String effect) {
        this(key, value, effect, null);
    }

    public boolean keepsFromScheduling() {
        return effect.equals("NoSchedule") || effect.equals("NoExecute");
    }

    /** Whether pods that use the device and do not tolerate it are evicted. */
    public boolean evicts() {
        return effect.equals("NoExecute");
    }

    /** The same but for the time. */
    public DeviceTaint addedAt(@Nullable Instant time) {
        return new DeviceTaint(key, value, effect, time, rule);
    }

    /** The same, as a rule gives it. */
    public DeviceTaint ofRule(String name) {
        return new DeviceTaint(key, value, effect, timeAdded, name);
    }

    @Override
    public String toString() {
        return value.isEmpty() ? key + ":" + effect : key + "=" + value + ":" + effect;
    }
}
