package dev.fakegpu.e2e.plugin;

import static dev.fakegpu.testing.FakeGpuAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.FakeGpuSpec.Compatibility;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.e2e.support.ClusterScenario;
import dev.fakegpu.engine.problemfile.Oracle;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests pods with containers on a node with a real kubelet 1.37, whose devices this project's plugin prepares. */
class KubeletPluginE2E extends KubeletCluster {

    /** With kube-scheduler, only the devices and the driver are from this project. */
    @ParameterizedTest
    @EnumSource(AllocatorName.class)
    void twoPodsShareAGpuAndEachSeesItsDevice(AllocatorName allocator) {
        // Given
        plugin = PluginProcess.start(node, null);
        given(allocator, Compatibility.ByScheme);

        // When
        pod("pod-a", MIG);
        pod("pod-b", MIG);

        // Then
        awaitRunning("pod-a");
        awaitRunning("pod-b");
        for (String pod : List.of("pod-a", "pod-b")) {
            String device = scenario.devices(pod).get(0).device();
            await(() -> assertThat(log(pod))
                    .contains("GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-")
                    .containsOnlyOnce("MIG 1g.5gb          Device  0: (UUID: MIG-")
                    .contains(
                            "FAKEGPU_DEVICE_" + device.toUpperCase(Locale.ROOT).replace('-', '_') + "=MIG-")
                    .contains("NVIDIA_VISIBLE_DEVICES=void\n", "DRA_ADMIN_ACCESS=false\n", "KUBERNETES_NODE_NAME=e2e\n")
                    .contains("=" + device + "\n", "SHARING_STRATEGY=TimeSlicing\n")
                    .contains("\ndevice=" + device + "\n"));
        }
        assertThat(scenario.devices("pod-a")).doesNotContainAnyElementsOf(scenario.devices("pod-b"));
        assertThat(checkpoint()).contains("\"name\":\"pod-a\"", "\"name\":\"pod-b\"");
        awaitPrepared("pod-a");
        await(() -> assertThat(healthOf("pod-a")).contains("Healthy"));
        try (var asked = new PodResources(node.kubeletRoot())) {
            assertThat(asked.list()).contains(claimedDevice("pod-a"), claimedDevice("pod-b"));
            assertThat(asked.get(scenario.namespace(), "pod-b")).containsExactly(claimedDevice("pod-b"));
        }
    }

    /** The published devices have no groups, so the exclusion can only be found with the model. */
    @Test
    void modelsOfConfigMapsAreKnown() throws IOException {
        // Given
        String model = Files.readString(Path.of("src/main/resources/catalog/a100-sxm4-40gb.yaml"))
                .replace("name: A100-SXM4-40GB", "name: MY-A100");
        var file = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("fakegpu-system")
                .withName("my-models")
                .addToLabels("fakegpu.dev/catalog", "true")
                .endMetadata()
                .addToData("my-a100.yaml", model)
                .build();
        client().resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("fakegpu-system")
                        .endMetadata()
                        .build())
                .serverSideApply();
        client().resource(file).create();
        plugin = PluginProcess.start(node, null);
        given(AllocatorName.KubeScheduler, Compatibility.None);
        scenario.patch("{\"spec\":{\"model\":\"MY-A100\"}}");
        pod("pod-a", MIG);
        awaitRunning("pod-a");

        // When
        pod("pod-b", VGPU);

