package dev.fakegpu.e2e.publish;

import static dev.fakegpu.testing.FakeGpuAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.FakeGpuFixture;
import dev.fakegpu.hardware.slices.Retention;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClassBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests pools that change while they are read, used, or modified by others. */
class PoolChangesE2E {

    private static final String GPU = "gpu.example.com";

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withControllerManager();

    @RegisterExtension
    final FakeGpuFixture fakeGpus = cluster.fakeGpus();

    /** The reader takes every event as the current state, and considers a pool complete if an allocator does. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void aReaderNeverTakesAMixForAPool(long seed) {
        var random = new Random(seed);
        fakeGpus.create("watched", versioned(0, 150));
        fakeGpus.awaitReady("watched");
        var reader = new Reader();
        try (var watch = cluster.client()
                .resources(ResourceSlice.class)
                .withLabel(Labels.FAKEGPU, "watched")
                .watch(reader)) {
            for (int version = 1; version <= 12; version++) {
                int devices = 1 + random.nextInt(300);
                fakeGpus.patchSpec("watched", jsonOf(version, devices));
                if (random.nextBoolean()) {
                    fakeGpus.awaitReady("watched");
                }
                if (random.nextInt(3) == 0) {
                    var slices = fakeGpus.storedSlices("watched");
                    cluster.client()
                            .resource(slices.get(random.nextInt(slices.size())))
                            .delete();
                }
            }
            fakeGpus.patchSpec("watched", jsonOf(100, 200));
            fakeGpus.await(() -> assertThat(reader.seen).last().asString().startsWith("version 100"));
        }

        assertThat(reader.mixes).as("seed %s: mixes taken for a pool", seed).isEmpty();
        assertThat(reader.seen)
                .as("seed %s", seed)
                .hasSizeGreaterThan(3)
                .allSatisfy(pool -> assertThat(pool.toString()).matches("version (\\d+), (\\d+) of \\2 devices"));
    }

    @Test
    void devicesInUseKeepTheirGpuUntilTheyAreReleased() {
        try (var scenario = cluster.scenario(AllocatorName.Companion)) {
            String driver = "gpu.kept.example.com";
            fakeGpus.create(new DeviceClassBuilder()
                    .withNewMetadata()
                    .withName(driver)
                    .endMetadata()
                    .withNewSpec()
                    .addNewSelector()
                    .withNewCel("device.driver == '%s'".formatted(driver))
                    .endSelector()
                    .endSpec()
                    .build());
            fakeGpus.create(
                    "kept",
                    "{driver: gpu.kept.example.com, deviceClasses: Unmanaged, %s, model: A100-SXM4-40GB, count: 2, partitions: {mig: {profiles: [4g.20gb]}}}"
                            .formatted(simulated()));
            fakeGpus.awaitReady("kept");
            scenario.standaloneClaim("claim-a", driver, "mig");
            assertThat(scenario.awaitAllocated("claim-a").get(0).device()).isEqualTo("gpu-0-mig-4g20gb-5-0");
            var before = device("kept", "gpu-0-mig-4g20gb-5-0");

            fakeGpus.patchSpec(
                    "kept",
                    "{\"model\": \"H100-80GB-HBM3\", \"partitions\": {\"mig\": {\"profiles\": [\"4g.40gb\"]}}}");

            var pending = fakeGpus.awaitCondition("kept", "ChangesPending", "True");
            assertThat(pending)
                    .condition("ChangesPending")
                    .message()
                    .isEqualTo("in use, and kept with their groups and counters until they are released:"
                            + " gpu-0-mig-4g20gb-5-0 in kept-node-0/kept (%s/claim-a); 2 device(s) of the spec wait for that"
                                    .formatted(scenario.namespace()));
            assertThat(pending).condition("Ready").isTrue();
            assertThat(deviceNames("kept"))
                    .containsExactlyInAnyOrder("gpu-0-mig-4g20gb-5-0", "gpu-1", "gpu-1-mig-4g40gb-5-0");
            var kept = device("kept", "gpu-0-mig-4g20gb-5-0");
            assertThat(kept.consumesCounters()).isEqualTo(before.consumesCounters());
            assertThat(Retention.isPending(kept)).isTrue();

            // The device is not allocated to another claim, and it survives the manual deletion of its slice.
            cluster.client().resource(fakeGpus.storedSlices("kept").get(1)).delete();
            fakeGpus.await(
                    () -> assertThat(device("kept", "gpu-0-mig-4g20gb-5-0").withTaints(List.of()))
                            .isEqualTo(kept.withTaints(List.of())));

            scenario.deleteClaim("claim-a");
            fakeGpus.awaitCondition("kept", "ChangesPending", "False");
            fakeGpus.await(() -> assertThat(deviceNames("kept"))
                    .containsExactlyInAnyOrder("gpu-0", "gpu-0-mig-4g40gb-5-0", "gpu-1", "gpu-1-mig-4g40gb-5-0"));
        }
    }

    @Test
    void removalsOfDevicesInUseAreReported() {
        try (var scenario = cluster.scenario(AllocatorName.Companion)) {
            fakeGpus.create("removed", "{%s, model: L40S}".formatted(simulated()));
            fakeGpus.awaitReady("removed");
            scenario.standaloneClaim("claim-a", GPU, "gpu");
            scenario.awaitAllocated("claim-a");
            String uid = scenario.storedClaim("claim-a").getMetadata().getUid();

            fakeGpus.delete("removed");

            scenario.awaitEvent("claim-a", "RemovedWhileInUse", "FakeGpu removed was removed");
            fakeGpus.await(() -> {
                assertThat(fakeGpus.storedSlices("removed")).isEmpty();
                assertThat(fakeGpus.simulatedNodes("removed")).isEmpty();
            });
            fakeGpus.await(() -> assertThat(cluster.client()
                            .v1()
                            .events()
                            .inNamespace("default")
                            .list()
                            .getItems())
                    .filteredOn(event -> "RemovedWhileInUse".equals(event.getReason()))
                    .extracting(Event::getMessage)
                    .contains("removed while these claims hold devices of it: a claim of another namespace (uid " + uid
                            + ")"));
        }
    }

    /** Collects events, and looks at the pool as an allocator would after each. */
    private static final class Reader implements Watcher<ResourceSlice> {
        private final Map<String, Slice> slices = new TreeMap<>();
        private final List<Object> seen = new CopyOnWriteArrayList<>();
        private final List<String> mixes = new CopyOnWriteArrayList<>();

