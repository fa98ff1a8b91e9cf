package dev.fakegpu.e2e.publish;

import static dev.fakegpu.testing.FakeGpuAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.Device;
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
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the operator stores for a FakeGpu, and how that follows the FakeGpu and whoever meddles with it. */
class SlicesE2E {

    private static final String EVERYTHING = "mig: {profiles: [All]}, vgpu: {types: [All]}";

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withControllerManager();

    @RegisterExtension
    final FakeGpuFixture fakeGpus = cluster.fakeGpus();

    /** Of each GPU: 1 whole, 25 MIG placements (7+7+4+3+2+1+1), 30 vGPU slots (10+8+5+4+2+1). 64 devices go into a slice. */
    @Test
    void everythingThatEightA100sOfferIsStored() {
        // When
        fakeGpus.create(
                "a100",
                "{%s, model: A100-SXM4-40GB, count: 8, partitions: {whole: true, %s}}"
                        .formatted(simulated(1), EVERYTHING));
        var ready = fakeGpus.awaitReady("a100");

        // Then
        var slices = fakeGpus.slices("a100");
        assertOnePool(slices, 8);
        assertThat(slices.get(0).counterSets())
                .extracting(set -> set.name())
                .containsExactly(
                        "gpu-0-counter-set",
                        "gpu-1-counter-set",
                        "gpu-2-counter-set",
                        "gpu-3-counter-set",
                        "gpu-4-counter-set",
                        "gpu-5-counter-set",
                        "gpu-6-counter-set",
                        "gpu-7-counter-set");
        assertThat(slices.get(0).devices()).isEmpty();
        assertThat(slices.subList(1, 8)).allSatisfy(slice -> {
            assertThat(slice.counterSets()).isEmpty();
            assertThat(slice.devices()).hasSize(64);
        });
        assertThat(devicesByGroup(slices))
                .isEqualTo(Map.of(
                        List.of("gpu-full"), 8L,
                        List.of("mig"), 8 * 25L,
                        List.of("vgpu-4c"), 8 * 10L,
                        List.of("vgpu-5c"), 8 * 8L,
                        List.of("vgpu-8c"), 8 * 5L,
                        List.of("vgpu-10c"), 8 * 4L,
                        List.of("vgpu-20c"), 8 * 2L,
                        List.of("vgpu-40c"), 8L));
        assertThat(ready).hasTotals(1, 8, 448, 0);
        assertThat(ready).condition("CompatibilityGroupsServed").hasReason("Served");
        assertThat(fakeGpus.events("a100", "Published"))
                .extracting(event -> event.getMessage())
                .contains("448 devices of 8 GPU(s) on 1 node(s) are published");
    }

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
    void listThatTheServerDoesNotStoreIsNamedAndLeftOut() {
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

    /** Some of them while the operator has not quite finished with the last one of that name. */
    @Test
    void fakeGpusThatAreMadeAnewUnderTheirNameArePublished() {
        for (int i = 0; i < 25; i++) {
            fakeGpus.create("anew", "{%s, model: L40S}".formatted(simulated(1)));
            fakeGpus.awaitReady("anew");
            fakeGpus.delete("anew");
            Awaitility.await()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(2))
                    .until(() -> fakeGpus.find("anew").isEmpty());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"model\": \"A100-SXM4-40G\"} | spec.model: \"A100-SXM4-40G\" | A100-SXM4-40GB",
                "{\"partitions\": {\"mig\": {\"profiles\": [\"1g.6gb\"]}}} | spec.partitions.mig.profiles[0]: \"1g.6gb\" | 1g.5gb",
                "{\"model\": \"L40S\"} | spec.partitions.mig: \"L40S\" | A100-SXM4-40GB",
            })
    void specThatCannotBePublishedIsRefusedAndWhatWasPublishedStays(String patch, String field, String allowed) {
        // Given
        fakeGpus.create(
                "refused",
                "{%s, model: A100-SXM4-40GB, count: 2, partitions: {mig: {profiles: [1g.5gb]}}}"
                        .formatted(simulated(1)));
        var valid = fakeGpus.awaitReady("refused");
        var before = FakeGpuFixture.versions(fakeGpus.storedSlices("refused"));

        // When
        fakeGpus.patchSpec("refused", patch);
        var refused = fakeGpus.awaitCondition("refused", "Accepted", "False");

        // Then
        var sentence = FakeGpuFixture.condition(refused, "Accepted").getMessage();
        assertThat(sentence).contains(field, "; allowed: ").containsPattern("allowed: .*" + allowed);
        assertThat(refused)
                .condition("Ready")
                .isFalse()
                .hasReason("NotAccepted")
                .hasMessageContaining(sentence);
        assertThat(fakeGpus.events("refused", "NotAccepted"))
                .extracting(event -> event.getMessage())
                .containsExactly(sentence);
        assertThat(FakeGpuFixture.versions(fakeGpus.storedSlices("refused"))).isEqualTo(before);
        assertThat(refused.getStatus().totals()).isEqualTo(valid.getStatus().totals());
    }

