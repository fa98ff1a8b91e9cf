package dev.fakegpu.cluster.fit;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerExtendedResourceRequest;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequest;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The claim that a scheduler creates for a pod whose containers request extended resources that are served by devices. Upstream: {@code
 * createRequestsAndMappings} in {@code extendeddynamicresources.go}.
 *
 * @param claim the claim, which is not created yet, with a placeholder name and its own UID
 * @param mappings from the requests of containers to the requests of the claim that serve them
 * @param meant clauses about resources that are served by several classes
 */
public record ExtendedResourceClaim(
        ResourceClaim claim, List<ContainerExtendedResourceRequest> mappings, List<String> meant) {

    /** No claim of the API can have this name, so sentences with it are about the claim to be created. */
    private static final String PLACEHOLDER = "<extended-resources>";

    /** The wording of {@code Phrases}. */
    private static final String OF_CLASS = "device is of class \"";

    private static final String REQUEST =
            "request \"container-\\d+-request-\\d+\"(?: of (?:\\S+/)?" + PLACEHOLDER + ")?";

    private static final Pattern NAME = Pattern.compile("container-\\d+-request-\\d+");

    /** As the explanation words it; that one request has what the other asks for is left out. */
    private static final Pattern NOT_TOGETHER = Pattern.compile(
            "(%1$s) fits alone, but not together with (%1$s(?: and %1$s)*)(?:: \\S+ is held by %1$s(?:; \\d+ more likewise)?)?"
                    .formatted(REQUEST));

    static final String ANNOTATION = "resource.kubernetes.io/extended-resource-claim";

    public ExtendedResourceClaim {
        mappings = List.copyOf(mappings);
        meant = List.copyOf(meant);
    }

    public static ExtendedResourceClaim of(Pod pod, SortedSet<String> resources, ExtendedResources classes) {
        var requests = new Requests(pod, classes);
        resources.forEach(requests::add);
        var metadata = pod.getMetadata();
        return new ExtendedResourceClaim(
                new ResourceClaimBuilder()
                        .withNewMetadata()
                        .withNamespace(metadata.getNamespace())
                        .withName(PLACEHOLDER)
                        .withGenerateName(metadata.getName() + "-extended-resources-")
                        .withUid(UUID.randomUUID().toString())
                        .addToAnnotations(ANNOTATION, "true")
                        .addNewOwnerReference()
                        .withApiVersion("v1")
                        .withKind("Pod")
                        .withName(metadata.getName())
                        .withUid(metadata.getUid())
                        .withController(true)
                        .endOwnerReference()
                        .endMetadata()
                        .withNewSpec()
                        .withNewDevices()
                        .withRequests(requests.sorted())
                        .endDevices()
                        .endSpec()
                        .build(),
                requests.mappings,
                resources.stream()
                        .flatMap(resource -> classes.meant(resource).stream())
                        .toList());
    }

    /**
     * Returns the sentence with the pod's own terms, resource and container, for the requests of this claim, which users never see. If no
     * device is of the class that serves a resource, a clause says that another class may have been meant.
     *
     * @param sentence a sentence about this claim alone, or about several claims that names each
     */
    public String inWordsOfPod(String sentence) {
        String worded = inWordsOfPod(
                words(), NOT_TOGETHER.matcher(sentence).replaceAll(found -> Matcher.quoteReplacement(together(found))));
        return worded.contains(OF_CLASS)
                ? Stream.concat(Stream.of(worded), meant.stream()).collect(Collectors.joining("; "))
                : worded;
    }

    /** Requests that are all of one resource are one thing to whoever wrote the pod, above all if one container asks for all of it. */
    private String together(MatchResult found) {
        Set<String> requests = names(found.group());
        List<ContainerExtendedResourceRequest> asking = mappings.stream()
                .filter(mapping -> requests.contains(mapping.getRequestName()))
                .toList();
        if (asking.stream()
                        .map(ContainerExtendedResourceRequest::getResourceName)
                        .distinct()
                        .count()
                != 1) {
            return found.group();
        }
        Set<String> served = names(found.group(2));
        return asking.stream()
                .filter(mapping -> requests.stream()
                        .allMatch(request -> mappings.contains(new ContainerExtendedResourceRequest(
                                mapping.getContainerName(), request, mapping.getResourceName()))))
                .findFirst()
                .map(mapping -> together(List.of(mapping.getContainerName()), requests, served))
                .orElseGet(() -> together(longRunning(requests), requests, served));
    }

    /** Those for which requests were made; others use their devices before them. */
    private List<String> longRunning(Set<String> requests) {
        Map<String, String> first = new LinkedHashMap<>();
        mappings.stream()
                .filter(mapping -> requests.contains(mapping.getRequestName()))
                .forEach(mapping -> first.putIfAbsent(mapping.getRequestName(), mapping.getContainerName()));
        return first.values().stream().distinct().toList();
    }

    private static Set<String> names(String text) {
        return NAME.matcher(text).results().map(MatchResult::group).collect(Collectors.toSet());
    }

    /** @param served requests that are served, while one of the others is not, or not as a whole */
    private String together(List<String> containers, Set<String> requests, Set<String> served) {
        long wanted = count(requests);
        long left = count(served);
        String resource = mappings.stream()
                .filter(mapping -> requests.contains(mapping.getRequestName()))
                .map(ContainerExtendedResourceRequest::getResourceName)
                .findFirst()
                .orElseThrow();
        return "%s for %d %s%s, %s"
                .formatted(
                        listed(containers) + (containers.size() == 1 ? " asks" : " ask"),
                        wanted,
                        resource,
                        containers.size() == 1 ? "" : " together",
                        wanted - left == 1 ? "of which " + left + " can be allocated" : "more than can be allocated");
    }

    private static String listed(List<String> containers) {
        return (containers.size() == 1 ? "container " : "containers ")
                + containers.stream().map(name -> '"' + name + '"').collect(Collectors.joining(" and "));
    }

    private long count(Set<String> requests) {
        return requests.stream().mapToLong(this::count).sum();
    }

    /** @param words the result of {@link #words} */
    public static String inWordsOfPod(Map<String, String> words, String sentence) {
        String worded = sentence;
        for (var word : words.entrySet()) {
            String request = "request \"%s\"(?: of (?:\\S+/)?%s)?".formatted(Pattern.quote(word.getKey()), PLACEHOLDER);
            String written = Matcher.quoteReplacement(word.getValue());
            worded = worded.replaceAll("is held by " + request, "is needed for " + written)
                    .replaceAll(request, written);
        }
        return worded;
    }

    /**
     * For each request of this claim, what it is called in the pod. Init containers use the devices of other containers, so a request may
     * be for several containers, and another one only for what one of them needs in addition.
     */
    public Map<String, String> words() {
        var words = new LinkedHashMap<String, String>();
        mappings.forEach(mapping -> words.put(mapping.getRequestName(), word(mapping)));
        return words;
    }

    private String word(ContainerExtendedResourceRequest mapping) {
        List<String> containers = mappings.stream()
                .filter(other -> other.getRequestName().equals(mapping.getRequestName()))
                .map(ContainerExtendedResourceRequest::getContainerName)
                .distinct()
                .toList();
        String resource = mapping.getResourceName();
        if (containers.stream().allMatch(container -> alsoUsesAnother(container, mapping))) {
            long more = count(mapping.getRequestName());
            return "%s %s that only %s %s"
                    .formatted(
                            more == 1 ? "another" : more + " more",
                            resource,
                            listed(containers),
                            containers.size() == 1 ? "uses" : "use");
        }
        return containers.size() == 1
                ? resource + " of " + listed(containers)
                : "%s that %s use in turn".formatted(resource, listed(containers));
    }

    private boolean alsoUsesAnother(String container, ContainerExtendedResourceRequest than) {
        return mappings.stream()
                .anyMatch(other -> other.getContainerName().equals(container)
                        && other.getResourceName().equals(than.getResourceName())
                        && !other.getRequestName().equals(than.getRequestName()));
    }

    private long count(String request) {
        return claim.getSpec().getDevices().getRequests().stream()
                .filter(each -> each.getName().equals(request))
                .mapToLong(each -> each.getExactly().getCount())
                .sum();
    }

    /** Equals the {@link #podKey} of claims that were created for the pod. */
    public static String key(Pod pod) {
        return key(pod.getMetadata().getNamespace(), pod.getMetadata().getUid());
    }

    /** The pod for which a claim was created. An owner reference can only refer to a pod in the claim's own namespace. */
    public static Optional<String> podKey(ResourceClaim claim) {
        var annotations = claim.getMetadata().getAnnotations();
        if (annotations == null || !"true".equals(annotations.get(ANNOTATION))) {
            return Optional.empty();
        }
        return claim.getMetadata().getOwnerReferences().stream()
                .filter(owner -> Boolean.TRUE.equals(owner.getController()) && "Pod".equals(owner.getKind()))
                .findFirst()
                .map(owner -> key(claim.getMetadata().getNamespace(), owner.getUid()));
    }

    private static String key(String namespace, String podUid) {
        return namespace + "/" + podUid;
    }

    /**
     * Computes requests. Init containers other than sidecars run before the containers, so they can use the devices of containers and of
     * each other.
     */
    private static final class Requests {

        private final ExtendedResources classes;
        private final List<Container> containers = new ArrayList<>();
        private final int initContainers;
        private final List<DeviceRequest> requests = new ArrayList<>();
        private final List<ContainerExtendedResourceRequest> mappings = new ArrayList<>();

        Requests(Pod pod, ExtendedResources classes) {
            this.classes = classes;
            containers.addAll(pod.getSpec().getInitContainers());
            initContainers = containers.size();
            containers.addAll(pod.getSpec().getContainers());
        }

        List<DeviceRequest> sorted() {
            return requests.stream()
                    .sorted(Comparator.comparing(DeviceRequest::getName))
                    .toList();
        }

        void add(String resource) {
            var longRunning = new ArrayList<Optional<DeviceRequest>>();
            for (int i = 0; i < containers.size(); i++) {
                longRunning.add(isShortLived(i) ? Optional.empty() : request(i, resource, List.of(), mappings));
            }
            var shortLived = new ArrayList<ContainerExtendedResourceRequest>();
            var ofShortLived = new ArrayList<DeviceRequest>();
            for (int i = 0; i < initContainers; i++) {
                if (isShortLived(i)) {
                    request(i, resource, longRunning.subList(i, longRunning.size()), shortLived)
                            .ifPresent(ofShortLived::add);
                }
            }
            largest(ofShortLived).ifPresent(largest -> {
                var names = ofShortLived.stream().map(DeviceRequest::getName).toList();
                shortLived.stream()
                        .filter(mapping -> names.contains(mapping.getRequestName()))
                        .forEach(mapping -> mapping.setRequestName(largest.getName()));
                requests.add(largest);
            });
            longRunning.stream().flatMap(Optional::stream).forEach(requests::add);
            mappings.addAll(shortLived);
        }

        /** Returns the first one if several are equally large. */
        private static Optional<DeviceRequest> largest(List<DeviceRequest> requests) {
            return requests.stream()
                    .reduce((one, other) ->
                            one.getExactly().getCount() < other.getExactly().getCount() ? other : one);
        }

        private boolean isShortLived(int container) {
            return container < initContainers
                    && !"Always".equals(containers.get(container).getRestartPolicy());
        }

        /** @param usable requests of other containers whose devices this container can also use */
        private Optional<DeviceRequest> request(
                int index,
                String resource,
                List<Optional<DeviceRequest>> usable,
                List<ContainerExtendedResourceRequest> to) {
            Container container = containers.get(index);
            Map<String, BigDecimal> amounts = PodRequests.requests(container);
            long requested = amounts.getOrDefault(resource, BigDecimal.ZERO).longValue();
            long covered = 0;
            for (DeviceRequest each : usable.stream().flatMap(Optional::stream).toList()) {
                if (covered < requested) {
                    covered += each.getExactly().getCount();
                    to.add(new ContainerExtendedResourceRequest(container.getName(), each.getName(), resource));
                }
            }
            if (covered >= requested) {
                return Optional.empty();
            }
            int position = new TreeSet<>(amounts.keySet()).headSet(resource).size();
            String name = "container-%d-request-%d".formatted(index, position);
            to.add(new ContainerExtendedResourceRequest(container.getName(), name, resource));
            return Optional.of(new DeviceRequestBuilder()
                    .withName(name)
                    .withNewExactly()
                    .withDeviceClassName(classes.deviceClass(resource).orElseThrow())
                    .withAllocationMode("ExactCount")
                    .withCount(requested - covered)
                    .endExactly()
                    .build());
        }
    }
}
