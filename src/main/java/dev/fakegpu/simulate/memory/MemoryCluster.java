package dev.fakegpu.simulate.memory;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.wire.CompactSlice;
import dev.fakegpu.dra.wire.SliceWriter;
import dev.fakegpu.kube.manifest.PodGroup;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.simulate.controller.ControlledCluster;
import dev.fakegpu.simulate.controller.PodGroupProtection;
import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntryBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a cluster, with the behavior of the API server and its garbage collector: defaults, UIDs, versions, finalizers, and the
 * deletion of dependents. Each change is passed to the stores immediately, as informers would do. Not thread-safe.
 */
public final class MemoryCluster implements ControlledCluster {

    private static final String EXTENDED_RESOURCE_CLAIM = "resource.kubernetes.io/extended-resource-claim";
    private static final String VERSION = "[0-9]{1,18}";

    private final ObjectStores stores = new ObjectStores();
    private final Clock clock;
    private final Map<String, HasMetadata> objects = new LinkedHashMap<>();
    private final Map<String, Set<String>> dependents = new LinkedHashMap<>();
    private final Map<String, Event> events = new LinkedHashMap<>();
    private final List<Consumer<HasMetadata>> listeners = new ArrayList<>();
    private List<PriorityClass> priorityClasses = List.of();
    private Function<HasMetadata, Optional<String>> admission = object -> Optional.empty();
    private long version;
    private long changes;
    private long created;

    public MemoryCluster(Clock clock) {
        this.clock = clock;
        stores.readPodGroups();
        addListener(object -> {
            if (object instanceof PriorityClass) {
                priorityClasses = list(PriorityClass.class);
            }
        });
    }

    /** @param admission sets the defaults of a new object, and says why it is refused */
    public void setAdmission(Function<HasMetadata, Optional<String>> admission) {
        this.admission = admission;
    }

    /** The stores that the operator's informers would fill. */
    @Override
    public ObjectStores stores() {
        return stores;
    }

    @Override
    public long changes() {
        return changes;
    }

    /** The Events in the order of their first occurrence. */
    public Collection<Event> events() {
        return events.values();
    }

    @Override
    public void addListener(Consumer<HasMetadata> listener) {
        listeners.add(listener);
    }

    /** The object with this kind, in any spelling such as {@code pod}. */
    public Optional<HasMetadata> find(String kind, String namespace, String name) {
        return objects.values().stream()
                .filter(object -> object.getKind().equalsIgnoreCase(kind))
                .filter(object -> object.getMetadata().getName().equals(name))
                .filter(object -> object.getMetadata().getNamespace() == null
                        || object.getMetadata().getNamespace().equals(namespace))
                .findFirst();
    }

    /** All objects except Events, in the order of creation. */
    public Collection<HasMetadata> all() {
        return objects.values();
    }

