package dev.fakegpu.cluster.fit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.NodeAllocatableUse;
import dev.fakegpu.dra.field.SliceFields;
import dev.fakegpu.dra.wire.NodeAllocatableUses;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ClaimedResourcesTest {

    private static final Path TABLES = Path.of("src/test/resources/node-allocatable");

    private static final ObjectMapper JSON = Serialization.yamlMapper();

    private static final Map<String, Device> KINDS = Map.of(
            "mapped", device("mapped", "{cpu: {mapping: {deviceMultiplier: \"2\"}}}"),
            "overhead", device("overhead", "{memory: {overhead: {perContainer: \"100\"}}}"),
            "combined",
                    device(
                            "combined",
                            "{cpu: {mapping: {deviceMultiplier: \"1\"}, overhead: {perContainer: \"100\"}}}"));

    private static final SchedulableNode NODE = SchedulableNode.of(new NodeBuilder()
            .withNewMetadata()
            .withName("node")
            .endMetadata()
            .withNewStatus()
            .addNewCondition()
            .withType("Ready")
            .withStatus("True")
            .endCondition()
            .addToAllocatable("pods", new Quantity("10"))
            .addToAllocatable("cpu", new Quantity("12"))
            .endStatus()
            .build());

    record Case(JsonNode json) {
        @Override
        public String toString() {
            return json.get("name").asText();
        }
    }

    static Stream<Case> footprints() throws IOException {
        return table("footprints.yaml");
    }

    static Stream<Case> pods() throws IOException {
        return table("pods.yaml");
    }

    private static Stream<Case> table(String name) throws IOException {
        JsonNode cases = JSON.readTree(Files.readString(TABLES.resolve(name)));
        return StreamSupport.stream(cases.spliterator(), false).map(Case::new);
    }

    @ParameterizedTest
    @MethodSource("footprints")
    void devicesTakeWhatUpstreamSays(Case table) {
        // Given
        JsonNode json = table.json();
        var devices = new HashMap<String, Device>();
        json.path("devices")
                .properties()
                .forEach(each -> devices.put(
                        each.getKey(), device(each.getKey(), each.getValue().toString())));
        List<ResourceClaim> claims = new ArrayList<>();
        json.path("claims").properties().forEach(each -> claims.add(claim(each.getKey(), each.getValue())));
        Pod pod = pod(json.path("containers"), claims);

        // When
        DeviceFootprint footprint = resources(pod, claims, devices).on(NODE, List.of(), List.of());

        // Then
        if (json.has("problem")) {
            assertThat(footprint.problem()).isEqualTo(json.get("problem").asText());
        } else {
            assertThat(footprint.problem()).isNull();
            assertThat(footprint.uses()).extracting(ClaimedResourcesTest::text).isEqualTo(texts(json.get("takes")));
            assertThat(NodeAllocatableUses.of(NodeAllocatableUses.in(pod, footprint.uses())))
                    .as("written and read")
                    .isEqualTo(footprint.uses());
        }
    }

    @ParameterizedTest
    @MethodSource("pods")
    void podsTakeWhatUpstreamSays(Case table) {
        // Given
        Pod pod = pod(table.json());
        List<NodeAllocatableUse> uses = NodeAllocatableUses.of(pod);

        // Then
        assertThat(PodLevelResources.notCovering(pod, uses))
                .isEqualTo(Optional.ofNullable(table.json().get("says")).map(JsonNode::asText));
        if (table.json().has("requests")) {
            var expected = new HashMap<String, BigDecimal>();
            table.json()
                    .get("requests")
                    .properties()
                    .forEach(each -> expected.put(
                            each.getKey(),
                            PodRequests.amount(new Quantity(each.getValue().asText()))));
            assertThat(PodRequests.of(pod, uses))
                    .usingComparatorForType(BigDecimal::compareTo, BigDecimal.class)
                    .usingRecursiveComparison()
                    .isEqualTo(expected);
        }
    }

    /** The cases of TestValidateNodeAllocatableDRAClaimSharing with allocated claims. */
    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
            # device  | reserved for: name, resource | refused
            mapped    , -         , -         , false
            mapped    , other-pod , pods      , true
            overhead  , other-pod , pods      , false
            mapped    , pod       , pods      , false
            mapped    , own       , podgroups , false
            mapped    , other     , podgroups , true
            combined  , other-pod , pods      , true
            """)
    void devicesThatAreResourcesAreOfOnePod(String device, String name, String resource, boolean isRefused) {
        // Given
        Pod pod = Serialization.unmarshal(
                "---\n{metadata: {name: pod, namespace: default, uid: pod}, spec: {containers: [], schedulingGroup: {podGroupName: own}}}",
                Pod.class);
        ResourceClaim claim = claim("claim", JSON.createObjectNode().set(device, JSON.createObjectNode()));
        if (name != null) {
            claim.getStatus()
                    .setReservedFor(List.of(new ResourceClaimConsumerReference(
                            resource.equals("pods") ? null : "scheduling.k8s.io", name, resource, name)));
        }

        // Then
        assertThat(resources(pod, List.of(claim), KINDS).notShared())
                .isEqualTo(
                        isRefused
                                ? Optional.of(
                                        "node allocatable resource claim claim has a mapped device and cannot be shared across pods")
                                : Optional.empty());
    }

    /** Upstream does the same, but not for cpu and memory: see {@code nodeFitsResources}. */
    @Test
    void aNodeWithOvercommittedHugePagesIsRefusedEvenIfThePodsDevicesTakeNone() {
        // Given
        var usage = new NodeUsage();
        usage.update(Serialization.unmarshal("""
                metadata: {name: other, namespace: default, uid: other}
                spec: {nodeName: node, containers: [{name: c, resources: {requests: {hugepages-2Mi: 2Mi, memory: 1Gi}}}]}
                """, Pod.class));
        Pod pod = Serialization.unmarshal(
                "---\n{metadata: {name: pod, namespace: default}, spec: {containers: [{name: c}]}}", Pod.class);
        ResourceClaim claim = claim("claim", JSON.createObjectNode().set("d", JSON.createObjectNode()));

        // Then: no container refers to the claim, so there is no overhead
        assertThat(problems("memory", usage, pod, claim)).isEmpty();
        assertThat(problems("hugepages-1Gi", usage, pod, claim)).isEmpty();
        assertThat(problems("hugepages-2Mi", usage, pod, claim)).containsExactly("Insufficient hugepages-2Mi");
    }

    private static List<String> problems(String overhead, NodeUsage usage, Pod pod, ResourceClaim claim) {
        Device device = device("d", "{%s: {overhead: {perContainer: 4Mi}}}".formatted(overhead));
        var resources = new ClaimedResources(pod, List.of(claim), usage, (id, node) -> Optional.of(device));
        return resources.problems(NODE, resources.on(NODE, List.of(), List.of()));
    }

    @Test
    void messagesSayWhatDevicesTakeOfANode() {
        // Given
        var usage = new NodeUsage();
        usage.update(withUse("a-ten", "default", "10"));
        Pod pod = Serialization.unmarshal(
                "---\n{metadata: {name: b, namespace: default}, spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}",
                Pod.class);
        var fit = new PodFit(
                pod,
                List.of(claim("b-two", JSON.createObjectNode().set("mapped", JSON.createObjectNode()))),
                usage,
                ExtendedResources.NONE,
                (id, node) -> Optional.ofNullable(KINDS.get(id.device())),
                null);
        var candidates = new NodeCandidates(List.of(NODE), fit);
        Function<SchedulableNode, DeviceFootprint> footprints =
                node -> fit.withDevices().on(node, List.of(), List.of());

        // Then
        assertThat(candidates.fitting()).containsExactly(NODE);
        assertThat(candidates.withDevices(footprints).noneFits())
                .isEqualTo(
                        "0/1 nodes are available: 1 Insufficient cpu (3 requested including 2 for devices, 2 free, 10 of 12 are"
                                + " used by devices of claim a-ten)");

        // When
        usage.update(withUse("c", "other", "1"));

        // Then
        assertThat(new NodeCandidates(List.of(NODE), fit)
                        .withDevices(footprints)
                        .noneFits())
                .endsWith("1 free, 11 of 12 are used by devices of claim a-ten and others)");
    }

    private static Pod withUse(String claim, String namespace, String cpu) {
        return Serialization.unmarshal("""
                metadata: {name: %1$s, namespace: %2$s, uid: %1$s}
                spec: {nodeName: node, containers: []}
                status: {nodeAllocatableResourceClaimStatuses: [{resourceClaimName: %1$s, mapping: [{name: cpu, quantity: "%3$s"}]}]}
                """.formatted(claim, namespace, cpu), Pod.class);
    }

    private static ClaimedResources resources(Pod pod, List<ResourceClaim> claims, Map<String, Device> devices) {
        return new ClaimedResources(
                pod, claims, new NodeUsage(), (id, node) -> Optional.ofNullable(devices.get(id.device())));
    }

    private static Device device(String name, String takes) {
        try {
            var json = JSON.createObjectNode().put("name", name);
            json.set("nodeAllocatableResources", JSON.readTree(takes));
            return SliceFields.DEVICE.read(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Pod pod(JsonNode containers, List<ResourceClaim> claims) {
        var pod = JSON.createObjectNode();
        ArrayNode list = pod.withArray("/spec/containers");
        containers.properties().forEach(each -> {
            ArrayNode references = list.addObject().put("name", each.getKey()).withArray("/resources/claims");
            each.getValue().forEach(claim -> references.addObject().set("name", claim));
        });
        ArrayNode references = pod.withArray("/spec/resourceClaims");
        claims.forEach(claim -> references
                .addObject()
                .put("name", claim.getMetadata().getName())
                .put("resourceClaimName", claim.getMetadata().getName()));
        return Serialization.unmarshal(pod.toString(), Pod.class);
    }

    private static ResourceClaim claim(String name, JsonNode results) {
        var json = JSON.createObjectNode();
        json.putObject("metadata").put("name", name).put("namespace", "default").put("uid", name);
        ArrayNode list = json.withArray("/status/allocation/devices/results");
        results.properties().forEach(each -> {
            var result = list.addObject()
                    .put("driver", "cpu.example.com")
                    .put("pool", "pool1")
                    .put("device", each.getKey());
            if (!each.getValue().isEmpty()) {
                result.put("shareID", "share").set("consumedCapacity", each.getValue());
            }
        });
        return Serialization.unmarshal(json.toString(), ResourceClaim.class);
    }

    private static Pod pod(JsonNode json) {
        var pod = JSON.createObjectNode();
        pod.set("spec", json.get("spec"));
        pod.putObject("status").set("nodeAllocatableResourceClaimStatuses", json.get("uses"));
        return Serialization.unmarshal(pod.toString(), Pod.class);
    }

    private static List<String> texts(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

    private static String text(NodeAllocatableUse use) {
        Stream<String> mapped = use.mapping().entrySet().stream().map(each -> each.getKey() + " " + each.getValue());
        Stream<String> overhead = use.overhead().entrySet().stream()
                .map(each -> each.getKey()
                        + (each.getValue().perPod() == null
                                ? ""
                                : " " + each.getValue().perPod())
                        + (each.getValue().perContainer() == null
                                ? ""
                                : " + " + each.getValue().perContainer() + " for each"));
        return "%s %s: %s"
                .formatted(
                        use.claim(),
                        use.containers(),
                        Stream.concat(mapped, overhead).collect(Collectors.joining(", ")));
    }
}
