package dev.fakegpu.cluster.pending;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Pods of kube-scheduler that want devices which only the companion allocates. */
class WrongAllocatorTest {

    private static final String WRONG_ALLOCATOR =
            "devices of FakeGpu \"fake\" are allocated by the companion: set schedulerName: fakegpu-scheduler in the pod, or"
                    + " spec.allocator: KubeScheduler in the FakeGpu";

    @Test
    void itIsTheFirstThingToSayOfAPodThatFitsNodes() {
        Answer answer =
                devicesOfTheCompanion().pod("train", "train", "").explainer().pod("team", "train");

        assertThat(answer.code()).isEqualTo("WrongAllocator");
        assertThat(answer.sentence()).isEqualTo(WRONG_ALLOCATOR);
    }

    @Test
    void itIsSaidOfAPodThatFitsNoNodeToo() {
        Answer answer = devicesOfTheCompanion()
                .pod("train", "train", ", nodeSelector: {zone: a}")
                .explainer()
                .pod("team", "train");

        assertThat(answer.code()).isEqualTo("NoNodeFits");
        assertThat(answer.facts()).contains(WRONG_ALLOCATOR);
    }

    private static PendingCluster devicesOfTheCompanion() {
        return new PendingCluster().node("n1").claim("train", "").deviceOfCompanion("fake", "n1");
    }
}
