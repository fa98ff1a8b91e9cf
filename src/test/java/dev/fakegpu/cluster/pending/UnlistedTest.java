package dev.fakegpu.cluster.pending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.cluster.snapshot.Unseen;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UnlistedTest {

    private static final List<ObjectKind> BOTH = List.of(ObjectKind.PODS, ObjectKind.CLAIMS);

    @Test
    void withoutPermissionToListEitherTheAnswerIsUnknown() {
        var objects = ClusterObjects.NONE
                .withUnseen(refused(null, ObjectKind.PODS, ObjectKind.CLAIMS))
                .withUnseen(refused("team", ObjectKind.PODS, ObjectKind.CLAIMS));

        assertThat(firstSentence(objects, Optional.empty()))
                .isEqualTo("It is not known whether pods or claims wait for devices: you may not list pods or"
                        + " resourceclaims.resource.k8s.io in all namespaces.");
        assertThat(firstSentence(objects, Optional.of("team")))
                .isEqualTo("It is not known whether pods or claims wait for devices: you may not list pods or"
                        + " resourceclaims.resource.k8s.io in namespace \"team\".");
        assertThat(waiting(objects, Optional.empty()).isAnswered()).isFalse();
    }

    @Test
    void answerSaysThatNoPodIsPendingIfPodsMayBeListed() {
        var objects = ClusterObjects.NONE
                .withUnseen(refused(null, ObjectKind.CLAIMS))
                .withUnseen(refused("team", ObjectKind.CLAIMS));

        assertThat(firstSentence(objects, Optional.of("team")))
                .isEqualTo("No pod waits for devices; it is not known whether claims do: you may not list"
                        + " resourceclaims.resource.k8s.io in namespace \"team\".");
        assertThat(waiting(objects, Optional.of("team")).isAnswered()).isFalse();
    }

    @Test
    void permissionForOneNamespaceAnswersOnlyForThatNamespace() {
        var objects = ClusterObjects.NONE.withUnseen(refused(null, ObjectKind.PODS, ObjectKind.CLAIMS));

        assertThat(firstSentence(objects, Optional.empty()))
                .isEqualTo("No pod and no claim that you may list waits for devices; it is not known whether others do:"
                        + " you may not list pods or resourceclaims.resource.k8s.io in all namespaces.");
        assertThat(waiting(objects, Optional.empty()).isAnswered()).isFalse();
        assertThat(firstSentence(objects, Optional.of("team"))).isEqualTo("No pod and no claim waits for devices.");
        assertThat(waiting(objects, Optional.of("team")).isAnswered()).isTrue();
    }

    @Test
    void unreadableClaimIsNotReportedAsMissing() {
        ClusterObjects objects = new PendingCluster()
                .node("n1", "")
                .holder("team", "h", "n1")
                .pod("train", "train", "")
                .objects()
                .without(object -> object.getKind().equals("ResourceClaim"))
                .withUnseen(refused(null, ObjectKind.CLAIMS))
                .withUnseen(refused("team", ObjectKind.CLAIMS));

        Report report = waiting(objects, Optional.of("team"));

        assertThat(report.isAnswered()).isTrue();
        assertThat(report.groups()).singleElement().satisfies(group -> {
            assertThat(group.answer().subject().name()).isEqualTo("train");
            assertThat(group.answer().code()).isEqualTo("NotVisible");
            assertThat(group.answer().sentence())
                    .isEqualTo("your rights do not show whether its claims exist and are allocated");
        });
        assertThat(explainer(objects).pod("team", "h").sentence())
                .isEqualTo("it is on node n1; your rights do not show which devices it has");
    }

    @Test
    void theConsequencesDifferBetweenTheOwnNamespaceAndOthers() {
        var objects = ClusterObjects.NONE.withUnseen(refused("team", ObjectKind.PODS, ObjectKind.CLAIMS));

        assertThat(waiting(objects, Optional.empty()).notSeen())
                .containsExactly(
                        "may not list pods in namespace \"team\": it is not known which of its pods wait for devices, and its"
                                + " claims are explained as if no pod used them",
                        "may not list resourceclaims.resource.k8s.io in namespace \"team\": it is not known whether the claims of"
                                + " its pods exist, and which devices its claims hold or wait for");
    }

    private static List<Unseen> refused(@Nullable String namespace, ObjectKind... kinds) {
        return Arrays.stream(kinds)
                .map(kind -> new Unseen(kind, "list", namespace, Unseen.Cause.FORBIDDEN))
                .toList();
    }

    private static PendingExplainer explainer(ClusterObjects objects) {
        return new PendingExplainer(new ClusterSnapshot(objects), ExplainSettings.DEFAULT);
    }

    private static Report waiting(ClusterObjects objects, Optional<String> namespace) {
        PendingExplainer explainer = explainer(objects);
        List<Answer> answers = Stream.concat(
                        explainer.pendingPods(namespace).stream(), explainer.pendingClaims(namespace).stream())
                .toList();
        return Report.ofWaiting(answers, new ClusterSnapshot(objects), BOTH, namespace);
    }

    private static String firstSentence(ClusterObjects objects, Optional<String> namespace) {
        String text = String.join("\n", ReportText.of(waiting(objects, namespace)));
        return text.split("\n\n", 2)[0].replaceAll("\\s+", " ");
    }
}
