package dev.fakegpu.allocate;

import dev.fakegpu.cel.Selectors;
import dev.fakegpu.dra.Device;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which devices of a node come into question for what is asked, whatever else is allocated: selectors, reachability, portions of
 * capacity, taints. For one attempt.
 */
final class Candidates {

    private final NodePools pools;
    private final Selectors selectors;
    private final AllocatorOptions options;
    private final boolean bindingConditions;
    private final boolean consumableCapacity;
    private final boolean fractional;
    private final List<@Nullable OfAsk> byAsk = new ArrayList<>();

    Candidates(NodePools pools, Selectors selectors, AllocatorOptions options) {
        this.pools = pools;
        this.selectors = selectors;
        this.options = options;
        bindingConditions = options.has(Feature.DEVICE_BINDING_AND_STATUS);
        consumableCapacity = options.has(Feature.CONSUMABLE_CAPACITY);
        fractional = options.has(Feature.FRACTIONAL_CAPACITY_RANGE);
    }

    /** What is remembered for one ask, by pool. */
    private static final class OfAsk {
        private final @Nullable SelectorMatches[] selections;
        private final ConsumedCapacityCache.@Nullable Column[] portions;

        OfAsk(int pools) {
            selections = new SelectorMatches[pools];
            portions = new ConsumedCapacityCache.Column[pools];
        }
    }

    private OfAsk of(RequestVariant ask) {
        while (byAsk.size() <= ask.id()) {
            byAsk.add(null);
        }
        OfAsk ofAsk = byAsk.get(ask.id());
        if (ofAsk == null) {
            ofAsk = new OfAsk(pools.pools().size());
            byAsk.set(ask.id(), ofAsk);
        }
        return ofAsk;
    }

    Pool.Usable pool(int pool) {
        return (Pool.Usable) pools.pools().get(pool);
    }

    SelectorMatches selection(RequestVariant ask, int pool) {
        OfAsk ofAsk = of(ask);
        SelectorMatches selection = ofAsk.selections[pool];
        if (selection == null) {
            selection = pool(pool).selections().of(ask.question(), selectors);
            ofAsk.selections[pool] = selection;
        }
        return selection;
    }

    /**
     * Whether class, request and the device itself agree that the request may have it on this node.
     *
     * @throws AllocationException if a selector fails; upstream then gives up the attempt
     */
    boolean isSelected(RequestVariant ask, int pool, int device) {
        Pool.Usable usable = pool(pool);
        if (isKeptOffByConditions(usable, device)) {
            return false;
        }
        SelectorMatches selection = selection(ask, pool);
        SelectorVerdict.Failed failed = selection.ask(device);
        if (failed != null) {
            throw failure(ask, usable.devices().get(device), failed);
        }
        return selection.isSelected(device) && reaches(usable, device);
    }

    /** Whether the device has to be waited for, and that is not known. */
    boolean isKeptOffByConditions(Pool.Usable pool, int device) {
        return !bindingConditions
                && pool.hasBindingConditions()
                && !pool.devices().get(device).device().binding().conditions().isEmpty();
    }

    boolean reaches(Pool.Usable pool, int device) {
        if (!pool.selectsNodesPerDevice()) {
            return true;
        }
        PoolDevice asked = pool.devices().get(device);
        return !asked.slice().selectsNodesPerDevice() || NodePools.reaches(asked.slice(), asked.device(), pools.node());
    }

    private static AllocationException failure(RequestVariant ask, PoolDevice device, SelectorVerdict.Failed failed) {
        String origin = failed.origin() == SelectorVerdict.Origin.CLASS
                ? "class " + ask.deviceClass().name()
                : "claim " + ask.claim();
        return new AllocationException(
                origin + ": selector #" + failed.index() + " on device " + device.id() + ": " + failed.message(),
                new RequestError.SelectorFailed(device.id(), failed.message()));
    }

    /** Whether the device hands out such portions at all and is large enough when nobody else uses it. */
    boolean offers(RequestVariant ask, int pool, int device) {
        if (!consumableCapacity) {
            return true;
        }
        ConsumedCapacity.Amounts amounts = amounts(ask, pool, device);
        return amounts != null && amounts.fits(null, null);
    }

    /**
     * What the request would take of the device.
     *
     * @return null if the device does not offer it
     * @throws AllocationException if it cannot be expressed in what the device counts in
     */
    ConsumedCapacity.@Nullable Amounts amounts(RequestVariant ask, int pool, int device) {
        ConsumedCapacity portion = portion(ask, pool, device);
        if (portion instanceof ConsumedCapacity.Unrepresentable wrong) {
            throw ask.failure("checking capacity for device "
                    + pool(pool).devices().get(device).id() + ": capacity \"" + wrong.capacity() + "\": "
                    + wrong.message());
        }
        return portion instanceof ConsumedCapacity.Amounts amounts ? amounts : null;
    }

    ConsumedCapacity portion(RequestVariant ask, int pool, int device) {
        OfAsk ofAsk = of(ask);
        ConsumedCapacityCache.Column column = ofAsk.portions[pool];
        if (column == null) {
            column = pool(pool).portions().of(ask.request().capacity(), fractional);
            ofAsk.portions[pool] = column;
        }
        return column.of(device);
    }

    /** Whether shares of the device can be had. */
    boolean isShareable(int pool, int device) {
        return consumableCapacity && device(pool, device).allowMultipleAllocations();
    }

    boolean countsCapacity() {
        return consumableCapacity;
    }

    boolean needsNoMissingOperations(PoolDevice device) {
        String gate = Feature.OPTIONAL_NODE_OPERATIONS.gates().get(0);
        return device.slice().skipNodeOperations().isEmpty()
                || options.has(Feature.OPTIONAL_NODE_OPERATIONS)
                        && pools.node().declaredFeatures().contains(gate);
    }

    boolean isTolerated(RequestVariant ask, Device device) {
        return device.taints().isEmpty()
                || !options.has(Feature.DEVICE_TAINTS)
                || Taints.untolerated(device, ask.request(), options.tolerations())
                        .isEmpty();
    }

    private Device device(int pool, int device) {
        return pool(pool).devices().get(device).device();
    }
}
