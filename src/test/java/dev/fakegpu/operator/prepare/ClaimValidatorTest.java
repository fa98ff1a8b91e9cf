package dev.fakegpu.operator.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.NodeSelector;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.NodeSelectors;
import dev.fakegpu.engine.explain.ClaimNaming;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimSpec;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClaimValidatorTest {

    private static final String DRIVER = "gpu.nvidia.com";
    private static final String POOL = "node-1/fake";
    private static final NodeInventory GPUS = new FakeGpuNode(
                    "{driver: gpu.nvidia.com, nodes: {names: [node-1]}, model: A100-SXM4-40GB, count: 4, partitions: {whole: true, mig: {profiles: [7g.40gb]}}}")
            .inventory();

    @Test
    void containersGetTheDevicesWithTheirConfiguration() {
        // When
        var result = check(List.of(), """
                results: [{request: gpu, driver: gpu.nvidia.com, pool: node-1/fake, device: gpu-0}]
                config: [{source: FromClaim, requests: [gpu], opaque: {driver: gpu.nvidia.com, parameters: {
                  apiVersion: resource.nvidia.com/v1beta1, kind: GpuConfig, sharing: {strategy: MPS}}}}]
                """);

        // Then
        assertThat(result.problem()).isEmpty();
        var setup = result.setups().get(0);
        assertThat(setup.container().cdiId("uid")).isEqualTo("k8s.gpu.nvidia.com/claim=uid-gpu-0");
        assertThat(setup.env())
                .containsEntry("FAKEGPU_DEVICE_GPU_0_SHARING_STRATEGY", "MPS")
                .hasEntrySatisfying(
                        "FAKEGPU_DEVICE_GPU_0", uuid -> assertThat(uuid).startsWith("GPU-"));
    }

    @Test
    void configurationIsCheckedBeforeTheHardware() {
        var result = check(List.of(held("gpu-0")), """
                results: [{request: gpu, driver: gpu.nvidia.com, pool: node-1/fake, device: gpu-0}]
                config: [{source: FromClaim, requests: [gpu], opaque: {driver: gpu.nvidia.com, parameters: {
                  apiVersion: resource.nvidia.com/v1beta1, kind: MigDeviceConfig}}}]
                """);

        assertThat(result.problem())
                .hasValue(
                        "status.allocation.devices.config[0].opaque.parameters.kind: \"MigDeviceConfig\" cannot be applied to"
                                + " device gpu-0 of type gpu (request gpu); allowed: GpuConfig");
        assertThat(result.setups()).isEmpty();
    }

    @Test
    void wrongConfigurationIsNamedWhereItWasWritten() {
        String wrong =
                "opaque: {driver: gpu.nvidia.com, parameters: {apiVersion: resource.nvidia.com/v1beta1, kind: %s}}";
        String sentence = ", spec.%sconfig[0].opaque.parameters.kind: \"%s\" is unknown; allowed: GpuConfig,"
                + " MigDeviceConfig, VfioDeviceConfig, VgpuDeviceConfig";
        var claim = claim("""
                results: [{request: gpu, driver: gpu.nvidia.com, pool: node-1/fake, device: gpu-0}]
                config: [{source: FromClaim, requests: [gpu], %s}]
                """.formatted(wrong.formatted("Claimed")));
        claim.setSpec(Serialization.unmarshal(
                "devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}], config: [{requests: [gpu], %s}]}"
                        .formatted(wrong.formatted("Claimed")),
                ResourceClaimSpec.class));
        var checker = new ClaimValidator(GPUS, List.of(), ClaimNaming.OwnNamespace);

        assertThat(checker.check(claim, Allocations.results(claim)).problem())
                .hasValue("in the claim" + sentence.formatted("devices.", "Claimed"));

        claim.getStatus().getAllocation().getDevices().getConfig().get(0).setSource("FromClass");

        assertThat(checker.check(claim, Allocations.results(claim)).problem())
                .hasValue("in DeviceClass \"gpu\"" + sentence.formatted("", "Claimed"));
    }

    @Test
    void devicesOfAnotherNodeAreNotPrepared() {
        var claim = claim("results: [{request: gpu, driver: gpu.nvidia.com, pool: node-1/fake, device: gpu-0}]");
        claim.getStatus().getAllocation().setNodeSelector(NodeSelectors.write(NodeSelector.forNode("node-2")));
        var checker = new ClaimValidator(GPUS, List.of(), ClaimNaming.OwnNamespace);

        assertThat(checker.check(claim, Allocations.results(claim)).problem())
                .hasValue("its devices can be used on node node-2 only, and the pod is on node node-1");
    }

    @Test
    void adminAccessOccupiesNothing() {
        var held = List.of(held("gpu-0"));
        String result = "{request: gpu, driver: gpu.nvidia.com, pool: node-1/fake, device: %s%s}";

        assertThat(check(held, "results: [" + result.formatted("gpu-0", "") + "]")
                        .problem())
                .hasValue("device gpu-0 is already prepared for other");
        var admin = check(held, "results: [" + result.formatted("gpu-0", ", adminAccess: true") + "]");
        assertThat(admin.problem()).isEmpty();
        assertThat(admin.devices()).isEmpty();
        assertThat(admin.setups()).hasSize(1);
        assertThat(check(held, "results: [" + result.formatted("gpu-9", ", adminAccess: true") + "]")
                        .problem())
                .hasValue("device gpu-9 is not published in pool node-1/fake (any more)");
    }

    @Test
    void aPublishedDeviceOfAnotherDriverIsNotPrepared() {
        var nics = Serialization.unmarshal("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: nics}
                spec:
                  driver: nic.example.org
                  nodeName: node-1
                  pool: {name: nics, generation: 1, resourceSliceCount: 1}
                  devices: [{name: nic-0}]
                """, ResourceSlice.class);
        var inventory = new FakeGpuNode("{nodes: {names: [node-1]}, model: L40S}").inventory(nics);
        var claim = claim("results: [{request: nic, driver: nic.example.org, pool: nics, device: nic-0}]");

        assertThat(new ClaimValidator(inventory, List.of(), ClaimNaming.OwnNamespace)
                        .check(claim, Allocations.results(claim))
                        .problem())
                .hasValue(
                        "device nic-0 of pool nics belongs to no FakeGpu: its driver nic.example.org has to prepare it, and does"
                                + " not run on node node-1");
    }

    /** kube-scheduler prefers this pool, since its name sorts first. */
    @Test
    void aPoolThatAnotherDriverOfTheNameLeftIsNamed() {
        // Given
        var left = Serialization.unmarshal("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: 00000-left}
                spec:
                  driver: gpu.nvidia.com
                  nodeName: node-1
                  pool: {name: node-1, generation: 1, resourceSliceCount: 1}
                  devices: [{name: gpu-0}]
                """, ResourceSlice.class);
        var inventory =
                new FakeGpuNode("{driver: gpu.nvidia.com, nodes: {names: [node-1]}, model: L40S}").inventory(left);
        var results = "results: [{request: gpu, driver: gpu.nvidia.com, pool: node-1, device: %s}]";

        // Then
        var claim = claim(results.formatted("gpu-0"));
        assertThat(new ClaimValidator(inventory, List.of(), ClaimNaming.OwnNamespace)
                        .check(claim, Allocations.results(claim))
                        .problem())
                .hasValue(
                        "device gpu-0 is in pool node-1, which is of no FakeGpu: another driver with the name gpu.nvidia.com"
                                + " published ResourceSlice 00000-left (without an owner); if that driver is no longer installed, delete the"
                                + " slice");
        var other = claim(results.formatted("gpu-1"));
        assertThat(new ClaimValidator(inventory, List.of(), ClaimNaming.OwnNamespace)
                        .check(other, Allocations.results(other))
                        .problem())
                .hasValue("device gpu-1 is not published in pool node-1 (any more)");
        assertThat(new ClaimValidator(inventory.withDevicesOfOthers(Stream.of()), List.of(), ClaimNaming.OwnNamespace)
                        .check(claim, Allocations.results(claim))
                        .problem())
                .as("the kubelet asks this driver in a simulation, too")
                .isPresent();
    }

    @Test
    void aDeviceWithANoExecuteTaintIsNotPreparedUnlessItIsTolerated() {
        // Given
        var gpus = new FakeGpuNode("""
                {driver: gpu.nvidia.com, nodes: {names: [node-1]}, model: A100-SXM4-40GB, count: 2, partitions: {whole: true},
                 taints: [{key: example.com/broken, value: fan, effect: NoExecute, devices: {names: [gpu-0]}},
                          {key: example.com/reserved, effect: NoSchedule, devices: {names: [gpu-1]}}]}""").inventory();
        String result = "results: [{request: gpu, driver: gpu.nvidia.com, pool: node-1/fake, device: %s%s}]";

        // Then
        assertThat(check(gpus, List.of(), result.formatted("gpu-0", "")).problem())
                .hasValue(
                        "device gpu-0 has the taint example.com/broken=fan:NoExecute, which request gpu does not tolerate");
        assertThat(check(gpus, List.of(), result.formatted("gpu-0", ", adminAccess: true"))
                        .problem())
                .isPresent();
        assertThat(check(
                                gpus,
                                List.of(),
                                result.formatted(
                                        "gpu-0", ", tolerations: [{key: example.com/broken, operator: Exists}]"))
                        .problem())
                .isEmpty();
        assertThat(check(gpus, List.of(), result.formatted("gpu-1", "")).problem())
                .isEmpty();
    }

    @Test
    void wrongDevicesHaveTheSameTypeAndAreNotOfTheClaim() {
        // Given
        var checker = new ClaimValidator(GPUS, List.of(), ClaimNaming.OwnNamespace);
        var claim = claim("""
                results:
                - {request: a, driver: gpu.nvidia.com, pool: node-1/fake, device: gpu-1}
                - {request: b, driver: gpu.nvidia.com, pool: node-1/fake, device: gpu-2}
                - {request: c, driver: gpu.nvidia.com, pool: node-1/fake, device: gpu-0-mig-7g40gb-0-0}
                """);
        var right = checker.check(claim, Allocations.results(claim));

        // When
        var wrong = checker.withWrongDevices(right, "injected fault \"swap\"");

        // Then
        assertThat(wrong.devices()).isEqualTo(right.devices());
        assertThat(wrong.setups())
                .extracting(setup ->
                        setup.allocated().device() + " " + setup.container().label())
                .containsExactly("gpu-1 gpu-3", "gpu-2 gpu-0", "gpu-0-mig-7g40gb-0-0 gpu-1-mig-7g40gb-0-0");
        assertThat(wrong.setups().get(0).description())
                .isEqualTo("injected fault \"swap\": containers get gpu-3 instead of it");
        assertThat(wrong.setups().get(0).env()).containsOnlyKeys("FAKEGPU_DEVICE_GPU_3");
    }

    @Test
    void aDeviceStaysIfThereIsNoOther() {
        // Given
        var checker = new ClaimValidator(GPUS, List.of(), ClaimNaming.OwnNamespace);
        var claim = claim("""
                results:
                - {request: a, driver: gpu.nvidia.com, pool: node-1/fake, device: gpu-0}
                - {request: a, driver: gpu.nvidia.com, pool: node-1/fake, device: gpu-1}
                - {request: a, driver: gpu.nvidia.com, pool: node-1/fake, device: gpu-2}
                - {request: a, driver: gpu.nvidia.com, pool: node-1/fake, device: gpu-3}
                """);

        // When
        var wrong = checker.withWrongDevices(checker.check(claim, Allocations.results(claim)), "swap");

        // Then
        assertThat(wrong.setups())
                .hasSize(4)
                .allSatisfy(setup -> assertThat(setup.fault()).isNull());
    }

    private static ClaimValidator.Result check(List<PreparedDevice> prepared, String devices) {
        return check(GPUS, prepared, devices);
    }

    private static ClaimValidator.Result check(NodeInventory inventory, List<PreparedDevice> prepared, String devices) {
        var claim = claim(devices);
        return new ClaimValidator(inventory, prepared, ClaimNaming.OwnNamespace)
                .check(claim, Allocations.results(claim));
    }

    private static ResourceClaim claim(String devices) {
        return Serialization.unmarshal("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: claim, namespace: default, uid: uid}
                status:
                  allocation:
                    devices:
                %s
                """.formatted(devices.indent(6)), ResourceClaim.class);
    }

    private static PreparedDevice held(String device) {
        return new PreparedDevice(
                new DeviceId(DRIVER, POOL, device),
                new ClaimRef("default", "other", "other-uid"),
                new CompatibilityGroups(Map.of()));
    }
}
