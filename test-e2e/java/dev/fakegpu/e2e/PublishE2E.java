package dev.fakegpu.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuStatus;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.testing.ControlPlaneExtension;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClassBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceBuilder;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the operator stores for a FakeGpu, and how that follows the FakeGpu, the nodes and whoever meddles with it. */
class PublishE2E {

    private static final String EVERYTHING = "mig: {profiles: [All]}, vgpu: {types: [All]}";

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.withControllerManager();

    @RegisterExtension
    static final OperatorExtension operator = new OperatorExtension(controlPlane);

    private FakeGpus fakeGpus;

    @BeforeEach
    void begin() {
        fakeGpus = new FakeGpus(controlPlane.client());
    }

    @AfterEach
    void end() {
        fakeGpus.close();
    }

    // --- slices ---

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
        assertThat(ready.getStatus().totals()).isEqualTo(new FakeGpuStatus.Totals(1, 8, 448, 0));
        assertThat(FakeGpus.condition(ready, "CompatibilityGroupsServed").getReason())
                .isEqualTo("Served");
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
        assertThat(ready.getStatus().totals()).isEqualTo(new FakeGpuStatus.Totals(1, 4, 4 * 26, 0));
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
        var before = FakeGpus.versions(fakeGpus.storedSlices("refused"));

        // When
        fakeGpus.patchSpec("refused", patch);
        var refused = fakeGpus.awaitCondition("refused", "Accepted", "False");

        // Then
        var sentence = FakeGpus.condition(refused, "Accepted").getMessage();
        assertThat(sentence).contains(field, "; allowed: ").containsPattern("allowed: .*" + allowed);
        assertThat(FakeGpus.condition(refused, "Ready"))
                .satisfies(ready -> assertThat(ready.getStatus()).isEqualTo("False"))
                .satisfies(ready -> assertThat(ready.getReason()).isEqualTo("NotAccepted"))
                .satisfies(ready -> assertThat(ready.getMessage()).contains(sentence));
        assertThat(fakeGpus.events("refused", "NotAccepted"))
                .extracting(event -> event.getMessage())
                .containsExactly(sentence);
        assertThat(FakeGpus.versions(fakeGpus.storedSlices("refused"))).isEqualTo(before);
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
        controlPlane.client().resource(fakeGpus.storedSlices("deleted").get(1)).delete();

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
        controlPlane
                .client()
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

    @Test
    void sliceWhoseLabelsWereTakenAwayIsTakenBack() {
        // Given
        fakeGpus.create("unlabelled", a100WithMig());
        fakeGpus.awaitReady("unlabelled");
        var before = fakeGpus.slices("unlabelled");

        // When
        controlPlane
                .client()
                .resource(new ResourceSliceBuilder(
                                fakeGpus.storedSlices("unlabelled").get(1))
                        .editMetadata()
                        .withLabels(Map.of())
                        .endMetadata()
                        .build())
                .update();

        // Then
        awaitRestored("unlabelled", before);
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
        var quiet = FakeGpus.versions(List.of(fakeGpus.stored("quiet")));
        var slices = FakeGpus.versions(fakeGpus.storedSlices("quiet"));
        var classes = FakeGpus.versions(fakeGpus.storedDeviceClasses("gpu.quiet.example.com"));
        double sliceWrites = writes("resourceslices");
        double classWrites = writes("deviceclasses");
        double fakeGpuWrites = writes("fakegpus");

        // When
        for (String round : List.of("1", "2", "3")) {
            fakeGpus.patchStatus("sign", "{\"totals\": null}");
            fakeGpus.labelNode("bystander", "round", round);
            fakeGpus.await(() ->
                    assertThat(fakeGpus.stored("sign").getStatus().totals()).isNotNull());
        }

        // Then
        assertThat(writes("resourceslices")).isEqualTo(sliceWrites);
        assertThat(writes("deviceclasses")).isEqualTo(classWrites);
        fakeGpus.await(() -> assertThat(writes("fakegpus"))
                .as("each round this test spoils the sign and the operator puts it right")
                .isEqualTo(fakeGpuWrites + 3 * 2));
        assertThat(FakeGpus.versions(fakeGpus.storedSlices("quiet"))).isEqualTo(slices);
        assertThat(FakeGpus.versions(fakeGpus.storedDeviceClasses("gpu.quiet.example.com")))
                .isEqualTo(classes);
        assertThat(FakeGpus.versions(List.of(fakeGpus.stored("quiet")))).isEqualTo(quiet);
    }

