package dev.fakegpu.e2e.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.FakeGpuSpec.Compatibility;
import dev.fakegpu.e2e.support.ClusterScenario;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Locale;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the installed operator and kubelet plugin on a kind cluster. All other components, kube-scheduler, kube-controller-manager, the
 * kubelet and the container runtime, are upstream's.
 */
class KindE2E {

    private static final String GPU = "gpu.example.com";
    private static final String MIG = "mig.example.com";
    private static final String VGPU = "vgpu.gpu.example.com";

    private static KindCluster cluster;

    private ClusterScenario scenario;

    @BeforeAll
    static void connect() {
        var missing = KindCluster.missing();
        assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
        cluster = KindCluster.connect();
    }

    @AfterAll
    static void disconnect() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @BeforeEach
    void create() {
        await(cluster::assertRolledOut);
        scenario = new ClusterScenario(client(), AllocatorName.KubeScheduler);
    }

    @AfterEach
    void clear() {
        if (scenario != null) {
            scenario.close();
        }
    }

    @Test
    void podsThatShareAClaimSeeTheSameGpuUntilTheLastHasGone() {
        // Given
        given(Compatibility.ByScheme);
        scenario.claim("shared", GPU);

        // When
        pod("pod-a", "shared");
        pod("pod-b", "shared");

        // Then
        awaitRunning("pod-a");
        awaitRunning("pod-b");
        assertThat(seenBy("pod-a"))
                .containsOnlyOnce("GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-")
                .doesNotContain("MIG ")
                .contains("\nFAKEGPU_DEVICE_GPU_0=GPU-", "\ndevice=gpu-0\n")
                .isEqualTo(seenBy("pod-b"));
        String uid = scenario.storedClaim("shared").getMetadata().getUid();
        assertThat(cluster.checkpoint()).containsOnlyOnce(uid);

        // When
        delete("pod-a");

        // Then
        assertThat(cluster.checkpoint()).contains(uid);
        assertThat(cluster.cdiFiles()).contains(uid);
        assertThat(seenBy("pod-b")).contains("\ndevice=gpu-0\n");

        // When
        delete("pod-b");

        // Then
        await(() -> {
            assertThat(cluster.checkpoint()).contains("{\"claims\":[]}");
            assertThat(cluster.cdiFiles()).doesNotContain(uid);
        });
    }

    @Test
    void podsThatShareAGpuSeeADeviceEach() {
        // Given
        given(Compatibility.ByScheme);

        // When
        podWithClaim("pod-a", MIG);
        podWithClaim("pod-b", MIG);

        // Then
        for (String pod : new String[] {"pod-a", "pod-b"}) {
            awaitRunning(pod);
            String device = scenario.devices(pod).get(0).device();
            assertThat(seenBy(pod))
                    .contains("GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-")
                    .containsOnlyOnce("MIG 1g.5gb          Device  0: (UUID: MIG-")
                    .contains("\nFAKEGPU_DEVICE_"
                            + device.toUpperCase(Locale.ROOT).replace('-', '_') + "=MIG-")
                    .contains("\ndevice=" + device + "\n");
        }
        assertThat(scenario.devices("pod-a")).doesNotContainAnyElementsOf(scenario.devices("pod-b"));
    }

    @Test
    void kubeSchedulerKeepsAnIncompatiblePodOffUntilTheOtherHasGone() {
        // Given
        given(Compatibility.ByScheme);
        podWithClaim("pod-a", MIG);
        awaitRunning("pod-a");

        // When
        podWithClaim("pod-b", VGPU);

        // Then
        scenario.awaitUnschedulable("pod-b", "cannot allocate all claims");
        assertThat(scenario.devices("pod-b")).isEmpty();

        // When
        delete("pod-a");

        // Then
        awaitRunning("pod-b");
        assertThat(seenBy("pod-b")).contains("GPU 0: GRID A100X-10C (UUID: GPU-");
    }

    @Test
    void withoutGroupsAnIncompatiblePodIsNotStartedUntilTheOtherHasGone() {
        // Given
        given(Compatibility.None);
        podWithClaim("pod-a", MIG);
        awaitRunning("pod-a");

        // When
        podWithClaim("pod-b", VGPU);

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
        delete("pod-a");

        // Then
        awaitRunning("pod-b");
    }

    @Test
    void injectedFaultsAreOverOnceTheyAreHealed() {
        // Given
        given(Compatibility.ByScheme);
        scenario.patch(
                "{\"spec\":{\"faults\":[{\"name\":\"broken\"},{\"name\":\"sticky\",\"operation\":\"Unprepare\"}]}}");

        // When
        podWithClaim("pod-a", MIG);

        // Then
        scenario.awaitEvent(
                "pod-a",
                "FailedPrepareDynamicResources",
                "NodePrepareResources failed for ResourceClaim pod-a: injected fault \"broken\"");

        // When
        scenario.patch("{\"spec\":{\"faults\":[{\"name\":\"sticky\",\"operation\":\"Unprepare\"}]}}");

        // Then
        awaitRunning("pod-a");

        // When
        scenario.deletePod("pod-a");

        // Then
        await(() -> assertThat(cluster.said(cluster.plugins().get(0)))
                .contains("%s/pod-a (%s) cannot be unprepared: injected fault \"sticky\""
                        .formatted(
                                scenario.namespace(),
                                scenario.storedClaim("pod-a").getMetadata().getUid())));
        assertThat(cluster.checkpoint()).contains("\"name\":\"pod-a\"");

        // When
        scenario.patch("{\"spec\":{\"faults\":null}}");

        // Then
        await(() -> assertThat(scenario.storedPods()).isEmpty());
        assertThat(cluster.checkpoint()).contains("{\"claims\":[]}");
    }

