package dev.fakegpu.e2e.publish;

import static dev.fakegpu.testing.FakeGpuAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.FakeGpuFixture;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Event;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Models of one's own: from ConfigMaps, which are followed, and by overriding what the catalog says. */
class CatalogE2E {

    private static final String NAMESPACE = "fakegpu-system";

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withControllerManager();

    @RegisterExtension
    final FakeGpuFixture fakeGpus = cluster.fakeGpus();

    @Test
    void modelOfAConfigMapIsFollowed() {
        // Given
        fakeGpus.create("waits", "{%s, model: RTX-1}".formatted(oneNode()));
        var refused = fakeGpus.awaitCondition("waits", "Accepted", "False");
        assertThat(refused).condition("Accepted").message().startsWith("spec.model: \"RTX-1\" is not in the catalog");

        // When
        fakeGpus.create(configMap("added", Map.of("rtx-1.yaml", model("RTX-1", "1.0.0"))));

        // Then
        fakeGpus.awaitReady("waits");
        assertThat(driverVersion("waits")).isEqualTo(AttributeValue.version("1.0.0"));

        // When
        cluster.client()
                .resource(configMap("added", Map.of("rtx-1.yaml", model("RTX-1", "2.0.0"))))
                .update();

        // Then
        fakeGpus.await(() -> assertThat(driverVersion("waits")).isEqualTo(AttributeValue.version("2.0.0")));

        // When
        cluster.client().configMaps().inNamespace(NAMESPACE).withName("added").delete();

        // Then
        fakeGpus.awaitCondition("waits", "Accepted", "False");
        assertThat(driverVersion("waits")).isEqualTo(AttributeValue.version("2.0.0"));
    }

    @Test
    void badFileIsReportedAndHarmsNobodyElse() {
        // Given
        fakeGpus.create("bystander", "{%s, model: RTX-2}".formatted(oneNode()));
        fakeGpus.create("victim", "{%s, model: RTX-3}".formatted(oneNode()));

        // When
        var configMap = fakeGpus.create(configMap(
                "half-bad", Map.of("bad.yaml", model("RTX-3", "three"), "good.yaml", model("RTX-2", "1.0.0"))));

        // Then
        fakeGpus.awaitReady("bystander");
        fakeGpus.await(() -> assertThat(fakeGpus.stored("victim"))
                .condition("Accepted")
                .message()
                .startsWith("spec.model: \"RTX-3\" cannot be used: ConfigMap fakegpu-system/half-bad, key bad.yaml:"
                        + " equalParts contradicts itself: driver version \"three\""));
        fakeGpus.await(() -> assertThat(events(configMap))
                .singleElement()
                .satisfies(event -> assertThat(event.getMessage())
                        .startsWith("ConfigMap fakegpu-system/half-bad, key bad.yaml: equalParts")));
    }

    @Test
    void overriddenModelIsPublishedAsItWasWritten() {
        // When
        fakeGpus.create(
                "overridden",
                ("{%s, model: GB200, partitions: {mig: {profiles: [1g.24gb]}}, modelOverrides: {identity: {productName:"
                                + " NVIDIA GB200 NVL4}, mig: {profiles: [{name: 1g.24gb, giProfileId: 19}]}}}")
                        .formatted(oneNode()));
        fakeGpus.awaitReady("overridden");

        // Then
        assertThat(devices("overridden"))
                .extracting(Device::name)
                .hasSize(8)
                .contains("gpu-0", "gpu-0-mig-1g24gb-19-0", "gpu-0-mig-1g24gb-19-6");
        assertThat(devices("overridden"))
                .allSatisfy(device -> assertThat(device.attributes())
                        .containsEntry("productName", AttributeValue.of("NVIDIA GB200 NVL4")));

        // When
        fakeGpus.patchSpec("overridden", "{\"modelOverrides\": {\"identity\": {\"memoryMib\": 1}}}");

        // Then
        var refused = fakeGpus.awaitCondition("overridden", "Accepted", "False");
        assertThat(refused)
                .condition("Accepted")
                .message()
                .isEqualTo("spec.modelOverrides.identity.memoryMib: \"1\" is no field of a model; allowed: provenance,"
                        + " productName, brand, architecture, pciDeviceId, cudaComputeCapability, memoryMiB,"
                        + " nvmlMemoryMiB");
        assertThat(devices("overridden")).hasSize(8);
    }

    private List<Device> devices(String name) {
        return fakeGpus.slices(name).stream()
                .flatMap(slice -> slice.devices().stream())
                .toList();
    }

    private AttributeValue driverVersion(String name) {
        return devices(name).get(0).attributes().get("driverVersion");
    }

    private static List<Event> events(ConfigMap about) {
        return cluster.client().v1().events().inNamespace(NAMESPACE).list().getItems().stream()
                .filter(event -> about.getMetadata()
                        .getUid()
                        .equals(event.getInvolvedObject().getUid()))
                .filter(event -> event.getReason().equals("InvalidModel"))
                .toList();
    }

    private static String oneNode() {
        return "allocator: %s, nodes: {simulated: {count: 1}}".formatted(AllocatorName.KubeScheduler);
    }

    private static String model(String name, String driverVersion) {
        return """
                name: %s
                equalParts:
                  provenance: {source: test, unverified: false}
                  model: %s
                  driverVersion: %s
                  capacity: {memory: 8Gi}
                """.formatted(name, name, driverVersion);
    }

    private static ConfigMap configMap(String name, Map<String, String> data) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName(name)
                .addToLabels("fakegpu.dev/catalog", "true")
                .endMetadata()
                .withData(data)
                .build();
    }
}
