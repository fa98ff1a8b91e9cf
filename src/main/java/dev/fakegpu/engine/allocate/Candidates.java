package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.Device;
import dev.fakegpu.engine.allocate.pool.CapacityRounding;
import dev.fakegpu.engine.allocate.pool.ConsumedCapacity;
import dev.fakegpu.engine.allocate.pool.ConsumedCapacityCache;
import dev.fakegpu.engine.allocate.pool.Pool;
import dev.fakegpu.engine.allocate.pool.PoolDevice;
import dev.fakegpu.engine.allocate.pool.SelectorMatches;
import dev.fakegpu.engine.allocate.pool.SelectorVerdict;
import dev.fakegpu.engine.cel.EvaluationInterrupted;
import dev.fakegpu.engine.cel.Selectors;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides which devices of a node are eligible for a request, regardless of what is allocated: by selectors, node access, requested
 * capacity, and taints. Used for one allocation.
 */
final class Candidates {

    private final NodePools pools;
    private final Selectors selectors;
    private final AllocatorOptions options;
    private final boolean bindingConditions;
    private final boolean consumableCapacity;
    private final CapacityRounding rounding;
    private final LimitCheck limit;
    private final List<@Nullable OfVariant> byVariant = new ArrayList<>();

    Candidates(NodePools pools, Selectors selectors, AllocatorOptions options, LimitCheck limit) {
        this.pools = pools;
        this.selectors = selectors;
        this.options = options;
        this.limit = limit;
        bindingConditions = options.has(Feature.DEVICE_BINDING_AND_STATUS);
        consumableCapacity = options.has(Feature.CONSUMABLE_CAPACITY);
        rounding = options.capacityRounding();
    }

    /** The cached data of one variant, by pool. */
    private static final class OfVariant {
        private final @Nullable SelectorMatches[] matches;
        private final ConsumedCapacityCache.@Nullable Column[] consumed;

        OfVariant(int pools) {
            matches = new SelectorMatches[pools];
            consumed = new ConsumedCapacityCache.Column[pools];
        }
    }

    private OfVariant of(RequestVariant variant) {
        while (byVariant.size() <= variant.id()) {
            byVariant.add(null);
        }
        OfVariant ofVariant = byVariant.get(variant.id());
        if (ofVariant == null) {
            ofVariant = new OfVariant(pools.pools().size());
            byVariant.set(variant.id(), ofVariant);
        }
        return ofVariant;
    }

    Pool.Usable pool(int pool) {
        return (Pool.Usable) pools.pools().get(pool);
    }

    SelectorMatches selectorMatches(RequestVariant variant, int pool) {
        OfVariant ofVariant = of(variant);
        SelectorMatches matches = ofVariant.matches[pool];
        if (matches == null) {
            matches = pool(pool).caches().selectorMatches().of(variant.expressions(), selectors);
            ofVariant.matches[pool] = matches;
        }
        return matches;
    }

    /**
     * Whether the selectors of the class and the request match the device, and the node can access it.
     *
     * @throws AllocationException if a selector fails; upstream then gives up
     * @throws EvaluationInterrupted if the limit of the attempt is reached
     */
    boolean isSelected(RequestVariant variant, int pool, int device) {
        limit.visit();
        Pool.Usable usable = pool(pool);
        if (isExcludedByBindingConditions(usable, device)) {
            return false;
        }
        SelectorMatches matches = selectorMatches(variant, pool);
        SelectorVerdict.Failed failed = failure(matches, variant, usable, device);
        if (failed != null) {
            throw failure(variant, usable.devices().get(device), failed);
        }
        return matches.isSelected(device) && reaches(usable, device);
    }

    private SelectorVerdict.@Nullable Failed failure(
            SelectorMatches matches, RequestVariant variant, Pool.Usable pool, int device) {
        try {
            return matches.failure(device, limit);
        } catch (EvaluationInterrupted e) {
            throw new EvaluationInterrupted(e.getMessage() + ", while the selectors of claim " + variant.claim()
                    + ", request " + variant.resultName() + " were evaluated on device "
                    + pool.devices().get(device).id());
        }
    }