    @Test
    void anUpgradeHasTwoPluginsForAMomentAndPodsNoticeNothing() {
        // Given
        given(Compatibility.ByScheme);
        podWithClaim("pod-a", MIG);
        awaitRunning("pod-a");
        String started = scenario.startOf("pod-a");
        var old = cluster.plugins().get(0);

        // When
        cluster.restartPlugins();
        await(() -> assertThat(cluster.plugins()).hasSize(2));
        podWithClaim("pod-b", MIG);

        // Then
        awaitRunning("pod-b");

        // When
        await(cluster::assertRolledOut);
        podWithClaim("pod-c", MIG);

        // Then
        awaitRunning("pod-c");
        var next = cluster.plugins().get(0);
        assertThat(next.getMetadata().getUid()).isNotEqualTo(old.getMetadata().getUid());
        assertThat(cluster.said(next)).contains("claim %s/pod-c (".formatted(scenario.namespace()));
        assertThat(scenario.startOf("pod-a")).isEqualTo(started);
        assertThat(seenBy("pod-a"))
                .contains("\ndevice=" + scenario.devices("pod-a").get(0).device() + "\n");
        delete("pod-a");
        await(() -> assertThat(cluster.checkpoint())
                .contains("\"name\":\"pod-b\"", "\"name\":\"pod-c\"")
                .doesNotContain("\"name\":\"pod-a\""));
    }

    @Test
    void killedPluginRestartsAndContinues() {
        // Given
        given(Compatibility.ByScheme);
        podWithClaim("pod-a", MIG);
        awaitRunning("pod-a");
        String started = scenario.startOf("pod-a");
        var killed = cluster.plugins().get(0);

        // When
        cluster.killPlugin(killed);
        await(() -> {
            cluster.assertRolledOut();
            assertThat(cluster.plugins().get(0).getMetadata().getUid())
                    .isNotEqualTo(killed.getMetadata().getUid());
        });
        podWithClaim("pod-b", MIG);

        // Then
        awaitRunning("pod-b");
        assertThat(scenario.startOf("pod-a")).isEqualTo(started);
        assertThat(cluster.said(cluster.plugins().get(0)))
                .contains("1 claims of driver gpu.example.com are prepared on this node");
        delete("pod-a");
        await(() ->
                assertThat(cluster.checkpoint()).contains("\"name\":\"pod-b\"").doesNotContain("\"name\":\"pod-a\""));
    }

    /**
     * Tests the procedure in docs/install.md for an uninstallation while pods run; without FakeGpus, the checkpoint determines which
     * drivers are served.
     */
    @Test
    void podsThatStayTerminatingWithoutThePluginEndWhenItIsBack() {
        // Given
        given(Compatibility.ByScheme);
        podWithClaim("pod-a", MIG);
        awaitRunning("pod-a");
        try {
            cluster.removePlugins();
            client().resource(scenario.storedFakeGpu()).delete();

            // When
            scenario.deletePod("pod-a");

            // Then
            await(() -> assertThat(scenario.container("pod-a").getState().getTerminated())
                    .isNotNull());
            assertThat(scenario.storedPod("pod-a").getMetadata().getDeletionTimestamp())
                    .isNotNull();
        } finally {
            cluster.installPlugins();
        }

        // Then
        await(() -> assertThat(scenario.storedPods()).isEmpty());
        assertThat(cluster.checkpoint()).contains("{\"claims\":[]}");
    }

    // --- actions ---

    private void given(Compatibility compatibility) {
        scenario.apply("kind.yaml", compatibility);
        await(() -> cluster.assertRegistered(GPU));
    }

    private void podWithClaim(String name, String deviceClass) {
        scenario.claim(name, deviceClass);
        pod(name, name);
    }

    private void pod(String name, String claim) {
        client().resource(ContainerPods.using(claim, scenario.namespace(), name, KindCluster.IMAGE, "")
                        .build())
                .create();
    }

    private void delete(String pod) {
        scenario.deletePod(pod);
        await(() -> assertThat(scenario.storedPods())
                .extracting(stored -> stored.getMetadata().getName())
                .doesNotContain(pod));
    }

    // --- observations ---

    private void awaitRunning(String pod) {
        await(() -> assertThat(scenario.container(pod).getReady())
                .as("container of pod %s; events: %s", pod, scenario.events(pod, "FailedPrepareDynamicResources"))
                .isTrue());
    }

    private String seenBy(String pod) {
        return cluster.execute(
                scenario.storedPod(pod), "/usr/bin/nvidia-smi -L; env | grep ^FAKEGPU; cat /run/fakegpu/devices/*");
    }

    private static KubernetesClient client() {
        return cluster.client();
    }

    /** May take minutes: the kubelet retries a pod that it could not start after about a minute. */
    private static void await(ThrowingRunnable assertion) {
        Awaitility.await().untilAsserted(assertion);
    }
}
