package dev.fakegpu.dashboard.server;

import dev.fakegpu.kube.manifest.PodGroup;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The names of claims and templates in pods and PodGroups; handles lists that are null. */
final class NamesInPods {
    private NamesInPods() {}

    static Stream<String> claims(Pod pod) {
        Stream<String> referred = pod.getSpec() == null
                ? Stream.of()
                : list(pod.getSpec().getResourceClaims())
                        .flatMap(reference -> Stream.ofNullable(reference.getResourceClaimName()));
        return pod.getStatus() == null ? referred : Stream.concat(referred, claims(pod.getStatus()));
    }

    static Stream<String> claims(PodStatus status) {
        Stream<String> taking = list(status.getNodeAllocatableResourceClaimStatuses())
                .flatMap(each -> Stream.ofNullable(each.getResourceClaimName()));
        Stream<String> generated =
                list(status.getResourceClaimStatuses()).flatMap(each -> Stream.ofNullable(each.getResourceClaimName()));
        Stream<String> extended = Stream.ofNullable(status.getExtendedResourceClaimStatus())
                .flatMap(each -> Stream.ofNullable(each.getResourceClaimName()));
        return Stream.of(taking, generated, extended).flatMap(names -> names);
    }

    static Stream<String> claims(PodGroup group) {
        return group.sharedClaims().stream().flatMap(claim -> Stream.ofNullable(claim.resourceClaimName()));
    }

    static Stream<String> templates(Pod pod) {
        return pod.getSpec() == null
                ? Stream.of()
                : list(pod.getSpec().getResourceClaims())
                        .flatMap(reference -> Stream.ofNullable(reference.getResourceClaimTemplateName()));
    }

    static <T> Stream<T> list(@Nullable List<T> list) {
        return list == null ? Stream.empty() : list.stream();
    }
}
