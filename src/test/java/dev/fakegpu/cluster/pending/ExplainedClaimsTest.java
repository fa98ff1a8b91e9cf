package dev.fakegpu.cluster.pending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.cluster.snapshot.Unseen;
import dev.fakegpu.engine.explain.finding.Finding;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests explanations of claims, and of the requests of claims and extended resources. */
class ExplainedClaimsTest {

    @Test
    void aClaimThatIsAllocatedSaysWhoUsesIt() {
        Answer answer = new PendingCluster()
                .node("n1", "")
                .holder("team", "h", "n1")
                .explainer()
                .claim("team", "h");

        assertThat(answer.state()).isEqualTo(State.SERVED);
        assertThat(answer.sentence()).isEqualTo("it has 1 device since 2026-01-01T00:00:00Z, used by pod \"h\"");
    }

    @Test
    void aClaimOfAPodIsExplainedByThePod() {
        Answer answer =
                PendingCluster.held().pod("train", "train", "").explainer().claim("team", "train");

        assertThat(answer.code()).isEqualTo("DevicesInUse");
        assertThat(answer.sentence())
                .startsWith("it is allocated when pod \"train\" is scheduled: no device for request \"gpu\"");
    }

    @Test
    void aClaimWithoutAPodSaysWhatItsPodWouldGet() {
        Answer answer = PendingCluster.held().explainer().claim("team", "train");

        assertThat(answer.code()).isEqualTo("WaitForFirstConsumer");
        assertThat(answer.facts()).singleElement().asString().startsWith("with a pod: no device for request \"gpu\"");
    }

    @Test
    void aMissingClaimIsNamedWithTheOneThatMayBeMeant() {
        Answer answer =
                PendingCluster.held().pod("train", "tran", "").explainer().pod("team", "train");

        assertThat(answer.code()).isEqualTo("ClaimsUnavailable");
        assertThat(answer.sentence()).isEqualTo("ResourceClaim \"tran\" does not exist (did you mean \"train\"?)");
    }

    @Test
    void claimOlderThanItsTemplateIsReported() {
        PendingCluster cluster = PendingCluster.held().with("""
                apiVersion: v1
                kind: Pod
                metadata: {namespace: team, name: p, uid: Pod-p}
                spec: {containers: [], schedulerName: default-scheduler, resourceClaims: [{name: gpu, resourceClaimTemplateName: own}]}
                status: {resourceClaimStatuses: [{name: gpu, resourceClaimName: p-gpu}]}
                """, generated("gpu.vendro.com"));

        Answer outOfDate = cluster.with(template("gpu.vendor.com")).explainer().pod("team", "p");

        assertThat(outOfDate.code()).isEqualTo("ClassNotFound");
        assertThat(outOfDate.facts())
                .contains(
                        "ResourceClaim \"p-gpu\" was created before ResourceClaimTemplate \"own\" changed: create the pod again");
    }

    @Test
    void theSentenceSaysWhetherTheTemplateOfAMissingClaimExists() {
        PendingCluster cluster = PendingCluster.held().with(template("gpu.vendor.com"));

        Answer existing = cluster.with(fromTemplate("p", "own")).explainer().pod("team", "p");
        Answer misspelt = cluster.with(fromTemplate("q", "owns")).explainer().pod("team", "q");

        assertThat(List.of(existing, misspelt)).extracting(Answer::code).containsOnly("ClaimsUnavailable");
        assertThat(existing.sentence())
                .isEqualTo(
                        "ResourceClaimTemplate \"own\" exists, but kube-controller-manager has not created its claim; if it"
                                + " was refused, an event FailedResourceClaimCreation of the pod says why");
        assertThat(misspelt.sentence())
                .isEqualTo(
                        "ResourceClaimTemplate \"owns\" does not exist (did you mean \"own\"?), so no ResourceClaim is"
                                + " created");
    }

    @Test
    void aTemplateOrClaimThatIsOfTheOtherKindOrElsewhereIsNamed() {
        PendingCluster cluster = PendingCluster.held()
                .with(template("gpu.vendor.com"), fromTemplate("p", "train"))
                .with(template("gpu.vendor.com").replace("team", "other").replace("own", "theirs"))
                .with(fromTemplate("q", "theirs"))
                .pod("r", "own", "");

        assertThat(cluster.explainer().pod("team", "p").sentence())
                .isEqualTo(
                        "ResourceClaimTemplate \"train\" does not exist (there is a ResourceClaim of this name: write"
                                + " resourceClaimName), so no ResourceClaim is created");
        assertThat(cluster.explainer().pod("team", "q").sentence())
                .isEqualTo(
                        "ResourceClaimTemplate \"theirs\" does not exist (there is one in namespace \"other\", which only"
                                + " pods of that namespace can use), so no ResourceClaim is created");
        assertThat(cluster.explainer().pod("team", "r").sentence())
                .isEqualTo("ResourceClaim \"own\" does not exist (there is a ResourceClaimTemplate of this name: write"
                        + " resourceClaimTemplateName)");
    }

    @Test
    void aTemplateThatTheCallerMayNotReadIsNotCalledMissing() {
        ClusterObjects objects = PendingCluster.held()
                .with(fromTemplate("p", "own"))
                .objects()
                .withUnseen(List.of(new Unseen(ObjectKind.CLAIM_TEMPLATES, "list", "team", Unseen.Cause.FORBIDDEN)));

        Answer answer = new PendingExplainer(new ClusterSnapshot(objects), ExplainSettings.DEFAULT).pod("team", "p");

        assertThat(answer.sentence()).contains("creates it if ResourceClaimTemplate \"own\" exists");
    }

