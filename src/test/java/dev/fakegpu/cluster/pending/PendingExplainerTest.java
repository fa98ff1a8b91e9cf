package dev.fakegpu.cluster.pending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.GateSources;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.cluster.snapshot.Unseen;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PendingExplainerTest {

    @Test
    void aSchedulerThatGivesNoReasonIsNotQuoted() {
        PendingCluster cluster = PendingCluster.held().with("""
                apiVersion: v1
                kind: Pod
                metadata: {namespace: team, name: train}
                spec: {containers: [], schedulerName: default-scheduler, resourceClaims: [{name: gpu, resourceClaimName: train}]}
                status: {conditions: [{type: PodScheduled, status: "False", reason: Unschedulable}]}
                """);

        assertThat(cluster.textAboutPod("train")).doesNotContain("its scheduler says");
    }

    @Test
    void aPodWhoseDeviceIsHeldGetsAFullExplanation() throws IOException {
        String text = new PendingCluster()
                .node("n1", "")
                .node("n2", ", taints: [{key: maintenance, effect: NoSchedule}]")
                .node("n3")
                .holder("other", "h", "n1")
                .claim("train", "")
                .pod("train", "train", "")
                .with("""
                        apiVersion: v1
                        kind: Node
                        metadata: {name: n4}
                        spec: {unschedulable: true}
                        status: {conditions: [{type: Ready, status: "True"}]}
                        """)
                .textAboutPod("train");

        assertThat(text)
                .isEqualTo(Files.readString(ProjectFiles.resolve("src/test/resources/golden/pending/held.txt")));
        assertThat(text.lines()).allMatch(line -> line.length() <= 120);
    }

    @Test
    void awaitedAndFailedBindingConditionsAreReported() {
        String claim = """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {namespace: team, name: train}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.vendor.com}}]}}
                status:
                  allocation:
                    allocationTimestamp: "2026-01-01T00:00:00Z"
                    devices:
                      results:
                      - request: gpu
                        driver: vendor.com
                        pool: n1
                        device: gpu-0
                        bindingConditions: [example.com/attached, example.com/powered]
                        bindingFailureConditions: [example.com/attach-failed]
                  devices:
                  - driver: vendor.com
                    pool: n1
                    device: gpu-0
                    conditions:
                    - {type: example.com/powered, status: "True", reason: Powered, message: ""}
                    - {type: example.com/attach-failed, status: "True", reason: Cable, message: no cable}
                """;
        var cluster =
                new PendingCluster().node("n1", "").pod("train", "train", "").with(claim);

        Answer answer = cluster.explainer().pod("team", "train");

        assertThat(answer.code()).isEqualTo("BindingFailed");
        assertThat(answer.sentence())
                .isEqualTo("device binding failed: claim=train, device=gpu-0, condition=example.com/attach-failed,"
                        + " reason=Cable, message=\"no cable\"");

        Answer waiting = cluster.with(claim.replace("attach-failed, status", "powered, status"))
                .explainer()
                .pod("team", "train");

        assertThat(waiting.code()).isEqualTo("NotBoundYet");
        assertThat(waiting.sentence())
                .isEqualTo("waiting until 2026-01-01T00:10:00Z for binding conditions: gpu-0 of ResourceClaim \"train\""
                        + " for example.com/attached");
        assertThat(waiting.facts()).noneMatch(fact -> fact.startsWith("no scheduler"));
    }

    @Test
    void aGatedPodWaitsForItsGates() {
        Answer answer = PendingCluster.held()
                .pod("train", "train", ", schedulingGates: [{name: quota}]")
                .explainer()
                .pod("team", "train");

        assertThat(answer.code()).isEqualTo("SchedulingGated");
        assertThat(answer.sentence()).endsWith(": quota");
    }

    @Test
    void requestsThatCanNeverFitAreReported() {
        String text = new PendingCluster()
                .node("n1", "")
                .claim("train", ", selectors: [{cel: {expression: \"device.driver == 'x'\"}}]")
                .pod("train", "train", "")
                .textAboutPod("train");

        assertThat(text).contains("never fits on n1").contains("nothing that could be released, tolerated or repaired");
    }

    @Test
    void nodesThatDoNotFitAreReportedWithReasons() {
        Answer answer = PendingCluster.held()
                .pod("train", "train", ", nodeSelector: {zone: a}")
                .explainer()
                .pod("team", "train");

        assertThat(answer.code()).isEqualTo("NoNodeFits");
        assertThat(answer.sentence())
                .isEqualTo("0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector");
        assertThat(answer.facts()).noneMatch(fact -> fact.startsWith("no node"));
    }

    @Test
    void nodeWithDevicesThatDoesNotFitIsReportedFirst() {
        Answer answer = new PendingCluster()
                .node("n1", ", attributes: {type: {string: mig}}")
                .with("""
                        apiVersion: v1
                        kind: Node
                        metadata: {name: n2}
                        spec: {unschedulable: true}
                        status: {conditions: [{type: Ready, status: "True"}], allocatable: {pods: "110"}}
                        """)
                .with("""
                        apiVersion: resource.k8s.io/v1
                        kind: ResourceSlice
                        metadata: {name: slice-n2}
                        spec:
                          driver: vendor.com
                          nodeName: n2
                          pool: {name: n2, generation: 1, resourceSliceCount: 1}
                          devices: [{name: gpu-0, attributes: {type: {string: whole}}}]
                        """)
                .claim(
                        "train",
                        ", selectors: [{cel: {expression: 'device.attributes[\"vendor.com\"].type == \"whole\"'}}]")
                .pod("train", "train", "")
                .explainer()
                .pod("team", "train");

        assertThat(answer.sentence())
                .isEqualTo(
                        "n2 has the devices, but does not fit the pod (node(s) were unschedulable); never fits on n1:"
                                + " no device matches device.attributes[\"vendor.com\"].type == \"whole\" (request \"gpu\");"
                                + " devices have type mig");
    }

    @Test
    void equalExplanationsAreReportedOnceInTheOrderOfTheQueue() {
        ClusterSnapshot snapshot = PendingCluster.held()
                .claim("late", "")
                .claim("urgent", "")
                .pod("train", "train", "")
                .pod("late", "late", "")
                .pod("urgent", "urgent", ", priority: 10")
                .snapshot();
        var explainer = new PendingExplainer(snapshot, ExplainSettings.DEFAULT);

        Report report = Report.of(
                Stream.concat(
                                explainer.pendingPods(Optional.empty()).stream(),
                                explainer.pendingClaims(Optional.empty()).stream())
                        .toList(),
                snapshot);

        assertThat(report.isAnyPending()).isTrue();
        assertThat(report.groups()).hasSize(1);
        Report.Group group = report.groups().get(0);
        assertThat(group.answer().subject().name()).isEqualTo("urgent");
        assertThat(group.others()).isEmpty();
        assertThat(group.queued()).extracting(Subject::name).containsExactly("late", "train");
        assertThat(PendingCluster.text(report))
                .contains("same devices come first:\n  team/late, team/train\n")
                .doesNotContain("The same is true of:");
        assertThat(explainer.pod("team", "train").queue())
                .isEqualTo("2 pods are before it, first \"urgent\" (priority 10)");
    }

    @Test
    void onlyTheRequestedNodeIsExplained() {
        var settings = new ExplainSettings(GateSources.NONE, Optional.of("n2"), PendingChanges.NONE);
        ClusterSnapshot snapshot =
                PendingCluster.held().node("n2").pod("train", "train", "").snapshot();

        Answer answer = new PendingExplainer(snapshot, settings).pod("team", "train");

        assertThat(answer.sentence()).isEqualTo("there are no devices to allocate (request \"gpu\")");
        assertThatExceptionOfType(UnknownObjectException.class)
                .isThrownBy(() -> new PendingExplainer(PendingCluster.held().snapshot(), settings))
                .withMessage("there is no node \"n2\"; nodes are n1");
    }

    @Test
    void anUnknownNameIsReportedWithTheExistingNames() {
        PendingExplainer explainer =
                PendingCluster.held().pod("train", "train", "").explainer();

        assertThatExceptionOfType(UnknownObjectException.class)
                .isThrownBy(() -> explainer.pod("team", "tran"))
                .withMessage(
                        "there is no pod \"tran\" in namespace \"team\" (did you mean \"train\"?); there are train");
        assertThatExceptionOfType(UnknownObjectException.class)
                .isThrownBy(() -> explainer.pod("team", "h"))
                .withMessage(
                        "there is no pod \"h\" in namespace \"team\"; one of this name is in namespace other; there are train");
    }

    @Test
    void answerForAUserOfOneNamespaceListsWhatIsUnknown() {
        ClusterObjects all = PendingCluster.held().pod("train", "train", "").objects();
        var snapshot = new ClusterSnapshot(all.without(
                        object -> object.getMetadata().getNamespace() == null)
                .withUnseen(Stream.of(ObjectKind.SLICES, ObjectKind.NODES, ObjectKind.CLASSES, ObjectKind.CLAIMS)
                        .map(kind -> new Unseen(kind, "list", null, Unseen.Cause.FORBIDDEN))
                        .toList()));

        Answer answer = new PendingExplainer(snapshot, ExplainSettings.DEFAULT).pod("team", "train");

        assertThat(answer.code()).isEqualTo("NotVisible");
        assertThat(answer.facts()).singleElement().asString().contains("0/1 nodes are available");
        assertThat(PendingCluster.text(Report.of(List.of(answer), snapshot)))
                .contains("may not list resourceslices.resource.k8s.io: the devices are unknown")
                .contains("holders in other namespaces are not named");
    }

    @Test
    void answerForAUserOfOneNamespaceSaysThatDevicesMayBeFree() {
        ClusterObjects all = new PendingCluster()
                .node("n1", "")
                .claim("train", "")
                .pod("train", "train", "")
                .objects();
        var snapshot = new ClusterSnapshot(
                all.withUnseen(List.of(new Unseen(ObjectKind.CLAIMS, "list", null, Unseen.Cause.FORBIDDEN))));

        Answer answer = new PendingExplainer(snapshot, ExplainSettings.DEFAULT).pod("team", "train");

        assertThat(answer.code()).isEqualTo("NotVisible");
        assertThat(answer.sentence()).endsWith("but claims that you may not list may hold them");
    }

    @Test
    void theJsonHasCodes() {
        ClusterSnapshot snapshot =
                PendingCluster.held().pod("train", "train", "").snapshot();
        Answer answer = new PendingExplainer(snapshot, ExplainSettings.DEFAULT).pod("team", "train");

        JsonNode json = new ObjectMapper().valueToTree(ReportJson.of(Report.of(List.of(answer), snapshot)));

        JsonNode one = json.path("explanations").path(0);
        assertThat(one.path("state").asText()).isEqualTo("Pending");
        assertThat(one.path("code").asText()).isEqualTo("DevicesInUse");
        assertThat(one.path("devices").path("findings").path(0).path("reason").asText())
                .isEqualTo("DevicesInUse");
        assertThat(one.path("waysOut").path(0).path("nodes").path(0).asText()).isEqualTo("n1");
        assertThat(one.path("assumed").path("scheduler").asText()).isEqualTo("KubeScheduler");
        assertThat(json.path("notSeen").isArray()).isTrue();
    }
}
