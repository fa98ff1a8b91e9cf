package dev.fakegpu.cluster.fit;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The ports of its node that a pod uses until it ends. Upstream: {@code GetHostPorts} in {@code pkg/scheduler/util/utils.go}, and {@code HostPortInfo} in
 * {@code k8s.io/kube-scheduler/framework/types.go}.
 */
record HostPorts(Set<Port> ports) {

    private static final String ALL_ADDRESSES = "0.0.0.0";

    record Port(String hostIP, String protocol, int hostPort) {

        private boolean isTakenBy(Port other) {
            return hostPort == other.hostPort
                    && protocol.equals(other.protocol)
                    && (hostIP.equals(other.hostIP)
                            || hostIP.equals(ALL_ADDRESSES)
                            || other.hostIP.equals(ALL_ADDRESSES));
        }
    }

    HostPorts {
        ports = Set.copyOf(ports);
    }

    /** Init containers that end before the others start do not count. */
    static HostPorts of(Pod pod) {
        PodSpec spec = pod.getSpec();
        boolean isOnHostNetwork = Boolean.TRUE.equals(spec.getHostNetwork());
        return new HostPorts(Stream.concat(
                        spec.getInitContainers().stream().filter(HostPorts::isSidecar), spec.getContainers().stream())
                .flatMap(container -> container.getPorts().stream())
                .map(port -> port(port, isOnHostNetwork))
                .filter(port -> port.hostPort() > 0)
                .collect(Collectors.toSet()));
    }

    private static boolean isSidecar(Container container) {
        return "Always".equals(container.getRestartPolicy());
    }

    /** With the defaults of the API server ({@code SetDefaults_ContainerPort} and {@code defaultHostNetworkPorts}). */
    private static Port port(ContainerPort port, boolean isOnHostNetwork) {
        int hostPort = Objects.requireNonNullElse(port.getHostPort(), 0);
        return new Port(
                orDefault(port.getHostIP(), ALL_ADDRESSES),
                orDefault(port.getProtocol(), "TCP"),
                hostPort == 0 && isOnHostNetwork ? port.getContainerPort() : hostPort);
    }

    private static String orDefault(@Nullable String value, String byDefault) {
        return value == null || value.isEmpty() ? byDefault : value;
    }

    /** The ports that several pods of a node use. */
    static Set<Port> ofAll(Collection<Pod> pods) {
        return pods.stream().flatMap(pod -> of(pod).ports().stream()).collect(Collectors.toUnmodifiableSet());
    }

    /** Whether none of the ports is in use. */
    boolean areFreeBeside(Set<Port> used) {
        return used.stream().noneMatch(other -> ports.stream().anyMatch(port -> port.isTakenBy(other)));
    }
}
