package dev.fakegpu.kube.watch;

import dev.fakegpu.dra.wire.CompactSlice;
import dev.fakegpu.kube.client.UnreadableFields;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The newest known version of each object of a kind: the informer's, or our own write if the informer lags behind. Otherwise a decision
 * could be based on the state before our previous write.
 *
 * <p>Objects with {@link UnreadableFields} are kept for kinds whose users check each object before they decide about it. They are left out,
 * as if they did not exist, for kinds that other objects refer to by name or that are listed as a whole.
 */
public final class ObjectStore<T extends HasMetadata> implements ResourceEventHandler<T>, ObjectLookup<T> {

    /** Called after the store has changed. {@code before} is null for a new object, {@code after} for a deleted one. */
    @FunctionalInterface
    public interface Listener<T> {
        void changed(@Nullable T before, @Nullable T after);
    }

    /** Finds objects by keys that are derived from them. */
    public static final class Index<K, T extends HasMetadata> {

        private final ObjectStore<T> store;
        private final Function<T, Set<K>> keys;

        /** Names of objects by key. The index may lag behind the store, so readers check the object again. */
        private final Map<K, Set<String>> names = new ConcurrentHashMap<>();

        private Index(ObjectStore<T> store, Function<T, Set<K>> keys) {
            this.store = store;
            this.keys = keys;
        }

        /** The objects with this key, in no particular order. */
        public List<T> get(K wanted) {
            return names.getOrDefault(wanted, Set.of()).stream()
                    .flatMap(name -> Stream.ofNullable(store.byKey.get(name)))
                    .filter(object -> keys.apply(object).contains(wanted))
                    .toList();
        }

        private void replaced(String name, @Nullable T before, @Nullable T after) {
            Set<K> keysBefore = before == null ? Set.of() : keys.apply(before);
            Set<K> keysAfter = after == null ? Set.of() : keys.apply(after);
            keysAfter.stream()
                    .filter(key -> !keysBefore.contains(key))
                    .forEach(added -> names.compute(added, (same, known) -> with(known, name)));
            keysBefore.stream()
                    .filter(key -> !keysAfter.contains(key))
                    .forEach(removed -> names.computeIfPresent(removed, (same, known) -> without(known, name)));
        }

        private static Set<String> with(@Nullable Set<String> known, String name) {
            var names = known == null ? ConcurrentHashMap.<String>newKeySet() : known;
            names.add(name);
            return names;
        }

        private static @Nullable Set<String> without(Set<String> known, String name) {
            known.remove(name);
            return known.isEmpty() ? null : known;
        }
    }

    private static final Logger LOG = Logger.getLogger(ObjectStore.class);
    private static final int REMEMBERED_DELETIONS = 4096;

