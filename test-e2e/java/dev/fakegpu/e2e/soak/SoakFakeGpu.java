package dev.fakegpu.e2e.soak;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.e2e.support.SingleRequestClaims;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.ExactDeviceRequestBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;

/**
 * A FakeGpu of the load: each kind of hardware exists once for the companion and once for kube-scheduler.
 *
 * @param kind the kind of hardware
 */
record SoakFakeGpu(Kind kind, AllocatorName allocator) {

    /** Kinds of hardware, which are exposed to different errors. */
    enum Kind {
        /** Nothing is shared. */
        WHOLE("model: A100-SXM4-40GB, count: 8"),
        /** Counters and groups. */
        GROUPS("model: A100-SXM4-40GB, count: 4, partitions: {whole: true, mig: {profiles: [1g.5gb, 2g.10gb]},"
                + " vgpu: {sizing: MixedSize, types: [All]}}"),
        /** Consumable capacity. */
        SHARED("model: A100-SXM4-40GB, count: 4,"
                + " sharing: {mode: Memory, memory: {default: 10Gi, validValues: [10Gi, 20Gi, 40Gi]}}");

        private final String spec;

        Kind(String spec) {
            this.spec = spec;
        }
    }

    static final int NODES = 2;

    static List<SoakFakeGpu> all() {
        return Stream.of(AllocatorName.values())
                .flatMap(allocator -> Stream.of(Kind.values()).map(kind -> new SoakFakeGpu(kind, allocator)))
                .toList();
    }

    String name() {
        return kind.name().toLowerCase(Locale.ROOT) + "-" + (allocator == AllocatorName.Companion ? "c" : "k");
    }

    String driver() {
        return name() + ".soak.example.com";
    }

    String spec() {
        return "{driver: %s, allocator: %s, compatibilityGroups: {publish: Always}, nodes: {simulated: {count: %d}}, %s}"
                .formatted(driver(), allocator, NODES, kind.spec);
    }

    /** A claim for a device that this hardware has. */
    ResourceClaimBuilder claim(String namespace, String name, Random random) {
        return switch (kind) {
            case WHOLE ->
                SingleRequestClaims.exactly(
                        namespace,
                        name,
                        new ExactDeviceRequestBuilder()
                                .withDeviceClassName(driver())
                                .withCount(1L + random.nextInt(3) / 2));
            case GROUPS -> {
                String[] classes = {"", "mig.", "mig.", "mig.", "vgpu."};
                yield SingleRequestClaims.ofClass(namespace, name, classes[random.nextInt(classes.length)] + driver());
            }
            case SHARED ->
                SingleRequestClaims.exactly(
                        namespace,
                        name,
                        new ExactDeviceRequestBuilder()
                                .withDeviceClassName(driver())
                                .withNewCapacity()
                                .addToRequests("memory", new Quantity(random.nextBoolean() ? "10Gi" : "20Gi"))
                                .endCapacity());
        };
    }
}
