package dev.fakegpu.operator.prepare.plugin;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.GroupsAnnotation;
import dev.fakegpu.hardware.inventory.InventoryPlanner;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.client.Refusals;
import dev.fakegpu.kube.client.UnreadableFields;
import dev.fakegpu.kube.events.EventReason;
import dev.fakegpu.kube.events.EventRecorder;
import dev.fakegpu.operator.prepare.ClaimValidator;
import dev.fakegpu.operator.prepare.DeviceStatusWriter;
import dev.fakegpu.operator.prepare.NodeInventory;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Reads from the API server at each call. A watch could lag behind: a claim is prepared moments after the scheduler has used slices that
 * the watch may not have delivered yet.
 */
final class ApiServerAccess implements ClusterAccess {

    private static final Logger LOG = Logger.getLogger(ApiServerAccess.class);
    private static final int ATTEMPTS = 4;

    private final KubernetesClient client;
    private final InventoryPlanner planner;
    private final String driver;
    private final String node;
    private final DeviceStatusWriter writer;
    private final Supplier<Set<DeviceId>> published;
    private final EventRecorder events;

    /** @param published the devices of all drivers on the node */
    ApiServerAccess(
            KubernetesClient client,
            InventoryPlanner planner,
            String driver,
            String node,
            Supplier<Set<DeviceId>> published,
            Clock clock,
            Ticker ticker) {
        this.client = client;
        this.planner = planner;
        this.driver = driver;
        this.node = node;
        this.published = published;
        this.writer = new DeviceStatusWriter(ObjectClient.of(client), claim -> {}, clock);
        this.events = new EventRecorder(client, clock, ticker, "fakegpu-kubelet-plugin");
    }

    @Override
    public Optional<ResourceClaim> claim(String namespace, String name) {
        return Optional.ofNullable(client.resources(ResourceClaim.class)
                .inNamespace(namespace)
                .withName(name)
                .get());
    }

    @Override
    public NodeInventory inventory() {
        List<ResourceSlice> slices = nodeNames(node)
                .flatMap(nodeName -> client
                        .resources(ResourceSlice.class)
                        .withField("spec.nodeName", nodeName)
                        .withField("spec.driver", driver)
                        .list()
                        .getItems()
                        .stream())
                .map(ApiServerAccess::readable)
                .toList();
        // Not those of other nodes: each preparation in a cluster would read them all.
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

    /** Nothing is prepared by hardware that is known in part only. */
    private static <T extends HasMetadata> T readable(T object) {
        return UnreadableFields.of(object)
                .<T>map(fields -> {
                    throw new KubernetesClientException("%s %s: %s"
                            .formatted(object.getKind(), object.getMetadata().getName(), fields));
                })
                .orElse(object);
    }

    /** Values of {@code spec.nodeName} to select: the node's, and "" for network-attached devices. */
    static Stream<String> nodeNames(String node) {
        return Stream.of(node, "");
    }

    @Override
    public Set<DeviceId> published() {
        return published.get();
    }

    @Override
    public void prepared(ResourceClaim claim, ClaimValidator.Result result, NodeInventory inventory) {
        write(claim, stored -> writer.prepared(stored, result, declared(inventory)));
    }

    @Override
    public void failed(ResourceClaim claim, List<DeviceId> devices, String problem, NodeInventory inventory) {
        write(claim, stored -> writer.failed(stored, devices, problem, declared(inventory)));
    }

    @Override
    public void notUnprepared(ClaimRef claim, List<DeviceId> devices, String problem) {
        writeIfStored(claim, stored -> writer.notUnprepared(stored, devices, problem));
    }

    @Override
    public void unprepared(ClaimRef claim) {
        writeIfStored(claim, writer::unprepared);
    }

    /** The claim may be gone; its event is found by its name. */
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

    private void writeIfStored(ClaimRef ref, Consumer<ResourceClaim> write) {
        try {
            claim(ref.namespace(), ref.name())
                    .filter(claim -> ref.uid().equals(claim.getMetadata().getUid()) && claim.getStatus() != null)
                    .ifPresent(claim -> write(claim, write));
        } catch (KubernetesClientException e) {
            LOG.warnf("the status of ResourceClaim %s is not updated: %s", ref, e.getMessage());
        }
    }

    private static Function<DeviceId, @Nullable CompatibilityGroups> declared(NodeInventory inventory) {
        return device -> inventory.declaredGroups(device).orElse(null);
    }

    /** Retries conflicts, since others write the status as well. A failure is only logged: the node does not depend on the status. */
    private void write(ResourceClaim claim, Consumer<ResourceClaim> write) {
        var metadata = claim.getMetadata();
        Optional<ResourceClaim> latest = Optional.of(claim);
        for (int attempt = 1; latest.isPresent(); attempt++) {
            try {
                write.accept(latest.get());
                return;
            } catch (KubernetesClientException e) {
                if (e.getCode() != HttpURLConnection.HTTP_CONFLICT || attempt == ATTEMPTS) {
                    reportRefusal(claim, e);
                    LOG.warnf(
                            "the status of ResourceClaim %s/%s is not updated: %s",
                            metadata.getNamespace(), metadata.getName(), e.getMessage());
                    return;
                }
                latest = reread(claim);
            }
        }
    }

    /** The kubelet is told nothing, since the devices are prepared all the same, so the claim's user is. */
    private void reportRefusal(ResourceClaim claim, KubernetesClientException e) {
        if (Refusals.isRefusal(e)) {
            events.warning(
                    claim,
                    EventReason.FailedStatusUpdate,
                    "the API server refuses to store the status of the devices: " + Refusals.message(e));
        }
    }

    private Optional<ResourceClaim> reread(ResourceClaim claim) {
        var metadata = claim.getMetadata();
        try {
            return claim(metadata.getNamespace(), metadata.getName())
                    .filter(stored ->
                            metadata.getUid().equals(stored.getMetadata().getUid()))
                    .filter(stored -> stored.getStatus() != null);
        } catch (KubernetesClientException e) {
            return Optional.empty();
        }
    }
}
