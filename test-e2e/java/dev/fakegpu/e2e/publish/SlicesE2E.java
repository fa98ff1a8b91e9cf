package dev.fakegpu.e2e.publish;

import static dev.fakegpu.testing.FakeGpuAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.FakeGpuFixture;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests which objects the operator stores for a FakeGpu, and how it reacts to changes of the FakeGpu and to manual changes of these
 * objects.
 */
class SlicesE2E {

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withControllerManager();

    @RegisterExtension
    final FakeGpuFixture fakeGpus = cluster.fakeGpus();

    @Test
    void changedSpecRaisesTheGenerationOnceOnAllSlices() {
        // Given
        fakeGpus.create(
                "changed",
                "{%s, model: A100-SXM4-40GB, count: 8, partitions: {mig: {profiles: [All]}}}".formatted(simulated(1)));
        fakeGpus.awaitReady("changed");
        var before = fakeGpus.slices("changed");
        assertOnePool(before, 5);

        // When
        fakeGpus.patchSpec("changed", "{\"count\": 4}");
        var ready = fakeGpus.awaitReady("changed");

        // Then
        var after = fakeGpus.slices("changed");
        assertOnePool(after, 3);
        assertThat(after.get(0).generation()).isEqualTo(before.get(0).generation() + 1);
        assertThat(ready).hasTotals(1, 4, 4 * 26, 0);
    }

    /** Kubernetes 1.37 has the gate off by default. */
    @Test
    void unstoredListIsReportedAndOmitted() {
        fakeGpus.create("lists", "{%s, model: L40S, topology: {numaNodeFormat: List}}".formatted(simulated(1)));

        assertThat(fakeGpus.awaitCondition("lists", "FieldsServed", "False"))
                .condition("FieldsServed")
                .message()
                .isEqualTo(
                        "the API server does not store list attributes (feature gate DRAListTypeAttributes); slices are"
                                + " published without");
        assertThat(fakeGpus.slices("lists").get(0).devices().get(0).attributes())
                .containsKey("resource.kubernetes.io/pcieRoot")
                .doesNotContainKey("resource.kubernetes.io/numaNode");
    }

