package dev.fakegpu.junit;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The stored state of pods and claims, and the events about them. */
final class ObservedObjects {

    private static final String REASON = "fakegpu.dev/reason";
    private static final String NOT_ALLOCATED = "fakegpu.dev/not-allocated";

    private final KubernetesClient client;
    private final Duration patience;

    ObservedObjects(KubernetesClient client, Duration patience) {
        this.client = client;
        this.patience = patience;
    }

    /**
     * A refusal and its reason.
     *
     * @param code the code of a {@link RefusalReason}; empty if there is none
     */
    record Refusal(String code, String sentence) {
        @Override
        public String toString() {
            return code.isEmpty() ? sentence : code + ": " + sentence;
        }
    }

    /** How long to wait. */
    Duration patience() {
        return patience;
    }

    @Nullable Pod pod(Pod pod) {
        return client.pods().inNamespace(namespace(pod)).withName(name(pod)).get();
    }

    @Nullable ResourceClaim claim(ResourceClaim claim) {
        return claim(namespace(claim), name(claim));
    }

    /** The existing claims of a pod, by their names in the pod. */
    Map<String, ResourceClaim> claims(Pod pod) {
        var names = new HashMap<String, String>();
        pod.getSpec().getResourceClaims().stream()
                .filter(claim -> claim.getResourceClaimName() != null)
                .forEach(claim -> names.put(claim.getName(), claim.getResourceClaimName()));
        if (pod.getStatus() != null) {
            pod.getStatus().getResourceClaimStatuses().stream()
                    .filter(claim -> claim.getResourceClaimName() != null)
                    .forEach(claim -> names.put(claim.getName(), claim.getResourceClaimName()));
            var extended = pod.getStatus().getExtendedResourceClaimStatus();
            if (extended != null && extended.getResourceClaimName() != null) {
                names.put("", extended.getResourceClaimName());
            }
        }
        var claims = new HashMap<String, ResourceClaim>();
        names.forEach((name, stored) ->
                Optional.ofNullable(claim(namespace(pod), stored)).ifPresent(claim -> claims.put(name, claim)));
        return claims;
    }

    /** The newest refusal that is recorded for a pod, with a code if possible. */
    Optional<Refusal> refusal(Pod pod) {
        List<Event> events = events(pod);
        return newest(events.stream()
                        .filter(event -> annotation(event, REASON) != null)
                        .toList())
                .or(() -> newest(events.stream()
                        .filter(event -> "Warning".equals(event.getType()))
                        .toList()));
    }

    /** Why a claim without a pod is not allocated. */
    Optional<Refusal> refusal(ResourceClaim claim) {
        String refusal = annotation(claim, NOT_ALLOCATED);
        if (refusal != null) {
            int colon = refusal.indexOf(": ");
            return Optional.of(new Refusal(
                    colon < 0 ? "" : refusal.substring(0, colon), refusal.substring(colon < 0 ? 0 : colon + 2)));
        }
        return newest(events(claim).stream()
                .filter(event -> annotation(event, REASON) != null || "Warning".equals(event.getType()))
                .toList());
    }

    /** The newest event with a reason. */
    Optional<String> message(HasMetadata about, String reason) {
        return events(about).stream()
                .filter(event -> reason.equals(event.getReason()))
                .max(BY_AGE)
                .map(Event::getMessage);
    }

    private @Nullable ResourceClaim claim(String namespace, String name) {
        return client.resources(ResourceClaim.class)
                .inNamespace(namespace)
                .withName(name)
                .get();
    }

    private List<Event> events(HasMetadata about) {
        String uid = about.getMetadata().getUid();
        return uid == null
                ? List.of()
                : client.v1()
                        .events()
                        .inNamespace(namespace(about))
                        .withField("involvedObject.uid", uid)
                        .list()
                        .getItems();
    }

    /** The last written event has the highest version; the times in events are in seconds. */
    private static final Comparator<Event> BY_AGE =
            Comparator.comparingLong(event -> Long.parseLong(event.getMetadata().getResourceVersion()));

    private static Optional<Refusal> newest(List<Event> events) {
        return events.stream()
                .max(BY_AGE)
                .map(event -> new Refusal(
                        Objects.requireNonNullElse(annotation(event, REASON), ""),
                        Objects.requireNonNullElse(event.getMessage(), "")));
    }

    private static @Nullable String annotation(HasMetadata object, String name) {
        Map<String, String> annotations = object.getMetadata().getAnnotations();
        return annotations == null ? null : annotations.get(name);
    }

    private String namespace(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getNamespace(), client.getNamespace());
    }

    private static String name(HasMetadata object) {
        return object.getMetadata().getName();
    }
}
