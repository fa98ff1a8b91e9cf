package dev.fakegpu.evidence;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A namespace, nodes with a pool each, and pods that are created one after the other. It records its steps. */
final class Experiment {

    static final String ALLOCATED = "allocated";
    static final String WAITS = "waits";

    private final Lab lab;
    private final String name;
    private final List<String> nodes;
    private final StringBuilder steps = new StringBuilder();
    private Published hardware;

    Experiment(Lab lab, String name, Published hardware, int nodes) {
        this.lab = lab;
        this.name = name;
        this.hardware = hardware;
        this.nodes =
                IntStream.range(0, nodes).mapToObj(i -> name + "-node-" + i).toList();
        note(lab.gates());
        lab.apply(Manifests.namespace(name));
        this.nodes.forEach(node -> lab.apply(Manifests.node(node)));
        this.nodes.stream().flatMap(node -> hardware.slices(node).stream()).forEach(this::apply);
        settle();
    }

    void note(String text) {
        steps.append("# ").append(text).append('\n');
    }

    private void apply(String yaml) {
        steps.append("---\n").append(yaml);
        lab.apply(yaml);
    }

    /** Waits until the scheduler knows what was stored. */
    void settle() {
        lab.settle(nodes.get(nodes.size() - 1));
    }

    /** Publishes other devices on the same counter sets, as a driver does. */
    void publish(Published changed) {
        hardware = changed;
        note("the driver publishes:");
        nodes.forEach(node -> apply(hardware.deviceSlice(node)));
        settle();
    }

    /** Writes the slices again with an annotation and unchanged devices. */
    void touch() {
        note("the driver writes the slice again, with an annotation");
        for (String node : nodes) {
            var slice = lab.client()
                    .genericKubernetesResources("resource.k8s.io/v1", "ResourceSlice")
                    .withName(node + "-devices")
                    .require();
            slice.getMetadata().getAnnotations().put("example.com/touched", "true");
            lab.client().resource(slice).update();
        }
        settle();
    }

    /** Adds a taint to one device that no claim tolerates. */
    void taint(String device) {
        apply("""
                apiVersion: resource.k8s.io/v1
                kind: DeviceTaintRule
                metadata: {name: %s}
                spec:
                  deviceSelector: {driver: %s, pool: %s, device: %s}
                  taint: {key: example.com/broken, effect: NoSchedule}
                """.formatted(name, hardware.driver(), pools().get(0), device));
    }

    List<String> pools() {
        return nodes.stream().map(node -> node + "-pool").toList();
    }

    /** Creates a ResourcePoolStatusRequest. */
    void ask(String request, String pool) {
        apply("""
                apiVersion: resource.k8s.io/v1alpha3
                kind: ResourcePoolStatusRequest
                metadata: {name: %s}
                spec: {driver: %s, poolName: %s}
                """.formatted(request, hardware.driver(), pool));
    }

    /** Creates a pod with a claim for one device of each type, or for any device. Returns whether it is allocated or waits. */
    String pod(String pod, String... types) {
        return pod(pod, "", Manifests.requests(hardware.driver(), types));
    }

    String pod(String pod, String more, List<String> requests) {
        apply(Manifests.claim(name, pod, more, requests));
        apply(Manifests.pod(name, pod, nodes.toArray(String[]::new)));
        Lab.await(
                "a decision about " + pod,
                () -> lab.isBound(name, pod) || lab.refusal(name, pod).isPresent());
        String outcome = outcome(pod);
        note(pod + ": " + outcome + (outcome.equals(ALLOCATED) ? " " + devices(pod) : ""));
        return outcome;
    }

    String outcome(String pod) {
        return lab.isBound(name, pod) ? ALLOCATED : WAITS;
    }

    /** The outcomes of pods, as text for comparisons. */
    String outcomes(String... pods) {
        return Arrays.stream(pods).map(pod -> pod + " " + outcome(pod)).collect(Collectors.joining(", "));
    }

    /** Waits until a pod that waited is allocated. */
    String becomesAllocated(String pod) {
        Lab.await(pod + " to be allocated", () -> lab.isBound(name, pod));
        note(pod + ": " + ALLOCATED);
        return ALLOCATED;
    }

    String refusal(String pod) {
        return lab.refusal(name, pod).orElse("");
    }

    String node(String pod) {
        return String.valueOf(lab.pod(name, pod).getSpec().getNodeName());
    }

    List<String> devices(String pod) {
        var devices = new ArrayList<String>();
        allocation(pod)
                .path("devices")
                .path("results")
                .forEach(result -> devices.add(result.path("device").asText()));
        return devices;
    }

    JsonNode allocation(String pod) {
        return claim(pod).path("status").path("allocation");
    }

    /** The stored claim of a pod. */
    JsonNode claim(String pod) {
        return Serialization.jsonMapper()
                .valueToTree(lab.client()
                        .genericKubernetesResources("resource.k8s.io/v1", "ResourceClaim")
                        .inNamespace(name)
                        .withName(pod)
                        .require());
    }

    /** The stored groups of each device with groups on the first node. */
    String storedGroups() {
        var groups = new ArrayList<String>();
        for (JsonNode device : storedSlice("devices").path("spec").path("devices")) {
            for (JsonNode draw : device.path("consumesCounters")) {
                if (draw.has("compatibilityGroups")) {
                    groups.add(device.path("name").asText() + " " + draw.path("compatibilityGroups"));
                }
            }
        }
        return groups.isEmpty() ? "no groups" : String.join(", ", groups);
    }

    /** The number of stored counter sets and devices that consume counters on the first node. */
    String storedCounters() {
        int sets = storedSlice("counters").path("spec").path("sharedCounters").size();
        int consumers = 0;
        for (JsonNode device : storedSlice("devices").path("spec").path("devices")) {
            consumers += device.has("consumesCounters") ? 1 : 0;
        }
        return "%d counter sets, %d devices that consume counters".formatted(sets, consumers);
    }

    /** @param kind the end of the slice's name */
    JsonNode storedSlice(String kind) {
        return Serialization.jsonMapper()
                .valueToTree(lab.client()
                        .genericKubernetesResources("resource.k8s.io/v1", "ResourceSlice")
                        .withName(nodes.get(0) + "-" + kind)
                        .require());
    }

    /** Releases the claim of an ended pod, because there is no kube-controller-manager that does it. */
    void release(String pod) {
        note(pod + " and its claim are deleted");
        lab.client().pods().inNamespace(name).withName(pod).withGracePeriod(0).delete();
        var claim =
                lab.client().resources(ResourceClaim.class).inNamespace(name).withName(pod);
        claim.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":null}}");
        claim.delete();
    }

    Check check(String id, Check.Topic topic, String section, String says, String expected, String observed) {
        return new Check(id, topic, section, says, expected, observed, steps.toString());
    }
}