    /** Some are created again before the operator has finished with the previous FakeGpu of that name. */
    @Test
    void recreatedFakeGpusArePublished() {
        for (int i = 0; i < 25; i++) {
            fakeGpus.create("anew", "{%s, model: L40S}".formatted(simulated(1)));
            fakeGpus.awaitReady("anew");
            fakeGpus.delete("anew");
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(2))
                    .until(() -> fakeGpus.find("anew").isEmpty());
        }
    }

    @Test
    void sliceDeletedByHandComesBack() {
        // Given
        fakeGpus.create("deleted", a100WithMig());
        fakeGpus.awaitReady("deleted");
        var before = fakeGpus.slices("deleted");

        // When
        cluster.client().resource(fakeGpus.storedSlices("deleted").get(1)).delete();

        // Then
        awaitRestored("deleted", before);
    }

    @Test
    void sliceEditedByHandIsRestored() {
        // Given
        fakeGpus.create("edited", a100WithMig());
        fakeGpus.awaitReady("edited");
        var before = fakeGpus.slices("edited");

        // When
        cluster.client()
                .resource(new ResourceSliceBuilder(
                                fakeGpus.storedSlices("edited").get(1))
                        .editSpec()
                        .removeMatchingFromDevices(device -> device.getName().contains("mig"))
                        .endSpec()
                        .build())
                .update();

        // Then
        awaitRestored("edited", before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"labels", "ownerReferences"})
    void sliceWithoutItsLabelsOrOwnersIsRestored(String field) {
        // Given
        String name = "without-" + field.toLowerCase(Locale.ROOT);
        fakeGpus.create(name, a100WithMig());
        fakeGpus.awaitReady(name);
        var before = fakeGpus.slices(name);
        var slice = fakeGpus.storedSlices(name).get(1);

        // When
        cluster.client()
                .resource(slice)
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"%s\":null}}".formatted(field));

        // Then
        awaitRestored(name, before);
        fakeGpus.await(() -> assertThat(
                        cluster.client().resource(slice).require().getMetadata().getOwnerReferences())
                .isEqualTo(slice.getMetadata().getOwnerReferences()));
    }

    /** Any user with write access to slices can copy the label. */
    @Test
    void sliceThatOnlyHasTheLabelIsLeftAlone() {
        // Given
        fakeGpus.create("labelled", a100WithMig());
        fakeGpus.awaitReady("labelled");
        var foreign = fakeGpus.create(new ResourceSliceBuilder()
                .withNewMetadata()
                .withName("somebody-elses")
                .withLabels(Map.of(Labels.FAKEGPU, "labelled"))
                .endMetadata()
                .withNewSpec()
                .withDriver("somebody-elses.example.com")
                .withAllNodes(true)
                .withNewPool()
                .withName("somebody-elses")
                .withGeneration(1L)
                .withResourceSliceCount(1L)
                .endPool()
                .addNewDevice()
                .withName("device")
                .endDevice()
                .endSpec()
                .build());

        // When
        var published = fakeGpus.stored("labelled").getStatus().totals();
        fakeGpus.patchSpec("labelled", "{\"updatePolicy\": \"Immediate\"}");
        fakeGpus.awaitReady("labelled");

        // Then
        assertThat(fakeGpus.stored("labelled").getStatus().totals()).isEqualTo(published);
        assertThat(cluster.client().resource(foreign).require().getMetadata().getResourceVersion())
                .isEqualTo(foreign.getMetadata().getResourceVersion());
        fakeGpus.delete("labelled");
        fakeGpus.await(() -> assertThat(fakeGpus.find("labelled")).isEmpty());
        assertThat(cluster.client().resource(foreign).get()).isNotNull();
    }

    /**
     * A label on any node triggers the reconciliation of every FakeGpu. Another FakeGpu shows that it happened: the test breaks its status,
     * and the reconciliation repairs it. The test does this three times, because both FakeGpus are reconciled concurrently.
     */
    @Test
    void reconcileThatChangesNothingWritesNothing() {
        // Given
        fakeGpus.createNode("quiet-node", Map.of());
        fakeGpus.createNode("bystander", Map.of());
        fakeGpus.create(
                "quiet",
                "{driver: gpu.quiet.example.com, nodes: {names: [quiet-node]}, model: A100-SXM4-40GB,"
                        + " count: 8, partitions: {mig: {profiles: [All]}}}");
        fakeGpus.create("sign", "{driver: gpu.sign.example.com, nodes: {names: [quiet-node]}, model: L40S}");
        fakeGpus.awaitReady("quiet");
        fakeGpus.awaitReady("sign");
        awaitNothingLeft();
        breakAndAwaitReconciliation("0"); // now all objects above have been seen
        var quiet = FakeGpuFixture.versions(List.of(fakeGpus.stored("quiet")));
        var slices = FakeGpuFixture.versions(fakeGpus.storedSlices("quiet"));
        var classes = FakeGpuFixture.versions(fakeGpus.storedDeviceClasses("gpu.quiet.example.com"));
        double sliceWrites = writes("resourceslices");
        double classWrites = writes("deviceclasses");
        double fakeGpuWrites = writes("fakegpus");

        // When
        for (String round : List.of("1", "2", "3")) {
            breakAndAwaitReconciliation(round);
        }

        // Then
        assertThat(writes("resourceslices")).isEqualTo(sliceWrites);
        assertThat(writes("deviceclasses")).isEqualTo(classWrites);
        fakeGpus.await(() -> assertThat(writes("fakegpus"))
                .as("each round this test spoils the sign and the operator puts it right")
                .isEqualTo(fakeGpuWrites + 3 * 2));
        assertThat(FakeGpuFixture.versions(fakeGpus.storedSlices("quiet"))).isEqualTo(slices);
        assertThat(FakeGpuFixture.versions(fakeGpus.storedDeviceClasses("gpu.quiet.example.com")))
                .isEqualTo(classes);
        assertThat(FakeGpuFixture.versions(List.of(fakeGpus.stored("quiet")))).isEqualTo(quiet);
    }

    private static String simulated(int nodes) {
        return "nodes: {simulated: {count: %s}}".formatted(nodes);
    }

    private static String a100WithMig() {
        return "{%s, model: A100-SXM4-40GB, count: 8, partitions: {mig: {profiles: [All]}}}".formatted(simulated(1));
    }

    private void awaitRestored(String name, List<Slice> before) {
        fakeGpus.await(() -> {
            var after = fakeGpus.slices(name);
            assertOnePool(after, before.size());
            assertThat(after)
                    .zipSatisfy(
                            before,
                            (slice, wanted) -> assertThat(timeless(slice).sameContent(timeless(wanted)))
                                    .as(slice.name())
                                    .isTrue());
        });
    }

    /** Removes times, because a device that comes back gets its taint again. */
    private static Slice timeless(Slice slice) {
        return slice.mapDevices(device -> device.withTaints(
                device.taints().stream().map(taint -> taint.addedAt(null)).toList()));
    }

    /** Asserts that there is one generation and one count, so that a reader considers the pool complete. */
    private static void assertOnePool(List<Slice> slices, int count) {
        assertThat(slices).hasSize(count);
        assertThat(slices).extracting(Slice::pool).containsOnly(slices.get(0).pool());
        assertThat(slices)
                .extracting(Slice::generation)
                .containsOnly(slices.get(0).generation());
        assertThat(slices).extracting(Slice::sliceCount).containsOnly((long) count);
    }

    /**
     * Breaks the other status, and triggers the reconciliation of all FakeGpus by changing a node, until the operator has repaired it. This
     * may take more than one change: the event of the broken status, which triggers nothing itself, may arrive after that of the node.
     */
    private void breakAndAwaitReconciliation(String round) {
        fakeGpus.patchStatus("sign", "{\"totals\": null}");
        var changes = new AtomicInteger();
        Awaitility.await().pollInterval(Duration.ofSeconds(2)).untilAsserted(() -> {
            var totals = fakeGpus.stored("sign").getStatus().totals();
            if (totals == null) {
                fakeGpus.labelNode("bystander", "round", round + "-" + changes.incrementAndGet());
            }
            assertThat(totals).isNotNull();
        });
    }

    /**
     * Waits until the operator and the garbage collector have removed the DeviceClasses of earlier tests, which happens after their
     * FakeGpus.
     */
    private void awaitNothingLeft() {
        fakeGpus.await(() -> assertThat(cluster.client()
                        .resources(DeviceClass.class)
                        .withLabel("fakegpu.dev/driver")
                        .list()
                        .getItems())
                .extracting(deviceClass -> deviceClass.getMetadata().getLabels().get("fakegpu.dev/driver"))
                .isSubsetOf(cluster.client().resources(FakeGpu.class).list().getItems().stream()
                        .map(fakeGpu -> fakeGpu.getSpec().driver())
                        .toList()));
    }

    /**
     * The number of writes to objects that only the operator and this test write; an apply without a change counts, too. A deletion that
     * finds nothing, because there are two deleters, does not count.
     */
    private static double writes(String resource) {
        return cluster.client()
                .raw("/metrics")
                .lines()
                .filter(line -> line.startsWith("apiserver_request_total{"))
                .filter(line -> line.contains("resource=\"" + resource + "\""))
                .filter(line -> !line.contains("dry_run=\"All\"")) // a dry run writes nothing
                .filter(line -> !line.contains("code=\"404\""))
                .filter(line -> line.matches(".*verb=\"(POST|PUT|PATCH|APPLY|DELETE)\".*"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
