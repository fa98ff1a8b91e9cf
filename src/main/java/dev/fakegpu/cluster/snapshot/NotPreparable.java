package dev.fakegpu.cluster.snapshot;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.api.KwokNode;
import dev.fakegpu.api.Labels;
import dev.fakegpu.api.RegisteredDrivers;
import dev.fakegpu.api.SimulatedNode;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.DeviceStatuses;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Devices that pods on nodes wait for although they are allocated, because nobody prepares them: a FakeGpu's driver that the kubelet has not
 * registered, or a device that another driver of the same name published. The kubelet says the former in an event of the pod only, and
 * nothing in the status of claims. Immutable.
 */
public final class NotPreparable {

    /** All operations of a node that a FakeGpu's slices can let the kubelet skip. */
    private static final Set<String> OPERATIONS = Set.of("NodePrepareResources", "NodeUnprepareResources");

    private record OnNode(String node, String driver) {}

    private final Map<OnNode, FakeGpu> fakeGpus = new HashMap<>();
    private final Set<PoolId> pools = new HashSet<>();
    private final Map<PoolId, ResourceSlice> foreign = new HashMap<>();
    private final Map<String, Set<String>> registered = new HashMap<>();
    private final Map<String, Node> nodes = new HashMap<>();
    private final ClusterObjects objects;

    public NotPreparable(ClusterObjects objects) {
        this.objects = objects;
        objects.slices().stream()
                .filter(slice -> slice.getSpec() != null
                        && slice.getSpec().getNodeName() != null
                        && slice.getSpec().getPool() != null)
                .forEach(this::addSlice);
        objects.pods().stream()
                .filter(pod -> pod.getSpec() != null && isKubeletPlugin(pod) && PodState.isBound(pod))
                .forEach(pod -> registered
                        .computeIfAbsent(pod.getSpec().getNodeName(), ignored -> new HashSet<>())
                        .addAll(RegisteredDrivers.of(pod)));
        objects.nodes().forEach(node -> nodes.put(node.getMetadata().getName(), node));
    }

    private void addSlice(ResourceSlice slice) {
        var pool = new PoolId(
                slice.getSpec().getDriver(), slice.getSpec().getPool().getName());
        if (FakeGpuOwner.name(slice).isEmpty()) {
            foreign.putIfAbsent(pool, slice);
            return;
        }
        pools.add(pool);
        FakeGpuOwner.of(slice, objects::fakeGpu)
                .ifPresent(fakeGpu -> fakeGpus.put(new OnNode(slice.getSpec().getNodeName(), pool.driver()), fakeGpu));
    }

    private static boolean isKubeletPlugin(Pod pod) {
        return pod.getMetadata().getLabels() != null
                && Labels.KUBELET_PLUGIN.equals(pod.getMetadata().getLabels().get(Labels.APP))
                && Labels.KUBELET_PLUGIN.equals(pod.getSpec().getServiceAccountName());
    }

    /** Why the pod waits on its node for devices of the claim, each reason once; empty if it runs, or if nothing is known to be wrong. */
    public List<String> of(Pod pod, ResourceClaim claim) {
        if (!PodState.isBound(pod)
                || PodState.isRunning(pod)
                || PodState.hasEnded(pod)
                || pod.getMetadata().getDeletionTimestamp() != null) {
            return List.of();
        }
        return Allocations.devices(claim).stream()
                .filter(device -> DeviceStatuses.readyCondition(claim, device).isEmpty())
                .flatMap(device -> problem(pod.getSpec().getNodeName(), device).stream())
                .distinct()
                .toList();
    }

    private Optional<String> problem(String nodeName, DeviceId device) {
        FakeGpu fakeGpu = fakeGpus.get(new OnNode(nodeName, device.driver()));
        if (fakeGpu == null) {
            return Optional.empty();
        }
        return pools.contains(device.poolId())
                ? notRegistered(nodeName, device.driver(), fakeGpu)
                : Optional.ofNullable(foreign.get(device.poolId())).map(slice -> ofAnother(device, slice));
    }

    private static String ofAnother(DeviceId device, ResourceSlice slice) {
        return "device %s is in pool %s, which is of no FakeGpu: another driver with the name %s published ResourceSlice %s (%s); if that driver is no longer installed, delete the slice, and then the pod"
                .formatted(
                        device.device(),
                        device.pool(),
                        device.driver(),
                        slice.getMetadata().getName(),
                        FakeGpuOwner.others(slice));
    }

    /** Without the right to list all pods it is not known who has registered what. */
    private Optional<String> notRegistered(String nodeName, String driver, FakeGpu fakeGpu) {
        Node node = nodes.get(nodeName);
        if (node == null
                || !objects.isComplete(ObjectKind.PODS)
                || !needsKubeletPlugin(node, fakeGpu)
                || registered.getOrDefault(nodeName, Set.of()).contains(driver)) {
            return Optional.empty();
        }
        return Optional.of("the kubelet of %s has not registered driver %s: %s"
                .formatted(
                        nodeName,
                        driver,
                        registered.containsKey(nodeName)
                                ? "look at the log of the kubelet plugin's pod there; once it is registered, the kubelet tries again within two minutes"
                                : "no kubelet plugin of fakegpu-operator runs there; install it, or see the condition KubeletPluginReady of FakeGpu \"%s\""
                                        .formatted(fakeGpu.getMetadata().getName())));
    }

    private boolean needsKubeletPlugin(Node node, FakeGpu fakeGpu) {
        var skipped = fakeGpu.getSpec().skipNodeOperations();
        boolean isKeptByKwok = fakeGpu.getSpec().nodes().isPreparationSimulated() && KwokNode.isKept(node);
        return !skipped.contains("*")
                && !skipped.containsAll(OPERATIONS)
                && !isKeptByKwok
                && !SimulatedNode.isSimulated(node, objects::fakeGpu);
    }
}
