package dev.fakegpu.e2e.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.FakeGpuSpec.Compatibility;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * KEP-5963's four examples, as the KEP writes them, whoever allocates. Its manifests are completed where the API asks for more than
 * they say (node selection on the counter slice, {@code exactly}, attributes below their domain).
 */
abstract class KepExamples {

    private static final String GPU = "gpu.example.com";
    private static final String DEVICE = "device.example.com";

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withSchedulerAndControllerManager();

    private final AllocatorName allocator;
    private ClusterScenario scenario;

    KepExamples(AllocatorName allocator) {
        this.allocator = allocator;
    }

    @BeforeEach
    void begin() {
        scenario = cluster.scenario(allocator);
    }

    @AfterEach
    void end() {
        scenario.close();
    }

    @Test
    void example1TwoMigDevicesShareAGpu() {
        scenario.apply("example-1.yaml");
        scenario.podWithClaim("pod-a", GPU, "mig-1g");
        scenario.awaitRunning("pod-a");
        scenario.podWithClaim("pod-b", GPU, "mig-1g");
        scenario.awaitRunning("pod-b");

        assertThat(device("pod-a")).isEqualTo("gpu-0-mig-1g-0");
        assertThat(device("pod-b")).isEqualTo("gpu-0-mig-1g-1");
    }

    @Test
    void example2WithoutGroupsBothAreAllocatedAndPreparationFails() {
        scenario.apply("example-3.yaml", Compatibility.None);
        scenario.podWithClaim("pod-a", GPU, "mig-1g");
        scenario.awaitRunning("pod-a");
        scenario.podWithClaim("pod-b", GPU, "vgpu");
        scenario.awaitAllocated("pod-b");

        assertThat(scenario.awaitEvent("pod-b", "FailedPrepareDynamicResources"))
                .isEqualTo(
                        "Failed to prepare dynamic resources: prepare dynamic resources: NodePrepareResources failed for"
                                + " ResourceClaim pod-b: gpu-0-vgpu-0 needs the hardware behind gpu-0-counters configured as \"vgpu\","
                                + " but it is configured as \"mig\" for " + scenario.namespace()
                                + "/pod-a (gpu-0-mig-1g-0)");
        assertThat(scenario.storedPod("pod-b").getStatus().getPhase()).isEqualTo("Pending");

        scenario.deletePod("pod-a");
        scenario.awaitRunning("pod-b");
    }

    @Test
    void example3MigThenVgpuIsRefusedUntilMigIsReleased() {
        scenario.apply("example-3.yaml");
        scenario.podWithClaim("pod-a", GPU, "mig-1g");
        scenario.awaitRunning("pod-a");
        scenario.podWithClaim("pod-b", GPU, "vgpu");
        awaitRefusal("pod-b", "gpu-0-vgpu-0", "vgpu", "mig", "pod-a", "gpu-0-mig-1g-0");
        assertThat(scenario.devices("pod-b")).isEmpty();

        scenario.deletePod("pod-a");
        scenario.awaitRunning("pod-b");
        assertThat(device("pod-b")).isEqualTo("gpu-0-vgpu-0");
    }

    @Test
    void example3VgpuThenMigIsRefusedToo() {
        scenario.apply("example-3.yaml");
        scenario.podWithClaim("pod-b", GPU, "vgpu");
        scenario.awaitRunning("pod-b");
        scenario.podWithClaim("pod-a", GPU, "mig-1g");
        awaitRefusal("pod-a", "gpu-0-mig-1g-0", "mig", "vgpu", "pod-b", "gpu-0-vgpu-0");
        assertThat(scenario.devices("pod-a")).isEmpty();
    }

    @Test
    void example3TwoOfOneKindShareTheGpu() {
        scenario.apply("example-3.yaml");
        scenario.podWithClaim("pod-a", GPU, "vgpu");
        scenario.podWithClaim("pod-b", GPU, "vgpu");
        scenario.awaitRunning("pod-a");
        scenario.awaitRunning("pod-b");
    }

    @Test
    void example3CompatibleDeviceOnAnotherNodeIsUsed() {
        scenario.apply("example-3.yaml");
        scenario.patch("{\"spec\":{\"nodes\":{\"simulated\":{\"count\":2}}}}");
        scenario.podWithClaim("pod-a", GPU, "mig-1g");
        scenario.awaitRunning("pod-a");
        scenario.podWithClaim("pod-b", GPU, "vgpu");
        scenario.awaitRunning("pod-b");

        assertThat(node("pod-b")).isNotEqualTo(node("pod-a"));
    }

    /**
     * Worked out by hand from the KEP: foo and bar share "foobar"; baz shares nothing with either. Who comes first stays, and
     * whoever shares no group with all that are there is refused.
     */
    @ParameterizedTest
    @CsvSource({
        "foo bar,      foo bar",
        "bar foo,      bar foo",
        "foo baz,      foo",
        "baz foo,      baz",
        "bar baz,      bar",
        "baz bar,      baz",
        "foo bar baz,  foo bar",
        "foo baz bar,  foo bar",
        "bar foo baz,  bar foo",
        "bar baz foo,  bar foo",
        "baz foo bar,  baz",
        "baz bar foo,  baz",
    })
    void example4EveryPairAndTripleInEveryOrder(String order, String admitted) {
        scenario.apply("example-4.yaml");
        assertAdmitted(order, admitted);
    }

    /** {a}, {a,b}, {b}: neighbours overlap, and still the third shares no group with both of the others. */
    @ParameterizedTest
    @CsvSource({"a ab b, a ab", "b ab a, b ab", "ab a b, ab a", "a b ab, a ab"})
    void chainIsRefusedAtTheMemberThatSharesNoGroupWithAll(String order, String admitted) {
        scenario.apply("chain.yaml");
        assertAdmitted(order, admitted);
    }

    private void assertAdmitted(String order, String admitted) {
        var expected = List.of(admitted.split(" "));
        for (String type : order.split(" ")) {
            scenario.podWithClaim(type, DEVICE, type);
            if (expected.contains(type)) {
                scenario.awaitRunning(type);
            } else {
                scenario.awaitUnschedulable(type);
                assertThat(scenario.devices(type)).as("devices of %s", type).isEmpty();
            }
        }
    }

    /** The companion says why; kube-scheduler's message is the generic one. */
    private void awaitRefusal(
            String pod, String device, String group, String heldGroup, String holder, String heldDevice) {
        if (allocator == AllocatorName.KubeScheduler) {
            scenario.awaitUnschedulable(pod, "cannot allocate all claims");
        } else {
            String message = scenario.awaitUnschedulable(
                    pod,
                    "no device for request \"gpu\": %s needs group \"%s\" on gpu-0-counters, which is held with group \"%s\" by %s/%s (%s)"
                            .formatted(device, group, heldGroup, scenario.namespace(), holder, heldDevice));
            assertThat(scenario.awaitEvent(pod, "FailedScheduling", message)).isEqualTo(message);
        }
    }

    private String device(String claim) {
        return scenario.awaitAllocated(claim).get(0).device();
    }

    private String node(String pod) {
        return scenario.storedPod(pod).getSpec().getNodeName();
    }
}
