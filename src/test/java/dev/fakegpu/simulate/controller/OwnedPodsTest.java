package dev.fakegpu.simulate.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpecBuilder;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which pods are deleted if there are too many. A workload can have thousands, so they are not compared with each other. */
class OwnedPodsTest {

    private static final class IncomparablePod extends Pod {
        private static final long serialVersionUID = 1L;

        IncomparablePod(int index) {
            super(
                    "v1",
                    "Pod",
                    new ObjectMetaBuilder()
                            .withName("pod-" + index)
                            .withAnnotations(Map.of(JobController.INDEX, String.valueOf(index % 4)))
                            .build(),
                    new PodSpec(),
                    new PodStatus());
        }

        @Override
        public boolean equals(Object other) {
            throw new AssertionError("pods are compared");
        }

        @Override
        public int hashCode() {
            throw new AssertionError("pods are compared");
        }
    }

    private static List<Pod> pods(int count) {
        return IntStream.range(0, count).<Pod>mapToObj(IncomparablePod::new).toList();
    }

    @Test
    void thePodsThatWereCreatedLastAreDeleted() {
        assertThat(names(OwnedPods.cheapest(pods(5), 2))).containsExactly("pod-4", "pod-3");
        assertThat(OwnedPods.cheapest(pods(5), 0)).isEmpty();
        assertThat(OwnedPods.cheapest(pods(5), -1)).isEmpty();
    }

    @Test
    void podsOfAJobWithTheIndexOfAnotherPodAreDeletedFirst() {
        var spec = new JobSpecBuilder()
                .withCompletionMode("Indexed")
                .withCompletions(4)
                .build();

        assertThat(names(JobController.unneeded(spec, pods(6), 0))).containsExactly("pod-4", "pod-5");
        assertThat(names(JobController.unneeded(spec, pods(6), 3))).containsExactly("pod-4", "pod-5", "pod-3");
    }

    private static List<String> names(List<Pod> pods) {
        return pods.stream().map(pod -> pod.getMetadata().getName()).toList();
    }
}