    private final Predicate<T> isUsable;
    private final Map<String, T> byKey = new ConcurrentHashMap<>();
    private final Map<String, T> leftOut = new ConcurrentHashMap<>();
    private final Set<String> deletedUids =
            Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                    return size() > REMEMBERED_DELETIONS;
                }
            }));
    private final List<Listener<T>> listeners = new CopyOnWriteArrayList<>();
    private final List<Index<?, T>> indexes = new CopyOnWriteArrayList<>();

    /** Creates a store of all objects, including those with unreadable fields. */
    public ObjectStore() {
        this(object -> true);
    }

    private ObjectStore(Predicate<T> isUsable) {
        this.isUsable = isUsable;
    }

    /** Creates a store without objects that have unreadable fields. Listeners see an object that becomes unreadable as deleted. */
    static <T extends HasMetadata> ObjectStore<T> ofReadable() {
        return new ObjectStore<>(UnreadableFields::isReadable);
    }

    public void addListener(Listener<T> listener) {
        listeners.add(listener);
    }

    /** @param keys computes the keys of an object; empty if the index omits it */
    public <K> Index<K, T> index(Function<T, Set<K>> keys) {
        var index = new Index<>(this, keys);
        indexes.add(index);
        byKey.keySet()
                .forEach(name -> byKey.computeIfPresent(name, (same, object) -> {
                    index.replaced(name, null, object);
                    return object;
                }));
        return index;
    }

    public Collection<T> list() {
        return List.copyOf(byKey.values());
    }

    @Override
    public Optional<T> get(@Nullable String namespace, String name) {
        return Optional.ofNullable(byKey.get(key(namespace, name)));
    }

    /** The objects that the store omits because of unreadable fields. */
    public Collection<T> leftOut() {
        return List.copyOf(leftOut.values());
    }

    /** All objects with unreadable fields, whether kept or left out. */
    public List<T> unreadable() {
        return Stream.concat(
                        byKey.values().stream().filter(object -> !UnreadableFields.isReadable(object)),
                        leftOut.values().stream())
                .toList();
    }

    /**
     * Stores the API server's response to our own write, unless the object was deleted in the meantime. The response also replaces the same
     * version: the response to a binding does not contain the pod, so the pod is stored as bound with its previous version.
     */
    public void written(T object) {
        store(
                object,
                (known, candidate) -> version(candidate) > version(known)
                                || (version(candidate) == version(known) && !isAssumed(candidate))
                        ? candidate
                        : known);
    }

    /**
     * Stores an object that the informer reports. The report may be late, and our own write may be based on the same version, so the same
     * version does not replace what is known, unless that was only assumed.
     */
    private void observed(T object) {
        store(
                object,
                (known, candidate) -> version(candidate) > version(known)
                                || (isAssumed(known) && version(candidate) == version(known))
                        ? candidate
                        : known);
    }

    /** Whether the known content is only assumed or incomplete, so that the stored object replaces it even if it has the same version. */
    private static boolean isAssumed(HasMetadata object) {
        return CompactSlice.isWithoutDevices(object) || (object instanceof CompactSlice slice && slice.isAssumed());
    }

    /** @param choice chooses between two versions of the same object; a different object of the same name is always later */
    private void store(T object, BinaryOperator<T> choice) {
        // Atomic, so that a deletion on another thread happens either before this and is seen here, or after it.
        byKey.compute(key(object), (key, known) -> {
            if (deletedUids.contains(object.getMetadata().getUid())) {
                return known;
            }
            T latest = known == null ? leftOut.get(key) : known;
            T kept = latest != null && sameUid(latest, object) ? choice.apply(latest, object) : object;
            if (isUsable.test(kept)) {
                leftOut.remove(key);
                return stored(key, known, kept);
            }
            leftOut.put(key, kept);
            return stored(key, known, null);
        });
    }

    /** Removes an object that we deleted, before the informer reports the deletion. */
    public void deleted(T object) {
        deletedUids.add(object.getMetadata().getUid());
        byKey.compute(key(object), (key, known) -> {
            leftOut.computeIfPresent(key, (same, left) -> sameUid(left, object) ? null : left);
            return stored(key, known, known != null && sameUid(known, object) ? null : known);
        });
    }

    private @Nullable T stored(String key, @Nullable T before, @Nullable T after) {
        indexes.forEach(index -> index.replaced(key, before, after));
        return after;
    }

    @Override
    public void onAdd(T object) {
        observed(object);
        notify(null, object);
    }

    @Override
    public void onUpdate(T before, T after) {
        T usableBefore = usable(before);
        if (sameUid(before, after) && version(after) < version(before)) {
            store(after, (known, restored) -> restored); // etcd was restored: the known version no longer exists
        } else {
            observed(after);
        }
        notify(usableBefore, after);
    }

    @Override
    public void onDelete(T object, boolean finalStateUnknown) {
        T known = usable(object);
        deleted(object);
        notify(known, null);
    }

    /** The object as listeners know it, since the informer's may have been read differently; null if listeners do not know it. */
    private @Nullable T usable(T object) {
        if (isUsable.test(object)) {
            return object;
        }
        T known = byKey.get(key(object));
        return known != null && sameUid(known, object) ? known : null;
    }

    /** A handler that converts objects of another kind or version for {@code handler}. */
    static <S, T> ResourceEventHandler<S> converting(ResourceEventHandler<T> handler, Function<S, T> converter) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(S object) {
                handler.onAdd(converter.apply(object));
            }

            @Override
            public void onUpdate(S before, S after) {
                handler.onUpdate(converter.apply(before), converter.apply(after));
            }

            @Override
            public void onDelete(S object, boolean finalStateUnknown) {
                handler.onDelete(converter.apply(object), finalStateUnknown);
            }
        };
    }

    /** @param before the object as listeners know it */
    private void notify(@Nullable T before, @Nullable T after) {
        T usableAfter = after != null && isUsable.test(after) ? after : null;
        if (before != null || usableAfter != null) {
            listeners.forEach(listener -> notify(listener, before, usableAfter));
        }
    }

    /** If one listener throws an exception, the others are still called. */
    private void notify(Listener<T> listener, @Nullable T before, @Nullable T after) {
        try {
            listener.changed(before, after);
        } catch (RuntimeException e) {
            LOG.errorf(e, "a change of %s is not handled", key(after == null ? Objects.requireNonNull(before) : after));
        }
    }

    private static boolean sameUid(HasMetadata one, HasMetadata other) {
        return one.getMetadata().getUid().equals(other.getMetadata().getUid());
    }

    /** Resource versions of one kind can be compared as numbers (Kubernetes 1.35, KEP-5504). */
    private static long version(HasMetadata object) {
        return Long.parseLong(object.getMetadata().getResourceVersion());
    }

    private static String key(HasMetadata object) {
        return key(object.getMetadata().getNamespace(), object.getMetadata().getName());
    }

    private static String key(@Nullable String namespace, String name) {
        return namespace == null ? name : namespace + "/" + name;
    }
}
