package dev.fakegpu.operator.publish.condition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.operator.publish.pool.KubeletPlugins;
import dev.fakegpu.operator.publish.pool.SimulatedNodes;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReadyConditionTest {

    private static final KubeletPlugins NO_PLUGINS = new KubeletPlugins(Map.of());

    private final Conditions conditions = new Conditions(List.of(), 1, Clock.systemUTC());

    @Test
    void isTrueIfAllNodesAreReady() {
        published();

        ReadyCondition.report(conditions, nodes(2), NO_PLUGINS);

        assertThat(ready())
                .extracting(Condition::getStatus, Condition::getReason)
                .containsExactly("True", "Published");
    }

    /** Otherwise the first event of a pod may be that its node is not ready. */
    @Test
    void unreadyNodesAreReported() {
        published();

        ReadyCondition.report(conditions, nodes(8, "a-0", "a-1", "a-2", "a-3", "a-4", "a-5"), NO_PLUGINS);

        assertThat(ready())
                .extracting(Condition::getStatus, Condition::getReason, Condition::getMessage)
                .containsExactly(
                        "False",
                        "NodesNotReady",
                        "2 of 8 simulated node(s) are ready for pods; not a-0, a-1, a-2, a-3, a-4 and 1 more");
    }

    @Test
    void messageRefersToNodesWithoutAPlugin() {
        published();
        conditions.setFalse(Conditions.Type.KubeletPluginReady, "NoKubeletPlugin", "no kubelet plugin runs on node-1");

        ReadyCondition.report(conditions, nodes(0), NO_PLUGINS);

        assertThat(ready())
                .extracting(Condition::getStatus, Condition::getMessage)
                .containsExactly(
                        "True",
                        "the GPUs can be allocated, but on some nodes pods cannot start with them, see the condition KubeletPluginReady");
    }

    /**
     * A pod would be started again only after a minute. This also applies if the devices are already published, because a plugin may have
     * been restarted.
     */
    @Test
    void unregisteredPluginIsReported() {
        published();
        conditions.setFalse(Conditions.Type.KubeletPluginReady, "DriverNotRegistered", "not registered on node-1");

        ReadyCondition.report(
                conditions,
                nodes(0),
                new KubeletPlugins(Map.of("node-1", Optional.of(KubeletPlugins.Problem.DriverNotRegistered))));

        assertThat(ready())
                .extracting(Condition::getStatus, Condition::getReason, Condition::getMessage)
                .containsExactly("False", "DriverNotRegistered", "0 of 1 node(s) are ready; not registered on node-1");
    }

    /** The reason is that of a node that will become ready, and not the worst one, for which waiting may be useless. */
    @Test
    void oneBrokenPluginOfManyIsCounted() {
        published();
        conditions.setFalse(
                Conditions.Type.KubeletPluginReady, "NoKubeletPlugin", "none runs on c, that of d is not ready");

        ReadyCondition.report(
                conditions,
                nodes(0),
                new KubeletPlugins(Map.of(
                        "a", Optional.empty(),
                        "b", Optional.empty(),
                        "c", Optional.of(KubeletPlugins.Problem.NoKubeletPlugin),
                        "d", Optional.of(KubeletPlugins.Problem.KubeletPluginNotReady))));

        assertThat(ready())
                .extracting(Condition::getStatus, Condition::getReason, Condition::getMessage)
                .containsExactly(
                        "False",
                        "KubeletPluginNotReady",
                        "the GPUs can be used on 2 of 4 node(s), but Ready is about all of them; none runs on c, that of d is"
                                + " not ready");
    }

    @Test
    void messageRefersToAnotherDriverOfTheName() {
        published();
        conditions.setTrue(Conditions.Type.DriverShared, "ForeignSlices", "pods cannot start");

        ReadyCondition.report(conditions, nodes(0), NO_PLUGINS);

        assertThat(ready())
                .extracting(Condition::getStatus, Condition::getMessage)
                .containsExactly(
                        "True",
                        "the GPUs can be used, but pods that are given devices of another driver of the same name cannot start,"
                                + " see the condition DriverShared");
    }

    @Test
    void hasTheReasonOfTheFailedPublication() {
        conditions.setFalse(Conditions.Type.Published, "NoNodes", "no node matches spec.nodes");

        ReadyCondition.report(conditions, nodes(1, "a-0"), NO_PLUGINS);

        assertThat(ready())
                .extracting(Condition::getStatus, Condition::getReason, Condition::getMessage)
                .containsExactly("False", "NoNodes", "no node matches spec.nodes");
    }

    private void published() {
        conditions.setTrue(Conditions.Type.Published, "AllPoolsStored", "");
    }

    private Condition ready() {
        return conditions.list().stream()
                .filter(condition -> condition.getType().equals("Ready"))
                .findFirst()
                .orElseThrow();
    }

    private static SimulatedNodes.Result nodes(int desired, String... notReady) {
        return new SimulatedNodes.Result(List.of(), false, desired, 0, List.of(notReady));
    }
}
