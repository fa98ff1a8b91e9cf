package dev.fakegpu.e2e.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.FakeGpuSpec.Compatibility;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.e2e.support.ClusterScenario;
import dev.fakegpu.e2e.support.OperatorProcess;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttribute;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** A node with a real kubelet and an operator for all tests of a class; a plugin and a FakeGpu for each test. */
abstract class KubeletCluster {

    static final String MIG = "mig.example.com";
    static final String VGPU = "vgpu.gpu.example.com";
    static final String EXAMPLE = "gpu.example.com";
    static final String NVIDIA = "gpu.nvidia.com";

    static KubeletNode node;
    static OperatorProcess operator;

    PluginProcess plugin;
    ClusterScenario scenario;

    @BeforeAll
    static void startNode() {
        var missing = KubeletNode.missing();
        assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
        node = KubeletNode.start();
        operator = OperatorProcess.start(node.controlPlane(), Map.of());
    }

    @AfterAll
    static void stopNode() {
        if (operator != null) {
            operator.close();
        }
        if (node != null) {
            node.close();
        }
    }

    @AfterEach
    void clear() {
        try {
            if (scenario != null) {
                clearPods();
                scenario.close();
            }
        } finally {
            if (plugin != null) {
                plugin.close();
            }
        }
    }

    // --- actions ---

    void given(AllocatorName allocator, Compatibility compatibility) {
        scenario = new ClusterScenario(client(), allocator);
        scenario.apply("kubelet.yaml", compatibility);
        plugin.awaitRegistered(EXAMPLE);
    }

    /** Creates a pod with a claim of the same name, whose container prints what it sees. */
    void pod(String name, String deviceClass) {
        boolean companion = scenario.fakeGpu().getSpec().allocator() == AllocatorName.Companion;
        pod(name, deviceClass, companion ? Labels.SCHEDULER_NAME : "default-scheduler");
    }

    void pod(String name, String deviceClass, String scheduler) {
        scenario.claim(name, deviceClass);
        client().resource(ContainerPods.using(
                                name,
                                scenario.namespace(),
                                name,
                                "busybox:1",
                                "/usr/bin/nvidia-smi -L; env; cat /run/fakegpu/devices/*")
                        .editSpec()
                        .withSchedulerName(scheduler)
                        .endSpec()
                        .build())
                .create();
    }

    /** Reserves claims for a pod that no scheduler places, so that the claims keep their devices when other pods have ended. */
    void keepAllocated(List<String> claims) {
        scenario.pod(
                "reserving",
                claims,
                pod -> pod.editSpec()
                        .addNewSchedulingGate("e2e.example.com/kept")
                        .endSpec());
        var pod = scenario.storedPod("reserving").getMetadata();
        for (String claim : claims) {
            client().resource(scenario.storedClaim(claim))
                    .editStatus(stored -> new ResourceClaimBuilder(stored)
                            .editStatus()
                            .addNewReservedFor(null, pod.getName(), "pods", pod.getUid())
                            .endStatus()
                            .build());
        }
    }

    void clearPods() {
        client().pods().inNamespace(scenario.namespace()).delete();
        await(() -> assertThat(
                        client().pods().inNamespace(scenario.namespace()).list().getItems())
                .isEmpty());
    }

    // --- observations ---

    void awaitRunning(String name) {
        await(() -> assertThat(scenario.storedPod(name).getStatus().getContainerStatuses())
                .as("containers of pod %s; the plugin said%n%s", name, plugin.said())
                .isNotEmpty()
                .allSatisfy(status -> assertThat(status.getReady()).isTrue()));
    }

    /** The status is written after the response to the kubelet. */
    void awaitPrepared(String claim) {
        List<DeviceId> devices = scenario.devices(claim);
        await(() -> assertThat(devices).isNotEmpty().allSatisfy(device -> {
            var stored = scenario.storedClaim(claim);
            assertThat(DeviceStatuses.isPrepared(stored, device))
                    .as(plugin.said())
                    .isTrue();
            assertThat(DeviceStatuses.snapshot(stored, device)).isNotNull();
        }));
    }

    /** The device of a pod's claim, as metrics exporters should find it. */
    PodResources.ClaimedDevice claimedDevice(String pod) {
        DeviceId device = scenario.devices(pod).get(0);
        String uid = scenario.storedClaim(pod).getMetadata().getUid();
        return new PodResources.ClaimedDevice(
                scenario.namespace(),
                pod,
                "main",
                pod,
                device.driver(),
                device.pool(),
                device.device(),
                List.of("k8s." + device.driver() + "/claim=" + uid + "-" + device.device()));
    }

    /** What containers read, by their claims: each is in a new pod, whose name is that of the claim with the prefix. */
    Map<String, String> metadataIn(String prefix, List<String> claims) {
        for (String claim : claims) {
            String read =
                    "cat /var/run/kubernetes.io/dra-device-attributes/resourceclaims/%s/*/*-metadata.json; echo end"
                            .formatted(claim);
            client().resource(ContainerPods.using(claim, scenario.namespace(), prefix + "-" + claim, "busybox:1", read)
                            .build())
                    .create();
        }
        var metadata = new HashMap<String, String>();
        for (String claim : claims) {
            String pod = prefix + "-" + claim;
            awaitRunning(pod);
            await(() -> assertThat(log(pod)).endsWith("end\n"));
            metadata.put(claim, log(pod).replaceFirst("end\n$", ""));
        }
        return metadata;
    }

    static Map<String, DeviceAttribute> publishedAttributes(DeviceId device) {
        return client().resources(ResourceSlice.class).list().getItems().stream()
                .filter(slice -> slice.getSpec().getDriver().equals(device.driver()))
                .flatMap(slice -> slice.getSpec().getDevices().stream())
                .filter(published -> published.getName().equals(device.device()))
                .findFirst()
                .orElseThrow()
                .getAttributes();
    }

    static FakeGpu stored(String fakeGpu) {
        return client().resources(FakeGpu.class).withName(fakeGpu).require();
    }

    String log(String pod) {
        return client().pods().inNamespace(scenario.namespace()).withName(pod).getLog();
    }

    String healthOf(String pod) {
        return scenario.storedPod(pod).getStatus().getContainerStatuses().stream()
                .flatMap(container -> container.getAllocatedResourcesStatus().stream())
                .flatMap(resource -> resource.getResources().stream())
                .map(health -> String.valueOf(health.getHealth()))
                .findFirst()
                .orElse("");
    }

    static String checkpoint() {
        Path file = node.kubeletRoot().resolve("plugins/gpu.example.com/checkpoint");
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<String> registered() {
        try (var sockets = Files.list(node.kubeletRoot().resolve("plugins_registry"))) {
            return sockets.map(socket -> socket.getFileName().toString()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static int countOf(String part, String text) {
        return text.split(Pattern.quote(part), -1).length - 1;
    }

    static KubernetesClient client() {
        return node.controlPlane().client();
    }

    /** May take minutes: the kubelet retries a pod that it could not start after about a minute. */
    static void await(ThrowingRunnable assertion) {
        Awaitility.await().untilAsserted(assertion);
    }
}
