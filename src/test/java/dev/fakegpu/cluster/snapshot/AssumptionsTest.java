package dev.fakegpu.cluster.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.testing.ClusterYaml;
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
        Assumptions assumed = kubeScheduler(cluster(slice(""), OPERATOR));

        assertThat(assumed.gate()).isEqualTo(GroupsGate.ON);
        assertThat(assumed.gateFrom()).isEqualTo("no slice has groups, so it makes no difference");
        assertThat(assumed.policy()).isEqualTo(GroupPolicy.LIVE);
    }

    @Test
    void theOperatorsSettingTellsKubeSchedulersGate() {
        Assumptions assumed = kubeScheduler(cluster(slice(GROUPS), OPERATOR));

        assertThat(assumed.gate()).isEqualTo(GroupsGate.OFF);
        assertThat(assumed.gateFrom()).isEqualTo("FAKEGPU_KUBE_SCHEDULER_COMPATIBILITY_GROUPS of the operator");
    }

    @Test
    void gateOfTheApiServerIsTheDefault() {
        var cluster = cluster(slice(GROUPS));

        assertThat(assumed(cluster, Scheduler.KUBE_SCHEDULER, Optional.of(GroupsGate.OFF))
                        .gate())
                .isEqualTo(GroupsGate.OFF);
        assertThat(assumed(cluster, Scheduler.KUBE_SCHEDULER, Optional.empty()).gateFrom())
                .startsWith("since the API server stores groups");
    }

    @Test
    void theConfigMapOverridesTheEnvironmentOfTheCompanion() {
        assertThat(assumed(cluster(slice(COMPANION_TAINT), OPERATOR), Scheduler.COMPANION, Optional.empty())
                        .gate())
                .isEqualTo(GroupsGate.UNAWARE);

        Assumptions assumed =
                assumed(cluster(slice(COMPANION_TAINT), OPERATOR, SETTINGS), Scheduler.COMPANION, Optional.empty());
        assertThat(assumed.gate()).isEqualTo(GroupsGate.OFF);
        assertThat(assumed.policy()).isEqualTo(GroupPolicy.LIVE);
        assertThat(assumed.policyFrom()).isEqualTo("companion.groupPolicy of the operator's ConfigMap");
    }

    @Test
    void theCallerDecides() {
        ClusterSnapshot cluster = cluster(slice(GROUPS), OPERATOR);

        Assumptions assumed = Assumptions.of(cluster, Scheduler.KUBE_SCHEDULER, GateSources.chosen(GroupsGate.UNAWARE));

        assertThat(assumed.gate()).isEqualTo(GroupsGate.UNAWARE);
        assertThat(assumed.gateFrom()).isEqualTo("chosen by --gate");
    }

    private static ClusterSnapshot cluster(String... yaml) {
        return new ClusterSnapshot(ClusterObjects.of(ClusterYaml.objects(yaml)));
    }

    /** A slice with one device, which has these additional fields. */
    private static String slice(String device) {
        return """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: slice}
                spec:
                  driver: vendor.com
                  nodeName: n1
                  pool: {name: n1, generation: 1, resourceSliceCount: 1}
                  devices: [{name: gpu-0%s}]
                """.formatted(device);
    }

    private static Assumptions kubeScheduler(ClusterSnapshot cluster) {
        return assumed(cluster, Scheduler.KUBE_SCHEDULER, Optional.empty());
    }

    private static Assumptions assumed(ClusterSnapshot cluster, Scheduler scheduler, Optional<GroupsGate> apiServer) {
        return Assumptions.of(cluster, scheduler, new GateSources(Optional.empty(), () -> apiServer));
    }
}
