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

    /** A slice with other counter sets and devices. */
    public static MixedSlice of(Slice slice, HardwareWithMixins hardware) {
        return new MixedSlice(
                slice.withCounterSets(hardware.counterSets().stream()
                                .map(Mixins.CounterSetWithMixins::own)
                                .toList())
                        .withDevices(hardware.devices().stream()
                                .map(Mixins.DeviceWithMixins::own)
                                .toList()),
                hardware);
    }

    /** @throws IllegalArgumentException if an included mixin does not exist */
    public Slice flat() {
        return own.withCounterSets(hardware.flatCounterSets()).withDevices(hardware.flatDevices());
    }
}
