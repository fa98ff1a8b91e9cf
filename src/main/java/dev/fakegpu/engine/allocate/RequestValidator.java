package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.DeviceConstraint;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.dra.Limits;
import dev.fakegpu.engine.allocate.pool.Pool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Validates all requests before the search starts, and resolves allocation mode All to devices. The order is upstream's, since only the
 * first error is reported. Upstream: {@code validateDeviceRequest} in {@code allocator_experimental.go}.
 */
final class RequestValidator {

    private final Map<String, DeviceClass> classes;
    private final AllocatorOptions options;
    private final NodePools pools;
    private final Candidates candidates;
    private int nextId;

    RequestValidator(
            Map<String, DeviceClass> classes, AllocatorOptions options, NodePools pools, Candidates candidates) {
        this.classes = classes;
        this.options = options;
        this.pools = pools;
        this.candidates = candidates;
    }

    /** @throws AllocationException for the first error */
    List<ResolvedRequest> check(List<Claim> claims) {
        var resolved = new ArrayList<ResolvedRequest>();
        for (int i = 0; i < claims.size(); i++) {
            check(i, claims.get(i), resolved);
        }
        return resolved;
    }

    private void check(int claimIndex, Claim claim, List<ResolvedRequest> into) {
        long results = 0;
        for (DeviceRequest request : claim.requests()) {
            ResolvedRequest resolved = resolve(claimIndex, claim, request);
            long count = resolved.minCount();
            if (count > Limits.RESULTS - results) {
                throw tooMany(claim, request, count, results);
            }
            results += count;
            into.add(resolved);
        }
        // Upstream accepts a negative count, and panics if the sum is negative.
        if (results < 0) {
            throw new AllocationException("claim " + claim.ref() + ": cannot allocate " + results + " devices");
        }
        List<DeviceConstraint> constraints = claim.constraints();
        for (int i = 0; i < constraints.size(); i++) {
            if (constraints.get(i).matchAttribute() == null
                    && constraints.get(i).distinctAttribute() == null) {
                throw emptyConstraint(claim, i);
            }
        }
    }

    private ResolvedRequest resolve(int claimIndex, Claim claim, DeviceRequest request) {
        requireFeatures(claim, request);
        ExactRequest exactly = request.exactly();
        if (request.firstAvailable().isEmpty()) {
            if (exactly == null) {
                throw failure(
                        claim, request.name(), "neither exactly nor firstAvailable is set (unsupported request type?)");
            }
            return new ResolvedRequest(
                    claimIndex, List.of(variant(claimIndex, claim, request, exactly, request.name())), false);
        }
        var alternatives = new ArrayList<RequestVariant>();
        for (ExactRequest alternative : request.firstAvailable()) {
            alternatives.add(
                    variant(claimIndex, claim, request, alternative, request.name() + "/" + alternative.name()));
        }
        return new ResolvedRequest(claimIndex, alternatives, true);
    }

    private void requireFeatures(Claim claim, DeviceRequest request) {
        if (!request.firstAvailable().isEmpty() && !options.has(Feature.PRIORITIZED_LIST)) {
            throw failure(claim, request.name(), "has subrequests, but " + disabled(Feature.PRIORITIZED_LIST));
        }
        if (!options.has(Feature.CONSUMABLE_CAPACITY)) {
            ExactRequest exactly = request.exactly();
            if (exactly != null && exactly.capacity() != null
                    || request.firstAvailable().stream().anyMatch(each -> each.capacity() != null)) {
                throw failure(
                        claim, request.name(), "has capacity requests, but " + disabled(Feature.CONSUMABLE_CAPACITY));
            }
        }
    }

    private static String disabled(Feature feature) {
        return "the feature " + feature.gates().get(0) + " is disabled";
    }

