package dev.fakegpu.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where the pods of a PodGroup are placed: topology constraint, affinity and anti-affinity. */
class GangPlacesTest {

    private static final String APART = """
            affinity:
              podAntiAffinity:
                requiredDuringSchedulingIgnoredDuringExecution:
                - {topologyKey: rack, labelSelector: {}}
            """;

    /** The gang itself decides which pods are on different nodes, too. */
    @Test
    void antiAffinitySeparatesMembers() {
        var gang = new SimulatedGang(Schedulers.KUBE);
        gang.group(2, "");
        for (int pod = 0; pod < 2; pod++) {
            gang.pod(pod, SimulatedGang.OWN_CLAIM, APART);
        }
        assertThat(gang.areInFirstRack()).containsExactlyInAnyOrder(true, false);

        gang.pods(2, 2);
        assertThat(gang.running()).containsExactly("worker-0", "worker-1");
    }

    @Test
    void aGangWhoseMembersHaveNoPlaceApartWaits() {
        var gang = new SimulatedGang(Schedulers.KUBE);
        gang.group(3, "");
        for (int pod = 0; pod < 3; pod++) {
            gang.pod(pod, SimulatedGang.OWN_CLAIM, APART);
        }

        assertThat(gang.running()).isEmpty();
        assertThat(gang.waiting("worker-0").sentence())
                .startsWith("PodGroup \"ring\" needs 3 pods at once: 2 of 3 pods fit; ");
    }

    @Test
    void affinityPlacesMembersNearOtherPods() {
        var gang = new SimulatedGang(Schedulers.KUBE);
        gang.group(2, "");
        gang.pods(0, 0);
        gang.pod(1, SimulatedGang.OWN_CLAIM, """
                affinity:
                  podAffinity:
                    requiredDuringSchedulingIgnoredDuringExecution:
                    - {topologyKey: rack, labelSelector: {matchLabels: {name: worker-0}}}
                """);

        assertThat(gang.areInFirstRack().distinct()).hasSize(1);
        assertThat(gang.running()).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPANION", "KUBE"})
    void theTopologyConstraintKeepsThemTogether(Schedulers schedulers) {
        var gang = new SimulatedGang(schedulers);
        gang.group(2, ", schedulingConstraints: {topology: [{key: rack}]}");
        gang.pods(0, 2);

        assertThat(gang.running()).containsExactly("worker-0", "worker-1");
        assertThat(gang.areInFirstRack().distinct()).hasSize(1);
        assertThat(gang.waiting("worker-2")).isNotNull();
    }
}
