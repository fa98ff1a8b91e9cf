package dev.fakegpu.operator.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.api.Labels;
import dev.fakegpu.engine.allocate.Feature;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.kube.events.EventRecorder;
import dev.fakegpu.kube.watch.ClusterWatch;
import dev.fakegpu.kube.watch.ObjectStore;
import dev.fakegpu.operator.schedule.report.DecisionListener;
import dev.fakegpu.operator.schedule.settings.CompanionOptions;
import dev.fakegpu.operator.schedule.settings.CompanionSettings;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaint;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaintBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A companion for each test, with two nodes that have two devices each, in a cluster without other controllers. */
abstract class CompanionCluster extends CompanionNamespace {

    static final CompanionOptions OPTIONS =
            new CompanionOptions(Feature.all(), GroupsGate.ON, GroupPolicy.SNAPSHOT, Duration.ofMinutes(10), 4);

    static final String OTHER_NODE = "it-b";

    static final DeviceTaint COMPANION_ONLY = new DeviceTaintBuilder()
            .withKey(Labels.ALLOCATOR_TAINT)
            .withValue(Labels.COMPANION)
            .withEffect("NoSchedule")
            .build();

    final List<HasMetadata> clusterScoped = new ArrayList<>();
    final AtomicInteger refusals = new AtomicInteger();
    ClusterWatch watch;
    Companion companion;

    @BeforeAll
    static void definitions() {
        controlPlane.controlPlane().applyFile("crds/fakegpus.fakegpu.dev.yaml");
        controlPlane.controlPlane().applyFile("config/rbac/namespace.yaml");
    }

    @BeforeEach
    void begin() {
        KubernetesClient ofCompanion = clientOfCompanion();
        watch = new ClusterWatch(ofCompanion, "fakegpu-system", "fakegpu-system");
        companion = new CompanionBuilder(
                        ofCompanion,
                        watch,
                        new EventRecorder(ofCompanion, Clock.systemUTC(), Ticker.SYSTEM, "companion-it"),
                        new CompanionSettings(watch, OPTIONS))
                .listener((result, gate, policy) -> {
                    if (result == DecisionListener.Result.UNSCHEDULABLE) {
                        refusals.incrementAndGet();
                    }
                })
                .build();
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
        awaitSeen();
    }

