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
        private final @Nullable Selection[] selections;
        private final Portions.@Nullable Column[] portions;

        OfAsk(int pools) {
            selections = new Selection[pools];
            portions = new Portions.Column[pools];
        }
    }

    private OfAsk of(Ask ask) {
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

    Selection selection(Ask ask, int pool) {
        OfAsk ofAsk = of(ask);
        Selection selection = ofAsk.selections[pool];
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
    boolean isSelected(Ask ask, int pool, int device) {
        Pool.Usable usable = pool(pool);
        if (!bindingConditions && usable.hasBindingConditions() && hasBindingConditions(usable, device)) {
            return false;
        }
        Selection selection = selection(ask, pool);
        Verdict.Failed failed = selection.ask(device);
        if (failed != null) {
            throw failure(ask, usable.devices().get(device), failed);
        }
        return selection.isSelected(device) && reaches(usable, device);
    }

    private static boolean hasBindingConditions(Pool.Usable pool, int device) {
        return !pool.devices().get(device).device().binding().conditions().isEmpty();
    }

    private boolean reaches(Pool.Usable pool, int device) {
        if (!pool.selectsNodesPerDevice()) {
            return true;
        }
        PoolDevice asked = pool.devices().get(device);
        return !asked.slice().selectsNodesPerDevice() || NodePools.reaches(asked.slice(), asked.device(), pools.node());
    }

    private static AllocationException failure(Ask ask, PoolDevice device, Verdict.Failed failed) {
        String origin = failed.origin() == Verdict.Origin.CLASS
                ? "class " + ask.deviceClass().name()
                : "claim " + ask.claim();
        return new AllocationException(
                origin + ": selector #" + failed.index() + " on device " + device.id() + ": " + failed.message());
    }

    /** Whether the device hands out such portions at all and is large enough when nobody else uses it. */
    boolean offers(Ask ask, int pool, int device) {
        if (!consumableCapacity) {
            return true;
        }
        Portion.Amounts amounts = amounts(ask, pool, device);
        return amounts != null && amounts.fits(null, null);
    }

    /**
     * What the request would take of the device.
     *
     * @return null if the device does not offer it
     * @throws AllocationException if it cannot be expressed in what the device counts in
     */
    Portion.@Nullable Amounts amounts(Ask ask, int pool, int device) {
        OfAsk ofAsk = of(ask);
        Portions.Column column = ofAsk.portions[pool];
        if (column == null) {
            column = pool(pool).portions().of(ask.request().capacity(), fractional);
            ofAsk.portions[pool] = column;
        }
        Portion portion = column.of(device);
        if (portion instanceof Portion.Unrepresentable wrong) {
            throw ask.failure("checking capacity for device "
                    + pool(pool).devices().get(device).id() + ": capacity \"" + wrong.capacity() + "\": "
                    + wrong.message());
        }
        return portion instanceof Portion.Amounts amounts ? amounts : null;
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

    boolean isTolerated(Ask ask, Device device) {
        return device.taints().isEmpty()
                || !options.has(Feature.DEVICE_TAINTS)
                || Taints.untolerated(device, ask.request(), options.tolerations())
                        .isEmpty();
    }

    private Device device(int pool, int device) {
        return pool(pool).devices().get(device).device();
    }
}
