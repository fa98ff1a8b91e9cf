package dev.fakegpu.hardware.inventory;

import dev.fakegpu.dra.Quantity;
import dev.fakegpu.hardware.catalog.MigCapacity;
import dev.fakegpu.hardware.catalog.MigPlacement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * The resources of a MIG instance that NVIDIA's DRA driver publishes, with two names each: capacities are in camel case; counters, which
 * must be DNS labels, are in kebab case ({@code cmd/gpu-kubelet-plugin/partitions.go}).
 */
@SuppressWarnings("ImmutableEnumChecker") // the functions are accessors of a record
enum MigResource {
    MULTIPROCESSORS("multiprocessors", "multiprocessors", MigCapacity::multiprocessors),
    COPY_ENGINES("copyEngines", "copy-engines", MigCapacity::copyEngines),
    DECODERS("decoders", "decoders", MigCapacity::decoders),
    ENCODERS("encoders", "encoders", MigCapacity::encoders),
    JPEG_ENGINES("jpegEngines", "jpeg-engines", MigCapacity::jpegEngines),
    OFA_ENGINES("ofaEngines", "ofa-engines", MigCapacity::ofaEngines),
    MEMORY("memory", "memory", MigCapacity::memoryMiB);

    /** The capacity that every GPU has, even without MIG. */
    static final String MEMORY_CAPACITY = MEMORY.capacityName;

    private final String capacityName;
    private final String counterName;
    private final ToIntFunction<MigCapacity> amount;

    MigResource(String capacityName, String counterName, ToIntFunction<MigCapacity> amount) {
        this.capacityName = capacityName;
        this.counterName = counterName;
        this.amount = amount;
    }

    static Map<String, Quantity> capacities(MigCapacity of) {
        return named(resource -> resource.capacityName, of);
    }

    /** The counters that an instance consumes: its capacity and each of its memory slices. */
    static Map<String, Quantity> counters(MigCapacity of, MigPlacement placement) {
        Map<String, Quantity> counters = named(resource -> resource.counterName, of);
        for (int slice = placement.start(); slice < placement.start() + placement.size(); slice++) {
            counters.put("memory-slice-" + slice, Quantity.ONE);
        }
        return counters;
    }

    /** The memory slices of a static MIG device, as capacities. */
    static Map<String, Quantity> memorySlices(MigPlacement placement) {
        var slices = new LinkedHashMap<String, Quantity>();
        for (int slice = placement.start(); slice < placement.start() + placement.size(); slice++) {
            slices.put("memorySlice" + slice, Quantity.ONE);
        }
        return slices;
    }

    private static Map<String, Quantity> named(Function<MigResource, String> name, MigCapacity capacity) {
        var amounts = new LinkedHashMap<String, Quantity>();
        for (MigResource resource : values()) {
            amounts.put(name.apply(resource), resource.quantity(capacity));
        }
        return amounts;
    }

    private Quantity quantity(MigCapacity capacity) {
        int number = amount.applyAsInt(capacity);
        return this == MEMORY ? Quantity.ofMebibytes(number) : Quantity.of(number);
    }
}