        // Then
        scenario.awaitEvent(
                "pod-b",
                "FailedPrepareDynamicResources",
                "configured as \"vgpu-10c\", but it is configured as \"mig\" for ");
        client().resource(file).delete();
    }

    /** If the driver were not registered, the pod would be started again only after a minute. */
    @Test
    void aPodStartsWithoutARetryOnceItsFakeGpuIsReady() throws IOException {
        // Given
        var pluginPod = PluginProcess.createPod(node);
        scenario = new ClusterScenario(client(), AllocatorName.KubeScheduler);
        scenario.create(Files.readString(Path.of("test-e2e/scenarios/kubelet.yaml"))
                .replace("spec:\n", "spec:\n  allocator: KubeScheduler\n"));
        await(() ->
                assertThat(stored("a100")).condition("Ready").hasStatus("False").hasReason("AwaitsKubeletPlugin"));
        assertThat(client().resources(ResourceSlice.class).list().getItems())
                .isNotEmpty()
                .allSatisfy(slice -> assertThat(slice.getSpec().getDevices()).isNullOrEmpty());

        // When
        plugin = PluginProcess.startIn(pluginPod, node);
        await(() -> assertThat(stored("a100")).isReady());
        pod("pod-a", MIG, "default-scheduler");
        awaitRunning("pod-a");
        plugin.kill();
        plugin = PluginProcess.startIn(pluginPod, node);
        plugin.awaitRegistered(EXAMPLE);
        await(() -> assertThat(stored("a100")).isReady());
        pod("pod-b", MIG, "default-scheduler");
        awaitRunning("pod-b");

        // Then
        assertThat(client().v1()
                        .events()
                        .inNamespace(scenario.namespace())
                        .list()
                        .getItems())
                .isNotEmpty()
                .noneSatisfy(event -> assertThat(event.getMessage()).contains("not registered"));
        client().resource(pluginPod).delete();
    }

    @Test
    void injectedFaultsStrikeTheKubeletsCalls() {
        // Given
        plugin = PluginProcess.start(node, null);
        given(AllocatorName.KubeScheduler, Compatibility.ByScheme);
        scenario.patch("{\"spec\":{\"faults\":[{\"name\":\"flaky\",\"when\":{\"first\":1},\"message\":\"no link\"},"
                + "{\"name\":\"swap\",\"effect\":\"WrongDevice\"}]}}");

        // When
        pod("pod-a", MIG);

        // Then
        scenario.messages("pod-a", "FailedPrepareDynamicResources")
                .satisfies(messages -> assertThat(messages)
                        .contains(
                                "Failed to prepare dynamic resources: prepare dynamic resources: NodePrepareResources failed for"
                                        + " ResourceClaim pod-a: injected fault \"flaky\": no link"));
        awaitRunning("pod-a");
        String allocated = scenario.devices("pod-a").get(0).device();
        await(() -> assertThat(log("pod-a"))
                .contains("\ndevice=gpu-0-mig-1g5gb-")
                .doesNotContain("\ndevice=" + allocated + "\n"));
        assertThat(checkpoint()).contains("\"device\":\"" + allocated + "\"", "\"given\":\"gpu-0-mig-1g5gb-");
    }

    @Test
    void aPodStaysWhileAnInjectedFaultKeepsItsClaimPrepared() {
        // Given
        plugin = PluginProcess.start(node, null);
        given(AllocatorName.KubeScheduler, Compatibility.ByScheme);
        scenario.patch("{\"spec\":{\"faults\":[{\"name\":\"sticky\",\"operation\":\"Unprepare\"}]}}");
        pod("pod-a", MIG);
        awaitRunning("pod-a");
        awaitPrepared("pod-a");
        var device = scenario.devices("pod-a").get(0);

        // When
        scenario.deletePod("pod-a");

        // Then
        await(() -> assertThat(DeviceStatuses.readyCondition(scenario.storedClaim("pod-a"), device))
                .hasValueSatisfying(ready ->
                        assertThat(ready.getMessage()).isEqualTo("cannot be unprepared: injected fault \"sticky\"")));
        awaitPrepared("pod-a");
        assertThat(plugin.said()).contains("cannot be unprepared: injected fault \"sticky\"");
        assertThat(checkpoint()).contains("\"name\":\"pod-a\"");
        assertThat(scenario.storedPod("pod-a").getMetadata().getDeletionTimestamp())
                .isNotNull();

        // When
        scenario.patch("{\"spec\":{\"faults\":null}}");

        // Then
        await(() -> assertThat(scenario.storedPods()).isEmpty());
        assertThat(checkpoint()).contains("{\"claims\":[]}");
    }

    @Test
    void anIncompatiblePodStartsOnceTheOtherHasGone() throws IOException {
        // Given
        plugin = PluginProcess.start(node, null);
        given(AllocatorName.KubeScheduler, Compatibility.None);
        pod("pod-a", MIG);
        awaitRunning("pod-a");

        // When
        pod("pod-b", VGPU);

        // Then
        scenario.messages("pod-b", "FailedPrepareDynamicResources")
                .satisfies(messages -> assertThat(messages)
                        .contains(
                                ("Failed to prepare dynamic resources: prepare dynamic resources: NodePrepareResources failed for"
                                                + " ResourceClaim pod-b: %s needs the hardware behind gpu-0-counter-set configured as"
                                                + " \"vgpu-10c\", but it is configured as \"mig\" for pod-a (%s)")
                                        .formatted(
                                                scenario.devices("pod-b").get(0).device(),
                                                scenario.devices("pod-a").get(0).device())));
        scenario.awaitWaiting("pod-b", "ContainerCreating");

        // When
        scenario.deletePod("pod-a");

        // Then
        awaitRunning("pod-b");
        await(() -> assertThat(log("pod-b")).contains("GPU 0: GRID A100X-10C (UUID: GPU-"));
        assertThat(checkpoint()).contains("\"name\":\"pod-b\"").doesNotContain("\"name\":\"pod-a\"");

        // When
        clearPods();

        // Then
        await(() -> assertThat(checkpoint()).contains("{\"claims\":[]}"));
        try (var files = Files.list(node.cdiDirectory())) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void killedPluginKeepsPreparedClaimsAndFinishesOthers() {
        // Given
        plugin = PluginProcess.start(node, null);
        given(AllocatorName.KubeScheduler, Compatibility.ByScheme);
        pod("pod-a", MIG);
        awaitRunning("pod-a");

        // When
        IntStream.range(0, 5).forEach(i -> pod("new-" + i, MIG));
        for (int kills = 0; kills < 3; kills++) {
            int preparedSoFar = kills;
            await(() -> assertThat(countOf("\"name\":", checkpoint())).isGreaterThan(preparedSoFar));
            plugin.kill();
            plugin = PluginProcess.start(node, null);
            plugin.awaitRegistered(EXAMPLE);
        }

        // Then
        assertThat(plugin.said()).containsPattern("[3-9] claims of driver gpu.example.com are prepared on this node");
        IntStream.range(0, 5).forEach(i -> awaitRunning("new-" + i));
        assertThat(countOf("\"name\":", checkpoint())).isEqualTo(6);

        // When
        scenario.deletePod("pod-a");

        // Then
        await(() -> assertThat(checkpoint()).doesNotContain("\"name\":\"pod-a\""));
    }

    @Test
    void restartedKubeletKeepsPreparedPods() throws IOException {
        // Given
        plugin = PluginProcess.start(node, null);
        given(AllocatorName.KubeScheduler, Compatibility.ByScheme);
        pod("pod-a", MIG);
        awaitRunning("pod-a");
        String started = scenario.startOf("pod-a");

        // When
        node.restartKubelet();
        pod("pod-b", MIG);

        // Then
        awaitRunning("pod-b");
        assertThat(scenario.startOf("pod-a")).isEqualTo(started);
        scenario.deletePod("pod-a");
        await(() -> assertThat(checkpoint()).doesNotContain("\"name\":\"pod-a\""));
    }

    /**
     * Tests the file of KEP-5304 as containers read it. After the plugin and the kubelet have restarted, the claims are prepared once more,
     * for other pods.
     */
    @Test
    void containersReadMetadataThatUpstreamDecodes() throws IOException, InterruptedException {
        // Given
        plugin = PluginProcess.start(node, null);
        given(AllocatorName.KubeScheduler, Compatibility.ByScheme);
        scenario.patch("{\"spec\":{\"count\":4,\"partitions\":{\"vfio\":true}}}"); // a GPU for each kind of its devices
        scenario.create(Files.readString(Path.of("test-e2e/scenarios/kubelet-machine.yaml")));
        List<String> drivers = List.of(EXAMPLE, "dra.net", "dra.cpu");
        drivers.forEach(plugin::awaitRegistered);
        var claims = new ArrayList<String>();
        for (String deviceClass : List.of(EXAMPLE, MIG, VGPU, "vfio.gpu.example.com", "dra.net", "dra.cpu")) {
            String claim = deviceClass.replace('.', '-');
            scenario.claim(claim, deviceClass);
            claims.add(claim);
        }

        // When
        Map<String, String> read = metadataIn("before", claims);
        keepAllocated(claims);
        plugin.kill();
        node.restartKubelet();
        plugin = PluginProcess.start(node, null);
        drivers.forEach(plugin::awaitRegistered);
        claims.forEach(claim -> scenario.deletePod("before-" + claim));
        await(() -> assertThat(scenario.storedPods()).hasSize(1)); // the one that keeps the claims

        // Then
        assertThat(metadataIn("after", claims)).isEqualTo(read);
        try (Oracle oracle = Oracle.built("hack/oracle/build", "-metadata").orElseThrow()) {
            for (String claim : claims) {
                DeviceId device = scenario.devices(claim).get(0);
                JsonNode published = new ObjectMapper().readTree(Serialization.asJson(publishedAttributes(device)));
                JsonNode decoded = oracle.ask(new TextNode(read.get(claim)));
                assertThat(decoded.at("/error").asText()).as(claim).isEmpty();
                assertThat(decoded.at("/objects")).as(claim).hasSize(2).allSatisfy(object -> {
                    assertThat(object.at("/invalid").asText()).isEmpty();
                    JsonNode given = object.at("/metadata/Requests/0/Devices/0");
                    assertThat(given.at("/Name").asText()).isEqualTo(device.device());
                    assertThat(given.at("/Attributes").properties()).containsAll(published.properties());
                });
            }
        }
    }

    @Test
    void anUpgradeHasTwoPluginsForAMoment() {
        // Given
        plugin = PluginProcess.start(node, "11111111-6f2a-4c0e-8f3b-6f7d9f6b1c11");
        given(AllocatorName.KubeScheduler, Compatibility.ByScheme);
        pod("pod-a", MIG);
        awaitRunning("pod-a");

        // When
        var next = PluginProcess.start(node, "22222222-6f2a-4c0e-8f3b-6f7d9f6b1c11");
        next.awaitRegistered(EXAMPLE);
        pod("pod-b", MIG);
        awaitRunning("pod-b");
        plugin.close();
        plugin = next;
        scenario.deletePod("pod-a");
        pod("pod-c", MIG);

        // Then
        awaitRunning("pod-c");
        await(() -> assertThat(checkpoint())
                .contains("\"name\":\"pod-b\"", "\"name\":\"pod-c\"")
                .doesNotContain("\"name\":\"pod-a\""));
    }

    /** The kubelet unprepares claims of pods that end, including those whose preparation failed, so it needs the driver until then. */
    @Test
    void driverIsServedFromItsFakeGpuToItsLastClaim() throws IOException {
        // Given
        plugin = PluginProcess.start(node, null);
        given(AllocatorName.KubeScheduler, Compatibility.ByScheme);

        // When
        scenario.create(Files.readString(Path.of("test-e2e/scenarios/kubelet-nvidia.yaml")));
        plugin.awaitRegistered(NVIDIA);
        pod("pod-a", NVIDIA);
        awaitRunning("pod-a");
        pod("pod-b", NVIDIA);

        // Then
        scenario.awaitEvent("pod-b", "FailedPrepareDynamicResources", "injected fault \"broken\"");
        assertThat(registered()).contains(NVIDIA + "-reg.sock", EXAMPLE + "-reg.sock");

        // When
        client().resources(FakeGpu.class).withName("nvidia").delete();
        plugin.awaitSaid("no FakeGpu publishes devices of driver gpu.nvidia.com for this node any longer");

        // Then
        assertThat(registered()).contains(NVIDIA + "-reg.sock");

        // When
        clearPods();

        // Then
        await(() -> assertThat(registered()).doesNotContain(NVIDIA + "-reg.sock"));
        assertThat(registered()).contains(EXAMPLE + "-reg.sock");
        pod("pod-c", MIG);
        awaitRunning("pod-c");
    }
}
