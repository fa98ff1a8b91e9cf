package dev.fakegpu.cluster.snapshot;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.KwokNode;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.Allocations;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Why a pod that has a node and devices cannot start there: the node is gone, or nobody prepares the devices on it, as the conditions of
 * their FakeGpus say.
 */
public final class StartObstacle {

    /** Names the nodes where pods cannot start with the devices. */
    private static final String CONDITION = "KubeletPluginReady";

    private StartObstacle() {}

    /** That the pod's node does not exist; empty if it does, or if that is not known. */
    public static Optional<String> ofNode(Pod pod, ClusterObjects objects) {
        String node = pod.getSpec().getNodeName();
        boolean mayExist = !objects.isComplete(ObjectKind.NODES)
                || objects.nodes().stream()
                        .anyMatch(each -> each.getMetadata().getName().equals(node));
        return mayExist ? Optional.empty() : Optional.of("node %s does not exist".formatted(node));
    }

    /**
     * Why the pod's devices are not prepared on its node; empty if they may be, or if it runs already.
     *
     * @param claims of the pod
     */
    public static Optional<String> ofDrivers(Pod pod, Collection<ResourceClaim> claims, ClusterObjects objects) {
        if (PodState.isRunning(pod) || PodState.hasEnded(pod)) {
            return Optional.empty();
        }
        Set<String> drivers = claims.stream()
                .flatMap(claim -> Allocations.devices(claim).stream())
                .map(DeviceId::driver)
                .collect(Collectors.toSet());
        String node = pod.getSpec().getNodeName();
        return objects.fakeGpus().stream()
                .filter(fakeGpu -> drivers.contains(fakeGpu.getSpec().driver()))
                .flatMap(fakeGpu ->
                        withoutPlugin(fakeGpu, node)
                                .map(problem ->
                                        notKeptByKwok(fakeGpu, node, objects).orElse(problem))
                                .stream())
                .findFirst();
    }

    private static Optional<String> withoutPlugin(FakeGpu fakeGpu, String node) {
        return fakeGpu.getStatus() == null
                ? Optional.empty()
                : fakeGpu.getStatus().conditions().stream()
                        .filter(condition -> condition.getType().equals(CONDITION)
                                && condition.getStatus().equals("False"))
                        .flatMap(condition -> about(node, condition.getMessage()).stream())
                        .findFirst();
    }

    /** What such a message says of a node, without how many nodes there are; empty if it does not name it. */
    private static Optional<String> about(String node, String message) {
        Pattern name = Pattern.compile("(?<![\\w.-])" + Pattern.quote(node) + "(?![\\w.-]*\\w)");
        return Arrays.stream(message.substring(message.indexOf(": ") + 2).split("; "))
                .filter(each -> name.matcher(each).find())
                .findFirst();
    }

    /** Why the operator does not prepare there, although the FakeGpu asks for it. */
    private static Optional<String> notKeptByKwok(FakeGpu fakeGpu, String node, ClusterObjects objects) {
        return objects.nodes().stream()
                .filter(each -> fakeGpu.getSpec().nodes().isPreparationSimulated()
                        && each.getMetadata().getName().equals(node))
                .flatMap(each -> KwokNode.refusal(each).stream())
                .findFirst()
                .map(why -> "the operator leaves its pods alone, since it " + why);
    }
}