    /**
     * The complete verdict of the selectors for one device, for explanations.
     *
     * @throws EvaluationInterrupted if the limit of the attempt is reached
     */
    SelectorVerdict verdict(RequestVariant variant, int pool, int device) {
        limit.visit();
        return selectorMatches(variant, pool).verdict(device, limit);
    }

    /** Call this in loops over devices that evaluate no selectors. */
    LimitCheck limit() {
        return limit;
    }

    /** Whether the device has binding conditions while the feature is off. */
    boolean isExcludedByBindingConditions(Pool.Usable pool, int device) {
        return !bindingConditions
                && pool.hasBindingConditions()
                && !pool.devices().get(device).device().binding().conditions().isEmpty();
    }

    boolean reaches(Pool.Usable pool, int device) {
        if (!pool.selectsNodesPerDevice()) {
            return true;
        }
        PoolDevice reached = pool.devices().get(device);
        return !reached.slice().selectsNodesPerDevice()
                || NodePools.reaches(reached.slice(), reached.device(), pools.node());
    }

    private static AllocationException failure(
            RequestVariant variant, PoolDevice device, SelectorVerdict.Failed failed) {
        String origin = failed.origin() == SelectorVerdict.Origin.CLASS
                ? "class " + variant.deviceClass().name()
                : "claim " + variant.claim();
        return new AllocationException(
                origin + ": selector #" + failed.index() + " on device " + device.id() + ": " + failed.message(),
                new RequestError.SelectorFailed(device.id(), failed.origin(), failed.message()));
    }

    /** Whether the device, while it is not in use, offers the requested capacity. */
    boolean offers(RequestVariant variant, int pool, int device) {
        if (!consumableCapacity) {
            return true;
        }
        ConsumedCapacity.Amounts amounts = amounts(variant, pool, device);
        return amounts != null && amounts.fits(null, null);
    }

    /**
     * The capacity that the request would consume from the device.
     *
     * @return null if the device does not offer it
     * @throws AllocationException if the capacity cannot be represented in the device's units
     */
    ConsumedCapacity.@Nullable Amounts amounts(RequestVariant variant, int pool, int device) {
        ConsumedCapacity consumed = consumedCapacity(variant, pool, device);
        if (consumed instanceof ConsumedCapacity.Unrepresentable wrong) {
            throw variant.failure("checking capacity for device "
                    + pool(pool).devices().get(device).id() + ": capacity \"" + wrong.capacity() + "\": "
                    + wrong.message());
        }
        return consumed instanceof ConsumedCapacity.Amounts amounts ? amounts : null;
    }

    ConsumedCapacity consumedCapacity(RequestVariant variant, int pool, int device) {
        OfVariant ofVariant = of(variant);
        ConsumedCapacityCache.Column column = ofVariant.consumed[pool];
        if (column == null) {
            column = pool(pool).caches().consumedCapacity().of(variant.request().capacity(), rounding);
            ofVariant.consumed[pool] = column;
        }
        return column.of(device);
    }

    /** Whether several requests can have shares of the device. */
    boolean isShareable(int pool, int device) {
        return consumableCapacity && pool(pool).isShareable(device);
    }

    boolean countsCapacity() {
        return consumableCapacity;
    }

    boolean supportsNodeOperationsOf(PoolDevice device) {
        String gate = Feature.OPTIONAL_NODE_OPERATIONS.gates().get(0);
        return device.slice().skipNodeOperations().isEmpty()
                || options.has(Feature.OPTIONAL_NODE_OPERATIONS)
                        && pools.node().declaredFeatures().contains(gate);
    }

    boolean isTolerated(RequestVariant variant, Device device) {
        return device.taints().isEmpty()
                || !options.has(Feature.DEVICE_TAINTS)
                || Taints.untolerated(device, variant.request(), options.tolerations())
                        .isEmpty();
    }
}
