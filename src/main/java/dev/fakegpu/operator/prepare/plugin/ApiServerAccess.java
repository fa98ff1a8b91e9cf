package dev.fakegpu.operator.prepare.plugin;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.cluster.fit.ClaimProblems;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.GroupsAnnotation;
import dev.fakegpu.hardware.inventory.InventoryPlanner;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.client.Pages;
import dev.fakegpu.kube.client.UnreadableFields;
import dev.fakegpu.kube.events.EventReason;
import dev.fakegpu.kube.events.EventRecorder;
import dev.fakegpu.operator.prepare.ClaimValidator;
import dev.fakegpu.operator.prepare.DeviceStatusWriter;
import dev.fakegpu.operator.prepare.NodeInventory;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads from the API server on each call. A watch could lag behind: a claim may be prepared moments after the scheduler has used slices
 * that the watch has not delivered yet.
 */
final class ApiServerAccess implements ClusterAccess {

    private final KubernetesClient client;
    private final InventoryPlanner planner;
    private final String driver;
    private final String node;
    private final DeviceStatusWriter writer;
    private final Supplier<Set<DeviceId>> published;
    private final EventRecorder events;
    private final ClaimStatusWrites statuses;

    /**
     * @param published returns the devices of all drivers on the node
     * @param statuses the status writes of all drivers
     */
    ApiServerAccess(
            KubernetesClient client,
            InventoryPlanner planner,
            String driver,
            String node,
            Supplier<Set<DeviceId>> published,
            EventRecorder events,
            ClaimStatusWrites statuses,
            Clock clock) {
        this.client = client;
        this.planner = planner;
        this.driver = driver;
        this.node = node;
        this.published = published;
        this.writer = new DeviceStatusWriter(ObjectClient.of(client), claim -> {}, clock);
        this.events = events;
        this.statuses = statuses;
    }

    @Override
    public Optional<ResourceClaim> claim(String namespace, String name) {
        return claim(client, namespace, name);
    }

    static Optional<ResourceClaim> claim(KubernetesClient client, String namespace, String name) {
        return Optional.ofNullable(client.resources(ResourceClaim.class)
                .inNamespace(namespace)
                .withName(name)
                .get());
    }

    @Override
    public NodeInventory inventory() {
        List<ResourceSlice> slices = nodeNames(node)
                .map(nodeName -> client.resources(ResourceSlice.class)
                        .withField("spec.nodeName", nodeName)
                        .withField("spec.driver", driver))
                .flatMap(ofNode -> Pages.list(ofNode, Pages.SMALL).stream())
                .map(ApiServerAccess::readable)
                .toList();
        // Omits the FakeGpus of other nodes: otherwise each preparation in a cluster would read them all.
        Map<String, FakeGpu> fakeGpus = slices.stream()
                .flatMap(slice -> FakeGpuOwner.name(slice).stream())
                .distinct()
                .flatMap(name -> Stream.ofNullable(
                        client.resources(FakeGpu.class).withName(name).get()))
                .map(ApiServerAccess::readable)
                .collect(Collectors.toMap(fakeGpu -> fakeGpu.getMetadata().getName(), fakeGpu -> fakeGpu));
        return new NodeInventory(
                planner, node, slices, GroupsAnnotation::read, name -> Optional.ofNullable(fakeGpus.get(name)));
    }

    /** Nothing is prepared if the hardware is only partly known. */
    private static <T extends HasMetadata> T readable(T object) {
        return UnreadableFields.of(object)
                .<T>map(fields -> {
                    throw new KubernetesClientException("%s %s: %s"
                            .formatted(object.getKind(), object.getMetadata().getName(), fields));
                })
                .orElse(object);
    }

    /** The values of {@code spec.nodeName} to select: the node's name, and "" for network-attached devices. */
    static Stream<String> nodeNames(String node) {
        return Stream.of(node, "");
    }

    @Override
    public Set<DeviceId> published() {
        return published.get();
    }

    @Override
    public void prepared(ResourceClaim claim, ClaimValidator.Result result, NodeInventory inventory) {
        statuses.write(driver, claim, stored -> writer.prepared(stored, result, declared(inventory)));
    }

    @Override
    public void failed(ResourceClaim claim, List<DeviceId> devices, String problem, NodeInventory inventory) {
        if (ClaimProblems.ofAnotherNode(claim, inventory.node()).isEmpty()) { // its status is about the other node
            statuses.write(driver, claim, stored -> writer.failed(stored, devices, problem, declared(inventory)));
        }
    }

    @Override
    public void notUnprepared(ClaimRef claim, List<DeviceId> devices, String problem) {
        statuses.write(driver, claim, stored -> writer.notUnprepared(stored, devices, problem));
    }

    @Override
    public void unprepared(ClaimRef claim) {
        statuses.write(driver, claim, writer::unprepared);
    }

    /** The claim may be gone; users can find the event by the claim's name. */
    @Override
    public void abandoned(ClaimRef claim, List<DeviceId> devices) {
        events.warning(
                new ResourceClaimBuilder()
                        .withNewMetadata()
                        .withNamespace(claim.namespace())
                        .withName(claim.name())
                        .withUid(claim.uid())
                        .endMetadata()
                        .build(),
                EventReason.AbandonedDevices,
                "%s on node %s stayed prepared for a claim that is gone or has other devices; the kubelet did not unprepare it, so the driver did"
                        .formatted(devices.stream().map(DeviceId::device).collect(Collectors.joining(", ")), node));
    }

    private static Function<DeviceId, @Nullable CompatibilityGroups> declared(NodeInventory inventory) {
        return device -> inventory.declaredGroups(device).orElse(null);
    }
}
