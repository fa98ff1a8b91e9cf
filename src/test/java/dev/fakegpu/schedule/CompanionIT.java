package dev.fakegpu.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.allocate.Feature;
import dev.fakegpu.allocate.Gate;
import dev.fakegpu.allocate.GroupPolicy;
import dev.fakegpu.api.Labels;
import dev.fakegpu.cel.Selectors;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.events.EventRecorder;
import dev.fakegpu.schedule.fit.PodState;
import dev.fakegpu.testing.AllocationChecker;
import dev.fakegpu.testing.ControlPlaneExtension;
import dev.fakegpu.watch.ClusterWatch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaint;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaintBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The companion with two nodes of two devices each, and a cluster in which nobody else acts: whom it serves, where and when, and what
 * it says to the others.
 */
class CompanionIT {

    private static final String OTHER_NODE = "it-b";

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    private static final DeviceTaint COMPANION_ONLY = new DeviceTaintBuilder()
            .withKey(Labels.ALLOCATOR_TAINT)
            .withValue(Labels.COMPANION)
            .withEffect("NoSchedule")
            .build();

    private final KubernetesClient client = controlPlane.client();
    private final String namespace = "companion-" + UUID.randomUUID().toString().substring(0, 8);
    private final List<HasMetadata> clusterScoped = new ArrayList<>();
    private final AtomicInteger refusals = new AtomicInteger();
    private ClusterWatch watch;
    private Companion companion;

    @BeforeAll
    static void definitions() {
        controlPlane.controlPlane().applyFile("crds/fakegpus.fakegpu.dev.yaml");
        controlPlane.controlPlane().applyFile("config/rbac/namespace.yaml");
    }

    @BeforeEach
    void begin() {
        watch = new ClusterWatch(client, "fakegpu-system", "fakegpu-system");
        companion = new Companion(
                client,
                watch,
                new Selectors(),
                new EventRecorder(client, Clock.systemUTC(), "companion-it"),
                new CompanionSettings(
                        watch,
                        new CompanionOptions(Feature.all(), Gate.ON, GroupPolicy.SNAPSHOT, Duration.ofMinutes(10), 4)),
                () -> true,
                (result, gate, policy) -> {
                    if (result == DecisionListener.Result.UNSCHEDULABLE) {
                        refusals.incrementAndGet();
                    }
                },
                Clock.systemUTC());
        create("""
                apiVersion: v1
                kind: Namespace
                metadata: {name: %s}
                ---
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: it}
                spec: {driver: it.example.com, nodes: {names: [it-a, it-b]}, model: A100-SXM4-40GB}
                ---
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: it.example.com}
                spec: {selectors: [{cel: {expression: "device.driver == 'it.example.com'"}}]}
                """.formatted(namespace));
        node("it-a");
        node(OTHER_NODE);
        slice("it-a", "[{name: gpu-0}, {name: gpu-1}]");
        slice(OTHER_NODE, "[{name: gpu-0}, {name: gpu-1}]");
        watch.start();
        companion.start();
    }

