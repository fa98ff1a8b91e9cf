package dev.fakegpu.kube.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.api.FakeGpu;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManifestFieldsTest {

    @Test
    void misspelledFieldsAreNamed() {
        assertThat(problems("spec: {tolerationz: []}"))
                .singleElement()
                .asString()
                .startsWith("spec.tolerationz is not a field (did you mean \"tolerations\"?)");
    }

    @Test
    void quantitiesAreRead() {
        assertThat(problems(
                        "spec: {containers: [{resources: {limits: {cpu: a lot, memory: 1Gi, example.com/gpu: 1}}}]}"))
                .containsExactly(
                        "spec.containers[0].resources.limits[cpu]: \"a lot\" is not a quantity; allowed: a number with an optional suffix, such as 500m, 2 or 40Gi");
    }

    /** Pods have a field with this name, and newer files may have more fields in pods. */
    @Test
    void aFieldThatIsNewElsewhereIsNotAField() {
        JsonNode slice = new KubernetesSerialization()
                .unmarshal("spec: {devices: [{capacity: {memory: {value: 1Gi, overhead: {}}}}]}", JsonNode.class);

        assertThat(ManifestFields.problems(slice, ResourceSlice.class, ""))
                .containsExactly(
                        "spec.devices[0].capacity[memory].overhead is not a field; allowed: requestPolicy, value");
    }

    @Test
    void managedFieldsAreNotChecked() {
        assertThat(problems("metadata: {name: a, managedFields: [{manager: m, fieldsV1: {'f:spec': {}}}]}"))
                .isEmpty();
    }

    @Test
    void aValueWithoutItsKindIsShownWithIt() {
        JsonNode json = new KubernetesSerialization()
                .unmarshal("spec: {attributes: {type: half, fast: true, links: 4}}", JsonNode.class);

        assertThat(ManifestFields.problems(json, FakeGpu.class, ""))
                .containsExactly(
                        "spec.attributes[type]: \"half\" has another shape; allowed: an object, such as {string: half}",
                        "spec.attributes[fast]: \"true\" has another shape; allowed: an object, such as {bool: true}",
                        "spec.attributes[links]: \"4\" has another shape; allowed: an object, such as {int: 4}");
        JsonNode slice = new KubernetesSerialization()
                .unmarshal("spec: {devices: [{capacity: {memory: 40Gi}}]}", JsonNode.class);
        assertThat(ManifestFields.problems(slice, ResourceSlice.class, ""))
                .containsExactly(
                        "spec.devices[0].capacity[memory]: \"40Gi\" has another shape; allowed: an object, such as {value: 40Gi}");
    }

    /** YAML parses {@code 0x56c0} and {@code no} without quotes as other types. */
    @Test
    void aStringThatIsANumberNeedsQuotes() {
        JsonNode slice = new KubernetesSerialization()
                .unmarshal(
                        "spec: {devices: [{attributes: {model: {string: 22208}, fast: {string: false}}}]}",
                        JsonNode.class);

        assertThat(ManifestFields.problems(slice, ResourceSlice.class, ""))
                .containsExactly(
                        "spec.devices[0].attributes[model].string: \"22208\" has another shape; allowed: a string in quotes",
                        "spec.devices[0].attributes[fast].string: \"false\" has another shape; allowed: a string in quotes");
    }

    /** The class has methods that compute answers from its fields, such as isNetworkAttached(). */
    @Test
    void computedPropertiesAreNotFields() {
        JsonNode json =
                new KubernetesSerialization().unmarshal("spec: {nodes: {networkAttached: true}}", JsonNode.class);

        assertThat(ManifestFields.problems(json, FakeGpu.class, ""))
                .containsExactly(
                        "spec.nodes.networkAttached is not a field; allowed: all, names, nodeSelector, preparation,"
                                + " selector, simulated");
    }

    private static List<String> problems(String pod) {
        JsonNode json = new KubernetesSerialization().unmarshal(pod, JsonNode.class);
        return ManifestFields.problems(json, Pod.class, "");
    }
}
