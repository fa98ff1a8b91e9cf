package dev.fakegpu.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.Labels;
import dev.fakegpu.watch.ClusterWatch;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ArrivalsTest {

    private final KubernetesClient client = new BrokenClient(IllegalStateException::new).client();
    private final ClusterWatch cluster = new ClusterWatch(client, "any", "any");
    private final Arrivals arrivals = new Arrivals();

    @BeforeEach
    void watch() {
        arrivals.watch(cluster);
    }

    @Test
    void includeNewPodsOfOtherNamespaces() {
        cluster.pods().onAdd(pod("a", Labels.SCHEDULER_NAME));
        assertThat(arrivals.includeOthersThan("a")).isFalse();
        assertThat(arrivals.includeOthersThan("b")).isTrue();
        arrivals.clear();
        assertThat(arrivals.includeOthersThan("b")).isFalse();
    }

    @Test
    void includeClaimsThatAreToBeAllocatedWithoutAPod() {
        cluster.claims()
                .onAdd(new ResourceClaimBuilder()
                        .withNewMetadata()
                        .withNamespace("a")
                        .withName("claim")
                        .withUid("claim")
                        .withResourceVersion("1")
                        .addToLabels(Labels.ALLOCATE, "true")
                        .endMetadata()
                        .build());
        assertThat(arrivals.includeOthersThan("b")).isTrue();
    }

    @Test
    void leaveOutWhatTheCompanionDoesNotSchedule() {
        cluster.pods().onAdd(pod("a", "default-scheduler"));
        cluster.claims()
                .onAdd(new ResourceClaimBuilder()
                        .withNewMetadata()
                        .withNamespace("a")
                        .withName("claim")
                        .withUid("claim")
                        .withResourceVersion("1")
                        .endMetadata()
                        .build());
        assertThat(arrivals.includeOthersThan("b")).isFalse();
    }

    private static Pod pod(String namespace, String scheduler) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("pod")
                .withUid("pod")
                .withResourceVersion("1")
                .endMetadata()
                .withNewSpec()
                .withSchedulerName(scheduler)
                .endSpec()
                .build();
    }
}