    // --- nodes ---

    @Test
    void nameWithoutANodeWaitsForIt() {
        // Given
        fakeGpus.create("named", "{nodes: {names: [named-1, named-2]}, model: L40S}");
        var waiting = fakeGpus.awaitCondition("named", "Published", "False");
        assertThat(FakeGpus.condition(waiting, "Published").getReason()).isEqualTo("NoNodes");
        assertThat(fakeGpus.storedSlices("named")).isEmpty();

        // When
        fakeGpus.createNode("named-2", Map.of());

        // Then
        fakeGpus.awaitReady("named");
        assertThat(fakeGpus.slicesByNode("named")).containsOnlyKeys("named-2");
        assertThat(fakeGpus.stored("named").getStatus().totals()).isEqualTo(new FakeGpuStatus.Totals(1, 1, 1, 0));
    }

    @Test
    void selectorFollowsLabelsAsTheyComeAndGo() {
        // Given
        fakeGpus.createNode("selected-1", Map.of("e2e-gpu", "l40s"));
        fakeGpus.createNode("selected-2", Map.of());
        fakeGpus.create("selected", "{nodes: {selector: {matchLabels: {e2e-gpu: l40s}}}, model: L40S}");
        fakeGpus.awaitReady("selected");
        assertThat(fakeGpus.slicesByNode("selected")).containsOnlyKeys("selected-1");

        // When
        fakeGpus.labelNode("selected-2", "e2e-gpu", "l40s");
        fakeGpus.await(
                () -> assertThat(fakeGpus.slicesByNode("selected")).containsOnlyKeys("selected-1", "selected-2"));
        fakeGpus.labelNode("selected-1", "e2e-gpu", null);

        // Then
        fakeGpus.await(() -> assertThat(fakeGpus.slicesByNode("selected")).containsOnlyKeys("selected-2"));
        fakeGpus.await(() -> assertThat(
                        fakeGpus.stored("selected").getStatus().totals().nodes())
                .isEqualTo(1));
    }

    @Test
    void slicesOfANodeGoWithIt() {
        // Given
        fakeGpus.createNode("leaving", Map.of());
        fakeGpus.create("left", "{nodes: {names: [leaving]}, model: L40S}");
        fakeGpus.awaitReady("left");

        // When
        controlPlane.client().nodes().withName("leaving").delete();

        // Then
        fakeGpus.awaitCondition("left", "Published", "False");
        assertThat(fakeGpus.storedSlices("left")).isEmpty();
    }

    @Test
    void simulatedNodesAreReadyAsIfAKubeletRanThere() {
        // When
        fakeGpus.create("ready", "{%s, model: L40S}".formatted(simulated(2)));
        fakeGpus.awaitReady("ready");

        // Then
        fakeGpus.await(() -> assertThat(fakeGpus.simulatedNodes("ready"))
                .hasSize(2)
                .allSatisfy(node -> {
                    assertThat(node.getStatus().getConditions())
                            .anySatisfy(condition -> assertThat(condition.getType() + "=" + condition.getStatus())
                                    .isEqualTo("Ready=True"));
                    assertThat(node.getSpec().getTaints())
                            .extracting(taint -> taint.getKey())
                            .containsExactly("fakegpu.dev/simulated");
                    assertThat(lease(node.getMetadata().getName())).isNotNull();
                }));
    }

