package dev.fakegpu.kube.watch;

import dev.fakegpu.kube.client.UnreadableFields;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What explanations say about objects that are left out, since without them a sentence about what is missing would not be true. */
public final class LeftOutObjects {

    private LeftOutObjects() {}

    /**
     * At most a sentence for DeviceClasses, and one for slices.
     *
     * @param isRelevant of slices
     */
    public static List<String> sentences(ObjectStores cluster, Predicate<ResourceSlice> isRelevant) {
        return Stream.concat(
                        sentence(cluster.deviceClasses().leftOut()).stream(),
                        sentence(cluster.slices().leftOut().stream()
                                        .filter(isRelevant)
                                        .toList())
                                .stream())
                .toList();
    }

    /**
     * Such as {@code ResourceSlice "a" and 2 more are not considered: field spec.devices cannot be read: …}; empty if there are none.
     *
     * @param objects of one kind
     */
    static Optional<String> sentence(Collection<? extends HasMetadata> objects) {
        return objects.stream()
                .min(Comparator.comparing(object -> object.getMetadata().getName()))
                .map(first -> "%s \"%s\"%s not considered: %s"
                        .formatted(
                                first.getKind(),
                                first.getMetadata().getName(),
                                objects.size() == 1 ? " is" : " and " + (objects.size() - 1) + " more are",
                                UnreadableFields.of(first).orElseThrow()));
    }
}
