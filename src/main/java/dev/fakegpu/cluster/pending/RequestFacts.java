package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.kube.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequest;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimSpec;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Explains requests in the {@code resources.claims} of containers that the claim does not contain. No component of Kubernetes 1.37 compares
 * them: the API server checks only the form of the name, kube-scheduler does not read it, and the kubelet looks for devices of such a
 * request and finds none. Upstream: {@code validateResourceClaimNames} in {@code pkg/apis/core/validation}, {@code cdiDevicesAsList} in
 * {@code pkg/kubelet/cm/dra/claiminfo.go}.
 */
final class RequestFacts {

    private RequestFacts() {}

    static List<String> of(Pod pod, ClusterSnapshot cluster) {
        return Stream.concat(pod.getSpec().getInitContainers().stream(), pod.getSpec().getContainers().stream())
                .flatMap(container ->
                        claims(container).flatMap(use -> sentence(pod, container.getName(), use, cluster).stream()))
                .toList();
    }

    private static Stream<ResourceClaim> claims(Container container) {
        return container.getResources() == null
                ? Stream.empty()
                : Objects.requireNonNullElse(container.getResources().getClaims(), List.<ResourceClaim>of()).stream();
    }

    private static Optional<String> sentence(Pod pod, String container, ResourceClaim use, ClusterSnapshot cluster) {
        String request = Objects.requireNonNullElse(use.getRequest(), "");
        return PodClaims.claimName(pod, use.getName())
                .flatMap(name -> cluster.objects().claim(pod.getMetadata().getNamespace(), name))
                .flatMap(claim -> Optional.ofNullable(claim.getSpec()))
                .map(ResourceClaimSpec::getDevices)
                .map(devices -> devices.getRequests().stream()
                        .map(DeviceRequest::getName)
                        .toList())
                .filter(names -> !request.isEmpty() && !names.contains(request))
                .map(names ->
                        ("container \"%s\" gets no devices of claim \"%s\" for request \"%s\", and Kubernetes does not say so:"
                                        + " the claim has %s")
                                .formatted(container, use.getName(), request, listed(names)));
    }

    private static String listed(List<String> names) {
        return names.isEmpty()
                ? "no requests"
                : names.stream()
                        .map("\"%s\""::formatted)
                        .collect(Collectors.joining(
                                ", ", names.size() == 1 ? "only the request " : "only the requests ", ""));
    }
}