    @Test
    void simulatedNodesAreScaledAndLeaveNothingBehind() {
        // Given
        fakeGpus.create("scaled", "{%s, model: L40S}".formatted(simulated(1)));
        fakeGpus.awaitReady("scaled");
        fakeGpus.patchSpec("scaled", "{\"nodes\": {\"simulated\": {\"count\": 3}}}");
        fakeGpus.awaitReady("scaled");
        assertThat(fakeGpus.slicesByNode("scaled")).containsOnlyKeys("scaled-node-0", "scaled-node-1", "scaled-node-2");

        // When
        fakeGpus.patchSpec("scaled", "{\"nodes\": {\"simulated\": {\"count\": 2}}}");
        fakeGpus.awaitReady("scaled");

        // Then
        assertThat(fakeGpus.slicesByNode("scaled")).containsOnlyKeys("scaled-node-0", "scaled-node-1");
        assertThat(fakeGpus.simulatedNodes("scaled")).hasSize(2);

        // When
        fakeGpus.delete("scaled");

        // Then
        fakeGpus.await(() -> {
            assertThat(fakeGpus.storedSlices("scaled")).isEmpty();
            assertThat(fakeGpus.simulatedNodes("scaled")).isEmpty();
            assertThat(lease("scaled-node-0")).isNull();
        });
    }

    @Test
    void nodeOfSomebodyElseIsNotTakenOver() {
        // Given
        fakeGpus.createNode("foreign-node-0", Map.of("whose", "somebody-elses"));

        // When
        fakeGpus.create("foreign", "{%s, model: L40S}".formatted(simulated(1)));
        var refused = fakeGpus.awaitCondition("foreign", "Published", "False");

        // Then
        assertThat(FakeGpus.condition(refused, "Published").getReason()).isEqualTo("NodeExists");
        assertThat(FakeGpus.condition(refused, "Published").getMessage()).contains("foreign-node-0");
        assertThat(fakeGpus.storedSlices("foreign")).isEmpty();
        fakeGpus.delete("foreign");
        fakeGpus.await(() -> assertThat(controlPlane
                        .client()
                        .resources(FakeGpu.class)
                        .withName("foreign")
                        .get())
                .isNull());
        assertThat(controlPlane.client().nodes().withName("foreign-node-0").get())
                .isNotNull();
    }

    // --- DeviceClasses ---

    @Test
    void modelGetsTheDeviceClassesOfItsVendor() {
        // When
        fakeGpus.create("classes", "{driver: gpu.classes.example.com, %s, model: L40S}".formatted(simulated(1)));
        fakeGpus.awaitReady("classes");

        // Then
        var selector = "device.driver == 'gpu.classes.example.com'"
                + " && device.attributes['gpu.classes.example.com'].type == '%s'";
        assertThat(fakeGpus.deviceClasses("gpu.classes.example.com"))
                .isEqualTo(Map.of(
                        "gpu.classes.example.com", selector.formatted("gpu"),
                        "mig.classes.example.com", selector.formatted("mig"),
                        "vgpu.gpu.classes.example.com", selector.formatted("vgpu")));
    }

    @Test
    void customHardwareGetsOneDeviceClass() {
        // When
        fakeGpus.create(
                "custom-class",
                "{driver: custom.example.com, %s, custom: {devices: [{name: foo}]}}".formatted(simulated(1)));
        fakeGpus.awaitReady("custom-class");

        // Then
        assertThat(fakeGpus.deviceClasses("custom.example.com"))
                .isEqualTo(Map.of("custom.example.com", "device.driver == 'custom.example.com'"));
    }

    @Test
    void unmanagedDeviceClassesAreLeftToTheUser() {
        // Given
        fakeGpus.create("unmanaged", "{driver: unmanaged.example.com, %s, model: L40S}".formatted(simulated(1)));
        fakeGpus.awaitReady("unmanaged");
        assertThat(fakeGpus.deviceClasses("unmanaged.example.com")).hasSize(3);

        // When
        fakeGpus.patchSpec("unmanaged", "{\"deviceClasses\": \"Unmanaged\"}");
        fakeGpus.awaitReady("unmanaged");

        // Then
        assertThat(fakeGpus.deviceClasses("unmanaged.example.com")).isEmpty();
    }

