package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.pool.Pool;
import dev.fakegpu.engine.allocate.pool.PoolBuilder;
import java.lang.ref.SoftReference;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The pools that were built. Each is kept as long as its slices are the same objects. Thread-safe. */
final class BuiltPools {

    /** The maximum number of changed pools. For a while, they count as used memory even if memory is short. */
    private static final int MAX_REMEMBERED = 256;

    private final PoolBuilder builder;
    private final Map<PoolId, Map<PoolKey, Pool>> byId = new ConcurrentHashMap<>();

    /** What changed pools were, until they are built again or memory is short. */
    private final Map<PoolId, SoftReference<Pool.Usable>> before = new ConcurrentHashMap<>();

    BuiltPools(PoolBuilder builder) {
        this.builder = builder;
    }

    boolean isPartitionable() {
        return builder.isPartitionable();
    }

    /** The pool, which is built with {@link PoolBuilder#build} when it is first needed. */
    Pool get(PoolId id, List<Slice> relevant, List<Slice> ofPool) {
        return byId.computeIfAbsent(id, ignored -> new ConcurrentHashMap<>())
                .computeIfAbsent(
                        new PoolKey(relevant, ofPool), ignored -> builder.build(id, relevant, ofPool, takeBefore(id)));
    }

    private Pool.@Nullable Usable takeBefore(PoolId id) {
        SoftReference<Pool.Usable> pool = before.remove(id);
        return pool == null ? null : pool.get();
    }

    /**
     * Forgets what was built of a pool, because one of its slices has changed.
     *
     * @param exists whether it still has slices
     */
    void changed(PoolId id, boolean exists) {
        Map<PoolKey, Pool> pools = byId.remove(id);
        if (!exists) {
            before.remove(id);
        } else if (pools != null) {
            if (before.size() >= MAX_REMEMBERED) {
                before.clear();
            }
            for (Pool pool : pools.values()) {
                if (pool instanceof Pool.Usable usable) {
                    before.put(id, new SoftReference<>(usable));
                    break;
                }
            }
        }
    }

    /** A copy with only the pools that consist of these slices. */
    BuiltPools keeping(Collection<Slice> present) {
        Set<Slice> slices = identitySet(present);
        var copy = new BuiltPools(builder);
        byId.forEach((id, pools) -> pools.forEach((key, pool) -> {
            if (key.consistsOf(slices)) {
                copy.byId
                        .computeIfAbsent(id, ignored -> new ConcurrentHashMap<>())
                        .put(key, pool);
            }
        }));
        return copy;
    }

    /** A copy with only these pools. */
    BuiltPools of(Collection<PoolId> ids) {
        var copy = new BuiltPools(builder);
        for (PoolId id : ids) {
            Map<PoolKey, Pool> pools = byId.get(id);
            if (pools != null) {
                copy.byId.put(id, new ConcurrentHashMap<>(pools));
            }
        }
        return copy;
    }

    private static Set<Slice> identitySet(Collection<Slice> slices) {
        Set<Slice> set = Collections.newSetFromMap(new IdentityHashMap<>());
        set.addAll(slices);
        return set;
    }

    /** Compares slices by identity: comparing their content would cost more than building the pool again. */
    private static final class PoolKey {
        private final List<Slice> relevant;
        private final List<Slice> ofPool;
        private final int hash;

        PoolKey(List<Slice> relevant, List<Slice> ofPool) {
            this.relevant = relevant;
            this.ofPool = ofPool;
            hash = 31 * identityHash(relevant) + identityHash(ofPool);
        }

        boolean consistsOf(Set<Slice> slices) {
            return slices.containsAll(relevant) && slices.containsAll(ofPool);
        }

        private static int identityHash(List<Slice> slices) {
            int hash = 1;
            for (Slice slice : slices) {
                hash = 31 * hash + System.identityHashCode(slice);
            }
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof PoolKey that
                    && hash == that.hash
                    && sameObjects(relevant, that.relevant)
                    && sameObjects(ofPool, that.ofPool);
        }

        @SuppressWarnings("ReferenceEquality")
        private static boolean sameObjects(List<Slice> left, List<Slice> right) {
            if (left == right) {
                return true;
            }
            if (left.size() != right.size()) {
                return false;
            }
            for (int i = 0; i < left.size(); i++) {
                if (left.get(i) != right.get(i)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}
