package dev.fakegpu.simulate.change;

import static dev.fakegpu.simulate.change.TriedChanges.adding;
import static dev.fakegpu.simulate.change.TriedChanges.devices;
import static dev.fakegpu.simulate.change.TriedChanges.tried;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.whatif.Attempt;
import dev.fakegpu.cluster.whatif.Changes;
import dev.fakegpu.cluster.whatif.WhatIf;
import dev.fakegpu.testing.OneGpu;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests changes that contain FakeGpus, in an empty cluster. */
class PlayedFakeGpusTest {

    private static final String FAKE_GPU = """
            apiVersion: fakegpu.dev/v1alpha1
            kind: FakeGpu
            metadata: {name: lab}
            spec: {model: A100-SXM4-40GB, count: 1, nodes: {simulated: {count: 1}}, partitions: {mig: {profiles: [3g.20gb]}}}
            """;

    private static String pod(String name, String deviceClass) {
        return OneGpu.waiting(name, deviceClass)
                .replace("schedulerName: default-scheduler", "schedulerName: fakegpu-scheduler");
    }

    /** The FakeGpu creates classes, nodes and pools, none of which exist before. */
    @Test
    void aNewFakeGpuBringsWhatItsPodsNeed() {
        Changes changed = adding(pod("one", "mig.example.com"), pod("two", "gpu.example.com"), FAKE_GPU);

        List<Attempt> tried = tried(ClusterObjects.NONE, changed).tried();

        assertThat(tried).extracting(Attempt::node).containsExactly("lab-node-0", null);
        assertThat(devices(tried.get(0))).containsExactly("gpu-0-mig-3g20gb-9-0");
        assertThat(tried.get(1).sentence()).contains("held").contains("delete pod one");
    }

    @Test
    void aFakeGpuThatIsNotPublishedIsNoted() {
        Changes changed = adding(FAKE_GPU.replace("simulated: {count: 1}", "names: [nowhere]"));

        assertThat(tried(ClusterObjects.NONE, changed).notes())
                .singleElement()
                .asString()
                .startsWith("FakeGpu \"lab\" is not published: ");
    }

    /** Only the companion allocates the devices. */
    @Test
    void aPodOfTheWrongSchedulerGetsAHint() {
        Changes changed = adding(
                FAKE_GPU.replace("{count: 1}},", "{count: 1, taint: None}},"),
                OneGpu.waiting("new", "mig.example.com"));

        Attempt attempt = tried(ClusterObjects.NONE, changed).tried().get(0);

        assertThat(attempt.reason()).isEqualTo("WrongAllocator");
        assertThat(attempt.sentence()).contains("lab");
    }

    @Test
    void aLabelledClaimIsAllocatedAndAnotherTriedAsIfForAPod() {
        String claim = """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {namespace: team, name: %s, labels: {fakegpu.dev/allocate: "%s"}}
                spec: {devices: {requests: [{name: r, exactly: {deviceClassName: mig.example.com}}]}}
                """;
        Changes changed = adding(
                FAKE_GPU,
                claim.formatted("labelled", "true"),
                claim.formatted("not", "false"),
                claim.formatted("too-many", "true"));

        WhatIf answer = tried(ClusterObjects.NONE, changed);

        assertThat(answer.tried()).extracting(Attempt::isPlaced).containsExactly(true, false, true);
    }
}
