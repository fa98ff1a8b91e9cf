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

/** Sentences about ignored objects, for explanations. Without them, a statement about what is missing could be false. */
public final class LeftOutObjects {

    private LeftOutObjects() {}

    /**
     * At most one sentence for DeviceClasses and one for slices.
     *
     * @param isRelevant selects the slices that count
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
     * A sentence such as {@code ResourceSlice "a" and 2 more are not considered: field spec.devices cannot be read: …}; empty if there are
     * no objects.
     *
     * @param objects objects of one kind
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
