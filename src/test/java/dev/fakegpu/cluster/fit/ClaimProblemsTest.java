package dev.fakegpu.cluster.fit;

import static dev.fakegpu.testing.TestObjects.claim;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ClaimProblemsTest {

    private static final Pod POD = new PodBuilder()
            .withNewMetadata()
            .withName("pod")
            .endMetadata()
            .withNewSpec()
            .addToNodeSelector("zone", "b")
            .endSpec()
            .build();

    private static final List<SchedulableNode> NODES = List.of(node("node-a", "a"), node("node-b", "b"));

    @Test
    void aClaimOnAnotherNodeIsNamedWithTheNodeAndThePodsThere() {
        assertThat(elsewhere(allocated("c", "node-a", "other", "pod")))
                .hasValue("ResourceClaim \"c\" is allocated on node-a (used by pod \"other\"), where the pod does not"
                        + " fit: node(s) didn't match Pod's node affinity/selector");
    }

    @Test
    void aClaimOnAFittingNodeIsNoProblem() {
        assertThat(elsewhere(allocated("c", "node-b"))).isEmpty();
        assertThat(elsewhere()).isEmpty();
        assertThat(elsewhere(claim("{name: c}"))).isEmpty();
    }

    @Test
    void claimsOnTwoNodesExcludeEachOther() {
        assertThat(elsewhere(allocated("c", "node-a"), allocated("d", "node-b", "other")))
                .hasValue(
                        "ResourceClaim \"c\" is allocated on node-a, ResourceClaim \"d\" is allocated on node-b (used by"
                                + " pod \"other\"); no node can use all of them");
    }

    @Test
    void theNodeOfAClaimMayBeGone() {
        assertThat(elsewhere(allocated("c", "gone")))
                .hasValue("ResourceClaim \"c\" is allocated on node gone, which does not exist; delete the claim");
        assertThat(elsewhere(allocated("c", "gone", "other")))
                .hasValue("ResourceClaim \"c\" is allocated on node gone, which does not exist (used by pod \"other\");"
                        + " delete the claim");
    }

    @Test
    void aClaimWithTheMaximumNumberOfUsersCannotBeUsedByOthers() {
        String[] users = IntStream.range(0, 256).mapToObj(i -> "user-" + i).toArray(String[]::new);
        ResourceClaim full = allocated("c", "node-a", users);
        Pod user = new PodBuilder()
                .withNewMetadata()
                .withName("user-1")
                .withUid("uid-user-1")
                .endMetadata()
                .build();
        Pod other = new PodBuilder(user)
                .editMetadata()
                .withUid("other")
                .endMetadata()
                .build();

        assertThat(ClaimProblems.fullyReserved(other, full))
                .hasValueSatisfying(
                        problem -> assertThat(problem).startsWith("ResourceClaim \"c\" is reserved for 256 consumers"));
        assertThat(ClaimProblems.fullyReserved(user, full)).isEmpty();
        assertThat(ClaimProblems.fullyReserved(other, allocated("c", "node-a", "user-0")))
                .isEmpty();
    }

    @Test
    void aClaimThatIsBeingDeletedIsNamedWithFinalizersAndUsers() {
        ResourceClaim claim = new ResourceClaimBuilder(allocated("c", "node-a", "a", "b"))
                .editMetadata()
                .addToFinalizers("resource.kubernetes.io/delete-protection")
                .withDeletionTimestamp("2026-01-01T00:00:00Z")
                .endMetadata()
                .build();
        assertThat(ClaimProblems.beingDeleted(claim))
                .isEqualTo("ResourceClaim \"c\" is being deleted, which waits for finalizer"
                        + " \"resource.kubernetes.io/delete-protection\" and for pods \"a\", \"b\"");
        assertThat(ClaimProblems.deletion(claim)).isNotEqualTo(ClaimProblems.deletion(allocated("c", "node-a")));
    }

    private static Optional<String> elsewhere(ResourceClaim... claims) {
        List<ResourceClaim> all = List.of(claims);
        return ClaimProblems.elsewhere(
                POD,
                all,
                NODES,
                new PodFit(POD, all, new NodeUsage(), ExtendedResources.NONE, DeviceLookup.NONE, null));
    }

    private static ResourceClaim allocated(String name, String node, String... pods) {
        var claim = new ResourceClaimBuilder(NodeCandidatesTest.allocated("{name: %s}".formatted(name), node));
        for (String pod : pods) {
            claim.editStatus()
                    .addNewReservedFor()
                    .withResource("pods")
                    .withName(pod)
                    .withUid("uid-" + pod)
                    .endReservedFor()
                    .endStatus();
        }
        return claim.build();
    }

    private static SchedulableNode node(String name, String zone) {
        return SchedulableNode.of(NodeCandidatesTest.node(name, zone, "True"));
    }
}