    @AfterEach
    void end() {
        companion.close();
        watch.close();
        pods().forEach(pod -> client.resource(pod).withGracePeriod(0).delete());
        claims().forEach(claim -> {
            client.resource(claim).patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":null}}");
            client.resource(claim).delete();
        });
        clusterScoped.forEach(object -> client.resource(object).delete());
    }

    // --- nodes

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{spec: {unschedulable: true}} | {spec: {unschedulable: null}} | node(s) were unschedulable",
                "{spec: {taints: [{key: a, value: b, effect: NoSchedule}]}} | {spec: {taints: null}} | node(s) had untolerated taint {a: b}",
                "{metadata: {labels: {disk: slow}}} | {metadata: {labels: {disk: fast}}} | node(s) didn't match Pod's node affinity/selector"
            })
    void nodeIsUsedOnceNothingSpeaksAgainstItAnyMore(String before, String after, String reason) {
        // Given
        changeNode("it-a", before);
        pod(
                "pod",
                "{nodeSelector: {name: it-a}, affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                        + " {nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: NotIn, values: [slow]}]}]}}}}");
        assertThat(awaitRefused("pod")).contains(reason);

        // When
        changeNode("it-a", after);

        // Then
        assertThat(awaitNode("pod")).isEqualTo("it-a");
    }

    @Test
    void nodeIsUsedOnceItIsReady() {
        // Given
        readiness("it-a", "False");
        readiness(OTHER_NODE, "Unknown");
        pod("pod", "{}");
        assertThat(awaitRefused("pod")).contains("2 node(s) were not ready");

        // When
        readiness(OTHER_NODE, "True");

        // Then
        assertThat(awaitNode("pod")).isEqualTo(OTHER_NODE);
    }

    @Test
    void podThatToleratesATaintIsServed() {
        // Given
        changeNode("it-a", "{spec: {taints: [{key: a, value: b, effect: NoExecute}]}}");
        changeNode(OTHER_NODE, "{spec: {unschedulable: true}}");

        // When
        pod("pod", "{tolerations: [{key: a, operator: Exists}]}");

        // Then
        assertThat(awaitNode("pod")).isEqualTo("it-a");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"pods: 1 | Too many pods", "memory: 1Gi | Insufficient memory", "cpu: 1 | Insufficient cpu"})
    void podsOfANodeTakeWhatTheyRequestUntilTheyAreGone(String allocatable, String reason) {
        // Given
        client.nodes()
                .withName("it-a")
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), json("{status: {allocatable: {" + allocatable + "}}}"));
        var spec =
                "{nodeSelector: {name: it-a}, containers: [{name: main, image: i, resources: {requests: {cpu: 1, memory: 600Mi}}}]}";
        var light = "{nodeSelector: {name: it-a}}";
        String first = allocatable.startsWith("pods") ? light : spec;
        pod("first", first);
        awaitNode("first");

        // When
        pod("second", first);

        // Then
        assertThat(awaitRefused("second")).contains("1 " + reason);

        // When
        delete("first");

        // Then
        awaitNode("second");
    }

    @Test
    void podWithASchedulingGateIsNotLookedAt() {
        // Given
        pod("gated", "{schedulingGates: [{name: example.com/not-yet}]}");
        pod("other", "{}");
        awaitNode("other");
        assertThat(claim("gated").getMetadata().getFinalizers()).isEmpty();
        assertThat(stored("gated").getSpec().getNodeName()).isNull();

        // When
        client.pods()
                .inNamespace(namespace)
                .withName("gated")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"schedulingGates\":null}}");

        // Then
        awaitNode("gated");
    }

    // --- claims that are allocated already, pods that have a node already

    @Test
    void podGoesWhereItsAllocatedClaimCanBeUsed() {
        // Given
        pod("holder", "{nodeSelector: {name: it-a}}");
        awaitNode("holder");

        // When
        podWithClaim("elsewhere", "holder", "{nodeSelector: {name: it-b}}");
        podWithClaim("anywhere", "holder", "{}");

        // Then
        assertThat(awaitNode("anywhere")).isEqualTo("it-a");
        assertThat(awaitRefused("elsewhere")).contains("1 node(s) cannot use an allocated ResourceClaim of the pod");
        assertThat(reservedFor("holder")).containsExactlyInAnyOrder("holder", "anywhere");
    }

    @Test
    void podThatHasANodeIsServedThereOrToldWhyNot() {
        // When
        changeNode(OTHER_NODE, "{spec: {unschedulable: true}}"); // whoever chose the node has seen that
        pod("first", "{nodeName: it-b}");
        pod("second", "{nodeName: it-b}");
        awaitAllocated("first");
        awaitAllocated("second");
        pod("third", "{nodeName: it-b}");
        pod("nowhere", "{nodeName: no-such-node}");

        // Then
        assertThat(List.of(device("first"), device("second")))
                .containsExactlyInAnyOrder("it-b/it/gpu-0", "it-b/it/gpu-1");
        assertThat(awaitEvent("third"))
                .startsWith("on node it-b, where the pod is already: no device for request \"gpu\": gpu-0 is held by "
                        + namespace);
        assertThat(awaitEvent("nowhere"))
                .isEqualTo("on node no-such-node, where the pod is already: there is no such node");
        assertThat(isAllocated("third")).isFalse();
        assertThat(isAllocated("nowhere")).isFalse();
    }

    @Test
    void whatSomebodyElseAllocatedIsHeld() {
        // Given
        changeNode(OTHER_NODE, "{spec: {unschedulable: true}}");
        createClaim("by-hand");
        allocateByHand("by-hand", "it-a/it", "gpu-0");

        // When
        pod("first", "{}");
        assertThat(awaitNode("first")).isEqualTo("it-a");
        pod("second", "{}");

        // Then
        assertThat(device("first")).isEqualTo("it-a/it/gpu-1");
        assertThat(awaitRefused("second")).contains("gpu-0 is held by " + namespace + "/by-hand");

        // When
        podWithClaim("owner", "by-hand", "{}");

        // Then
        assertThat(awaitNode("owner")).isEqualTo("it-a");
        assertThat(device("by-hand")).isEqualTo("it-a/it/gpu-0");
        assertPossible();
    }

    /** The allocation of the pod's claim, written by somebody else while the pod waits, is as good as one of the companion. */
    @Test
    void podWhoseClaimSomebodyElseAllocatesMeanwhileIsServedWithThat() {
        // Given
        IntStream.range(0, 4).forEach(number -> pod("holder-" + number, "{}"));
        IntStream.range(0, 4).forEach(number -> awaitNode("holder-" + number));
        pod("waiting", "{}");
        awaitRefused("waiting");

        // When
        slice("it-b", "other", "[{name: spare, taints: [{key: no, effect: NoSchedule}]}]");
        allocateByHand("waiting", "it-b/other", "spare");

        // Then
        assertThat(awaitNode("waiting")).isEqualTo("it-b");
        assertThat(reservedFor("waiting")).containsExactly("waiting");
    }

    // --- how many, and in which order

    /** 255 reservations are written by hand; by whom else than pods is nobody's business, and so they stay. */
    @Test
    void noMoreReservationsThanTheApiAllows() {
        // Given
        pod("first", "{}");
        awaitNode("first");
        var full = new ResourceClaimBuilder(claim("first"));
        for (int number = 0; number < PodBlockers.MOST_RESERVATIONS - 1; number++) {
            full.editStatus()
                    .addNewReservedFor()
                    .withApiGroup("example.com")
                    .withResource("others")
                    .withName("other-" + number)
                    .withUid("other-" + number)
                    .endReservedFor()
                    .endStatus();
        }
        client.resource(full.build()).updateStatus();

        // When
        podWithClaim("last", "first", "{}");

        // Then
        assertThat(awaitRefused("last"))
                .isEqualTo(
                        "ResourceClaim \"first\" is reserved for 256 consumers, which is the most that the API allows");

        // When
        delete("first");

        // Then
        assertThat(awaitNode("last")).isEqualTo("it-a");
        assertThat(reservedFor("first"))
                .hasSize(PodBlockers.MOST_RESERVATIONS)
                .contains("last")
                .doesNotContain("first");
    }

    /** It can be reserved for one after the other only. */
    @Test
    void allPodsOfAClaimGetTheirTurn() {
        // Given
        changeNode("it-a", "{spec: {unschedulable: true}}");
        changeNode(OTHER_NODE, "{spec: {unschedulable: true}}");
        createClaim("shared");
        IntStream.range(0, 60).forEach(number -> podWithClaim("pod-" + number, "shared", "{}"));
        awaitRefused("pod-59");

        // When
        changeNode("it-a", "{spec: {unschedulable: null}}");

        // Then
        await(() -> assertThat(pods()).allMatch(PodState::isBound));
        assertThat(reservedFor("shared")).hasSize(60);
    }

    @Test
    void theMostImportantComeFirstAndThenTheOldest() {
        // Given
        create("""
                apiVersion: scheduling.k8s.io/v1
                kind: PriorityClass
                metadata: {name: companion-it-high}
                value: 1000
                ---
                apiVersion: scheduling.k8s.io/v1
                kind: PriorityClass
                metadata: {name: companion-it-low}
                value: -1000
                """);
        changeNode(OTHER_NODE, "{spec: {unschedulable: true}}");
        pod("holder-0", "{}");
        pod("holder-1", "{}");
        awaitNode("holder-0");
        awaitNode("holder-1");
        List<String> names = List.of("low", "a-usual", "b-usual", "high");
        pod("low", "{priorityClassName: companion-it-low}");
        pod("a-usual", "{}");
        pod("b-usual", "{}");
        createClaim("c-claim", "labels: {fakegpu.dev/allocate: \"true\"}");
        pod("high", "{priorityClassName: companion-it-high}");
        names.forEach(this::awaitRefused);
        var order = List.of("high", "a-usual", "b-usual", "c-claim", "low");

        for (int next = 0; next < order.size(); next++) {
            // When
            delete(next == 0 ? "holder-0" : order.get(next - 1));

            // Then
            awaitAllocated(order.get(next));
            assertThat(order.subList(next + 1, order.size())).noneMatch(this::isAllocated);
        }
        assertPossible();
    }

    /** Those who want less do not wait for it, and it gets its turn when there is enough. */
    @Test
    void whoWantsMoreThanThereIsKeepsNobodyWaiting() {
        // Given
        changeNode(OTHER_NODE, "{spec: {unschedulable: true}}");
        pod("first", "{}");
        awaitNode("first");
        create("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: both}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: it.example.com, count: 2}}]}}
                """);
        podWithClaim("both", "both", "{}");
        awaitRefused("both");

        // When
        pod("second", "{}");

        // Then
        awaitNode("second");

        // When
        delete("first");
        delete("second");

        // Then
        awaitNode("both");
    }

    // --- when it looks again

    @Test
    void nobodyIsLookedAtAgainWhileNothingChangesThatCouldHelp() {
        // Given
        IntStream.range(0, 4).forEach(number -> pod("holder-" + number, "{}"));
        IntStream.range(0, 4).forEach(number -> awaitNode("holder-" + number));
        pod("waiting", "{}");
        awaitRefused("waiting");
        int before = refusals.get();
        // When
        IntStream.range(0, 20).forEach(number -> {
            readiness("it-a", "True"); // a heartbeat
            changeLabels("waiting", number);
            changeLabels("holder-0", number);
            createClaim("unrelated-" + number);
        });
        create("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: companion-it-other}
                spec:
                  driver: other.example.com
                  nodeName: it-a
                  pool: {name: other, generation: 1, resourceSliceCount: 1}
                  devices: [{name: gpu-0}]
                """);
        podWithoutClaim("last");
        awaitNode("last"); // and so all before it has been seen

        // Then
        assertThat(refusals).hasValue(before);

        // When
        delete("holder-3");

        // Then
        awaitNode("waiting");
    }

    @ParameterizedTest
    @ValueSource(strings = {"class", "slice", "node", "taint"})
    void whatIsNewIsTried(String what) {
        // Given
        IntStream.range(0, 4).forEach(number -> pod("holder-" + number, "{}"));
        IntStream.range(0, 4).forEach(number -> awaitNode("holder-" + number));
        if (what.equals("taint")) {
            slice("it-a", "more", "[{name: spare, taints: [{key: no, effect: NoSchedule}]}]");
        }
        if (what.equals("class")) {
            slice("it-a", "more", "[{name: spare}]");
        }
        create("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: waiting}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: %s}}]}}
                """.formatted(what.equals("class") ? "new.example.com" : "it.example.com"));
        podWithClaim("waiting", "waiting", "{}");
        awaitRefused("waiting");

        // When
        switch (what) {
            case "class" -> create("""
                    apiVersion: resource.k8s.io/v1
                    kind: DeviceClass
                    metadata: {name: new.example.com}
                    spec: {selectors: [{cel: {expression: "device.driver == 'it.example.com'"}}]}
                    """);
            case "slice" -> slice("it-a", "more", "[{name: spare}]");
            case "node" -> {
                slice("it-c", "[{name: gpu-0}]");
                node("it-c");
            }
            default ->
                client.resources(ResourceSlice.class).withName("it-a-more").edit(slice -> {
                    slice.getSpec().getDevices().get(0).setTaints(List.of(COMPANION_ONLY));
                    return slice;
                });
        }

        // Then
        awaitNode("waiting");
        assertPossible();
    }

    // --- settings

    @Test
    void groupPolicyCanBeChangedWhileItRuns() {
        // Given
        changeNode("it-a", "{spec: {unschedulable: true}}");
        changeNode(OTHER_NODE, "{spec: {unschedulable: true}}");
        node("it-c");
        create("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: it-c-counters, labels: {fakegpu.dev/fakegpu: it}}
                spec:
                  driver: it.example.com
                  nodeName: it-c
                  pool: {name: it-c/it, generation: 1, resourceSliceCount: 2}
                  sharedCounters: [{name: gpu-0, counters: {slices: {value: "2"}}}]
                ---
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: it-c, labels: {fakegpu.dev/fakegpu: it}}
                spec:
                  driver: it.example.com
                  nodeName: it-c
                  pool: {name: it-c/it, generation: 1, resourceSliceCount: 2}
                  devices:
                  - name: mig
                    consumesCounters: [{counterSet: gpu-0, compatibilityGroups: [mig], counters: {slices: {value: "1"}}}]
                  - name: vgpu
                    consumesCounters: [{counterSet: gpu-0, compatibilityGroups: [vgpu], counters: {slices: {value: "1"}}}]
                """);
        pod("holder", "{}");
        awaitNode("holder");
        client.resources(ResourceSlice.class).withName("it-c").edit(slice -> {
            slice.getSpec()
                    .getDevices()
                    .forEach(device -> device.getConsumesCounters().get(0).setCompatibilityGroups(List.of("vgpu")));
            return slice;
        });
        pod("waiting", "{}");
        assertThat(awaitRefused("waiting")).contains("held with group \"mig\" by " + namespace + "/holder");

        // When
        create("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: fakegpu-operator, namespace: fakegpu-system}
                data: {companion.groupPolicy: Live}
                """);

        // Then
        awaitNode("waiting");

        // When
        client.configMaps()
                .inNamespace("fakegpu-system")
                .withName("fakegpu-operator")
                .delete();
        delete("waiting");
        Awaitility.await().until(() -> !isAllocated("waiting"));
        pod("again", "{}");

        // Then
        awaitRefused("again");
    }

    // --- helpers

    private void node(String name) {
        create("""
                apiVersion: v1
                kind: Node
                metadata: {name: %1$s, labels: {name: %1$s, kubernetes.io/hostname: %1$s}}
                """.formatted(name));
        // The API server taints new nodes, and nobody is there to take that away.
        client.nodes().withName(name).patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"taints\":null}}");
        client.nodes()
                .withName(name)
                .subresource("status")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        json("{status: {allocatable: {pods: 100, cpu: 8, memory: 16Gi}}}"));
        readiness(name, "True");
    }

    private void readiness(String node, String status) {
        client.nodes()
                .withName(node)
                .subresource("status")
                .patch(
                        PatchContext.of(PatchType.STRATEGIC_MERGE),
                        json("{status: {conditions: [{type: Ready, status: \"%s\", lastHeartbeatTime: \"%s\"}]}}"
                                .formatted(status, Clock.systemUTC().instant())));
    }

    private void changeNode(String node, String patch) {
        client.nodes().withName(node).patch(PatchContext.of(PatchType.JSON_MERGE), json(patch));
    }

    private void changeLabels(String pod, int number) {
        client.pods()
                .inNamespace(namespace)
                .withName(pod)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        json("{metadata: {labels: {number: \"%d\"}}}".formatted(number)));
    }

    private void slice(String node, String devices) {
        slice(node, "it", devices);
    }

    private void slice(String node, String pool, String devices) {
        create("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: %1$s-%2$s, labels: {fakegpu.dev/fakegpu: it}}
                spec:
                  driver: it.example.com
                  nodeName: %1$s
                  pool: {name: %1$s/%2$s, generation: 1, resourceSliceCount: 1}
                  devices: %3$s
                """.formatted(node, pool, devices));
    }

    private void createClaim(String name) {
        createClaim(name, "");
    }

    private void createClaim(String name, String metadata) {
        create("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: %s%s}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: it.example.com}}]}}
                """.formatted(name, metadata.isEmpty() ? "" : ", " + metadata));
    }

    /** With a claim of its own, of the same name. */
    private void pod(String name, String spec) {
        createClaim(name);
        podWithClaim(name, name, spec);
    }

    private void podWithClaim(String name, String claim, String spec) {
        pod(name, spec, "resourceClaims: [{name: gpu, resourceClaimName: " + claim + "}]");
    }

    private void podWithoutClaim(String name) {
        pod(name, "{}", "resourceClaims: []");
    }

    private void pod(String name, String spec, String claims) {
        String more = spec.substring(1, spec.length() - 1);
        create("""
                apiVersion: v1
                kind: Pod
                metadata: {name: %s}
                spec: {schedulerName: fakegpu-scheduler, %s%s, %s}
                """.formatted(
                name, more.contains("containers:") ? "" : "containers: [{name: main, image: i}], ", claims, more));
    }

    private void create(String yaml) {
        for (HasMetadata object : client.load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                .items()) {
            if (!(object instanceof Namespaced)) {
                clusterScoped.add(object);
            } else if (object.getMetadata().getNamespace() == null) {
                object.getMetadata().setNamespace(namespace);
            }
            if (object instanceof ResourceSlice slice) {
                // As the publisher does it: nobody else gives these devices away.
                slice.getSpec()
                        .getDevices()
                        .forEach(device -> device.getTaints().add(COMPANION_ONLY));
            }
            client.resource(object).create();
        }
    }

    private String json(String yaml) {
        var serialization = client.getKubernetesSerialization();
        return serialization.asJson(serialization.unmarshal("---\n" + yaml, Object.class));
    }

    /** A pod, or a claim without one. */
    private void delete(String name) {
        client.pods().inNamespace(namespace).withName(name).withGracePeriod(0).delete();
        if (name.endsWith("-claim")) {
            client.resources(ResourceClaim.class)
                    .inNamespace(namespace)
                    .withName(name)
                    .delete();
        }
    }

    private void allocateByHand(String claim, String pool, String device) {
        client.resource(claim(claim))
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), json("""
                        status:
                          allocation:
                            devices:
                              results: [{request: gpu, driver: it.example.com, pool: %s, device: %s}]
                            nodeSelector:
                              nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [%s]}]}]
                        """.formatted(
                                pool, device, pool.substring(0, pool.indexOf('/')))));
    }

    private void await(ThrowingRunnable assertion) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(assertion);
    }

    private String awaitNode(String pod) {
        await(() -> assertThat(stored(pod).getSpec().getNodeName())
                .as("node of %s", pod)
                .isNotNull());
        return stored(pod).getSpec().getNodeName();
    }

    private String awaitRefused(String pod) {
        await(() -> assertThat(refusal(pod)).as("conditions of %s", pod).isNotEmpty());
        return refusal(pod);
    }

    private String refusal(String pod) {
        return stored(pod).getStatus().getConditions().stream()
                .filter(condition -> "Unschedulable".equals(condition.getReason()))
                .map(condition -> condition.getMessage())
                .findFirst()
                .orElse("");
    }

    private String awaitEvent(String pod) {
        await(() -> assertThat(events(pod)).isNotEmpty());
        return events(pod).get(0);
    }

    private List<String> events(String pod) {
        return client.v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> event.getInvolvedObject().getName().equals(pod))
                .map(event -> event.getMessage())
                .toList();
    }

    private void awaitAllocated(String claim) {
        await(() -> assertThat(isAllocated(claim)).as("allocation of %s", claim).isTrue());
    }

    private boolean isAllocated(String claim) {
        return Allocations.isAllocated(claim(claim));
    }

    /** As {@code pool/device}. */
    private String device(String claim) {
        var result = Allocations.results(claim(claim)).get(0);
        return result.getPool() + "/" + result.getDevice();
    }

    private List<String> reservedFor(String claim) {
        return claim(claim).getStatus().getReservedFor().stream()
                .map(consumer -> consumer.getName())
                .toList();
    }

    private void assertPossible() {
        assertThat(AllocationChecker.problems(
                        client.resources(ResourceSlice.class).list().getItems(), claims()))
                .isEmpty();
    }

    private Pod stored(String pod) {
        return client.pods().inNamespace(namespace).withName(pod).require();
    }

    private ResourceClaim claim(String name) {
        return client.resources(ResourceClaim.class)
                .inNamespace(namespace)
                .withName(name)
                .require();
    }

    private List<Pod> pods() {
        return client.pods().inNamespace(namespace).list().getItems();
    }

    private List<ResourceClaim> claims() {
        return client.resources(ResourceClaim.class)
                .inNamespace(namespace)
                .list()
                .getItems();
    }
}