    private RequestVariant variant(
            int claimIndex, Claim claim, DeviceRequest parent, ExactRequest request, String resultName) {
        if (!request.derivedAttributes().isEmpty() && !options.has(Feature.DERIVED_ATTRIBUTES)) {
            throw failure(claim, resultName, "has derived attributes, but " + disabled(Feature.DERIVED_ATTRIBUTES));
        }
        if (request.hasUnknownSelector()) {
            throw failure(claim, resultName, "a selector without CEL expression (unsupported selector type?)");
        }
        if (request.adminAccess() != null && !options.has(Feature.ADMIN_ACCESS)) {
            throw failure(claim, resultName, "admin access is requested, but " + disabled(Feature.ADMIN_ACCESS));
        }
        if (request.deviceClassName().isEmpty()) {
            throw unknownClass(claim, resultName, request, "missing device class name (unsupported request type?)");
        }
        DeviceClass deviceClass = classes.get(request.deviceClassName());
        if (deviceClass == null) {
            throw unknownClass(
                    claim,
                    resultName,
                    request,
                    "could not retrieve device class " + request.deviceClassName() + ": not found");
        }
        var variant = new RequestVariant(
                nextId++,
                new RequestPath(claimIndex, claim.ref(), parent.name(), resultName),
                request,
                deviceClass,
                List.of(),
                request.count());
        return switch (request.allocationMode()) {
            case ExactRequest.EXACT_COUNT -> variant;
            case ExactRequest.ALL -> all(variant);
            default ->
                throw failure(
                        claim,
                        resultName,
                        "allocationMode is \"" + request.allocationMode() + "\", which is neither "
                                + ExactRequest.EXACT_COUNT + " nor " + ExactRequest.ALL);
        };
    }

    private RequestVariant all(RequestVariant variant) {
        var places = new ArrayList<RequestVariant.Place>();
        for (int i = 0; i < pools.pools().size(); i++) {
            Pool pool = pools.pools().get(i);
            if (!(pool instanceof Pool.Usable usable)) {
                throw unusable(variant, pool);
            }
            for (int device = 0; device < usable.devices().size(); device++) {
                if (candidates.isSelected(variant, i, device) && candidates.offers(variant, i, device)) {
                    places.add(new RequestVariant.Place(i, device));
                }
            }
        }
        return variant.withAll(places);
    }

    private static AllocationException emptyConstraint(Claim claim, int constraint) {
        String what = "constraint #" + constraint + ": empty constraint (unsupported constraint type?)";
        return new AllocationException(
                "claim " + claim.ref() + ", " + what, new RequestError.Unsupported(claim.ref(), "", what));
    }

    private static AllocationException unusable(RequestVariant variant, Pool pool) {
        return new AllocationException(
                message(variant.claim(), variant.resultName())
                        + "asks for all devices, but resource pool " + pool.id() + " is currently "
                        + (pool instanceof Pool.Invalid invalid ? "invalid: " + invalid.reason() : "being updated"),
                new RequestError.PoolUnusable(variant.claim(), variant.resultName(), pool));
    }

    private static AllocationException tooMany(Claim claim, DeviceRequest request, long count, long before) {
        return new AllocationException(
                message(claim.ref(), request.name()) + "adding " + count + " devices exceeds the claim limit of "
                        + Limits.RESULTS + ", with " + before + " already accounted for",
                new RequestError.TooManyDevices(claim.ref(), request.name(), count, before, Limits.RESULTS));
    }

    private static AllocationException unknownClass(Claim claim, String resultName, ExactRequest request, String what) {
        return new AllocationException(
                message(claim.ref(), resultName) + what,
                new RequestError.UnknownClass(claim.ref(), resultName, request.deviceClassName()));
    }

    private static AllocationException failure(Claim claim, String request, String what) {
        return new AllocationException(
                message(claim.ref(), request) + what, new RequestError.Unsupported(claim.ref(), request, what));
    }

    private static String message(ClaimRef claim, String request) {
        return "claim " + claim + ", request " + request + ": ";
    }
}
