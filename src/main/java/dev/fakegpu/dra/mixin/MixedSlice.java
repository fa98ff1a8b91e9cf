package dev.fakegpu.dra.mixin;

import dev.fakegpu.dra.Slice;

/**
 * A slice as KEP-5234 proposes it.
 *
 * @param own what the slice says without its mixins: devices and counter sets lack what they include
 * @param hardware its counter sets and devices in the same order, with what they include
 */
public record MixedSlice(Slice own, HardwareWithMixins hardware) {

    /** A slice whose devices and counter sets include nothing. */
    public static MixedSlice plain(Slice slice) {
        return new MixedSlice(slice, HardwareWithMixins.plain(slice.counterSets(), slice.devices()));
    }

    /** @throws IllegalArgumentException if an included mixin does not exist */
    public Slice flat() {
        return own.withCounterSets(hardware.flatCounterSets()).withDevices(hardware.flatDevices());
    }
}