    KubernetesClient clientOfCompanion() {
        return client;
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

    void node(String name) {
        create("""
                apiVersion: v1
                kind: Node
                metadata: {name: %1$s, labels: {name: %1$s, kubernetes.io/hostname: %1$s}}
                """.formatted(name));
        // The API server taints new nodes, and there is no controller that removes the taint.
        client.nodes().withName(name).patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"taints\":null}}");
        client.nodes()
                .withName(name)
                .subresource("status")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        json("{status: {allocatable: {pods: 100, cpu: 8, memory: 16Gi}}}"));
        readiness(name, "True");
    }

    void readiness(String node, String status) {
        client.nodes()
                .withName(node)
                .subresource("status")
                .patch(
                        PatchContext.of(PatchType.STRATEGIC_MERGE),
                        json("{status: {conditions: [{type: Ready, status: \"%s\", lastHeartbeatTime: \"%s\"}]}}"
                                .formatted(status, Clock.systemUTC().instant())));
    }

    void changeNode(String node, String patch) {
        client.nodes().withName(node).patch(PatchContext.of(PatchType.JSON_MERGE), json(patch));
        awaitSeen();
    }

    void changeSlice(String name, UnaryOperator<ResourceSlice> change) {
        client.resources(ResourceSlice.class).withName(name).edit(change);
        awaitSeen();
    }

    void deleteSlice(String name) {
        client.resources(ResourceSlice.class).withName(name).delete();
        awaitSeen();
    }

    /**
     * Waits until the companion has seen all stored nodes, slices and classes. Events of one kind may arrive later than those of claims and
     * pods that are created after them, and an allocation that is based on an older state is not undone.
     */
    void awaitSeen() {
        await(() -> {
            assertSeen(Node.class, watch.nodes());
            assertSeen(ResourceSlice.class, watch.slices());
            assertSeen(DeviceClass.class, watch.deviceClasses());
        });
    }

    private <T extends HasMetadata> void assertSeen(Class<T> type, ObjectStore<T> seen) {
        assertThat(versions(seen.list()))
                .isEqualTo(versions(client.resources(type).list().getItems()));
    }

    private static Map<String, String> versions(Collection<? extends HasMetadata> objects) {
        return objects.stream()
                .map(HasMetadata::getMetadata)
                .collect(Collectors.toMap(ObjectMeta::getName, ObjectMeta::getResourceVersion));
    }

    void changeLabels(String pod, int number) {
        client.pods()
                .inNamespace(namespace)
                .withName(pod)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        json("{metadata: {labels: {number: \"%d\"}}}".formatted(number)));
    }

    void slice(String node, String devices) {
        slice(node, "it", devices);
    }

    void slice(String node, String pool, String devices) {
        create("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: %1$s-%2$s, %4$s}
                spec:
                  driver: it.example.com
                  nodeName: %1$s
                  pool: {name: %1$s/%2$s, generation: 1, resourceSliceCount: 1}
                  devices: %3$s
                """.formatted(node, pool, devices, ofFakeGpu()));
    }

    /** The metadata of an object that belongs to the FakeGpu. */
    String ofFakeGpu() {
        var owner = client.resources(FakeGpu.class).withName("it").require();
        return "labels: {fakegpu.dev/fakegpu: it}, ownerReferences: [%s]"
                .formatted(client.getKubernetesSerialization().asJson(FakeGpuOwner.reference(owner)));
    }

    void createClaim(String name) {
        createClaim(name, "");
    }

    void createClaim(String name, String metadata) {
        create("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: %s%s}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: it.example.com}}]}}
                """.formatted(name, metadata.isEmpty() ? "" : ", " + metadata));
    }

    /** Creates a pod with its own claim, which has the same name. */
    void pod(String name, String spec) {
        createClaim(name);
        podWithClaim(name, name, spec);
    }

    void podWithClaim(String name, String claim, String spec) {
        pod(name, spec, "resourceClaims: [{name: gpu, resourceClaimName: " + claim + "}]");
    }

    void podWithoutClaim(String name) {
        pod(name, "{}", "resourceClaims: []");
    }

    void pod(String name, String spec, String claims) {
        String more = spec.substring(1, spec.length() - 1);
        create("""
                apiVersion: v1
                kind: Pod
                metadata: {name: %s}
                spec: {schedulerName: fakegpu-scheduler, %s%s, %s}
                """.formatted(
                name, more.contains("containers:") ? "" : "containers: [{name: main, image: i}], ", claims, more));
    }

    void create(String yaml) {
        int before = clusterScoped.size();
        for (HasMetadata object : client.load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                .items()) {
            if (!(object instanceof Namespaced)) {
                clusterScoped.add(object);
            } else if (object.getMetadata().getNamespace() == null) {
                object.getMetadata().setNamespace(namespace);
            }
            if (object instanceof ResourceSlice slice) {
                // The publisher adds this taint, so that no other scheduler allocates these devices.
                slice.getSpec()
                        .getDevices()
                        .forEach(device -> device.getTaints().add(COMPANION_ONLY));
            }
            client.resource(object).create();
        }
        if (clusterScoped.size() > before && watch.isWatching()) {
            awaitSeen();
        }
    }

    String json(String yaml) {
        var serialization = client.getKubernetesSerialization();
        return serialization.asJson(serialization.unmarshal("---\n" + yaml, Object.class));
    }

    /** Deletes a pod with its claim, or a claim without a pod. */
    void delete(String name) {
        client.pods().inNamespace(namespace).withName(name).withGracePeriod(0).delete();
        if (name.endsWith("-claim")) {
            client.resources(ResourceClaim.class)
                    .inNamespace(namespace)
                    .withName(name)
                    .delete();
        }
    }

    void allocateByHand(String claim, String pool, String device) {
        var allocated = client.resource(claim(claim))
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
        await(() -> assertThat(watch.claims().get(namespace, claim))
                .hasValueSatisfying(
                        seen -> assertThat(Long.parseLong(seen.getMetadata().getResourceVersion()))
                                .isGreaterThanOrEqualTo(
                                        Long.parseLong(allocated.getMetadata().getResourceVersion()))));
    }
}