    @Test
    void deviceClassOfSomebodyElseIsNotTouched() {
        // Given
        var foreign = fakeGpus.create(deviceClass("foreign.example.com", "device.driver == 'other.example.com'"));

        // When
        fakeGpus.create("foreign-class", "{driver: foreign.example.com, %s, model: L40S}".formatted(simulated(1)));
        fakeGpus.awaitReady("foreign-class");
        fakeGpus.delete("foreign-class");
        fakeGpus.await(
                () -> assertThat(fakeGpus.deviceClasses("foreign.example.com")).isEmpty());

        // Then
        assertThat(storedClass("foreign.example.com").getMetadata().getResourceVersion())
                .isEqualTo(foreign.getMetadata().getResourceVersion());
    }

    @Test
    void deviceClassDeletedByHandComesBack() {
        // Given
        fakeGpus.create("class-deleted", "{driver: restored.example.com, %s, model: L40S}".formatted(simulated(1)));
        fakeGpus.awaitReady("class-deleted");

        // When
        controlPlane.client().resource(storedClass("restored.example.com")).delete();

        // Then
        fakeGpus.await(
                () -> assertThat(fakeGpus.deviceClasses("restored.example.com")).hasSize(3));
    }

    @Test
    void lastFakeGpuOfADriverTakesItsDeviceClassesAlong() {
        // Given
        for (String name : List.of("class-user-1", "class-user-2")) {
            fakeGpus.create(name, "{driver: shared.example.com, %s, model: L40S}".formatted(simulated(1)));
            fakeGpus.awaitReady(name);
        }
        fakeGpus.delete("class-user-1");
        fakeGpus.await(() -> assertThat(fakeGpus.storedSlices("class-user-1")).isEmpty());
        assertThat(fakeGpus.deviceClasses("shared.example.com")).hasSize(3);

        // When
        fakeGpus.delete("class-user-2");

        // Then
        fakeGpus.await(
                () -> assertThat(fakeGpus.deviceClasses("shared.example.com")).isEmpty());
    }

    @Test
    void changedDriverLeavesNothingOfTheOldOneBehind() {
        // Given
        fakeGpus.create("moved", "{driver: old.example.com, %s, model: L40S}".formatted(simulated(1)));
        fakeGpus.awaitReady("moved");

        // When
        fakeGpus.patchSpec("moved", "{\"driver\": \"new.example.com\"}");
        fakeGpus.awaitReady("moved");

        // Then
        assertThat(fakeGpus.slices("moved"))
                .isNotEmpty()
                .allSatisfy(slice -> assertThat(slice.pool().driver()).isEqualTo("new.example.com"));
        assertThat(fakeGpus.deviceClasses("new.example.com")).hasSize(3);
        assertThat(fakeGpus.deviceClasses("old.example.com")).isEmpty();
    }

    // --- helpers ---

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
                            (slice, wanted) -> assertThat(slice.sameContent(wanted))
                                    .as(slice.name())
                                    .isTrue());
        });
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

    /** How often anybody wrote what only the operator and this test write here; an apply without a change counts, too. */
    private static double writes(String resource) {
        return controlPlane
                .client()
                .raw("/metrics")
                .lines()
                .filter(line -> line.startsWith("apiserver_request_total{"))
                .filter(line -> line.contains("resource=\"" + resource + "\""))
                .filter(line -> line.matches(".*verb=\"(POST|PUT|PATCH|APPLY|DELETE)\".*"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private static Lease lease(String node) {
        return controlPlane
                .client()
                .leases()
                .inNamespace("kube-node-lease")
                .withName(node)
                .get();
    }

    private static DeviceClass storedClass(String name) {
        return controlPlane.client().resources(DeviceClass.class).withName(name).require();
    }

    private static DeviceClass deviceClass(String name, String selector) {
        return new DeviceClassBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .addNewSelector()
                .withNewCel(selector)
                .endSelector()
                .endSpec()
                .build();
    }
}
