package dev.fakegpu.cluster.fit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.engine.explain.ClaimNaming;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClaimUsesTest {

    private static final ClaimRef HOLDER = new ClaimRef("default", "h", "uid-h");

    private final Map<String, Pod> pods = new LinkedHashMap<>();
    private final List<ResourceClaimConsumerReference> others = new ArrayList<>();
    private String message = "";

    @Test
    void aHolderIsNamedWithItsPod() {
        pod("a");
        assertThat(said("default", "a")).isEqualTo("h (pod \"a\")");
    }

    @Test
    void manyPodsAreCounted() {
        for (String name : new String[] {"a", "b", "c", "d", "e"}) {
            pod(name);
        }
        assertThat(said("default", "a", "b", "c", "d", "e")).isEqualTo("h (pods \"a\", \"b\", \"c\" and 2 more)");
    }

    @Test
    void aClaimWithoutAPodIsReportedAsUnused() {
        assertThat(said("default")).isEqualTo("h (used by no pod)");
    }

    @Test
    void aTerminatingPodIsReportedWithWhatItWaitsFor() {
        pods.put("a", ending("a").build());
        assertThat(said("default", "a"))
                .isEqualTo("h (pod \"a\", being deleted: node-1 has not unprepared its devices yet)");

        pods.put(
                "a",
                ending("a")
                        .editMetadata()
                        .addToFinalizers("example.com/hold")
                        .endMetadata()
                        .build());
        assertThat(said("default", "a"))
                .isEqualTo("h (pod \"a\", being deleted, which waits for finalizer \"example.com/hold\")");
    }

    @Test
    void failedUnpreparationIsReportedToTheNamespace() {
        pods.put("a", ending("a").build());
        message = "cannot be unprepared: hook failed";
        assertThat(said("default", "a"))
                .isEqualTo("h (pod \"a\", being deleted: node-1 has not unprepared its devices yet: hook failed)");
        assertThat(said("other", "a")).endsWith("(being deleted: node-1 has not unprepared its devices yet)");
    }

    @Test
    void ifOnlySomePodsAreEndingTheClaimIsInUse() {
        pods.put("a", ending("a").build());
        pod("b");
        assertThat(said("default", "a", "b")).isEqualTo("h (pods \"a\", \"b\")");
    }

    @Test
    void usersInOtherNamespacesAreNotNamed() {
        pods.put("a", ending("a").build());
        assertThat(said("other", "a"))
                .isEqualTo("a claim of another namespace (uid uid-h) (being deleted: node-1 has not unprepared its"
                        + " devices yet)");
        pod("a");
        assertThat(said("other", "a")).isEqualTo("a claim of another namespace (uid uid-h)");
    }

    /** A new pod with the same name does not use the claim. */
    @Test
    void aPodThatWasReplacedIsNotNamed() {
        pod("a");
        pods.get("a").getMetadata().setUid("another");
        assertThat(said("default", "a")).isEqualTo("h");
    }

    /** Kubernetes keeps reservations for other objects when the pods are deleted. */
    @Test
    void otherConsumersAreNamedAndKeepTheClaimFromEnding() {
        pods.put("a", ending("a").build());
        others.add(new ResourceClaimConsumerReference("metrics.k8s.io", "a", "pods", "uid-a"));
        others.add(new ResourceClaimConsumerReference("example.com", "night", "trainings", "uid-night"));

        assertThat(said("default", "a"))
                .isEqualTo("h (pod \"a\", pods.metrics.k8s.io \"a\", trainings.example.com \"night\")");
        assertThat(said("default")).isEqualTo("h (pods.metrics.k8s.io \"a\", trainings.example.com \"night\")");
        assertThat(said("other", "a")).isEqualTo("a claim of another namespace (uid uid-h)");
    }

    private String said(String reader, String... users) {
        return ClaimNaming.OwnNamespace.forReaderIn(reader)
                .with(claim -> ClaimUses.of(claim(users), name -> Optional.ofNullable(pods.get(name))))
                .withUsers(HOLDER);
    }

    private ResourceClaim claim(String... users) {
        ResourceClaim claim = Serialization.unmarshal("""
                metadata: {name: h, namespace: default, uid: uid-h}
                status:
                  allocation: {devices: {results: [{driver: d, pool: p, device: gpu-0, request: r}]}}
                  devices:
                    - {driver: d, pool: p, device: gpu-0, conditions: [{type: Ready, status: "True", reason: Prepared, message: "%s"}]}
                """.formatted(message), ResourceClaim.class);
        for (String user : users) {
            claim.getStatus()
                    .getReservedFor()
                    .add(new ResourceClaimConsumerReference(null, user, "pods", "uid-" + user));
        }
        claim.getStatus().getReservedFor().addAll(others);
        return claim;
    }

    private void pod(String name) {
        pods.put(name, running(name).build());
    }

    private static PodBuilder ending(String name) {
        return running(name)
                .editMetadata()
                .withDeletionTimestamp("2026-01-01T00:00:00Z")
                .endMetadata();
    }

    private static PodBuilder running(String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withUid("uid-" + name)
                .endMetadata()
                .withNewSpec()
                .withNodeName("node-1")
                .endSpec();
    }
}
