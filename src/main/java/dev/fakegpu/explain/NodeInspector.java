package dev.fakegpu.explain;

import dev.fakegpu.allocate.Allocator;
import dev.fakegpu.allocate.AllocatorOptions;
import dev.fakegpu.allocate.ClusterState;
import dev.fakegpu.allocate.Gate;
import dev.fakegpu.allocate.Holdings;
import dev.fakegpu.allocate.Node;
import dev.fakegpu.allocate.Outcome;
import dev.fakegpu.allocate.Pool;
import dev.fakegpu.allocate.PoolGatherer;
import dev.fakegpu.allocate.Verdicts;
import dev.fakegpu.cel.Selectors;
import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.Slice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds what keeps a node from serving claims: the request that fails on its own, or else the first that fails after the others. */
final class NodeInspector {

    private final ClusterState state;
    private final AllocatorOptions options;
    private final Allocator allocator;
    private final PoolGatherer gatherer;
    private final Verdicts verdicts;

    NodeInspector(ClusterState state, Selectors selectors, AllocatorOptions options) {
        this.state = state;
        this.options = options;
        allocator = new Allocator(state, selectors, options);
        gatherer = new PoolGatherer(state.slices(), options.gate());
        verdicts = new Verdicts(state.classes(), selectors);
    }

    /** One finding for each request that cannot be served on its own, or one for the first that does not fit with the rest. */
    List<Finding> inspect(Node node, List<Claim> claims) {
        var findings = new ArrayList<Finding>();
        var requests = new ArrayList<ClaimRequest>();
        for (Claim claim : claims) {
            for (ExactRequest request : claim.requests().stream()
                    .map(each -> java.util.Objects.requireNonNull(each.exactly()))
                    .toList()) {
                var claimRequest = new ClaimRequest(claim, request);
                requests.add(claimRequest);
                if (picks(node, List.of(claimRequest)) == null) {
                    findings.add(finding(node, List.of(), claimRequest));
                }
            }
        }
        return findings.isEmpty() ? notTogether(node, requests) : findings;
    }

    private List<Finding> notTogether(Node node, List<ClaimRequest> requests) {
        for (int i = 1; i < requests.size(); i++) {
            if (picks(node, requests.subList(0, i + 1)) == null) {
                return List.of(finding(node, requests.subList(0, i), requests.get(i)));
            }
        }
        return List.of();
    }

    private record ClaimRequest(Claim claim, ExactRequest request) {

        RequestRef ref() {
            return new RequestRef(claim.ref(), request.name());
        }

        Claim alone() {
            return new Claim(
                    claim.ref(),
                    List.of(new dev.fakegpu.dra.DeviceRequest(request.name(), request, List.of())),
                    List.of(),
                    List.of());
        }

        ClaimRequest withCount(long count) {
            return new ClaimRequest(
                    claim,
                    new ExactRequest(
                            request.name(),
                            request.deviceClassName(),
                            request.selectors(),
                            request.hasUnknownSelector(),
                            request.allocationMode(),
                            count,
                            request.tolerations(),
                            request.capacity(),
                            request.derivedAttributes(),
                            request.adminAccess()));
        }
    }

    private record Taken(AllocatedDevice device, RequestRef request) {}

    /** What the requests would take together; null if they do not fit. */
    private @Nullable List<Taken> picks(Node node, List<ClaimRequest> requests) {
        // The claim that a request is part of makes no difference to which devices it gets.
        List<Claim> claims = requests.stream().map(ClaimRequest::alone).toList();
        if (!(allocator.allocate(node, claims) instanceof Outcome.Allocated allocated)) {
            return null;
        }
        var taken = new ArrayList<Taken>();
        for (int i = 0; i < claims.size(); i++) {
            for (Allocation.Result result : allocated.allocations().get(i).results()) {
                taken.add(new Taken(
                        new AllocatedDevice(result.device(), claims.get(i).ref(), null),
                        requests.get(i).ref()));
            }
        }
        return taken;
    }

