package dev.fakegpu.cluster.pending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.GateSources;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.cluster.snapshot.Unseen;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.engine.explain.finding.Finding;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PendingExplainerTest {

    private static final String NO_DEVICES = "0/1 nodes are available: 1 cannot allocate all claims.";

    @Test
    void aPodWhoseDeviceIsHeldIsToldAll() throws IOException {
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
    void aPodThatIsNotBoundYetIsToldWhichConditionsAreAwaitedAndWhatFailed() {
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
    void theCompanionIsNotSuspectedOfIgnoringGroups() {
        assertThat(refusedAlthoughFree("Companion", "fakegpu-scheduler", "device binding failed: claim=train")
                        .explainer()
                        .pod("team", "train"))
                .satisfies(answer -> {
                    assertThat(answer.code()).isEqualTo("BindingFailed");
                    assertThat(answer.sentence()).isEqualTo("device binding failed: claim=train");
                    assertThat(answer.facts()).containsExactly("its devices are free again: all requests fit on n1");
                });
    }

    @Test
    void kubeSchedulerMayIgnoreGroupsUnlessItsGateIsKnown() throws IOException {
        var cluster = refusedAlthoughFree("KubeScheduler", "default-scheduler", NO_DEVICES);
        assertThat(cluster.textAboutPod("train"))
                .isEqualTo(Files.readString(
                        ProjectFiles.resolve("src/test/resources/golden/pending/gate-may-be-off.txt")));

        var known = new ExplainSettings(GateSources.chosen(GroupsGate.ON), Optional.empty(), PendingChanges.NONE);
        Answer answer = new PendingExplainer(cluster.snapshot(), known).pod("team", "train");
        assertThat(answer.code()).isEqualTo("NotRetried");
        assertThat(answer.sentence())
                .isEqualTo(
                        "its devices are free (all requests fit on n1), but kube-scheduler could not allocate them in its last"
                                + " attempt; it tries again when a ResourceSlice or DeviceClass is created or changed (not when one is"
                                + " deleted), and after 5 minutes");
    }

    @Test
    void kubeSchedulersOwnReasonIsNotReplacedByASuspicion() {
        Answer answer = refusedAlthoughFree(
                        "KubeScheduler",
                        "default-scheduler",
                        "0/1 nodes are available: 1 node(s) didn't match pod anti-affinity rules. preemption: 0/1 nodes are"
                                + " available: 1 No preemption victims found for incoming pod.")
                .explainer()
                .pod("team", "train");

        assertThat(answer.code()).isEqualTo("Allocatable");
        assertThat(answer.sentence())
                .isEqualTo(
                        "its devices are free: all requests fit on n1; kube-scheduler refused it for: 1 node(s) didn't"
                                + " match pod anti-affinity rules");
    }

    /** Team's pod "train", which may have a free device with groups. */
    private static PendingCluster refusedAlthoughFree(String allocator, String scheduler, String message) {
        String owner =
                "ownerReferences: [{apiVersion: fakegpu.dev/v1alpha1, kind: FakeGpu, name: a, uid: a, controller: true}]";
        return new PendingCluster()
                .node("n1")
                .claim("train", "")
                .with("""
                        apiVersion: fakegpu.dev/v1alpha1
                        kind: FakeGpu
                        metadata: {name: a, uid: a}
                        spec: {driver: vendor.com, allocator: %s, nodes: {all: true}}
                        """.formatted(allocator), """
                        apiVersion: resource.k8s.io/v1
                        kind: ResourceSlice
                        metadata: {name: counters, %s}
                        spec:
                          driver: vendor.com
                          nodeName: n1
                          pool: {name: n1, generation: 1, resourceSliceCount: 2}
                          sharedCounters: [{name: set, counters: {slices: {value: "1"}}}]
                        """.formatted(owner), """
                        apiVersion: resource.k8s.io/v1
                        kind: ResourceSlice
                        metadata: {name: devices, %s}
                        spec:
                          driver: vendor.com
                          nodeName: n1
                          pool: {name: n1, generation: 1, resourceSliceCount: 2}
                          devices:
                          - name: gpu-0
                            consumesCounters:
                            - {counterSet: set, counters: {slices: {value: "1"}}, compatibilityGroups: [a]}
                        """.formatted(owner), """
                        apiVersion: v1
                        kind: Pod
                        metadata: {namespace: team, name: train}
                        spec: {containers: [], schedulerName: %s, resourceClaims: [{name: gpu, resourceClaimName: train}]}
                        status:
                          conditions:
                          - {type: PodScheduled, status: "False", reason: Unschedulable, message: "%s"}
                        """.formatted(
                                scheduler, message));
    }

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
        Answer answer = held().pod("train", "train", "").explainer().claim("team", "train");

        assertThat(answer.code()).isEqualTo("DevicesInUse");
        assertThat(answer.sentence())
                .startsWith("it is allocated when pod \"train\" is scheduled: no device for request \"gpu\"");
    }

    @Test
    void aClaimWithoutAPodSaysWhatItsPodWouldGet() {
        Answer answer = held().explainer().claim("team", "train");

        assertThat(answer.code()).isEqualTo("WaitForFirstConsumer");
        assertThat(answer.facts()).singleElement().asString().startsWith("with a pod: no device for request \"gpu\"");
    }

    @Test
    void aMissingClaimIsNamedWithTheOneThatMayBeMeant() {
        Answer answer = held().pod("train", "tran", "").explainer().pod("team", "train");

        assertThat(answer.code()).isEqualTo("ClaimsUnavailable");
        assertThat(answer.sentence()).isEqualTo("ResourceClaim \"tran\" does not exist");
        assertThat(answer.facts()).contains("there is no ResourceClaim \"tran\" (did you mean \"train\"?)");
    }

    @Test
    void aClaimThatIsOlderThanItsTemplateSaysSo() {
        PendingCluster cluster = held().with("""
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
    void aTemplateThatExistsIsNotWhatIsMissing() {
        Answer answer = held().with(template("gpu.vendor.com"), """
                apiVersion: v1
                kind: Pod
                metadata: {namespace: team, name: p, uid: Pod-p}
                spec: {containers: [], schedulerName: default-scheduler, resourceClaims: [{name: gpu, resourceClaimTemplateName: own}]}
                """).explainer().pod("team", "p");

        assertThat(answer.code()).isEqualTo("ClaimsUnavailable");
        assertThat(answer.facts()).anyMatch(fact -> fact.startsWith("ResourceClaimTemplate \"own\" exists, so"));
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
    void aMisspeltSchedulerIsTheFirstObstacle() {
        Answer answer = held().with("""
                        apiVersion: v1
                        kind: Pod
                        metadata: {namespace: team, name: p}
                        spec: {containers: [], schedulerName: defualt-scheduler, resourceClaims: [{name: gpu, resourceClaimName: train}]}
                        """).explainer().pod("team", "p");

        assertThat(answer.code()).isEqualTo("NoScheduler");
        assertThat(answer.sentence())
                .startsWith("no scheduler has tried to schedule the pod: its schedulerName is \"defualt-scheduler\"");
        assertThat(answer.facts().get(0)).startsWith("with a scheduler: no device for request \"gpu\"");
    }

    @Test
    void aGatedPodWaitsForItsGates() {
        Answer answer = held().pod("train", "train", ", schedulingGates: [{name: quota}]")
                .explainer()
                .pod("team", "train");

        assertThat(answer.code()).isEqualTo("SchedulingGated");
        assertThat(answer.sentence()).endsWith(": quota");
    }

    @Test
    void freeDevicesAreSaidToBeFree() {
        Answer answer = new PendingCluster()
                .node("n1", "")
                .claim("train", "")
                .pod("train", "train", "")
                .explainer()
                .pod("team", "train");

        assertThat(answer.code()).isEqualTo("NotRetried");
        assertThat(answer.sentence()).startsWith("its devices are free (all requests fit on n1), but kube-scheduler");
    }

    @Test
    void whatNeverFitsIsSaid() {
        String text = new PendingCluster()
                .node("n1", "")
                .claim("train", ", selectors: [{cel: {expression: \"device.driver == 'x'\"}}]")
                .pod("train", "train", "")
                .textAboutPod("train");

        assertThat(text).contains("never fits on n1").contains("nothing that could be released, tolerated or repaired");
    }

    @Test
    void whatIsInTheWayOfAnotherRequestIsSoOnlyAtPresent() {
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
    void anAlternativeThatCanNeverBeHadDoesNotWait() {
        String text = held().with("""
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

    @Test
    void aPodThatFitsNoNodeIsToldWhichAndWhy() {
        Answer answer = held().pod("train", "train", ", nodeSelector: {zone: a}")
                .explainer()
                .pod("team", "train");

        assertThat(answer.code()).isEqualTo("NoNodeFits");
        assertThat(answer.sentence())
                .isEqualTo("0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector");
        assertThat(answer.facts()).noneMatch(fact -> fact.startsWith("no node"));
    }

    @Test
    void aNodeThatHasTheDevicesButDoesNotFitIsToldFirst() {
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
    void equalExplanationsAreToldOnceAndInTheOrderOfTheQueue() {
        ClusterSnapshot snapshot = held().claim("late", "")
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
    void onlyTheNodeThatIsAskedForIsExplained() {
        var settings = new ExplainSettings(GateSources.NONE, Optional.of("n2"), PendingChanges.NONE);
        ClusterSnapshot snapshot = held().node("n2").pod("train", "train", "").snapshot();

        Answer answer = new PendingExplainer(snapshot, settings).pod("team", "train");

        assertThat(answer.sentence()).isEqualTo("there are no devices to allocate (request \"gpu\")");
        assertThatExceptionOfType(UnknownObjectException.class)
                .isThrownBy(() -> new PendingExplainer(held().snapshot(), settings))
                .withMessage("there is no node \"n2\"; nodes are n1");
    }

    @Test
    void devicesOfTheOtherAllocatorAreNamedOnTheirNodes() {
        PendingCluster cluster = held().node("n2").deviceOfCompanion("nics", "n2");
        ClusterObjects all = cluster.pod("train", "train", "").objects();
        ClusterObjects withoutFakeGpus = all.without(object -> object instanceof FakeGpu)
                .withUnseen(List.of(new Unseen(ObjectKind.FAKE_GPUS, "list", null, Unseen.Cause.FORBIDDEN)));

        for (ClusterObjects visible : List.of(all, withoutFakeGpus)) {
            var explainer = new PendingExplainer(new ClusterSnapshot(visible), ExplainSettings.DEFAULT);

            assertThat(explainer.pod("team", "train").sentence())
                    .startsWith("no device for request \"gpu\": on n1, ")
                    .endsWith("on n2, there are no devices to allocate except those of FakeGpu \"nics\", whose"
                            + " spec.allocator is Companion");
        }
    }

    @Test
    void devicesOfTheOtherAllocatorAreNotNamedIfTheClassIsForAnotherDriver() {
        PendingCluster cluster = held().node("n2").deviceOfCompanion("nics", "n2", "nics.com");

        Answer answer = cluster.pod("train", "train", "").explainer().pod("team", "train");

        assertThat(answer.sentence())
                .startsWith("no device for request \"gpu\": on n1, ")
                .doesNotContain("nics");
    }

    /** Whoever mends the nodes first would only come to the next obstacle. */
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
    void anUnknownNameSaysWhatThereIs() {
        PendingExplainer explainer = held().pod("train", "train", "").explainer();

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
    void whoeverSeesOnlyANamespaceIsToldWhatIsNotKnown() {
        ClusterObjects all = held().pod("train", "train", "").objects();
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
    void theCompanionsWordsAreNotRepeated() {
        Answer answer = new PendingCluster()
                .node("n1")
                .claim("train", "")
                .with("""
                        apiVersion: v1
                        kind: Pod
                        metadata: {namespace: team, name: p}
                        spec: {containers: [], schedulerName: fakegpu-scheduler, resourceClaims: [{name: gpu, resourceClaimName: train}]}
                        status:
                          conditions:
                          - type: PodScheduled
                            status: "False"
                            message: '0/1 nodes are available: there are no devices to allocate (request "gpu")'
                        """)
                .explainer()
                .pod("team", "p");

        assertThat(answer.sentence()).isEqualTo("there are no devices to allocate (request \"gpu\")");
        assertThat(answer.facts()).isEmpty();
    }

    @Test
    void aPodLikeAnotherIsExplainedWithItsOwnClaim() {
        PendingExplainer explainer = held().claim("late", "")
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

    /** Init containers end before others start, so they use the same devices. */
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

    @Test
    void devicesAreOnlyPerhapsFreeForWhoeverSeesOneNamespace() {
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
        ClusterSnapshot snapshot = held().pod("train", "train", "").snapshot();
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

    /** A claim {@code train}, for which there is one device that somebody else has. */
    private static PendingCluster held() {
        return new PendingCluster().node("n1", "").holder("other", "h", "n1").claim("train", "");
    }
}
