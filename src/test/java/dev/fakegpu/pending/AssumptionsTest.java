package dev.fakegpu.pending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.allocate.pool.GroupPolicy;
import dev.fakegpu.allocate.pool.GroupsGate;
import dev.fakegpu.snapshot.ClusterSnapshot;
import dev.fakegpu.snapshot.Scheduler;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AssumptionsTest {

    private static final String GROUPS =
            ", consumesCounters: [{counterSet: s, counters: {m: {value: 1}}, compatibilityGroups: [mig]}]";
    private static final String COMPANION_TAINT =
            ", taints: [{key: fakegpu.dev/allocator, value: companion, effect: NoSchedule}]";

    private static final String OPERATOR = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {namespace: fakegpu-system, name: fakegpu-operator}
            spec:
              template:
                spec:
                  containers:
                  - name: operator
                    env:
                    - {name: FAKEGPU_KUBE_SCHEDULER_COMPATIBILITY_GROUPS, value: "Off"}
                    - {name: FAKEGPU_COMPANION_GATE, value: Unaware}
            """;
    private static final String SETTINGS = """
            apiVersion: v1
            kind: ConfigMap
            metadata: {namespace: fakegpu-system, name: fakegpu-operator}
            data: {companion.gate: "off", companion.groupPolicy: Live}
            """;

    @Test
    void withoutGroupsTheGateMakesNoDifference() {
        Assumptions assumed = kubeScheduler(new PendingCluster().node("n1", "").with(OPERATOR));

        assertThat(assumed.gate()).isEqualTo(GroupsGate.ON);
        assertThat(assumed.gateFrom()).isEqualTo("no slice has groups, so it makes no difference");
        assertThat(assumed.policy()).isEqualTo(GroupPolicy.LIVE);
    }

    @Test
    void theOperatorsSettingTellsKubeSchedulersGate() {
        Assumptions assumed =
                kubeScheduler(new PendingCluster().node("n1", GROUPS).with(OPERATOR));

        assertThat(assumed.gate()).isEqualTo(GroupsGate.OFF);
        assertThat(assumed.gateFrom()).isEqualTo("FAKEGPU_KUBE_SCHEDULER_COMPATIBILITY_GROUPS of the operator");
    }

    @Test
    void elseTheApiServerTells() {
        var cluster = new PendingCluster().node("n1", GROUPS).snapshot();

        assertThat(assumed(cluster, Scheduler.KUBE_SCHEDULER, Optional.of(GroupsGate.OFF))
                        .gate())
                .isEqualTo(GroupsGate.OFF);
        assertThat(assumed(cluster, Scheduler.KUBE_SCHEDULER, Optional.empty()).gateFrom())
                .startsWith("since the API server stores groups");
    }

    @Test
    void theConfigMapOverridesTheEnvironmentOfTheCompanion() {
        var cluster = new PendingCluster().node("n1", COMPANION_TAINT).with(OPERATOR);

        assertThat(assumed(cluster.snapshot(), Scheduler.COMPANION, Optional.empty())
                        .gate())
                .isEqualTo(GroupsGate.UNAWARE);

        Assumptions assumed = assumed(cluster.with(SETTINGS).snapshot(), Scheduler.COMPANION, Optional.empty());
        assertThat(assumed.gate()).isEqualTo(GroupsGate.OFF);
        assertThat(assumed.policy()).isEqualTo(GroupPolicy.LIVE);
        assertThat(assumed.policyFrom()).isEqualTo("companion.groupPolicy of the operator's ConfigMap");
    }

    @Test
    void theCallerDecides() {
        ClusterSnapshot cluster =
                new PendingCluster().node("n1", GROUPS).with(OPERATOR).snapshot();

        Assumptions assumed =
                Assumptions.of(cluster, Scheduler.KUBE_SCHEDULER, Optional.of(GroupsGate.UNAWARE), Optional::empty);

        assertThat(assumed.gate()).isEqualTo(GroupsGate.UNAWARE);
        assertThat(assumed.gateFrom()).isEqualTo("chosen by --gate");
    }

    private static Assumptions kubeScheduler(PendingCluster cluster) {
        return assumed(cluster.snapshot(), Scheduler.KUBE_SCHEDULER, Optional.empty());
    }

    private static Assumptions assumed(ClusterSnapshot cluster, Scheduler scheduler, Optional<GroupsGate> apiServer) {
        return Assumptions.of(cluster, scheduler, Optional.empty(), () -> apiServer);
    }
}