    /** Serves the requests before it, then as much of the request as possible, and looks at what stops the next device. */
    private Finding finding(Node node, List<ClaimRequest> before, ClaimRequest failing) {
        for (long found = failing.request().count() - 1; found > 0; found--) {
            List<Taken> taken = picks(node, append(before, failing.withCount(found)));
            if (taken != null) {
                return finding(node, before, failing, found, taken);
            }
        }
        List<Taken> taken = picks(node, before);
        return finding(node, before, failing, 0, taken == null ? List.of() : taken);
    }

    private static List<ClaimRequest> append(List<ClaimRequest> before, ClaimRequest last) {
        var all = new ArrayList<>(before);
        all.add(last);
        return all;
    }

    private Finding finding(Node node, List<ClaimRequest> before, ClaimRequest failing, long found, List<Taken> taken) {
        List<Pool> pools = gatherer.gather(node);
        return new Finding(
                node.name(),
                failing.claim().ref(),
                failing.request(),
                found,
                before.stream().map(ClaimRequest::ref).toList(),
                pools.stream().mapToInt(NodeInspector::devices).sum(),
                stopped(pools, failing, taken),
                problems(node, pools));
    }

    private static int devices(Pool pool) {
        return pool instanceof Pool.Usable usable ? usable.devices().size() : 0;
    }

    private List<Finding.Stopped> stopped(List<Pool> pools, ClaimRequest failing, List<Taken> taken) {
        var allocated = new ArrayList<>(state.allocated());
        Map<DeviceId, RequestRef> requestOf = new HashMap<>();
        for (Taken device : taken) {
            allocated.add(device.device());
            requestOf.put(device.device().id(), device.request());
        }
        var holdings = new Holdings(allocated, options.groupPolicy());
        var byObstacle = new LinkedHashMap<Obstacle, Finding.Stopped>();
        for (Pool pool : pools) {
            if (pool instanceof Pool.Usable usable) {
                var inspector = new DeviceInspector(usable, holdings, verdicts, options, requestOf);
                usable.devices().stream()
                        .filter(device -> !failing.ref().equals(requestOf.get(device.id())))
                        .forEach(device -> inspector
                                .obstacle(failing.request(), device)
                                .map(obstacle -> new Finding.Stopped(obstacle, device.id(), 1))
                                .ifPresent(one -> byObstacle.merge(one.obstacle(), one, NodeInspector::oneMore)));
            }
        }
        return byObstacle.values().stream()
                .sorted(Comparator.comparing(one -> one.obstacle().reason()))
                .toList();
    }

    private static Finding.Stopped oneMore(Finding.Stopped known, Finding.Stopped next) {
        return new Finding.Stopped(known.obstacle(), known.example(), known.count() + next.count());
    }

    private List<Finding.PoolProblem> problems(Node node, List<Pool> pools) {
        var problems = new ArrayList<Finding.PoolProblem>();
        for (Pool pool : pools) {
            if (pool instanceof Pool.Invalid invalid) {
                problems.add(new Finding.PoolProblem(
                        Reason.PoolInvalid, "pool " + invalid.id() + " is invalid: " + invalid.reason()));
            } else if (pool instanceof Pool.Incomplete incomplete && incomplete.ignored() == 0) {
                problems.add(new Finding.PoolProblem(
                        Reason.PoolIncomplete,
                        // Without numbers, so that a pool that is being written slice by slice is one event and not
                        // many.
                        "pool " + incomplete.id() + " is being updated: not all of its slices are there yet"));
            }
        }
        long ignored = options.gate() == Gate.OFF ? slicesWithGroups(node) : 0;
        if (ignored > 0) {
            problems.add(new Finding.PoolProblem(
                    Reason.GroupsIgnored,
                    (ignored == 1 ? "1 slice uses" : ignored + " slices use")
                            + " compatibility groups, and with the gate off their pools are left alone"));
        }
        problems.sort(Comparator.comparing(Finding.PoolProblem::reason));
        return problems;
    }

    private long slicesWithGroups(Node node) {
        return state.slices().stream()
                .filter(slice -> !(slice.nodes() instanceof NodeSelection.NodeName name)
                        || name.name().equals(node.name()))
                .filter(NodeInspector::usesGroups)
                .count();
    }

    private static boolean usesGroups(Slice slice) {
        return slice.devices().stream()
                .flatMap(device -> device.consumesCounters().stream())
                .anyMatch(entry -> !entry.compatibilityGroups().isEmpty());
    }
}