    private static String fromTemplate(String pod, String template) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {namespace: team, name: %1$s, uid: Pod-%1$s}
                spec: {containers: [], schedulerName: default-scheduler, resourceClaims: [{name: gpu, resourceClaimTemplateName: %2$s}]}
                """.formatted(pod, template);
    }

    private static String template(String deviceClass) {
        return """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaimTemplate
                metadata: {namespace: team, name: own}
                spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: %s, allocationMode: ExactCount, count: 1}}]}}}
                """.formatted(deviceClass);
    }

    private static String generated(String deviceClass) {
        return """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {namespace: team, name: p-gpu, ownerReferences: [{apiVersion: v1, kind: Pod, name: p, uid: Pod-p}]}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: %s, allocationMode: ExactCount, count: 1}}]}}
                """.formatted(deviceClass);
    }

    @Test
    void anObstacleOfAnotherRequestIsReportedAsTemporary() {
        String text = new PendingCluster()
                .node("n1", "")
                .holder("other", "h", "n1")
                .claim("never", ", selectors: [{cel: {expression: \"device.driver == 'x'\"}}]")
                .claim("held", "")
                .pod("train", "never}, {name: b, resourceClaimName: held", "")
                .textAboutPod("train");

        assertThat(text.replaceAll("\\s+", " "))
                .contains("cannot be served now either: gpu-0 is held by other/h")
                .containsSubsequence(
                        "With nothing allocated, on n1:", "of claim never", "Currently, on n1:", "of claim held");
    }

    @Test
    void anAlternativeThatCanNeverBeAllocatedDoesNotWait() {
        String text = PendingCluster.held().with("""
                        apiVersion: resource.k8s.io/v1
                        kind: ResourceClaim
                        metadata: {namespace: team, name: some}
                        spec:
                          devices:
                            requests:
                            - name: gpu
                              firstAvailable:
                              - {name: two, deviceClassName: gpu.vendor.com, allocationMode: ExactCount, count: 2}
                              - {name: one, deviceClassName: gpu.vendor.com, allocationMode: ExactCount, count: 1}
                        """).pod("some", "some", "").textAboutPod("some");

        assertThat(text.replaceAll("\\s+", " "))
                .contains("nearest is \"one\": gpu-0 is held by")
                .contains("\"two\" never fits: only 1 of 2 devices: there are no more")
                .contains("Currently, on n1: request \"gpu/one\" of claim some: 0 of 1 found among 1 device")
                .contains("Even with nothing allocated, on n1: request \"gpu/two\" of claim some: 1 of 2 found");
    }

    /** Otherwise the missing class would be found only after the nodes have been repaired. */
    @Test
    void aClassThatDoesNotExistIsNamedAlsoIfNoNodeFits() {
        String claim = """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {namespace: team, name: misspelt}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.vendro.com}}]}}
                """;

        for (PendingCluster cluster : List.of(new PendingCluster(), new PendingCluster().node("n1", ""))) {
            Answer answer = cluster.with(claim)
                    .pod("train", "misspelt", ", nodeSelector: {zone: a}")
                    .explainer()
                    .pod("team", "train");

            assertThat(answer.code()).isEqualTo("ClassNotFound");
            assertThat(answer.sentence())
                    .startsWith("request \"gpu\" is for device class \"gpu.vendro.com\", which does not exist");
        }
    }

    @Test
    void equalPodsAreExplainedWithTheirOwnClaims() {
        PendingExplainer explainer = PendingCluster.held()
                .claim("late", "")
                .pod("train", "train", "")
                .pod("late", "late", "")
                .explainer();

        List<Answer> answers = explainer.pendingPods(Optional.of("team"));

        assertThat(answers)
                .flatExtracting(answer -> answer.evidence()
                        .orElseThrow()
                        .explanation()
                        .orElseThrow()
                        .findings())
                .extracting(finding -> ((Finding) finding).claim().name())
                .containsExactly("late", "train");
    }

    private static final String EXTENDED_RESOURCE = """
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu.vendor.com}
            spec: {selectors: [{cel: {expression: "device.driver == 'vendor.com'"}}], extendedResourceName: vendor.com/gpu}
            """;

    /** Init containers end before other containers start, so they use the same devices. */
    @Test
    void requestsThatInitContainersShareAreNamedByAllContainers() throws IOException {
        String text =
                new PendingCluster().node("n1", "").with(EXTENDED_RESOURCE, """
                        apiVersion: v1
                        kind: Pod
                        metadata: {namespace: team, name: p}
                        spec:
                          schedulerName: default-scheduler
                          initContainers: [{name: fetch, resources: {requests: {vendor.com/gpu: "2"}}}]
                          containers: [{name: main, resources: {requests: {vendor.com/gpu: "1"}}}]
                        """).textAboutPod("p");

        assertThat(text)
                .isEqualTo(Files.readString(
                        ProjectFiles.resolve("src/test/resources/golden/pending/init-containers.txt")));
    }

    @Test
    void extendedResourcesAreNamedAsThePodDoes() {
        String text =
                new PendingCluster().node("n1", "").with(EXTENDED_RESOURCE, """
                        apiVersion: v1
                        kind: Pod
                        metadata: {namespace: team, name: p}
                        spec: {schedulerName: default-scheduler, containers: [{name: main, resources: {requests: {vendor.com/gpu: "2"}}}]}
                        """).textAboutPod("p");

        assertThat(text)
                .contains(
                        "vendor.com/gpu of container \"main\": 1 of 2 found among 1 device\n    there are no more devices\n")
                .doesNotContain("container-0-request-0");
    }
}
