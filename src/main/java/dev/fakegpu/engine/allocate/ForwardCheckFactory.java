package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.engine.allocate.lookahead.ConstraintSupport;
import dev.fakegpu.engine.allocate.lookahead.DeviceNumbering;
import dev.fakegpu.engine.allocate.lookahead.DeviceSet;
import dev.fakegpu.engine.allocate.lookahead.ForwardCheck;
import dev.fakegpu.engine.allocate.lookahead.RequestDemand;
import dev.fakegpu.engine.allocate.lookahead.VariantDemand;
import dev.fakegpu.engine.allocate.pool.Pool;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Creates the {@link ForwardCheck} of a search. Finds the devices that are eligible for each request, and the devices with each value that
 * a constraint compares.
 */
final class ForwardCheckFactory {

    private final List<ResolvedRequest> requests;
    private final List<RequestVariant> variants;
    private final NodePools pools;
    private final Candidates candidates;
    private final PartialAllocation partial;
    private final ClaimConstraints constraints;
    private final DeviceNumbering numbering;

    ForwardCheckFactory(SearchProblem problem) {
        requests = problem.requests();
        pools = problem.pools();
        candidates = problem.candidates();
        partial = problem.partial();
        constraints = problem.constraints();
        variants = requests.stream()
                .flatMap(request -> request.variants().stream())
                .toList();
        numbering = new DeviceNumbering(pools.pools().stream()
                .mapToInt(pool ->
                        pool instanceof Pool.Usable usable ? usable.devices().size() : 0)
                .toArray());
    }

    /** @return null if the search could fail with an error, which must be found at the same point as in upstream */
    @Nullable ForwardCheck create() {
        if (mayFail() || !hasSimpleCounters()) {
            return null;
        }
        try {
            List<RequestDemand> demands = requests.stream().map(this::demand).toList();
            List<AttributeConstraint<?>> all = new ArrayList<>();
            requests.stream()
                    .map(ResolvedRequest::claimIndex)
                    .distinct()
                    .forEach(claim -> all.addAll(constraints.of(claim)));
            return new ForwardCheck(
                    new SearchStateAdapter(variants, candidates, partial),
                    numbering,
                    demands,
                    supports(all.stream().filter(AttributeConstraint::isMatch).toList(), demands),
                    supports(all.stream().filter(each -> !each.isMatch()).toList(), demands));
        } catch (AllocationException e) {
            return null;
        }
    }

    /** Whether a constraint could fail on a request for all devices, or on an attribute derived for a request with admin access. */
    private boolean mayFail() {
        return variants.stream()
                .filter(variant -> variant.isAll()
                        || variant.isAdmin()
                                && !variant.request().derivedAttributes().isEmpty())
                .anyMatch(variant ->
                        constraints.of(variant.claimIndex()).stream().anyMatch(each -> each.appliesTo(variant)));
    }

    private boolean hasSimpleCounters() {
        return pools.pools().stream()
                .allMatch(pool -> !(pool instanceof Pool.Usable usable)
                        || usable.caches().counters().isSimple());
    }

    private RequestDemand demand(ResolvedRequest request) {
        var demands = new ArrayList<VariantDemand>();
        for (RequestVariant variant : request.variants()) {
            if (variant.isAdmin()) {
                requireNoErrors(variant);
            } else {
                demands.add(new VariantDemand(
                        variant.id(),
                        variant.count(),
                        eligible(variant),
                        variant.request().capacity()));
            }
        }
        return new RequestDemand(demands);
    }

    /**
     * Evaluates the selectors of a request with admin access. It takes no devices from others, but its selectors could fail, even on
     * devices in use.
     */
    private void requireNoErrors(RequestVariant variant) {
        forEachDevice((pool, device) -> {
            if (candidates.isSelected(variant, pool, device)) {
                candidates.offers(variant, pool, device);
            }
        });
    }

    private DeviceSet eligible(RequestVariant variant) {
        var eligible = new DeviceSet(numbering);
        if (variant.isAll()) {
            variant.all().forEach(place -> addIfEligible(variant, place.pool(), place.device(), eligible));
        } else {
            forEachDevice((pool, device) -> addIfEligible(variant, pool, device, eligible));
        }
        return eligible;
    }

    private void addIfEligible(RequestVariant variant, int pool, int device, DeviceSet eligible) {
        if (!partial.state(pool).isBusy(device)
                && candidates.isSelected(variant, pool, device)
                && partial.fits(variant, pool, device)
                && partial.isUsable(variant, pool, device)) {
            eligible.add(pool, device);
        }
    }

    /** Takes a device of a usable pool. */
    private interface DeviceVisitor {
        void visit(int pool, int device);
    }

    private void forEachDevice(DeviceVisitor visitor) {
        for (int pool = 0; pool < numbering.pools(); pool++) {
            for (int device = 0; device < numbering.devices(pool); device++) {
                candidates.limit().visit();
                visitor.visit(pool, device);
            }
        }
    }

    private List<ConstraintSupport> supports(List<AttributeConstraint<?>> compared, List<RequestDemand> demands) {
        var supports = new ArrayList<ConstraintSupport>();
        for (AttributeConstraint<?> constraint : compared) {
            List<VariantDemand> concerned = demands.stream()
                    .flatMap(demand -> demand.variants().stream())
                    .filter(demand -> applies(constraint, variants.get(demand.id())))
                    .toList();
            // Called even for constraints that are not used: the search must find attributes that cannot be derived.
            ConstraintSupport support = support(constraint, concerned);
            // Requests may see different derived values on the same device, which one set per value cannot express.
            if (concerned.stream().noneMatch(demand -> derives(demand, constraint))) {
                supports.add(support);
            }
        }
        return supports;
    }

    private boolean applies(AttributeConstraint<?> constraint, RequestVariant variant) {
        return constraints.of(variant.claimIndex()).contains(constraint) && constraint.appliesTo(variant);
    }

    private boolean derives(VariantDemand demand, AttributeConstraint<?> constraint) {
        return variants.get(demand.id()).request().derivedAttributes().containsKey(constraint.attribute());
    }

    private ConstraintSupport support(AttributeConstraint<?> constraint, List<VariantDemand> concerned) {
        var ids = new BitSet();
        var devicesByValue = new LinkedHashMap<Object, DeviceSet>();
        for (VariantDemand demand : concerned) {
            ids.set(demand.id());
            addValues(constraint, demand, devicesByValue);
        }
        return new ConstraintSupport(ids, devicesByValue, constraint::agreedValues);
    }

    private void addValues(
            AttributeConstraint<?> constraint, VariantDemand demand, Map<Object, DeviceSet> devicesByValue) {
        RequestVariant variant = variants.get(demand.id());
        forEachDevice((pool, device) -> {
            AttributeValue value = demand.eligible().contains(pool, device)
                    ? constraints.value(constraint, variant, candidates.pool(pool), device)
                    : null;
            if (value != null) {
                for (Object element : constraint.comparable(value, numbering.number(pool, device))) {
                    devicesByValue
                            .computeIfAbsent(element, ignored -> new DeviceSet(numbering))
                            .add(pool, device);
                }
            }
        });
    }
}
