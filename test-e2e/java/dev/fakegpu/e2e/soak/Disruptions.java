package dev.fakegpu.e2e.soak;

import static dev.fakegpu.e2e.faults.FaultRule.sometimes;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.Labels;
import dev.fakegpu.e2e.faults.Fault;
import dev.fakegpu.e2e.faults.FaultProxy;
import dev.fakegpu.e2e.faults.FaultRule;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/** Random disruptions of the cluster and of the operators, one after the other. */
final class Disruptions {

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    /** Faults that may be injected in any combination; the operators tolerate all of them. */
    private static final List<FaultRule> FAULTS = List.of(
            sometimes(new Fault.Late(Duration.ofMillis(300)), 0.2),
            sometimes(new Fault.Cut(150), 0.05),
            sometimes(new Fault.Refused(429, 1), 0.02),
            sometimes(new Fault.Refused(500), 0.05),
            sometimes(new Fault.Refused(409), 0.1).onlyWrites(),
            sometimes(new Fault.Refused(410), 0.05),
            sometimes(new Fault.RequestLost(), 0.05),
            sometimes(new Fault.AnswerLost(), 0.1),
            sometimes(new Fault.WatchClosed(Duration.ofSeconds(1)), 0.7),
            sometimes(new Fault.BookmarksLost(), 0.7));

    /** Changes of a FakeGpu's spec that do not affect devices in use, as JSON merge patches. */
    private static final List<String> CHANGES = List.of(
            "{\"count\":3}",
            "{\"count\":4}",
            "{\"count\":6}",
            "{\"health\":[{\"devices\":{\"gpus\":[0]},\"state\":\"XidError\",\"xid\":79}]}",
            "{\"health\":null}",
            "{\"taints\":[{\"devices\":{\"gpus\":[1]},\"key\":\"soak.example.com/repair\",\"effect\":\"NoSchedule\"}]}",
            "{\"taints\":[{\"devices\":{\"gpus\":[2]},\"key\":\"soak.example.com/repair\",\"effect\":\"NoExecute\"}]}",
            "{\"taints\":null}",
            "{\"attributes\":{\"batch\":{\"int\":7}}}",
            "{\"attributes\":null}",
            "{\"faults\":[{\"name\":\"soak\",\"when\":{\"probability\":30,\"seed\":1}}]}",
            "{\"faults\":null}",
            "{\"nodes\":{\"simulated\":{\"count\":1}}}",
            "{\"nodes\":{\"simulated\":{\"count\":3}}}",
            "{\"nodes\":{\"simulated\":{\"count\":" + SoakFakeGpu.NODES + "}}}");

    private final KubernetesClient client;
    private final FaultProxy proxy;
    private final SteppedClock clock;
    private final Random random;
    private final List<SoakFakeGpu> hardware;
    private final Map<String, Integer> done = new TreeMap<>();

    Disruptions(KubernetesClient client, FaultProxy proxy, SteppedClock clock, List<SoakFakeGpu> hardware, long seed) {
        this.client = client;
        this.proxy = proxy;
        this.clock = clock;
        this.hardware = hardware;
        random = new Random(seed);
    }

    /** The number of disruptions by kind. */
    Map<String, Integer> done() {
        return Collections.unmodifiableMap(done);
    }

    Random random() {
        return random;
    }

    /** Causes a disruption for some seconds that the operators tolerate. */
    void next() {
        try {
            switch (random.nextInt(6)) {
                case 0, 1 -> faults();
                case 2 -> stepClock();
                case 3 -> changeFakeGpu();
                case 4 -> changeNode();
                default -> switchGate();
            }
        } catch (KubernetesClientException e) {
            count("refused: " + e.getCode());
        }
    }

    void count(String what) {
        done.merge(what, 1, Integer::sum);
    }

    void pause(Duration duration) {
        LockSupport.parkNanos(duration.toNanos());
    }

    /** Restores the initial state, so that everything can be served again. */
    void repair() {
        proxy.heal();
        client.configMaps()
                .inNamespace("fakegpu-system")
                .withName("fakegpu-operator")
                .delete();
        simulatedNodes().forEach(this::uncordon);
    }

    private void faults() {
        var rules = new ArrayList<>(FAULTS);
        Collections.shuffle(rules, random);
        proxy.inject(rules.subList(0, 1 + random.nextInt(4)).toArray(FaultRule[]::new));
        count("faults of the network");
        pause(Duration.ofSeconds(4 + random.nextInt(5)));
        proxy.heal();
        pause(Duration.ofSeconds(1));
    }

    private void stepClock() {
        if (clock.canStep()) {
            clock.step(random);
            count("steps of the operators' clock");
            pause(Duration.ofSeconds(3));
        } else {
            count("steps of the clock that were left out, since libfaketime is not installed");
        }
    }

    private void changeFakeGpu() {
        String patch = CHANGES.get(random.nextInt(CHANGES.size()));
        client.resources(FakeGpu.class)
                .withName(hardware.get(random.nextInt(hardware.size())).name())
                .patch(MERGE, "{\"spec\":" + patch + "}");
        count("changes of a FakeGpu");
        pause(Duration.ofSeconds(1));
    }

    private void changeNode() {
        List<Node> nodes = simulatedNodes();
        if (nodes.isEmpty()) {
            return;
        }
        Node node = nodes.get(random.nextInt(nodes.size()));
        if (random.nextInt(3) == 0) {
            client.resource(node).delete();
            count("deletions of a simulated node");
        } else {
            cordon(node, !Boolean.TRUE.equals(node.getSpec().getUnschedulable()));
            count("nodes cordoned or uncordoned");
        }
        pause(Duration.ofSeconds(1));
    }

    private List<Node> simulatedNodes() {
        return client.nodes().withLabel(Labels.SIMULATED).list().getItems();
    }

    /** Uncordons a node, unless it has been removed meanwhile because a FakeGpu has fewer nodes. */
    private void uncordon(Node node) {
        try {
            cordon(node, false);
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw e;
            }
        }
    }

    private void cordon(Node node, boolean unschedulable) {
        client.nodes()
                .withName(node.getMetadata().getName())
                .patch(MERGE, "{\"spec\":{\"unschedulable\":" + unschedulable + "}}");
    }

    /** While the gate is off, devices with groups are ignored, so that no rule of the checker is suspended. */
    private void switchGate() {
        var settings = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("fakegpu-system")
                .withName("fakegpu-operator")
                .endMetadata()
                .addToData("companion.gate", "Off")
                .build();
        client.resource(settings).create();
        pause(Duration.ofSeconds(2));
        client.resource(settings).delete();
        count("switches of the companion's gate");
        pause(Duration.ofSeconds(1));
    }
}
