package dev.fakegpu.allocate;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.ExactRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One request of one claim, checked. */
record Demand(int claimIndex, ClaimRef claim, ExactRequest request) {

    /** {@code AllocationResultsMaxSize} of {@code resource.k8s.io/v1}. */
    static final int MAX_RESULTS = 32;

    /**
     * Checks all requests before anything is searched for, in upstream's order.
     *
     * @throws AllocationException for the first thing that is wrong
     */
    static List<Demand> of(List<Claim> claims, Map<String, DeviceClass> classes) {
        var demands = new ArrayList<Demand>();
        for (int i = 0; i < claims.size(); i++) {
            Claim claim = claims.get(i);
            long results = 0;
            for (DeviceRequest alternatives : claim.requests()) {
                ExactRequest request = alternatives.exactly();
                if (request == null) {
                    throw new AllocationException("claim " + claim.ref() + ": not supported");
                }
                var demand = new Demand(i, claim.ref(), request);
                demand.check(classes, results);
                results += request.count();
                demands.add(demand);
            }
        }
        return demands;
    }

    private void check(Map<String, DeviceClass> classes, long resultsBefore) {
        if (request.deviceClassName().isEmpty()) {
            throw failure("missing device class name (unsupported request type?)");
        }
        if (!classes.containsKey(request.deviceClassName())) {
            throw failure("could not retrieve device class " + request.deviceClassName() + ": not found");
        }
        if (request.count() < 0) {
            throw failure("cannot allocate " + request.count() + " devices");
        }
        if (request.count() > MAX_RESULTS - resultsBefore) {
            throw failure("adding " + request.count() + " devices exceeds the claim limit of " + MAX_RESULTS + ", with "
                    + resultsBefore + " already accounted for");
        }
    }

    private AllocationException failure(String what) {
        return new AllocationException("claim " + claim + ", request " + request.name() + ": " + what);
    }

    /** Whether the two ask the same of devices, so that any two picks for them can be exchanged. */
    boolean isInterchangeableWith(Demand other) {
        return request.deviceClassName().equals(other.request.deviceClassName())
                && request.selectors().equals(other.request.selectors())
                && request.tolerations().equals(other.request.tolerations());
    }
}
