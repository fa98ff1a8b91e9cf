package dev.fakegpu.operator.schedule;

import static dev.fakegpu.operator.schedule.MemoryCompanion.claim;
import static dev.fakegpu.operator.schedule.MemoryCompanion.create;
import static dev.fakegpu.operator.schedule.MemoryCompanion.deviceClass;
import static dev.fakegpu.operator.schedule.MemoryCompanion.gang;
import static dev.fakegpu.operator.schedule.MemoryCompanion.pod;
import static dev.fakegpu.operator.schedule.MemoryCompanion.readyNode;
import static dev.fakegpu.operator.schedule.MemoryCompanion.slice;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.simulate.memory.MemoryCluster;
import dev.fakegpu.simulate.memory.VirtualTime;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Tests what the companion tells users of a namespace about what is in the way of a gang. */
class GangInTheWayTest {

    private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
    private final MemoryCluster cluster = new MemoryCluster(time);
    private final SteppedCompanion companion =
            MemoryCompanion.of(cluster, cluster, time, MemoryCompanion.OPTIONS).buildStepped();

    private String messageWithHolderIn(String namespace) {
        create(
                cluster,
                deviceClass("gpu", "true"),
                gang("ring", 2),
                readyNode("n0", 16),
                slice("n0", "gpu.example.com", "gpu-0", "gpu-1"),
                held(namespace, "train", "gpu-0"));
        return messageAbout("a", "b");
    }

    private static String held(String namespace, String name, String device) {
        return """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {namespace: %s, name: %s}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu, allocationMode: ExactCount, count: 1}}]}}
                status:
                  allocation:
                    devices: {results: [{request: gpu, driver: gpu.example.com, pool: n0, device: %s}]}
                """.formatted(namespace, name, device);
    }

    private String messageAbout(String... pods) {
        for (String name : pods) {
            create(cluster, claim(name, "gpu", 1), pod(name, "schedulingGroup: {podGroupName: ring}"));
        }
        return message();
    }

    private void run() {
        for (boolean works = true; works; ) {
            works = companion.runUntilIdle();
            works |= time.runDue();
        }
    }

    private String message() {
        run();
        return cluster.list(Pod.class).stream()
                .flatMap(pod -> pod.getStatus().getConditions().stream())
                .map(PodCondition::getMessage)
                .distinct()
                .reduce("", String::concat);
    }

    @Test
    void aHolderOfTheSameNamespaceIsNamed() {
        assertThat(messageWithHolderIn("default"))
                .endsWith(
                        "1 of 2 pods fits; b needs 1 device of class \"gpu\", but the other pods leave too few that fit;"
                                + " delete claim train, which no pod uses");
    }

    /** There is no way out for the gang, since no sentence names so many claims. */
    @Test
    void aHolderInTheWayOfOnlyOnePodOfAGangIsNotNamed() {
        create(
                cluster,
                deviceClass("gpu", "true"),
                gang("ring", 4),
                readyNode("n0", 16),
                slice("n0", "gpu.example.com", "gpu-0", "gpu-1", "gpu-2", "gpu-3"));
        for (int device = 0; device < 4; device++) {
            create(cluster, held("default", "train-" + device, "gpu-" + device));
        }

        assertThat(messageAbout("a", "b", "c", "d"))
                .endsWith("none of 4 pods fits; a needs 1 device of class \"gpu\", but too few are free");
    }

    @Test
    void aHolderOfAnotherNamespaceIsNotNamed() {
        assertThat(messageWithHolderIn("other"))
                .contains("leave too few that fit; it would fit if a claim of another namespace (uid ")
                .doesNotContain("train");
    }

    @Test
    void aMistakeInAClaimIsNamedWithItsPod() {
        create(
                cluster,
                deviceClass("gpu", "true"),
                gang("ring", 2),
                readyNode("n0", 16),
                slice("n0", "gpu.example.com", "gpu-0", "gpu-1"));
        for (String name : new String[] {"a", "b"}) {
            create(
                    cluster,
                    claim(name, name.equals("b") ? "gpuu" : "gpu", 1),
                    pod(name, "schedulingGroup: {podGroupName: ring}"));
        }

        assertThat(message())
                .startsWith(
                        "PodGroup \"ring\" needs 2 pods at once, and pod \"b\" cannot be placed: request \"gpu\" is for"
                                + " device class \"gpuu\", which does not exist");
    }

    @Test
    void podsOfItsGangAreKeptEvenIfAPodHasANode() {
        create(
                cluster,
                deviceClass("gpu", "true"),
                gang("ring", 1),
                readyNode("n0", 16),
                slice("n0", "gpu.example.com", "gpu-0"));
        create(cluster, claim("a", "gpu", 1), pod("a", "schedulingGroup: {podGroupName: ring}"));
        run();

        create(cluster, claim("b", "gpu", 1), pod("b", "nodeName: n0\n  schedulingGroup: {podGroupName: ring}"));
        run();

        assertThat(cluster.events())
                .filteredOn(event -> event.getInvolvedObject().getName().equals("b"))
                .extracting(Event::getMessage)
                .singleElement()
                .asString()
                .contains("gpu-0 is held by a; more devices are needed, because pods of its own PodGroup hold devices"
                        + " that fit");
    }
}
