package dev.fakegpu.cluster.check;

import dev.fakegpu.cluster.check.Input.DriverNode;
import java.util.List;
import java.util.Map;

/** A rule about slices of the same driver that are on the same node as those of a FakeGpu. */
final class SharedDriverChecks {

    private static final Rule SHARED = Rule.error(
            Scope.POOL,
            "driver-of-a-fakegpu",
            "kube-scheduler allocates devices of these slices, too, but the driver that published them does not prepare them while a"
                    + " FakeGpu has its name, so that pods with them never start.",
            "Delete the slices if that driver is no longer installed; otherwise give the FakeGpu another spec.driver.",
            "k8s.io/dynamic-resource-allocation/resourceslice: the controller of a driver owns all its slices of a node");

    static final List<Rule> RULES = List.of(SHARED);

    private SharedDriverChecks() {}

    /** @param fakeGpus by driver and node */
    static void check(CheckedPool pool, Map<DriverNode, String> fakeGpus, Violations findings) {
        for (CheckedSlice slice : pool.all()) {
            for (String node : PoolChecks.nodeName(slice)) {
                String fakeGpu = fakeGpus.get(new DriverNode(pool.id().driver(), node));
                if (fakeGpu != null && !slice.owner().isFakeGpu()) {
                    findings.add(
                            SHARED,
                            slice.at("spec.driver"),
                            "%s (pool %s, %s) is of no FakeGpu, but FakeGpu %s has devices of driver %s on node %s"
                                    .formatted(
                                            slice.slice().name().isEmpty()
                                                    ? "the slice"
                                                    : slice.slice().name(),
                                            pool.id().name(),
                                            slice.owner().words(),
                                            fakeGpu,
                                            pool.id().driver(),
                                            node));
                }
            }
        }
    }
}