    @Override
    public <T extends HasMetadata> List<T> list(Class<T> kind) {
        return objects.values().stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    @Override
    public <T extends HasMetadata> List<T> dependents(HasMetadata owner, Class<T> kind) {
        return dependents.getOrDefault(owner.getMetadata().getUid(), Set.of()).stream()
                .map(objects::get)
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T extends HasMetadata> @Nullable T get(T object) {
        return (T) (object instanceof Event ? events.get(key(object)) : objects.get(key(object)));
    }

    @Override
    @SuppressWarnings("unchecked") // the result is a slice, too
    public <T extends HasMetadata> T create(T object) {
        if (object instanceof Event event) {
            events.put(key(event), event);
            return object;
        }
        if (object instanceof CompactSlice slice) {
            return (T) create(SliceWriter.expand(slice));
        }
        var metadata = object.getMetadata();
        if (metadata.getAnnotations() != null && metadata.getAnnotations().containsKey(EXTENDED_RESOURCE_CLAIM)) {
            metadata.setName(metadata.getGenerateName() + "0");
        }
        if (objects.containsKey(key(object))) {
            throw failure(HttpURLConnection.HTTP_CONFLICT, key(object) + " already exists");
        }
        if (object instanceof Pod pod) {
            PodPriority.set(pod, priorityClasses);
        }
        admission.apply(object).ifPresent(refusal -> {
            throw failure(HttpURLConnection.HTTP_FORBIDDEN, refusal);
        });
        metadata.setUid(UUID.nameUUIDFromBytes((key(object) + "#" + version).getBytes(StandardCharsets.UTF_8))
                .toString());
        metadata.setGeneration(1L);
        metadata.setCreationTimestamp(ApiDefaults.creationTimestamp(object, clock.instant(), created++));
        put(null, object);
        return object;
    }

    @Override
    public ResourceSlice createUnread(CompactSlice slice) {
        return create(SliceWriter.expand(slice));
    }

    /**
     * Stores an object of another cluster with its UID and status. If the object has a version, it is stored without copying: objects are
     * never modified in place, and large clusters should not be in memory twice. Otherwise a copy is stored.
     */
    public <T extends HasMetadata> void restore(T object) {
        String stored = object.getMetadata().getResourceVersion();
        if (object instanceof FakeGpu || stored == null || !stored.matches(VERSION)) {
            put(null, ApiObjects.copy(object));
        } else {
            version = Math.max(version, Long.parseLong(stored));
            keep(null, object);
        }
    }

    @Override
    public <T extends HasMetadata> T apply(T desired) {
        var fields = new ManagedFieldsEntryBuilder()
                .withManager(Labels.OPERATOR)
                .withOperation("Apply")
                .build();
        desired.getMetadata().setManagedFields(List.of(fields));
        T stored = get(desired);
        if (stored == null) {
            return create(desired);
        }
        var before = stored.getMetadata();
        desired.getMetadata().setUid(before.getUid());
        desired.getMetadata().setCreationTimestamp(before.getCreationTimestamp());
        desired.getMetadata().setGeneration(generation(stored) + 1);
        return put(stored, desired);
    }

    @Override
    public ResourceSlice replace(CompactSlice desired) {
        ResourceSlice stored = current((ResourceSlice) desired);
        ResourceSlice written = SliceWriter.expand(desired);
        written.getMetadata().setGeneration(generation(stored) + 1);
        return put(stored, written);
    }

    @Override
    public <T extends HasMetadata> T update(T before, T after) {
        T stored = current(before);
        if (after.equals(before)) {
            return before;
        }
        var metadata = after.getMetadata();
        boolean isChanged = after instanceof FakeGpu changed
                ? !changed.getSpec().equals(((FakeGpu) before).getSpec())
                : after instanceof Pod pod && !pod.getSpec().equals(((Pod) before).getSpec());
        metadata.setGeneration(generation(stored) + (isChanged ? 1 : 0));
        if (metadata.getDeletionTimestamp() != null && metadata.getFinalizers().isEmpty() && !isKept(after)) {
            remove(stored);
            return after;
        }
        ApiDefaults.setForUpdate(stored, after, clock.instant());
        return put(stored, after);
    }

    @Override
    public <T extends HasMetadata> T updateStatus(T before, T after) {
        T stored = current(before);
        return after.equals(before) ? before : put(stored, after);
    }

    @Override
    public <T extends HasMetadata> T edit(T stored, UnaryOperator<T> change) {
        T changed = change.apply(stored);
        if (changed instanceof Event event) {
            events.put(key(event), event);
            return changed;
        }
        return update(stored, changed);
    }

    @Override
    public Pod mergeStatus(Pod patch) {
        Pod stored = get(patch);
        String based = patch.getMetadata().getResourceVersion();
        if (stored == null) {
            throw failure(HttpURLConnection.HTTP_NOT_FOUND, key(patch) + " not found");
        }
        if (based != null && !based.equals(stored.getMetadata().getResourceVersion())) {
            throw failure(HttpURLConnection.HTTP_CONFLICT, key(patch) + " has been modified");
        }
        return put(stored, PodWrites.merged(stored, patch));
    }

    @Override
    public void bind(Binding binding) {
        var metadata = binding.getMetadata();
        Pod stored = stores.pods()
                .get(metadata.getNamespace(), metadata.getName())
                .filter(pod -> pod.getMetadata().getUid().equals(metadata.getUid()))
                .orElseThrow(() -> failure(HttpURLConnection.HTTP_CONFLICT, metadata.getName() + " was replaced"));
        put(stored, PodWrites.bound(stored, binding.getTarget().getName()));
    }

    @Override
    public void delete(HasMetadata object) {
        var stored = stored(object);
        if (stored == null || stored.getMetadata().getDeletionTimestamp() != null) {
            return;
        }
        if (stored.getMetadata().getFinalizers().isEmpty() && !isKept(stored)) {
            remove(stored);
            return;
        }
        HasMetadata deleted = ApiObjects.copy(stored);
        deleted.getMetadata()
                .setDeletionTimestamp(
                        clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
        put(stored, deleted);
    }

    @Override
    public void deleteImmediately(HasMetadata object) {
        var stored = stored(object);
        if (stored != null) {
            remove(stored);
        }
    }

    /**
     * Whether a deleted object stays for now: FakeGpus and PodGroups until their dependents are gone, and pods on nodes until the kubelet
     * has ended them.
     */
    private boolean isKept(HasMetadata object) {
        return object instanceof FakeGpu
                || (object instanceof PodGroup group && PodGroupProtection.isUsed(group, stores))
                || (object instanceof Pod pod
                        && pod.getSpec().getNodeName() != null
                        && stores.nodes().get(null, pod.getSpec().getNodeName()).isPresent());
    }

    private @Nullable HasMetadata stored(HasMetadata object) {
        HasMetadata stored = objects.get(key(object));
        return stored == null
                        || !stored.getMetadata()
                                .getUid()
                                .equals(object.getMetadata().getUid())
                ? null
                : stored;
    }

    private <T extends HasMetadata> T current(T before) {
        T stored = get(before);
        if (stored == null) {
            throw failure(HttpURLConnection.HTTP_NOT_FOUND, key(before) + " not found");
        }
        if (!stored.getMetadata()
                .getResourceVersion()
                .equals(before.getMetadata().getResourceVersion())) {
            throw failure(HttpURLConnection.HTTP_CONFLICT, key(before) + " has been modified");
        }
        return stored;
    }

    private <T extends HasMetadata> T put(@Nullable T before, T after) {
        ApiDefaults.set(after, clock.instant());
        after.getMetadata().setResourceVersion(Long.toString(++version));
        return keep(before, after);
    }

    private <T extends HasMetadata> T keep(@Nullable T before, T after) {
        changes++;
        objects.put(key(after), after);
        owners(after)
                .forEach(owner -> dependents
                        .computeIfAbsent(owner.getUid(), ignored -> new LinkedHashSet<>())
                        .add(key(after)));
        StoreOfKind.of(after, stores).ifPresent(store -> {
            if (before == null) {
                store.onAdd(after);
            } else {
                store.onUpdate(before, after);
            }
        });
        listeners.forEach(listener -> listener.accept(after));
        return after;
    }

    private void remove(HasMetadata object) {
        changes++;
        objects.remove(key(object));
        owners(object).stream()
                .flatMap(owner -> Stream.ofNullable(dependents.get(owner.getUid())))
                .forEach(siblings -> siblings.remove(key(object)));
        StoreOfKind.of(object, stores).ifPresent(store -> store.onDelete(object, false));
        listeners.forEach(listener -> listener.accept(object));
        Set<String> owned = dependents.remove(object.getMetadata().getUid());
        if (owned != null) {
            owned.stream()
                    .map(objects::get)
                    .filter(dependent -> dependent != null && !hasOwner(dependent))
                    .toList()
                    .forEach(this::delete);
        }
    }

    private boolean hasOwner(HasMetadata dependent) {
        var uids = owners(dependent).stream().map(OwnerReference::getUid).collect(Collectors.toSet());
        return uids.size() > 1
                && objects.values().stream()
                        .anyMatch(object -> uids.contains(object.getMetadata().getUid()));
    }

    /** The generation; 1 for objects without one, since not all kinds have it. */
    static long generation(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getGeneration(), 1L);
    }

    private static List<OwnerReference> owners(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getOwnerReferences(), List.of());
    }

    private static KubernetesClientException failure(int code, String message) {
        return new KubernetesClientException(
                message, code, new StatusBuilder().withCode(code).build());
    }

    private static String key(HasMetadata object) {
        return object.getKind()
                + "/" + Objects.requireNonNullElse(object.getMetadata().getNamespace(), "") + "/"
                + object.getMetadata().getName();
    }
}
