package dev.fakegpu.cluster.check;

import dev.fakegpu.cluster.fit.AdvertisedTwice;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A rule about slices and the nodes that they belong to. */
final class NodeChecks {

    private static final Rule TWICE = Rule.error(
            Scope.POOL,
            "advertised-twice",
            "Neither the driver nor the device plugin knows what the other has given away, so that two pods can get the same GPU.",
            "Switch off the device plugin or the driver on each node. Requests for the plugin's resource can be served by the driver:"
                    + " spec.extendedResourceName of a DeviceClass.",
            Sources.kep("5004 (extended resources by DRA)"));

    static final List<Rule> RULES = List.of(TWICE);

    private NodeChecks() {}

    static void check(List<CheckedPool> pools, Input input, Map<PoolId, Violations> findings) {
        var served = input.classes().stream()
                .filter(each -> each.spec().hasNonNull("extendedResourceName"))
                .map(each -> new AdvertisedTwice.ServedResource(
                        each.spec().path("extendedResourceName").asText(), each.expressions()))
                .toList();
        var slices = input.slices().stream().map(CheckedSlice::slice).toList();
        for (AdvertisedTwice twice : AdvertisedTwice.in(input.nodes(), slices, served)) {
            pools.stream()
                    .filter(pool -> pool.id().driver().equals(twice.driver()))
                    .flatMap(pool -> pool.devices().stream())
                    .filter(device ->
                            device.slice().slice().nodesOf(device.device()) instanceof NodeSelection.NodeName node
                                    && node.name().equals(twice.node()))
                    .findFirst()
                    .map(CheckedDevice::slice)
                    .ifPresent(slice -> Objects.requireNonNull(findings.get(slice.pool()))
                            .add(TWICE, slice.at("spec.devices"), twice.problem()));
        }
    }
}
