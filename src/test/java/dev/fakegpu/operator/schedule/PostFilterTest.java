package dev.fakegpu.operator.schedule;

import static dev.fakegpu.operator.schedule.MemoryCompanion.claim;
import static dev.fakegpu.operator.schedule.MemoryCompanion.create;
import static dev.fakegpu.operator.schedule.MemoryCompanion.deviceClass;
import static dev.fakegpu.operator.schedule.MemoryCompanion.intercepted;
import static dev.fakegpu.operator.schedule.MemoryCompanion.pod;
import static dev.fakegpu.operator.schedule.MemoryCompanion.readyNode;
import static dev.fakegpu.operator.schedule.MemoryCompanion.slice;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.preemption.PreemptionSetting;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.watch.PodClaims;
import dev.fakegpu.simulate.memory.MemoryCluster;
import dev.fakegpu.simulate.memory.VirtualTime;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a node with one GPU, which a pod of low priority uses. */
class PostFilterTest {

    private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
    private final MemoryCluster cluster = new MemoryCluster(time);
    private final SteppedCompanion companion = MemoryCompanion.of(
                    watched(), cluster, time, MemoryCompanion.OPTIONS.with(PreemptionSetting.ENABLED))
            .buildStepped();

    /** Runs just before a victim is deleted. */
    private Runnable beforehand = () -> {};

    /** Runs just after a victim was deleted. */
    private Runnable afterwards = () -> {};

    /** Whether the next list of budgets is unreadable. */
    private boolean areBudgetsBroken;

    PostFilterTest() {
        create(
                cluster,
                deviceClass("gpu", "device.driver == 'gpu.example.com'"),
                readyNode("n0", 16),
                slice("n0", "gpu.example.com", "gpu-0"));
    }

    /** The API server accepts any number, even one that is beyond the range of this process's clock. */
    @Test
    void aGracePeriodWithoutEndIsNoObstacle() {
        create(cluster, claim("low", "gpu", 1), pod("low", "terminationGracePeriodSeconds: " + Long.MAX_VALUE));
        play();
        assertThat(stored("low")).matches(PodState::isBound);

        prioritized("high", 10);
        play();
        assertThat(stored("low").getMetadata().getDeletionTimestamp()).isNotNull();
        assertThat(stored("high").getStatus().getNominatedNodeName()).isEqualTo("n0");

        cluster.deleteImmediately(stored("low"));
        play();
        assertThat(stored("high")).matches(PodState::isBound);
    }

    @Test
    void podsThatEndedByThemselvesAreNotReported() {
        prioritized("low", 0);
        play();
        beforehand = () -> cluster.deleteImmediately(stored("low"));

        prioritized("high", 10);
        play();

        assertThat(stored("high")).matches(PodState::isBound);
        assertThat(cluster.events()).extracting(Event::getReason).doesNotContain("Preempting", "Preempted");
    }

    /** Its turn would last a day, as long as the one that has gone could have taken; or it is over by then. */
    @ParameterizedTest
    @ValueSource(longs = {0, 2})
    void podThatLosesItsPlaceDuringPreemptionIsTriedAgain(long days) {
        create(cluster, claim("low", "gpu", 1), pod("low", "terminationGracePeriodSeconds: 86400"));
        play();
        afterwards = () -> {
            cluster.deleteImmediately(stored("low"));
            prioritized("thief", 5);
            var claims = cluster.stores().claims();
            var taken = claims.get("default", "low").orElseThrow();
            var thief = stored("thief");
            var free = claims.get("default", "thief").orElseThrow();
            cluster.updateStatus(
                    free,
                    new ResourceClaimBuilder(free)
                            .withStatus(taken.getStatus())
                            .editStatus()
                            .withReservedFor(PodClaims.consumer(thief, free, Optional.empty()))
                            .endStatus()
                            .build());
            cluster.update(
                    thief,
                    new PodBuilder(thief)
                            .editSpec()
                            .withNodeName("n0")
                            .endSpec()
                            .build());
            cluster.deleteImmediately(taken);
            time.moveTo(time.instant().plus(Duration.ofDays(days)));
            companion.runUntilIdle();
        };

        prioritized("high", 10);
        play();

        assertThat(stored("thief").getMetadata().getDeletionTimestamp()).isNotNull();
    }

    @Test
    void anErrorWhileVictimsAreChosenDoesNotEndPreemption() {
        areBudgetsBroken = true;
        prioritized("low", 0);
        play();

        prioritized("high", 10);
        assertThatThrownBy(this::play).isInstanceOf(NullPointerException.class);
        play();

        assertThat(stored("low").getMetadata().getDeletionTimestamp()).isNotNull();
        assertThat(stored("high").getStatus().getNominatedNodeName()).isEqualTo("n0");
    }

    /** Even while room is reserved for a pod, it is tried again on all nodes after its claims have changed. */
    @Test
    void aPodWithOtherClaimsIsTriedAgain() {
        create(
                cluster,
                deviceClass("card", "device.driver == 'card.example.com'"),
                readyNode("n1", 16),
                slice("n1", "card.example.com", "card-0", "card-1"));
        prioritized("low", 0);
        play();
        prioritized("high", 10);
        play();
        create(cluster, claim("one", "card", 1), claim("more", "card", 2), """
                apiVersion: v1
                kind: Pod
                metadata: {namespace: default, name: other}
                spec:
                  schedulerName: fakegpu-scheduler
                  priority: 10
                  containers: [{name: main, image: app, resources: {claims: [{name: one}, {name: more}]}}]
                  resourceClaims: [{name: one, resourceClaimName: one}, {name: more, resourceClaimName: more}]
                """);
        play();
        assertThat(stored("high").getStatus().getNominatedNodeName()).isEqualTo("n0");
        assertThat(stored("other")).matches(pod -> !PodState.isBound(pod));

        cluster.stores().claims().get("default", "more").ifPresent(cluster::deleteImmediately);
        create(cluster, claim("more", "card", 1));
        play();

        assertThat(stored("other").getSpec().getNodeName()).isEqualTo("n1");
    }

    /** The pod is read only to see whether it still exists. */
    private ObjectClient watched() {
        return intercepted(cluster, (method, argument, real) -> {
            if (method.equals("get")
                    && argument instanceof Pod pod
                    && pod.getMetadata().getName().equals("low")) {
                beforehand.run();
                beforehand = () -> {};
            }
            if (areBudgetsBroken && argument == PodDisruptionBudget.class) {
                areBudgetsBroken = false;
                return Collections.singletonList(null);
            }
            Object answer = real.call();
            if (method.equals("delete") && argument instanceof Pod) {
                Runnable now = afterwards;
                afterwards = () -> {};
                now.run();
            }
            return answer;
        });
    }

    private void prioritized(String name, int priority) {
        create(cluster, claim(name, "gpu", 1), pod(name, "priority: " + priority));
    }

    private Pod stored(String name) {
        return cluster.stores().pods().get("default", name).orElseThrow();
    }

    /** Lets a few seconds pass. */
    private void play() {
        for (int second = 0; second < 5; second++) {
            boolean works = true;
            while (works) {
                works = companion.runUntilIdle() | time.runDue();
            }
            time.moveTo(time.instant().plusSeconds(1));
        }
    }
}
