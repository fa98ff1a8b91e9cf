package dev.fakegpu.dra.mixin;

import dev.fakegpu.dra.Slice;

/**
 * A slice as KEP-5234 proposes it.
 *
 * @param own the slice without its mixins: devices and counter sets lack the entries that they include
 * @param hardware its counter sets and devices in the same order, with the names of the mixins that they include
 */
public record MixedSlice(Slice own, HardwareWithMixins hardware) {

    /** A slice without mixins. */
    public static MixedSlice plain(Slice slice) {
        return new MixedSlice(slice, HardwareWithMixins.plain(slice.counterSets(), slice.devices()));
    }

    /** The slice with other counter sets and devices. */
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
