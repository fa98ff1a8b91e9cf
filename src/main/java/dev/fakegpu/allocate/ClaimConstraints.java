package dev.fakegpu.allocate;

import dev.fakegpu.cel.DerivedAttributeResult;
import dev.fakegpu.cel.Selectors;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.DeviceConstraint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The constraints of the claims of one attempt, and the attributes that they compare. */
final class ClaimConstraints {

    private final List<List<AttributeConstraint>> byClaim;
    private final List<Claim> claims;
    private final boolean lists;
    private final Selectors selectors;
    private final Map<DerivedFrom, AttributeValue> derived = new HashMap<>();

    ClaimConstraints(List<Claim> claims, Selectors selectors, AllocatorOptions options) {
        this.claims = claims;
        this.selectors = selectors;
        lists = options.has(Feature.LIST_TYPE_ATTRIBUTES);
        byClaim = new ArrayList<>(claims.size());
        for (Claim claim : claims) {
            byClaim.add(of(claim.constraints(), lists));
        }
    }

    private static List<AttributeConstraint> of(List<DeviceConstraint> constraints, boolean lists) {
        return constraints.isEmpty()
                ? List.of()
                : constraints.stream()
                        .map(constraint -> AttributeConstraint.of(constraint, lists))
                        .toList();
    }

    private record DerivedFrom(Pool.Usable pool, int device, String expression) {}

    List<AttributeConstraint> of(int claim) {
        return byClaim.get(claim);
    }

    /**
     * Adds a device to all constraints of its claim that are about the request, or to none.
     *
     * @throws AllocationException if a derived attribute cannot be computed
     */
    boolean tryAdd(RequestVariant ask, Pool.Usable pool, int device) {
        List<AttributeConstraint> constraints = byClaim.get(ask.claimIndex());
        for (int i = 0; i < constraints.size(); i++) {
            AttributeConstraint constraint = constraints.get(i);
            if (constraint.concerns(ask) && !tryAdd(constraint, ask, pool, device, i)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Which constraint of the claim does not admit a device, by its number; -1 if all do.
     *
     * @throws AllocationException if a derived attribute cannot be computed
     */
    int firstRefusing(RequestVariant ask, Pool.Usable pool, int device) {
        List<AttributeConstraint> constraints = byClaim.get(ask.claimIndex());
        for (int i = 0; i < constraints.size(); i++) {
            AttributeConstraint constraint = constraints.get(i);
            if (constraint.concerns(ask)) {
                if (!constraint.tryAdd(value(constraint, ask, pool, device))) {
                    return i;
                }
                constraint.removeLast();
            }
        }
        return -1;
    }

    /** Whether a constraint would admit two devices with these values, were they the only ones. */
    boolean goTogether(int claim, int constraint, @Nullable AttributeValue one, @Nullable AttributeValue other) {
        AttributeConstraint fresh =
                AttributeConstraint.of(claims.get(claim).constraints().get(constraint), lists);
        return fresh.tryAdd(one) && fresh.tryAdd(other);
    }

    private boolean tryAdd(
            AttributeConstraint constraint, RequestVariant ask, Pool.Usable pool, int device, int added) {
        boolean admitted = false;
        try {
            admitted = constraint.tryAdd(value(constraint, ask, pool, device));
        } finally {
            if (!admitted) {
                removeFirst(ask, added);
            }
        }
        return admitted;
    }

    /** Takes back what {@link #tryAdd} added last. */
    void remove(RequestVariant ask) {
        removeFirst(ask, byClaim.get(ask.claimIndex()).size());
    }

    private void removeFirst(RequestVariant ask, int count) {
        List<AttributeConstraint> constraints = byClaim.get(ask.claimIndex());
        for (int i = count - 1; i >= 0; i--) {
            if (constraints.get(i).concerns(ask)) {
                constraints.get(i).removeLast();
            }
        }
    }

    /** What a constraint compares: an attribute that the request derives goes before the device's own. */
    @Nullable AttributeValue value(AttributeConstraint constraint, RequestVariant ask, Pool.Usable pool, int device) {
        String expression = ask.request().derivedAttributes().get(constraint.attribute());
        return expression == null
                ? pool.attributes().of(constraint.attribute())[device]
                : derived.computeIfAbsent(
                        new DerivedFrom(pool, device, expression), from -> derive(constraint.attribute(), from));
    }

    private AttributeValue derive(String attribute, DerivedFrom from) {
        PoolDevice device = from.pool().devices().get(from.device());
        DerivedAttributeResult result = selectors
                .compileDerivedAttribute(from.expression())
                .evaluate(device.id().driver(), device.device());
        if (result instanceof DerivedAttributeResult.Value value) {
            return value.value();
        }
        throw new AllocationException("derived attribute " + attribute + " on device " + device.id() + ": "
                + ((DerivedAttributeResult.Error) result).message());
    }
}
