package dev.fakegpu.cluster.fit;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClassSpec;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The extended resources that DeviceClasses serve (KEP-5004): each class serves its {@code spec.extendedResourceName}, and {@value
 * #IMPLICIT_PREFIX} followed by its own name. If several classes have the same resource, the newest serves it; among equally old ones, the
 * first by name.
 */
public final class ExtendedResources {

    public static final ExtendedResources NONE = new ExtendedResources(Map.of(), Map.of());
    static final String IMPLICIT_PREFIX = "deviceclass.resource.kubernetes.io/";

    private final Map<String, String> classByResource;

    /** The number of classes that serve the same resource; resources with a single class are omitted. */
    private final Map<String, Long> rivals;

    private ExtendedResources(Map<String, String> classByResource, Map<String, Long> rivals) {
        this.classByResource = Map.copyOf(classByResource);
        this.rivals = Map.copyOf(rivals);
    }

    public static ExtendedResources of(Collection<DeviceClass> classes) {
        var byResource = new HashMap<String, String>();
        classes.stream()
                .sorted(Comparator.comparing(
                                (DeviceClass one) -> one.getMetadata().getCreationTimestamp())
                        .thenComparing(one -> one.getMetadata().getName(), Comparator.reverseOrder()))
                .forEach(each -> {
                    String name = each.getMetadata().getName();
                    byResource.put(IMPLICIT_PREFIX + name, name);
                    if (each.getSpec() != null && each.getSpec().getExtendedResourceName() != null) {
                        byResource.put(each.getSpec().getExtendedResourceName(), name);
                    }
                });
        Map<String, Long> rivals = classes.stream()
                .flatMap(each ->
                        Optional.ofNullable(each.getSpec()).map(DeviceClassSpec::getExtendedResourceName).stream())
                .collect(Collectors.groupingBy(resource -> resource, Collectors.counting()));
        rivals.values().removeIf(count -> count == 1);
        return new ExtendedResources(byResource, rivals);
    }

    /** A clause that says which of several classes serves the resource; empty if there is only one. */
    Optional<String> meant(String resource) {
        return Optional.ofNullable(rivals.get(resource))
                .flatMap(count -> deviceClass(resource)
                        .map(newest -> "%s means class \"%s\", the newest of %d with this extendedResourceName"
                                .formatted(resource, newest, count)));
    }

    /** Whether any class has an {@code extendedResourceName}. */
    public boolean areNamed() {
        return classByResource.keySet().stream().anyMatch(resource -> !resource.startsWith(IMPLICIT_PREFIX));
    }

    public Optional<String> deviceClass(String resource) {
        return Optional.ofNullable(classByResource.get(resource));
    }

    /** The requested resources that devices can serve. */
    public SortedSet<String> among(Map<String, BigDecimal> requests) {
        var served = new TreeSet<>(requests.keySet());
        served.retainAll(classByResource.keySet());
        return served;
    }

    /**
     * The problem of a requested extended resource that neither devices nor device plugins serve; empty if there is none.
     *
     * @param nodes all nodes
     */
    public Optional<String> unserved(Map<String, BigDecimal> requests, Collection<SchedulableNode> nodes) {
        return requests.keySet().stream()
                .filter(ExtendedResources::isExtendedResource)
                .filter(resource -> !classByResource.containsKey(resource))
                .filter(resource -> nodes.stream().noneMatch(node -> isOn(node, resource)))
                .sorted()
                .findFirst()
                .map(this::unserved);
    }

    private String unserved(String resource) {
        if (resource.startsWith(IMPLICIT_PREFIX)) {
            return FitMessages.noSuchClass(
                    resource.substring(IMPLICIT_PREFIX.length()), new TreeSet<>(classByResource.values()));
        }
        var named = new TreeMap<>(classByResource);
        named.keySet().removeIf(known -> known.startsWith(IMPLICIT_PREFIX));
        return FitMessages.notServed(resource, named);
    }

    /** Names with a domain, except those of Kubernetes (upstream: {@code IsExtendedResourceName}). */
    private static boolean isExtendedResource(String resource) {
        return resource.startsWith(IMPLICIT_PREFIX) || isOfDevicePlugin(resource);
    }

    /** Whether a device plugin can provide the resource. */
    static boolean isOfDevicePlugin(String resource) {
        return resource.contains("/")
                && !resource.split("/", 2)[0].endsWith("kubernetes.io")
                && !resource.startsWith("requests.");
    }

    private static boolean isOn(SchedulableNode node, String resource) {
        return node.stored().getStatus() != null
                && PodRequests.amounts(node.stored().getStatus().getAllocatable())
                                .getOrDefault(resource, BigDecimal.ZERO)
                                .signum()
                        > 0;
    }

    /** The resources that devices must serve on a node because no device plugin provides them there. */
    public SortedSet<String> neededOn(Node node, SortedSet<String> resources) {
        if (resources.isEmpty() || node.getStatus() == null) {
            return resources;
        }
        var allocatable = PodRequests.amounts(node.getStatus().getAllocatable());
        var needed = new TreeSet<>(resources);
        needed.removeIf(
                resource -> allocatable.getOrDefault(resource, BigDecimal.ZERO).signum() > 0);
        return needed;
    }
}