        @Override
        public synchronized void eventReceived(Action action, ResourceSlice resource) {
            if (action == Action.DELETED) {
                slices.remove(resource.getMetadata().getName());
            } else {
                slices.put(resource.getMetadata().getName(), SliceReader.read(resource));
            }
            long generation =
                    slices.values().stream().mapToLong(Slice::generation).max().orElse(0);
            var current = slices.values().stream()
                    .filter(slice -> slice.generation() == generation)
                    .toList();
            if (!current.isEmpty() && current.stream().allMatch(slice -> slice.sliceCount() == current.size())) {
                complete(current);
            }
        }

        private void complete(List<Slice> pool) {
            var devices =
                    pool.stream().flatMap(slice -> slice.devices().stream()).toList();
            var versions = devices.stream()
                    .map(device -> device.attributes().get("version") + ", " + devices.size() + " of "
                            + device.attributes().get("count") + " devices")
                    .collect(Collectors.toSet());
            if (versions.size() != 1) {
                mixes.add(versions.toString());
            }
            seen.add("version " + versions.iterator().next());
        }

        @Override
        public void onClose(WatcherException cause) {
            mixes.add("the watch ended: " + cause);
        }
    }

    /** A spec whose devices have an attribute with its version and the number of devices. */
    private static String versioned(int version, int count) {
        return "{%s, custom: %s}".formatted(simulated(), custom(version, count));
    }

    private static String jsonOf(int version, int count) {
        return "{\"custom\": %s}".formatted(custom(version, count));
    }

    private static String custom(int version, int count) {
        return IntStream.range(0, count)
                .mapToObj(index -> """
                        {"name": "d-%d", "attributes": {"version": {"int": %d}, "count": {"int": %d}}, \
                        "consumesCounters": [{"counterSet": "set", "counters": {"memory": "1"}}]}""".formatted(index, version, count))
                .collect(Collectors.joining(
                        ", ",
                        "{\"counterSets\": [{\"name\": \"set\", \"counters\": {\"memory\": \"1000\"}}], \"devices\": [",
                        "]}"));
    }

    private static String simulated() {
        return "nodes: {simulated: {count: 1}}";
    }

    private Device device(String fakeGpu, String name) {
        return fakeGpus.slices(fakeGpu).stream()
                .flatMap(slice -> slice.devices().stream())
                .filter(device -> device.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no device " + name));
    }

    private List<String> deviceNames(String fakeGpu) {
        return fakeGpus.slices(fakeGpu).stream()
                .flatMap(slice -> slice.devices().stream())
                .map(Device::name)
                .toList();
    }
}
