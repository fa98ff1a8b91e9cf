package dev.fakegpu.cluster.fit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.engine.explain.finding.Explanation;
import dev.fakegpu.engine.explain.finding.Reason;
import dev.fakegpu.testing.TestObjects;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OtherNodesTest {

    private static final Explanation NO_DEVICES =
            Explanation.general(Reason.NoDevices, "there are no devices to allocate");
    private static final String HELD = "no device for request \"gpu\": gpu-0 is held by h; delete pod h";

    @Test
    void nothingIsSaidIfAllNodesFit() {
        assertThat(others(NO_DEVICES, false, "True").around(HELD)).isEqualTo(HELD);
    }

    @Test
    void nodesThatDoNotFitAreCountedAfterTheWayOut() {
        assertThat(others(NO_DEVICES, false, "True", "False", "False").around(HELD))
                .isEqualTo(HELD + "; 2 of 3 nodes do not fit the pod: 2 node(s) were not ready");
    }

    @Test
    void aLongSentenceHasTheMostFrequentReason() {
        String longer = HELD + "; " + "x".repeat(100);

        assertThat(others(NO_DEVICES, false, "True", "False").around(longer))
                .isEqualTo(longer + "; 1 of 2 nodes does not fit the pod: 1 node(s) were not ready");
    }

    @Test
    void aNodeThatHasTheDevicesComesFirst() {
        assertThat(others(NO_DEVICES, true, "True", "False")
                        .around("there are no devices to allocate (request \"gpu\")"))
                .isEqualTo(
                        "n1 has the devices, but does not fit the pod (node(s) were not ready); nodes that fit it have none"
                                + " (request \"gpu\")");
    }

    @Test
    void devicesOfOtherNodesDoNotMatterIfTheClaimHasAMistake() {
        var mistake = Explanation.general(
                Reason.TooManyDevices, "request \"b\" needs 16 devices besides 17 others; a claim can have 32");

        assertThat(others(mistake, true, "True", "False").beginning()).isEmpty();
    }

    /** @param ready whether each node is ready */
    private static OtherNodes others(Explanation here, boolean serves, String... ready) {
        List<SchedulableNode> nodes = Stream.iterate(0, i -> i < ready.length, i -> i + 1)
                .map(i -> SchedulableNode.of(NodeCandidatesTest.node("n" + i, "a", ready[i])))
                .toList();
        var fit = new PodFit(
                TestObjects.pod("{name: pod}", "spec: {}"),
                List.of(),
                new NodeUsage(),
                ExtendedResources.NONE,
                DeviceLookup.NONE,
                null);
        return OtherNodes.of(here, new NodeCandidates(nodes, fit), nodes, node -> serves);
    }
}
