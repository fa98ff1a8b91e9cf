package dev.fakegpu.simulate;

import dev.fakegpu.simulate.memory.ObjectName;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReference;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of a cluster at one moment, with which expectations are compared.
 *
 * @param view pods and claims, and why they wait
 * @param objects all objects of the kinds that a simulation has
 * @param events all Events, in the order in which they were first recorded
 */
public record Observation(ClusterView view, List<HasMetadata> objects, List<Event> events) {

    public Observation {
        objects = List.copyOf(objects);
        events = List.copyOf(events);
    }

    /** Reads objects as an API server returns them. The reasons for waiting come from conditions, annotations and Events. */
    public static Observation ofStored(Collection<? extends HasMetadata> objects, Collection<Event> events) {
        var all = List.<HasMetadata>copyOf(objects);
        return new Observation(new ViewReader(all, new StoredReasons(events)).read(), all, List.copyOf(events));
    }

    public Optional<HasMetadata> find(ObjectName name) {
        return objects.stream()
                .filter(object -> isNamed(
                        name,
                        object.getKind(),
                        object.getMetadata().getNamespace(),
                        object.getMetadata().getName()))
                .findFirst();
    }

    public List<Event> events(ObjectName about) {
        return events.stream()
                .filter(event -> isAbout(about, event.getInvolvedObject()))
                .toList();
    }

    private static boolean isAbout(ObjectName name, ObjectReference reference) {
        return isNamed(name, reference.getKind(), reference.getNamespace(), reference.getName());
    }

    /** Finds an object. Objects without a namespace are found with any namespace. */
    private static boolean isNamed(ObjectName wanted, String kind, @Nullable String namespace, String name) {
        return wanted.kind().equals(kind)
                && wanted.name().equals(name)
                && wanted.namespace().equals(Objects.requireNonNullElse(namespace, wanted.namespace()));
    }
}
