package dev.fakegpu.cluster.snapshot;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.api.KwokNode;
import dev.fakegpu.api.Labels;
import dev.fakegpu.api.RegisteredDrivers;
import dev.fakegpu.api.SimulatedNode;
import dev.fakegpu.cluster.fit.ClaimProblems;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.dra.wire.SliceReader;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Determines why pods that have a node and devices cannot start there: the node is gone or cannot use the devices, no kubelet plugin runs
 * on it, the kubelet has not registered the driver of a FakeGpu, or another driver with the same name published the device. The kubelet
 * reports such problems only in events of the pod, not in the status of claims. Immutable.
 */
public final class NotPreparable {

    /** All operations on a node that the slices of a FakeGpu can tell the kubelet to skip. */
    private static final Set<String> OPERATIONS = Set.of("NodePrepareResources", "NodeUnprepareResources");

    /** The condition of a FakeGpu whose message names the nodes where pods cannot start with its devices. */
    private static final String CONDITION = "KubeletPluginReady";

    /** Matches such a message if all nodes have the same problem and not all of them are named. */
    private static final Pattern OF_ALL_NODES =
            Pattern.compile(".* (\\d+) of \\1 node\\(s\\): ([^,;]* on )\\S+(?:, \\S+)* and \\d+ more([^;]*)");

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
        var pool = SliceReader.pool(slice);
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

    /** The problem that the pod's node does not exist; empty if it exists or this is unknown. */
    public static Optional<String> nodeOf(Pod pod, ClusterObjects objects) {
        String node = pod.getSpec().getNodeName();
        boolean mayExist =
                !objects.isComplete(ObjectKind.NODES) || node(node, objects).isPresent();
        return mayExist ? Optional.empty() : Optional.of("node %s does not exist".formatted(node));
    }

    private static Optional<Node> node(String name, ClusterObjects objects) {
        return objects.nodes().stream()
                .filter(each -> each.getMetadata().getName().equals(name))
                .findFirst();
    }

    /** The problem that the pod's node does not exist, or cannot use the devices of a claim. */
    public static Optional<String> nodeOf(Pod pod, List<ResourceClaim> claims, ClusterObjects objects) {
        return nodeOf(pod, objects)
                .or(() -> node(pod.getSpec().getNodeName(), objects)
                        .flatMap(node -> claims.stream()
                                .flatMap(claim -> outOfReach(claim, node).stream())
                                .findFirst()));
    }

    private static Optional<String> outOfReach(ResourceClaim claim, Node node) {
        return ClaimProblems.outOfReach(claim, SchedulableNode.of(node));
    }

    /** Why the pod is waiting on its node for devices of the claim, without duplicates; empty if it runs or no problem is known. */
    public List<String> of(Pod pod, ResourceClaim claim) {
        if (!PodState.isBound(pod)
                || PodState.isRunning(pod)
                || PodState.hasEnded(pod)
                || pod.getMetadata().getDeletionTimestamp() != null) {
            return List.of();
        }
        Optional<String> outOfReach =
                Optional.ofNullable(nodes.get(pod.getSpec().getNodeName())).flatMap(node -> outOfReach(claim, node));
        if (outOfReach.isPresent()) {
            return List.of(outOfReach.get());
        }
        return Allocations.devices(claim).stream()
                .filter(device -> DeviceStatuses.readyCondition(claim, device).isEmpty())
                .flatMap(device -> problem(pod.getSpec().getNodeName(), device).stream())
                .distinct()
                .toList();
    }

    /** A note on a claim that a pod cannot start with it. */
    Optional<String> note(Pod pod, ResourceClaim claim) {
        Optional<String> gone = PodState.isBound(pod) ? nodeOf(pod, objects) : Optional.empty();
        return gone.or(() -> of(pod, claim).stream()
                .findFirst()
                .map(problem -> "pod \"%s\" cannot start on %s: %s"
                        .formatted(pod.getMetadata().getName(), pod.getSpec().getNodeName(), problem)));
    }

    private Optional<String> problem(String nodeName, DeviceId device) {
        FakeGpu fakeGpu = fakeGpus.get(new OnNode(nodeName, device.driver()));
        return fakeGpu != null && !pools.contains(device.poolId())
                ? Optional.ofNullable(foreign.get(device.poolId())).map(slice -> ofAnother(device, slice))
                : withoutPlugin(nodeName, device.driver())
                        .or(() -> Optional.ofNullable(fakeGpu)
                                .flatMap(of -> notRegistered(nodeName, device.driver(), of)));
    }

    /** What a FakeGpu of the driver reports itself. */
    private Optional<String> withoutPlugin(String nodeName, String driver) {
        return objects.fakeGpus().stream()
                .filter(fakeGpu -> driver.equals(fakeGpu.getSpec().driver()) && fakeGpu.getStatus() != null)
                .flatMap(fakeGpu -> fakeGpu.getStatus().conditions().stream()
                        .filter(condition -> condition.getType().equals(CONDITION)
                                && condition.getStatus().equals("False"))
                        .flatMap(condition -> about(nodeName, condition.getMessage())
                                .or(() -> aboutAll(nodeName, fakeGpu, condition.getMessage()))
                                .stream())
                        .map(problem -> notKeptByKwok(nodeName, fakeGpu).orElse(problem)))
                .findFirst();
    }

    /** The part of such a message that applies to a node, without the number of nodes; empty if it does not name the node. */
    private static Optional<String> about(String node, String message) {
        Pattern name = Pattern.compile("(?<![\\w.-])" + Pattern.quote(node) + "(?![\\w.-]*\\w)");
        return Arrays.stream(message.substring(message.indexOf(": ") + 2).split("; "))
                .filter(each -> name.matcher(each).find())
                .findFirst();
    }

    private Optional<String> aboutAll(String nodeName, FakeGpu fakeGpu, String message) {
        Node node = nodes.get(nodeName);
        FakeGpu ofNode = fakeGpus.get(new OnNode(nodeName, fakeGpu.getSpec().driver()));
        Matcher problem = OF_ALL_NODES.matcher(message);
        return node != null && fakeGpu.equals(ofNode) && needsKubeletPlugin(node, fakeGpu) && problem.matches()
                ? Optional.of(problem.group(2) + nodeName + problem.group(3))
                : Optional.empty();
    }

    /** Why the operator does not prepare claims there although the FakeGpu asks for it. */
    private Optional<String> notKeptByKwok(String nodeName, FakeGpu fakeGpu) {
        return Optional.ofNullable(nodes.get(nodeName))
                .filter(node -> fakeGpu.getSpec().nodes().isPreparationSimulated())
                .flatMap(KwokNode::refusal)
                .map(why -> "the operator leaves its pods alone, since it " + why);
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

    /** Without permission to list all pods, it is unknown which drivers are registered. */
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
                                : "no kubelet plugin of fakegpu-operator runs there; install it, or see the condition %s of FakeGpu \"%s\""
                                        .formatted(
                                                CONDITION, fakeGpu.getMetadata().getName())));
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
