package dev.fakegpu.cluster.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fakegpu.kube.watch.ClusterWatch;
import dev.fakegpu.testing.ControlPlaneExtension;
import dev.fakegpu.testing.ControlPlaneOptions;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaintRule;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** API servers that serve DeviceTaintRules only in a version before {@code v1}. */
class OlderTaintRulesIT {

    @RegisterExtension
    static final ControlPlaneExtension alpha = only("v1alpha3");

    @RegisterExtension
    static final ControlPlaneExtension beta = only("v1beta2");

    private static ControlPlaneExtension only(String version) {
        return ControlPlaneExtension.with(ControlPlaneOptions.apiServerOnly()
                .runtimeConfig("resource.k8s.io/v1/devicetaintrules=false,resource.k8s.io/%s=true".formatted(version)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1alpha3", "v1beta2"})
    void areReadAndWatched(String version) {
        ControlPlaneExtension controlPlane = version.equals("v1beta2") ? beta : alpha;
        String rule = """
                apiVersion: resource.k8s.io/%s
                kind: DeviceTaintRule
                metadata: {name: older-taint-rules-it}
                spec:
                  deviceSelector: {driver: gpu.example.com, pool: node-0}
                  taint: {key: example.com/broken, effect: NoSchedule}
                """.formatted(version);

        controlPlane.controlPlane().applyFile("crds/fakegpus.fakegpu.dev.yaml"); // watched, too
        controlPlane.controlPlane().apply(new ByteArrayInputStream(rule.getBytes(StandardCharsets.UTF_8)));

        assertThat(new ClusterReader(controlPlane.client())
                        .read("default")
                        .objects()
                        .taintRules())
                .satisfiesExactly(OlderTaintRulesIT::selectsAPool);
        try (var watch = new ClusterWatch(controlPlane.client(), "default", "default")) {
            watch.start();
            await().untilAsserted(() -> assertThat(watch.readTaintRules())
                    .singleElement()
                    .satisfies(read -> {
                        assertThat(read.driver()).isEqualTo("gpu.example.com");
                        assertThat(read.pool()).isEqualTo("node-0");
                    }));
        }
    }

    private static void selectsAPool(DeviceTaintRule rule) {
        assertThat(rule.getSpec().getDeviceSelector().getPool()).isEqualTo("node-0");
    }
}
