package dev.fakegpu.e2e.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import dev.fakegpu.e2e.support.OperatorProcess;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests random objects that the API server accepts: the operator survives, every claim and pod is served or has a reason, and the
 * allocations are possible. {@code -Dfuzzer.objects} sets the number of objects, and {@code -Dfuzzer.seed} the seed.
 */
@Tag("long")
class FuzzerE2E {

    private static final int OBJECTS = Integer.getInteger("fuzzer.objects", 300);
    private static final long SEED = Long.getLong("fuzzer.seed", new Random().nextLong());
    private static final int BATCH = 30;

    @RegisterExtension
    static final ClusterExtension cluster =
            ClusterExtension.withControllerManager().withoutOperator();

    private final KubernetesClient client = cluster.client();
    private final RandomObjects objects = new RandomObjects(SEED);
    private final List<String> clusterScoped = new ArrayList<>();
    private final List<String> claims = new ArrayList<>(List.of("none"));
    private int created;
    private int refused;
    private long allocated;
    private long bound;

    @Test
    void randomPodsRunOrAreExplained() {
        System.out.printf("%d objects: -Dfuzzer.seed=%d%n", OBJECTS, SEED);
        try (var operator = cluster.startOperator(Map.of());
                var fakeGpus = cluster.fakeGpus()) {
            fakeGpus.create(
                    "fuzz",
                    "{driver: fuzz.example.com, nodes: {simulated: {count: 2}}, model: A100-SXM4-40GB, count: 8}");
            fakeGpus.create(
                    "fuzz-mig",
                    "{driver: mig.fuzz.example.com, nodes: {simulated: {count: 1}}, model: A100-SXM4-40GB, count: 2, partitions: {whole: true, mig: {profiles: [1g.5gb, 3g.20gb]}}}");
            fakeGpus.awaitReady("fuzz");
            for (int batch = 0; created < OBJECTS; batch++) {
                try (var scenario = new ClusterScenario(client, AllocatorName.Companion)) {
                    batch(scenario, batch);
                    awaitAnswers(scenario, operator, batch);
                    allocated += scenario.storedClaims().stream()
                            .filter(Allocations::isAllocated)
                            .count();
                    bound += scenario.storedPods().stream()
                            .filter(pod -> pod.getSpec().getNodeName() != null)
                            .count();
                }
            }
        } finally {
            clusterScoped.forEach(path -> client.raw(path, "DELETE", null));
            System.out.printf(
                    "%d objects were stored, %d refused by the API server; %d claims were allocated, %d pods bound%n",
                    created, refused, allocated, bound);
        }
    }

    private void batch(ClusterScenario scenario, int number) {
        String namespace = "/namespaces/" + scenario.namespace();
        claims.clear();
        claims.add("none");
        for (int i = 0; i < BATCH; i++) {
            String name = "fuzz-%d-%d".formatted(number, i);
            switch (objects.any(List.of(0, 0, 0, 1, 1, 2, 3))) {
                case 0 -> {
                    if (create("/apis/resource.k8s.io/v1" + namespace + "/resourceclaims", objects.claim(name))) {
                        claims.add(name);
                    }
                }
                case 1 -> create("/api/v1" + namespace + "/pods", objects.pod(name, claims));
                case 2 -> createClusterScoped("deviceclasses", name, objects.deviceClass(name));
                default -> createClusterScoped("resourceslices", name, objects.slice(name));
            }
        }
    }

    private void createClusterScoped(String plural, String name, String json) {
        if (create("/apis/resource.k8s.io/v1/" + plural, json)) {
            clusterScoped.add("/apis/resource.k8s.io/v1/" + plural + "/" + name);
        }
    }

    private boolean create(String path, String json) {
        try {
            client.raw(path, "POST", json);
            created++;
            return true;
        } catch (KubernetesClientException e) {
            refused++;
            return false;
        }
    }

    private static void awaitAnswers(ClusterScenario scenario, OperatorProcess operator, int batch) {
        try {
            scenario.await(() -> {
                assertThat(scenario.storedClaims()).allSatisfy(FuzzerE2E::isAnswered);
                assertThat(scenario.storedPods()).allSatisfy(FuzzerE2E::isAnswered);
            });
            scenario.assertPossible();
            operator.assertHealthy();
        } catch (Throwable e) {
            throw new AssertionError("batch %d of seed %d".formatted(batch, SEED), e);
        }
    }

    private static void isAnswered(ResourceClaim claim) {
        boolean isExplained = claim.getMetadata().getAnnotations() != null
                && claim.getMetadata().getAnnotations().containsKey(Labels.NOT_ALLOCATED);
        assertThat(Allocations.isAllocated(claim) || isExplained)
                .as("claim %s is allocated or explained", claim.getMetadata().getName())
                .isTrue();
    }

    private static void isAnswered(Pod pod) {
        boolean isExplained = pod.getStatus().getConditions().stream()
                .anyMatch(condition -> condition.getType().equals("PodScheduled"));
        assertThat(pod.getSpec().getNodeName() != null || isExplained)
                .as("pod %s is bound or explained", pod.getMetadata().getName())
                .isTrue();
    }
}
