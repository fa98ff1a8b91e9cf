package dev.fakegpu.simulate.memory;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An API server drops the fields whose gate is off before it validates the others. */
class GatedValidationTest {

    private static final YAMLMapper YAML = new YAMLMapper();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # gate                       | devices of a slice with one wrong value
            DRADeviceTaints              | taints: [{key: a, effect: Never}]
            DRAPartitionableDevices      | consumesCounters: [{counterSet: Wrong_name, counters: {b: {value: 1}}}]
            DRAPartitionableDevices      | nodeName: node-1
            DRADeviceBindingConditions   | bindingConditions: ["not a condition"], bindingFailureConditions: [failed]
            DRAResourceClaimDeviceStatus | bindingConditions: ["not a condition"], bindingFailureConditions: [failed]
            DRAConsumableCapacity        | capacity: {memory: {value: 1, requestPolicy: {default: 2, validValues: [2]}}}
            DRADeviceCompatibilityGroups | consumesCounters: [{counterSet: c, counters: {b: {value: 1}}, compatibilityGroups: [Wrong_name]}]
            DRANodeAllocatableResources  | nodeAllocatableResources: {cpu: {overhead: {}}}
            DRAListTypeAttributes        | attributes: {a: {string: b, strings: [c]}}
            """)
    void whatIsWrongInADroppedFieldOfADeviceIsNoProblem(ServerGate gate, String device) {
        JsonNode slice = yaml("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: one}
                spec:
                  driver: gpu.example.com
                  nodeName: n
                  pool: {name: p, generation: 1, resourceSliceCount: 1}
                  devices: [{name: gpu-0, %s}]
                """.formatted(device));

        assertThat(problems(slice)).isNotEmpty().allMatch(problem -> problem.startsWith("spec.devices[0]"));
        assertThat(problems(slice, gate)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # gate                      | a claim with one wrong value
            DRADeviceTaints             | requests: [{name: a, exactly: {deviceClassName: c, tolerations: [{operator: Never}]}}]
            DRAConsumableCapacity       | requests: [{name: a, exactly: {deviceClassName: c}}], constraints: [{matchAttribute: d/e, distinctAttribute: f}]
            DRADerivedAttributes        | requests: [{name: a, exactly: {deviceClassName: c, derivedAttributes: [{name: '-'}]}}]
            DRAPrioritizedList          | requests: [{name: a, exactly: {deviceClassName: c}, firstAvailable: [{name: '-', deviceClassName: c}]}]
            """)
    void whatIsWrongInADroppedFieldOfAClaimIsNoProblem(ServerGate gate, String devices) {
        JsonNode claim = claim(devices);

        assertThat(problems(claim)).isNotEmpty();
        assertThat(problems(claim, gate)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # gate                | what is valid only if the gate is on                                                     | refusal
            DRAPrioritizedList    | requests: [{name: a, firstAvailable: [{name: b, deviceClassName: c}]}]                   | spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required
            DRAConsumableCapacity | requests: [{name: a, exactly: {deviceClassName: c}}], constraints: [{distinctAttribute: d/e}] | spec.devices.constraints[0].matchAttribute: Required value
            DRAConsumableCapacity | requests: [{name: a, exactly: {deviceClassName: c, selectors: [{cel: {expression: device.allowMultipleAllocations}}]}}] | undefined field 'allowMultipleAllocations'
            DRAListTypeAttributes | requests: [{name: a, exactly: {deviceClassName: c, selectors: [{cel: {expression: 'device.attributes["d"].e.includes("f")'}}]}}] | undeclared reference to 'includes'
            DRAListTypeAttributes | requests: [{name: a, exactly: {deviceClassName: c, selectors: [{cel: {expression: 'device.attributes["d"].e.exists(f, f == "g")'}}]}}] | expression of type 'any' cannot be range of a comprehension
            DRAConsumableCapacity | requests: [{name: a, exactly: {deviceClassName: c, derivedAttributes: [{name: d/e, expression: 'device.allowMultipleAllocations'}]}}], constraints: [{matchAttribute: d/e}] | undefined field 'allowMultipleAllocations'
            DRAListTypeAttributes | requests: [{name: a, exactly: {deviceClassName: c, derivedAttributes: [{name: d/e, expression: 'device.attributes["d"].f.includes("g")'}]}}], constraints: [{matchAttribute: d/e}] | undeclared reference to 'includes'
            DRAListTypeAttributes | requests: [{name: a, exactly: {deviceClassName: c, derivedAttributes: [{name: d/e, expression: '[1]'}]}}], constraints: [{matchAttribute: d/e}] | must evaluate to a primitive scalar (string, integer, boolean, semver), not list
            """)
    void whatIsInvalidWithoutAGateIsAProblem(ServerGate gate, String devices, String refusal) {
        JsonNode claim = claim(devices);

        assertThat(problems(claim)).isEmpty();
        assertThat(problems(claim, gate)).singleElement().asString().contains(refusal);
    }

    private static JsonNode claim(String devices) {
        return yaml("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: one}
                spec: {devices: {%s}}
                """.formatted(devices));
    }

    private static List<String> problems(JsonNode object, ServerGate... off) {
        return ApiObjects.problems(object, "", new ServerGates(KubernetesVersion.V1_37, Set.of(off)));
    }

    private static JsonNode yaml(String text) {
        try {
            return YAML.readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }
}
