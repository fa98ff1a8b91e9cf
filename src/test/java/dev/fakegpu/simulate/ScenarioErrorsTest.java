package dev.fakegpu.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.simulate.memory.SimulationException;
import dev.fakegpu.simulate.scenario.ScenarioManifest;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the messages about scenarios that cannot be played: the path, the value, and what is allowed or probably meant, in YAML terms. */
class ScenarioErrorsTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {} | steps[0] has no action; allowed: exactly one of apply, delete, change, wait, fault, expect
            text | steps[0]: "text" is not valid; allowed: an object with name, apply, delete, change, wait, fault, expect
            {wait: 1s, delete: pod/a} | steps[0] has delete and wait; allowed: exactly one of apply, delete, change, wait, fault, expect
            {wait: 1s, nam: a} | steps[0].nam is not a field (did you mean "name"?); allowed: name, apply, delete, change, wait, fault, expect
            {wait: 1s, name: [a]} | steps[0].name: "["a"]" is not valid; allowed: a string
            {wait: 10} | steps[0].wait: "10" is not valid; allowed: a duration such as 500ms, 10s, 5m or 1h
            {wait: } | steps[0].wait: "null" is not valid; allowed: a duration such as 500ms, 10s, 5m or 1h
            {apply: []} | steps[0].apply is empty; allowed: at least one entry
            {apply: missing.yaml} | steps[0].apply: cannot read missing.yaml: no such file
            {apply: [5]} | steps[0].apply[0]: "5" is not valid; allowed: the path of a file or folder, or an object
            {apply: {kind: [Pod]}} | steps[0].apply.kind: "["Pod"]" is not valid; allowed: one of ConfigMap, CronJob, DaemonSet, Deployment, DeviceClass, DeviceTaintRule, FakeGpu, Job, JobSet, LeaderWorkerSet, LimitRange, Namespace, Node, Pod, PodDisruptionBudget, PodGroup, PriorityClass, ReplicaSet, ReplicationController, ResourceClaim, ResourceClaimTemplate, ResourceQuota, ResourceSlice, StatefulSet
            {apply: {apiVersion: v1, kind: Secret}} | steps[0].apply is a Secret of apiVersion "v1": it does not decide which pods get devices; allowed: one of ConfigMap, CronJob, DaemonSet, Deployment, DeviceClass, DeviceTaintRule, FakeGpu, Job, JobSet, LeaderWorkerSet, LimitRange, Namespace, Node, Pod, PodDisruptionBudget, PodGroup, PriorityClass, ReplicaSet, ReplicationController, ResourceClaim, ResourceClaimTemplate, ResourceQuota, ResourceSlice, StatefulSet
            {apply: {apiVersion: resource.k8s.io/v1, kind: ResourceCliam}} | steps[0].apply.kind: "ResourceCliam" is not known (did you mean "ResourceClaim"?)
            {apply: {apiVersion: resource.k8s/v1, kind: ResourceClaim}} | steps[0].apply.apiVersion: "resource.k8s/v1" is not read (did you mean "resource.k8s.io/v1"?)
            {apply: {kind: Pod}} | steps[0].apply.apiVersion is missing; allowed: v1
            {apply: {apiVersion: v1, kind: Pod, spec: {containers: [{name: c, image: i}]}}} | steps[0].apply.metadata.name is missing; allowed: the name of the Pod
            {apply: {apiVersion: v1, kind: Pod, metadata: {name: a}}} | steps[0].apply.spec is missing; allowed: an object
            {apply: {apiVersion: v1, kind: Pod, metadata: {name: a, lables: {}}, spec: {containers: c}}} | steps[0].apply.metadata.lables is not a field (did you mean "labels"?); allowed: annotations, creationTimestamp, deletionGracePeriodSeconds, deletionTimestamp, finalizers, generateName, generation, labels, managedFields, name, namespace, ownerReferences, resourceVersion, selfLink, uid; steps[0].apply.spec.containers: "c" has another shape; allowed: a list
            {change: text} | steps[0].change: "text" is not valid; allowed: an object with object, patch
            {change: {object: pod/a}} | steps[0].change.patch is missing; allowed: a JSON merge patch, such as {spec: {count: 2}}
            {change: {object: a, patch: {}}} | steps[0].change.object: "a" is not valid; allowed: kind/name or kind/namespace/name, such as pod/pod-a
            {change: {object: fakegpu/a, patch: {spec: {partitons: {}}}}} | steps[0].change.patch.spec.partitons is not a field (did you mean "partitions"?)
            {change: {object: fakegpu/a, patch: {spec: {partitions: {mig: {profils: []}}}}}} | steps[0].change.patch.spec.partitions.mig.profils is not a field (did you mean "profiles"?); allowed: profiles, static
            {change: {object: fakegpu/a, patch: {spec: {faults: [{name: f, operation: prepare}]}}}} | steps[0].change.patch.spec.faults[0].operation: "prepare" is not known (did you mean "Prepare"?); allowed: Prepare, Unprepare
            {change: {object: fakegpu/a, patch: {spec: {count: two, nodes: []}}}} | steps[0].change.patch.spec.count: "two" has another shape; allowed: an integer; steps[0].change.patch.spec.nodes: "[]" has another shape; allowed: an object
            {change: {object: fakegpu/a, patch: {spec: null}}} | steps[0].change.patch.spec cannot be removed
            {change: {object: pod/a, patch: {metadata: {name: b}}}} | steps[0].change.patch.metadata.name: "b" cannot be changed
            {change: {object: resourceclaim/c, patch: {spec: {devises: {}}}}} | steps[0].change.patch.spec.devises is not a field (did you mean "devices"?); allowed: devices
            {delete: resourcecliam/c} | steps[0].delete has the kind "resourcecliam", which is not known (did you mean "resourceclaim"?)
            {delete: {pod: a}} | steps[0].delete: "{"pod":"a"}" is not valid; allowed: kind/name or kind/namespace/name, such as pod/pod-a
            {fault: {fakeGpu: [a], fault: {name: f}}} | steps[0].fault.fakeGpu: "["a"]" is not valid; allowed: the name of a FakeGpu
            {fault: {fakeGpu: a}} | steps[0].fault.fault is missing; allowed: an entry of spec.faults, with a name
            {fault: {fakeGpu: a, fault: {name: f, operaton: Prepare, devices: gpu-0}}} | steps[0].fault.fault.operaton is not a field (did you mean "operation"?); allowed: after, at, claims, delay, devices, effect, for, health, message, name, operation, since, taint, when; steps[0].fault.fault.devices: "gpu-0" has another shape; allowed: an object
            {expect: []} | steps[0].expect is empty; allowed: at least one entry
            {expect: [{is: Running}]} | steps[0].expect[0] is about nothing; allowed: exactly one of pod, claim, count, object, condition, event and published
            {expect: {pod: a, claim: b, is: Running}} | steps[0].expect is about pod and claim; allowed: exactly one of pod, claim, count, object, condition, event and published
            {expect: {pod: a, is: runing}} | steps[0].expect.is: "runing" is not valid (did you mean "Running"?); allowed: one of Running, Waiting, Succeeded, Failed, Gone
            {expect: {pod: [a], is: Running, number: 1}} | steps[0].expect.number is not a field; allowed: pod, namespace, is, node, reason, says; steps[0].expect.pod: "["a"]" is not valid; allowed: a string
            {expect: {object: pod/a, is: There}} | steps[0].expect.is: "There" is not valid; allowed: one of Present, Gone
            {expect: {object: fakegpu/a, has: {status: {totls: {devices: 1}}}}} | steps[0].expect.has.status.totls is not a field (did you mean "totals"?); allowed: conditions, faults, observedGeneration, totals
            {expect: {object: fakegpu/a, has: ready}} | steps[0].expect.has: "ready" is not valid; allowed: a part of the object, such as {spec: {count: 2}}
            {expect: {condition: Ready, of: fakegpu/a, is: yes}} | steps[0].expect.is: "yes" is not valid; allowed: one of True, False, Unknown, Absent
            {expect: {condition: Ready, of: fakegup/a, is: True}} | steps[0].expect.of has the kind "fakegup", which is not known (did you mean "fakegpu"?)
            {expect: {event: Published, of: fakegpu/a, reason: b}} | steps[0].expect.reason is not a field; allowed: event, of, says, number
            {expect: {published: gpu-0, of: pod/a}} | steps[0].expect.of: "pod/a" is not valid; allowed: a FakeGpu, such as fakegpu/a100
            {expect: {published: gpu-0, of: fakegpu/a, has: {atributes: {}}}} | steps[0].expect.has.atributes is not a field (did you mean "attributes"?); allowed: allNodes, allowMultipleAllocations, attributes, bindingConditions, bindingFailureConditions, bindsToNode, capacity, consumesCounters, name, nodeAllocatableResources, nodeName, nodeSelector, taints
            {expect: {count: pod, is: Running}} | steps[0].expect.count: "pod" is not valid (did you mean "pods"?); allowed: pods or claims; steps[0].expect.number is missing; allowed: an integer: how many
            {expect: {count: pods, is: Running, number: many}} | steps[0].expect.number: "many" is not valid; allowed: an integer: how many
            """)
    void aStepThatCannotBePlayedIsRefused(String step, String expected) {
        assertThat(problems("{apiVersion: fakegpu.dev/v1alpha1, kind: Scenario, steps: [%s]}".formatted(step)))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {steps: [{wait: 1s}]} | apiVersion is missing; allowed: fakegpu.dev/v1alpha1
            {apiVersion: fakegpu.dev/v1alpha1} | steps is missing; allowed: a list of steps
            {apiVersion: fakegpu.dev/v1alpha1, steps: {wait: 1s}} | steps: "{"wait":"1s"}" is not valid; allowed: a list of steps
            {apiVersion: fakegpu.dev/v1alpha1, steps: [{wait: 1s}], stepps: []} | stepps is not a field (did you mean "steps"?); allowed: apiVersion, kind, metadata, scheduler, steps
            {apiVersion: fakegpu.dev/v1alpha1, scheduler: kub, steps: [{wait: 1s}]} | scheduler: "kub" is not valid (did you mean "kube"?); allowed: one of companion, kube
            """)
    void aScenarioWithoutStepsIsRefused(String scenario, String expected) {
        assertThat(problems(scenario)).isEqualTo(expected);
    }

    @Test
    void allProblemsAreNamed() {
        assertThat(problems("{apiVersion: fakegpu.dev/v1alpha1, steps: [{wait: soon}, {delete: a}]}"))
                .contains("steps[0].wait", "steps[1].delete");
    }

    private static String problems(String yaml) {
        JsonNode scenario = Serialization.unmarshal("---\n" + yaml, JsonNode.class);
        var refused = catchThrowableOfType(
                SimulationException.class, () -> ScenarioManifest.read(scenario, ScenarioErrorsTest::noFile));
        return String.join("; ", refused.messages());
    }

    private static List<JsonNode> noFile(String path) {
        throw new SimulationException("cannot read " + path + ": no such file");
    }
}
