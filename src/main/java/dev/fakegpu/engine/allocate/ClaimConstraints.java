package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.DeviceConstraint;
import dev.fakegpu.engine.allocate.pool.Pool;
import dev.fakegpu.engine.allocate.pool.PoolDevice;
import dev.fakegpu.engine.cel.DerivedAttributeResult;
import dev.fakegpu.engine.cel.Selectors;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The constraints of the claims of one allocation, and the attributes that they compare. */
final class ClaimConstraints {

    private final List<List<AttributeConstraint<?>>> byClaim;
    private final List<Claim> claims;
    private final AttributeComparison comparison;
    private final Selectors selectors;
    private final LimitCheck limit;
    private final Map<DerivedFrom, AttributeValue> derived = new HashMap<>();

    ClaimConstraints(List<Claim> claims, Selectors selectors, AllocatorOptions options, LimitCheck limit) {
        this.claims = claims;
        this.selectors = selectors;
        this.limit = limit;
        comparison = AttributeComparison.of(options);
        byClaim = new ArrayList<>(claims.size());
        for (Claim claim : claims) {
            byClaim.add(of(claim.constraints()));
        }
    }

    private List<AttributeConstraint<?>> of(List<DeviceConstraint> constraints) {
        var compared = new ArrayList<AttributeConstraint<?>>(constraints.size());
        constraints.forEach(constraint -> compared.add(AttributeConstraint.of(constraint, comparison)));
        return compared;
    }

    private record DerivedFrom(Pool.Usable pool, int device, String expression) {}

    List<AttributeConstraint<?>> of(int claim) {
        return byClaim.get(claim);
    }

    /**
     * Adds a device to all constraints that apply to the request. If one of them refuses it, the device is added to none.
     *
     * @throws AllocationException if a derived attribute cannot be computed
     */
    boolean tryAdd(RequestVariant variant, Pool.Usable pool, int device) {
        List<AttributeConstraint<?>> constraints = byClaim.get(variant.claimIndex());
        for (int i = 0; i < constraints.size(); i++) {
            AttributeConstraint<?> constraint = constraints.get(i);
            if (constraint.appliesTo(variant) && !tryAdd(constraint, variant, pool, device, i)) {
                return false;
            }
        }
        return true;
    }

    /**
     * The index of the claim's first constraint that refuses a device; -1 if none does.
     *
     * @throws AllocationException if a derived attribute cannot be computed
     */
    int firstRefusing(RequestVariant variant, Pool.Usable pool, int device) {
        List<AttributeConstraint<?>> constraints = byClaim.get(variant.claimIndex());
        for (int i = 0; i < constraints.size(); i++) {
            AttributeConstraint<?> constraint = constraints.get(i);
            if (constraint.appliesTo(variant)) {
                if (!constraint.tryAdd(value(constraint, variant, pool, device))) {
                    return i;
                }
                constraint.removeLast();
            }
        }
        return -1;
    }

    /** Whether a constraint would accept two devices with these values if they were the only ones. */
    boolean goTogether(int claim, int constraint, @Nullable AttributeValue one, @Nullable AttributeValue other) {
        AttributeConstraint<?> fresh =
                AttributeConstraint.of(claims.get(claim).constraints().get(constraint), comparison);
        return fresh.tryAdd(one) && fresh.tryAdd(other);
    }

    private boolean tryAdd(
            AttributeConstraint<?> constraint, RequestVariant variant, Pool.Usable pool, int device, int added) {
        boolean admitted = false;
        try {
            admitted = constraint.tryAdd(value(constraint, variant, pool, device));
        } finally {
            if (!admitted) {
                removeFirst(variant, added);
            }
        }
        return admitted;
    }

    /** Undoes the last successful {@link #tryAdd}. */
    void remove(RequestVariant variant) {
        removeFirst(variant, byClaim.get(variant.claimIndex()).size());
    }

    private void removeFirst(RequestVariant variant, int count) {
        List<AttributeConstraint<?>> constraints = byClaim.get(variant.claimIndex());
        for (int i = count - 1; i >= 0; i--) {
            if (constraints.get(i).appliesTo(variant)) {
                constraints.get(i).removeLast();
            }
        }
    }

    /** The value that a constraint compares. An attribute derived by the request takes precedence over the device's own. */
    @Nullable AttributeValue value(AttributeConstraint<?> constraint, RequestVariant variant, Pool.Usable pool, int device) {
        String expression = variant.request().derivedAttributes().get(constraint.attribute());
        return expression == null
                ? pool.caches().attributes().of(constraint.attribute())[device]
                : derived.computeIfAbsent(
                        new DerivedFrom(pool, device, expression), from -> derive(constraint.attribute(), from));
    }

    private AttributeValue derive(String attribute, DerivedFrom from) {
        PoolDevice device = from.pool().devices().get(from.device());
        DerivedAttributeResult result = selectors
                .compileDerivedAttribute(from.expression())
                .evaluate(device.id().driver(), device.device(), limit);
        if (result instanceof DerivedAttributeResult.Value value) {
            return value.value();
        }
        throw new AllocationException("derived attribute " + attribute + " on device " + device.id() + ": "
                + ((DerivedAttributeResult.Error) result).message());
    }
}
