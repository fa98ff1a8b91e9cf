package dev.fakegpu.engine.explain;

import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Computes what a driver publishes for a pool once devices in use are released, if it defers changes until then. */
@FunctionalInterface
public interface PendingChanges {

    /** For drivers that defer no changes, or if pending changes are not known. */
    PendingChanges NONE = (pool, published, isInUse) -> Optional.empty();

    /**
     * The slices of a pool if only some of its devices are in use.
     *
     * @param published the pool's current slices
     * @param isInUse whether a device with this name stays in use
     * @return empty if no change to the pool is deferred
     */
    Optional<List<Slice>> slices(PoolId pool, List<Slice> published, Predicate<String> isInUse);
}