    @Test
    void correctedSpecIsReadyAgain() {
        // Given
        fakeGpus.create("corrected", "{%s, model: A100-SXM4-40G}".formatted(simulated(1)));
        fakeGpus.awaitCondition("corrected", "Accepted", "False");
        assertThat(fakeGpus.storedSlices("corrected")).isEmpty();

        // When
        fakeGpus.patchSpec("corrected", "{\"model\": \"A100-SXM4-40GB\"}");

        // Then
        fakeGpus.awaitReady("corrected");
        assertOnePool(fakeGpus.slices("corrected"), 2);
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
    void sliceWhoseLabelsOrOwnersWereTakenAwayIsTakenBack(String field) {
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

    /** Whoever may write slices can copy the label. */
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
     * A label on any node has every FakeGpu looked at. That this happened is seen at another one, whose status was spoilt before
     * and is put right by that; it happens three times, because the two are looked at side by side.
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
        var quiet = FakeGpuFixture.versions(List.of(fakeGpus.stored("quiet")));
        var slices = FakeGpuFixture.versions(fakeGpus.storedSlices("quiet"));
        var classes = FakeGpuFixture.versions(fakeGpus.storedDeviceClasses("gpu.quiet.example.com"));
        double sliceWrites = writes("resourceslices");
        double classWrites = writes("deviceclasses");
        double fakeGpuWrites = writes("fakegpus");

        // When
        for (String round : List.of("1", "2", "3")) {
            fakeGpus.patchStatus("sign", "{\"totals\": null}");
            awaitReconciliation(round);
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

    /** A device that was away is tainted anew when it comes back. */
    private static Slice timeless(Slice slice) {
        return slice.mapDevices(device -> device.withTaints(
                device.taints().stream().map(taint -> taint.addedAt(null)).toList()));
    }

    /** One generation and one count, so that a reader takes the pool for complete. */
    private static void assertOnePool(List<Slice> slices, int count) {
        assertThat(slices).hasSize(count);
        assertThat(slices).extracting(Slice::pool).containsOnly(slices.get(0).pool());
        assertThat(slices)
                .extracting(Slice::generation)
                .containsOnly(slices.get(0).generation());
        assertThat(slices).extracting(Slice::sliceCount).containsOnly((long) count);
    }

    private static Map<List<String>, Long> devicesByGroup(List<Slice> slices) {
        return slices.stream()
                .flatMap(slice -> slice.devices().stream())
                .map(Device::consumesCounters)
                .map(consumption -> consumption.stream()
                        .map(CounterConsumption::compatibilityGroups)
                        .flatMap(List::stream)
                        .toList())
                .collect(Collectors.groupingBy(groups -> groups, Collectors.counting()));
    }

    /**
     * Makes the operator look at all FakeGpus, by changing a node, until it has put the sign right. It may take more than one change: the
     * event of the spoilt status, which by itself wakes nobody, may arrive after that of the node.
     */
    private void awaitReconciliation(String round) {
        var changes = new AtomicInteger();
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofSeconds(2))
                .untilAsserted(() -> {
                    var totals = fakeGpus.stored("sign").getStatus().totals();
                    if (totals == null) {
                        fakeGpus.labelNode("bystander", "round", round + "-" + changes.incrementAndGet());
                    }
                    assertThat(totals).isNotNull();
                });
    }

    /** The operator and the garbage collector remove DeviceClasses of the tests before, after their FakeGpus. */
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
     * How often anybody wrote what only the operator and this test write here; an apply without a change counts, too. That one of two who
     * delete the same finds nothing is no write.
     */
    private static double writes(String resource) {
        return cluster.client()
                .raw("/metrics")
                .lines()
                .filter(line -> line.startsWith("apiserver_request_total{"))
                .filter(line -> line.contains("resource=\"" + resource + "\""))
                .filter(line -> !line.contains("dry_run=\"All\"")) // nothing is written by asking what would be
                .filter(line -> !line.contains("code=\"404\""))
                .filter(line -> line.matches(".*verb=\"(POST|PUT|PATCH|APPLY|DELETE)\".*"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
