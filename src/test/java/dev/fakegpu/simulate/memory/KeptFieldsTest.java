package dev.fakegpu.simulate.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.fakegpu.hardware.slices.SliceField;
import dev.fakegpu.kube.manifest.KnownKind;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class KeptFieldsTest {

    private static final YAMLMapper YAML = new YAMLMapper();

    /**
     * The fields that API servers 1.34 to 1.37 drop when objects are created or updated. Columns: the gate,
     * the function of Kubernetes 1.37.1, the kind, and the fields with an example. Device binding conditions need two gates.
     */
    private static final String TABLE = """
            DRAPrioritizedList           | dropDisabledDRAPrioritizedListFields                 | claim | devices.requests[].firstAvailable = [{name: a, deviceClassName: c}]
            DRADeviceTaints              | dropDisabledDRADeviceTaintsFields                    | claim | devices.requests[].exactly.tolerations = [{operator: Exists}]
            DRADeviceTaints              | dropDisabledDRADeviceTaintsFields                    | claim | devices.requests[].firstAvailable[].tolerations = [{operator: Exists}]
            DRAAdminAccess               | dropDisabledDRAAdminAccessFields                     | claim | devices.requests[].exactly.adminAccess = true
            DRAConsumableCapacity        | dropDisabledDRAResourceClaimConsumableCapacityFields | claim | devices.constraints[].distinctAttribute = a/b
            DRAConsumableCapacity        | dropDisabledDRAResourceClaimConsumableCapacityFields | claim | devices.requests[].exactly.capacity = {requests: {memory: 1Gi}}
            DRAConsumableCapacity        | dropDisabledDRAResourceClaimConsumableCapacityFields | claim | devices.requests[].firstAvailable[].capacity = {requests: {memory: 1Gi}}
            DRADerivedAttributes         | dropDisabledDRADerivedAttributesFields               | claim | devices.requests[].exactly.derivedAttributes = [{name: a/b}]
            DRADerivedAttributes         | dropDisabledDRADerivedAttributesFields               | claim | devices.requests[].firstAvailable[].derivedAttributes = [{name: a/b}]
            DRAAdminAccess               | dropDisabledDRAAdminAccessStatusFields               | ResourceClaim | status.allocation.devices.results[].adminAccess = true
            DRAResourceClaimDeviceStatus | dropDisabledDRAResourceClaimDeviceStatusFields       | ResourceClaim | status.devices = [{driver: d, pool: p, device: a}]
            DRAConsumableCapacity        | dropDisabledDRAResourceClaimConsumableCapacityStatusFields | ResourceClaim | status.devices[].shareID = 00000000-0000-0000-0000-000000000000
            DRAConsumableCapacity        | dropDisabledDRAResourceClaimConsumableCapacityStatusFields | ResourceClaim | status.allocation.devices.results[].shareID = 00000000-0000-0000-0000-000000000000
            DRAConsumableCapacity        | dropDisabledDRAResourceClaimConsumableCapacityStatusFields | ResourceClaim | status.allocation.devices.results[].consumedCapacity = {memory: 1Gi}
            DRADeviceBindingConditions   | dropDeviceBindingConditionsFields                    | ResourceClaim | status.allocation.devices.results[].bindingConditions = [ready]
            DRADeviceBindingConditions   | dropDeviceBindingConditionsFields                    | ResourceClaim | status.allocation.devices.results[].bindingFailureConditions = [failed]
            DRAOptionalNodeOperations    | dropDisabledDRAOptionalNodeOperationsStatusFields    | ResourceClaim | status.allocation.devices.results[].skipNodeOperations = [Prepare]
            DRAExtendedResource          | dropDisabledDRAExtendedResourceFields                | DeviceClass | spec.extendedResourceName = example.com/gpu
            DRAExtendedResource          | dropDisabledPodStatusFields                          | Pod | status.extendedResourceClaimStatus = {resourceClaimName: a}
            DRANodeAllocatableResources  | dropDisabledDRANodeAllocatableResourceStatus         | Pod | status.nodeAllocatableResourceClaimStatuses = [{}]
            DynamicResourceAllocation    | dropDisabledPodStatusFields                          | Pod | status.resourceClaimStatuses = [{name: gpu}]
            DynamicResourceAllocation    | dropDisabledDynamicResourceAllocationFields          | pod | resourceClaims = [{name: gpu}]
            DynamicResourceAllocation    | dropResourceClaimRequests                            | pod | containers[].resources.claims = [{name: gpu}]
            DynamicResourceAllocation    | dropResourceClaimRequests                            | pod | initContainers[].resources.claims = [{name: gpu}]
            DynamicResourceAllocation    | dropEphemeralResourceClaimRequests                   | pod | ephemeralContainers[].resources.claims = [{name: gpu}]
            GenericWorkload              | dropDisabledSchedulingGroup                          | pod | schedulingGroup = {podGroupName: a}
            DRAWorkloadResourceClaims    | dropDisabledDRAWorkloadResourceClaimsFields          | PodGroup | spec.resourceClaims = [{name: gpu}]
            DRAWorkloadResourceClaims    | dropDisabledDRAWorkloadResourceClaimsStatusFields    | PodGroup | status.resourceClaimStatuses = [{name: gpu}]
            DRADeviceTaints              | dropDisabledDRADeviceTaintsFields                    | device | taints = [{key: a, effect: NoSchedule}]
            DRAPartitionableDevices      | dropDisabledDRAPartitionableDevicesFields            | ResourceSlice | spec.sharedCounters = [{name: a, counters: {b: {value: '1'}}}]
            DRAPartitionableDevices      | dropDisabledDRAPartitionableDevicesFields            | ResourceSlice | spec.perDeviceNodeSelection = true
            DRAPartitionableDevices      | dropDisabledDRAPartitionableDevicesFields            | device | consumesCounters = [{counterSet: a, counters: {b: {value: '1'}}}]
            DRAPartitionableDevices      | dropDisabledDRAPartitionableDevicesFields            | device | nodeName = node-1
            DRAPartitionableDevices      | dropDisabledDRAPartitionableDevicesFields            | device | nodeSelector = {nodeSelectorTerms: [{}]}
            DRAPartitionableDevices      | dropDisabledDRAPartitionableDevicesFields            | device | allNodes = true
            DRADeviceBindingConditions   | dropDisabledDRADeviceBindingConditionsFields         | device | bindsToNode = true
            DRADeviceBindingConditions   | dropDisabledDRADeviceBindingConditionsFields         | device | bindingConditions = [ready]
            DRADeviceBindingConditions   | dropDisabledDRADeviceBindingConditionsFields         | device | bindingFailureConditions = [failed]
            DRAResourceClaimDeviceStatus | dropDisabledDRADeviceBindingConditionsFields         | device | bindsToNode = true
            DRAResourceClaimDeviceStatus | dropDisabledDRADeviceBindingConditionsFields         | device | bindingConditions = [ready]
            DRAResourceClaimDeviceStatus | dropDisabledDRADeviceBindingConditionsFields         | device | bindingFailureConditions = [failed]
            DRAConsumableCapacity        | dropDisabledDRAConsumableCapacityFields              | device | allowMultipleAllocations = true
            DRAConsumableCapacity        | dropDisabledDRAConsumableCapacityFields              | device | capacity[].requestPolicy = {default: '1', validValues: ['1']}
            DRADeviceCompatibilityGroups | dropDisabledDRADeviceCompatibilityGroupsFields       | device | consumesCounters[].compatibilityGroups = [a]
            DRANodeAllocatableResources  | dropDisabledDRANodeAllocatableResourcesFields        | device | nodeAllocatableResources = {cpu: {overhead: {baseline: '1'}}}
            DRAListTypeAttributes        | dropDisableDRAListTypeAttributesFields               | device | attributes[].bools = [true]
            DRAListTypeAttributes        | dropDisableDRAListTypeAttributesFields               | device | attributes[].ints = [1]
            DRAListTypeAttributes        | dropDisableDRAListTypeAttributesFields               | device | attributes[].strings = [a]
            DRAListTypeAttributes        | dropDisableDRAListTypeAttributesFields               | device | attributes[].versions = [1.0.0]
            DRAPartitionableDevicesType  | dropDisabledDRAPartitionableDevicesTypeFields        | ResourceSlice | spec.partitionTypeAttribute = a/b
            DRAOptionalNodeOperations    | dropDisabledDRAOptionalNodeOperationsFields          | ResourceSlice | spec.skipNodeOperations = [Prepare]
            """;

    private static final Set<String> MAPS = Set.of("attributes", "capacity");

    private record Row(ServerGate gate, KnownKind kind, String path, String example) {}

    private static List<Row> rows() {
        return TABLE.lines().flatMap(KeptFieldsTest::rows).toList();
    }

    private static Stream<Row> rows(String line) {
        String[] cells = line.split(" *\\| *", 4);
        String[] field = cells[3].split(" = ", 2);
        ServerGate gate = ServerGate.valueOf(cells[0]);
        List<GatedField> fields = switch (cells[2]) {
            case "claim" -> GatedField.ofClaims(34, field[0]);
            case "pod" -> GatedField.ofPods(34, field[0]);
            case "device" -> GatedField.ofDevices(34, field[0]);
            default -> GatedField.of(KnownKind.valueOf(cells[2]), 34, field[0]);
        };
        return fields.stream().map(each -> new Row(gate, each.kind(), each.path(), field[1]));
    }

    private static Stream<Arguments> cases() {
        return rows().stream().map(row -> Arguments.of(row.gate(), row.kind(), row.path(), row.example()));
    }

    @Test
    void droppedFieldsAreThoseOfTheTable() {
        Set<String> known = Arrays.stream(ServerGate.values())
                .flatMap(gate -> gate.fields().stream().map(field -> gate + " " + field.kind() + " " + field.path()))
                .collect(Collectors.toSet());

        assertThat(rows())
                .extracting(row -> row.gate() + " " + row.kind() + " " + row.path())
                .containsExactlyInAnyOrderElementsOf(known);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aFieldWhoseGateIsOffIsDropped(ServerGate gate, KnownKind kind, String path, String example) {
        JsonNode object = object(kind, path, example);
        HasMetadata read = ApiObjects.read(object(kind, "metadata.uid", "'1'"));
        var off = new KeptFields(new ServerGates(KubernetesVersion.V1_37, Set.of(gate)));
        var on = new KeptFields(ServerGates.of(KubernetesVersion.V1_37));

        assertThat(off.kept(read, object, null)).isPresent();
        assertThat(off.notes())
                .containsExactly(
                        "%s one: the API server drops %s: the feature gate %s is off".formatted(kind, path, gate));
        assertThat(on.kept(read, object, null)).containsSame(read);
        assertThat(on.notes()).isEmpty();
    }

    @Test
    void aFieldOfANewerVersionIsDropped() {
        JsonNode claim =
                object(KnownKind.ResourceClaim, "spec.devices.requests[].exactly.derivedAttributes", "[{name: a/b}]");
        var fields = new KeptFields(ServerGates.of(KubernetesVersion.V1_36));

        HasMetadata kept = fields.kept(ApiObjects.read(claim), claim, null).orElseThrow();

        assertThat(ApiObjects.write(kept).at("/spec/devices/requests/0/exactly").has("derivedAttributes"))
                .isFalse();
        assertThat(fields.notes())
                .containsExactly(
                        "ResourceClaim one: Kubernetes 1.36 has no spec.devices.requests[].exactly.derivedAttributes,"
                                + " which it drops: it is in 1.37 or newer");
    }

    /** Upstream, these are the functions whose names end with InUse. */
    @Test
    void aFieldThatIsInUseStays() {
        JsonNode before = object(KnownKind.DeviceClass, "spec.extendedResourceName", "example.com/gpu");
        JsonNode after = object(KnownKind.DeviceClass, "spec.extendedResourceName", "example.com/card");
        var fields = new KeptFields(new ServerGates(KubernetesVersion.V1_36, Set.of(ServerGate.DRAExtendedResource)));

        Optional<HasMetadata> kept = fields.kept(ApiObjects.read(after), after, ApiObjects.read(before));

        assertThat(ApiObjects.write(kept.orElseThrow())).isEqualTo(ApiObjects.write(ApiObjects.read(after)));
        assertThat(fields.notes()).isEmpty();
    }

    @Test
    void objectsThatAreInvalidWithoutAFieldAreRefused() {
        ObjectNode claim = object(
                KnownKind.ResourceClaim, "spec.devices.requests[].firstAvailable", "[{name: a, deviceClassName: c}]");
        claim.withObject("/metadata").remove("uid");
        ((ObjectNode) claim.at("/spec/devices/requests/0")).put("name", "gpu");
        var fields = new KeptFields(new ServerGates(KubernetesVersion.V1_36, Set.of(ServerGate.DRAPrioritizedList)));
        HasMetadata read = ApiObjects.read(claim);

        assertThatThrownBy(() -> fields.kept(read, claim, null))
                .isInstanceOf(SimulationException.class)
                .hasMessageContaining("ResourceClaim one: spec.devices.requests[0]: Required value: exactly one of");
    }

    /** An API server with the field has stored the slice, so it is not refused, but nothing in it remains to be allocated. */
    @Test
    void aStoredSliceIsReadableWithoutAField() {
        ObjectNode slice = slice("perDeviceNodeSelection: true, devices: [{name: a, nodeName: node-1}]");
        slice.withObject("/metadata").put("uid", "1");
        var fields =
                new KeptFields(new ServerGates(KubernetesVersion.V1_36, Set.of(ServerGate.DRAPartitionableDevices)));

        HasMetadata kept = fields.kept(ApiObjects.read(slice), slice, null).orElseThrow();

        assertThat(ApiObjects.write(kept).at("/spec/devices")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            DRAPartitionableDevices | perDeviceNodeSelection: true, devices: [{name: a, nodeName: node-1}] | spec: Required value: exactly one of
            DRAListTypeAttributes   | nodeName: n, devices: [{name: a, attributes: {b: {strings: [c]}}}]   | spec.devices[0].attributes[b]
            """)
    void slicesThatAreInvalidWithoutAFieldAreRefused(ServerGate gate, String spec, String refusal) {
        ObjectNode slice = slice(spec);
        var off = new KeptFields(new ServerGates(KubernetesVersion.V1_37, Set.of(gate)));
        HasMetadata read = ApiObjects.read(slice);

        assertThat(new KeptFields(ServerGates.of(KubernetesVersion.V1_37)).kept(read, slice, null))
                .isPresent();
        assertThatThrownBy(() -> off.kept(read, slice, null)).hasMessageContaining("ResourceSlice one: " + refusal);
    }

    @Test
    void aFieldOfASliceThatIsInUseStays() {
        JsonNode before = slice("nodeName: n, devices: [{name: a, taints: [{key: a, effect: NoSchedule}]}]");
        JsonNode after = slice("nodeName: n, devices: [{name: a, taints: [{key: b, effect: NoSchedule}]}]");
        var fields = new KeptFields(new ServerGates(KubernetesVersion.V1_36, Set.of(ServerGate.DRADeviceTaints)));

        Optional<HasMetadata> kept = fields.kept(ApiObjects.read(after), after, ApiObjects.read(before));

        assertThat(ApiObjects.write(kept.orElseThrow())
                        .at("/spec/devices/0/taints/0/key")
                        .asText())
                .isEqualTo("b");
    }

    @Test
    void aFieldOfTwoGatesThatIsInUseStays() {
        ObjectNode slice = slice("nodeName: n, devices: [{name: a, bindsToNode: true}]");
        Set<ServerGate> off = Set.of(ServerGate.DRADeviceBindingConditions, ServerGate.DRAResourceClaimDeviceStatus);
        var fields = new KeptFields(new ServerGates(KubernetesVersion.V1_36, off));
        HasMetadata read = ApiObjects.read(slice);

        assertThat(fields.kept(read, slice, ApiObjects.read(slice))).containsSame(read);
        assertThat(fields.notes()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = ServerGate.class,
            names = {"DRADeviceTaintRules", "GenericWorkload"})
    void aKindWithoutEffectIsOmitted(ServerGate gate) {
        KnownKind kind = gate == ServerGate.GenericWorkload ? KnownKind.PodGroup : KnownKind.DeviceTaintRule;
        JsonNode object = object(kind, "metadata.uid", "'1'");
        var fields = new KeptFields(new ServerGates(KubernetesVersion.V1_37, Set.of(gate)));

        assertThat(fields.kept(ApiObjects.read(object), object, null)).isEmpty();
        assertThat(fields.notes()).containsExactly(kind + " one has no effect: the feature gate " + gate + " is off");
    }

    /** The gates are those in {@code strategy.go} of {@code pkg/registry/resource/resourceslice}. */
    @Test
    void theGateOfEachFieldOfSlicesIsKnown() {
        var dropped = new HashSet<SliceField>();
        for (ServerGate gate : ServerGate.values()) {
            dropped.addAll(new ServerGates(KubernetesVersion.V1_37, Set.of(gate))
                    .fields()
                    .dropped());
        }

        assertThat(dropped).containsExactlyInAnyOrder(SliceField.values());
        assertThat(new ServerGates(KubernetesVersion.V1_36, Set.of(ServerGate.DRAResourceClaimDeviceStatus))
                        .fields()
                        .dropped())
                .containsExactly(SliceField.BINDING_CONDITIONS);
    }

    private static ObjectNode slice(String spec) {
        return (ObjectNode) yaml("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: one}
                spec: {driver: d.example.com, pool: {name: p, generation: 1, resourceSliceCount: 1}, %s}
                """.formatted(spec));
    }

    /** An object as stored by an API server, with a field. */
    private static ObjectNode object(KnownKind kind, String path, String example) {
        String text =
                "{apiVersion: '%s', kind: %s, metadata: {name: one, uid: '1'}}".formatted(kind.apiVersion(), kind);
        ObjectNode object = (ObjectNode) yaml(text);
        var parts = new ArrayList<>(List.of(path.split("\\.")));
        JsonNode value = yaml(example);
        while (!parts.isEmpty()) {
            String part = parts.remove(parts.size() - 1);
            String name = part.replace("[]", "");
            value = YAML.createObjectNode().set(name, part.equals(name) ? value : collection(name, value));
        }
        ApiObjects.merge(object, value);
        return object;
    }

    private static JsonNode collection(String name, JsonNode value) {
        return MAPS.contains(name)
                ? YAML.createObjectNode().set("a", value)
                : YAML.createArrayNode().add(value);
    }

    private static JsonNode yaml(String text) {
        try {
            return YAML.readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }
}
