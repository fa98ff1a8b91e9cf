package dev.fakegpu.dashboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fakegpu.cli.input.YamlDrafts;
import dev.fakegpu.cluster.snapshot.GateSources;
import dev.fakegpu.dashboard.Dashboard;
import dev.fakegpu.dashboard.Dashboard.NodeView;
import dev.fakegpu.dashboard.GpuView;
import dev.fakegpu.dashboard.Tried;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.testing.ClusterYaml;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TrialsTest {

    private final SmallCluster cluster =
            new SmallCluster().running("small", "part-0").waiting("big", "whole");
    private final Trials trials = new Trials(
            cluster::objects,
            new DashboardReader("cluster", PendingChanges.NONE),
            new YamlDrafts("team", KubernetesVersion.NEWEST),
            Plays.builtIn());

    @AfterEach
    void close() {
        trials.close();
    }

    @Test
    void aReleaseIsTriedAndNothingChanges() {
        Tried tried = trials.release("Pod/team/big", List.of("team/small")).join();

        assertThat(tried.placed()).isTrue();
        assertThat(tried.answer())
                .containsExactly("pod team/big would be placed on node-1 with gpu-0; no other node would do");
        assertThat(tried.change().nodes()).extracting(NodeView::name).containsExactly("node-1");
        assertThat(tried.change().nodes().get(0).gpus())
                .flatExtracting(GpuView::holdings)
                .extracting(GpuView.HoldingView::claim)
                .containsExactly("team/big");
        assertThat(tried.change().waitingGone()).containsExactly("Pod/team/big");
        assertThat(cluster.objects().pod("team", "small")).isPresent();
    }

    @Test
    void changesThatDoNotHelpAreExplained() {
        Tried tried = trials.release("Pod/team/big", List.of()).join();

        assertThat(tried.placed()).isFalse();
        assertThat(tried.answer()).singleElement().asString().startsWith("pod team/big would wait: ");
        assertThat(tried.change().nodes()).isEmpty();
    }

    @Test
    void aTolerationIsTried() {
        cluster.delete("small");
        cluster.add(ClusterYaml.objects("""
                apiVersion: resource.k8s.io/v1
                kind: DeviceTaintRule
                metadata: {name: drain}
                spec: {deviceSelector: {driver: gpu.example.com}, taint: {key: example.com/drain, value: soon, effect: NoSchedule}}
                """));
        Dashboard picture = new DashboardReader("cluster", PendingChanges.NONE).read(cluster.objects());
        Dashboard.WayOut way = picture.waiting().get(0).waysOut().get(0);
        assertThat(way.tolerates()).isEqualTo("example.com/drain=soon:NoSchedule");
        assertThat(way.releases()).isEmpty();

        Tried tried = trials.tolerate("Pod/team/big", way.tolerates()).join();

        assertThat(tried.answer())
                .containsExactly("pod team/big would be placed on node-1 with gpu-0; no other node would do");
        assertThat(trials.tolerate("Pod/team/big", "example.com/other:NoSchedule")
                        .join()
                        .placed())
                .isFalse();
        assertThatThrownBy(() -> trials.tolerate("Pod/team/big", "nonsense").join())
                .hasRootCauseMessage("a taint is written as key=value:effect");
    }

    @Test
    void draftsAreTried() {
        Tried tried = trials.draft("""
                        apiVersion: resource.k8s.io/v1
                        kind: ResourceClaim
                        metadata: {name: new}
                        spec: {devices: {requests: [{name: r, exactly: {deviceClassName: part}}]}}
                        """).join();

        assertThat(tried.answer())
                .first()
                .asString()
                .isEqualTo(
                        "claim team/new would be placed on node-1 with part-1 if a pod used it; no other node would do");
        assertThat(tried.change().nodes().get(0).gpus())
                .flatExtracting(GpuView::holdings)
                .extracting(GpuView.HoldingView::claim)
                .containsExactly("team/small", "team/new");
    }

    @Test
    void draftsThatTheApiServerWouldRefuseAreRefused() {
        var draft = trials.draft("""
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: broken}
                spec: {selectors: [{cel: {expression: "device.nothing"}}]}
                """);

        assertThatThrownBy(draft::join)
                .hasRootCauseInstanceOf(DraftReader.InvalidDraftException.class)
                .rootCause()
                .hasMessageStartingWith(
                        "YAML: DeviceClass broken: line 4: spec.selectors[0].cel.expression: Invalid value: \"device.nothing\"");
    }

    @Test
    void draftsAreTriedOnTheVersionOfTheCluster() throws IOException {
        var reader =
                new DashboardReader("cluster", PendingChanges.NONE, GateSources.NONE, () -> KubernetesVersion.V1_36);
        try (var older = new Trials(
                cluster::objects, reader, new YamlDrafts("team", KubernetesVersion.V1_36), Plays.builtIn())) {
            Tried slice = older.draft("""
                    apiVersion: resource.k8s.io/v1
                    kind: ResourceSlice
                    metadata: {name: npus}
                    spec:
                      driver: npu.example.com
                      nodeName: node-1
                      pool: {name: npus, generation: 1, resourceSliceCount: 1}
                      partitionTypeAttribute: type
                      devices: [{name: npu-0, attributes: {type: {string: npu}}}]
                    """).join();
            assertThat(slice.remarks()).singleElement().asString().endsWith("not in 1.36");

            String groups = Files.readString(
                    ProjectFiles.resolve("src/test/resources/golden/cli/simulate-compares-versions/cluster.yaml"));
            assertThat(older.draft(groups).join().answer())
                    .anyMatch(answer -> answer.contains("its devices are allocated, but cannot be prepared"));
            assertThat(trials.draft(groups).join().answer()).anyMatch(answer -> answer.contains("needs group"));
        }
    }

    @Test
    void unreadableDraftsAreReported() {
        assertThatThrownBy(() -> trials.draft("kind: [").join())
                .hasRootCauseInstanceOf(DraftReader.InvalidDraftException.class)
                .rootCause()
                .hasMessageStartingWith("YAML: is not YAML: line ");
        assertThatThrownBy(() -> trials.draft("---").join()).hasRootCauseMessage("YAML: has no Kubernetes object");
    }

    @Test
    void unknownNamesAreRefused() {
        assertThatThrownBy(() -> trials.release("Pod/team/nobody", List.of()).join())
                .hasRootCauseInstanceOf(Trials.UnknownWaiterException.class)
                .hasRootCauseMessage("there is no Pod/team/nobody");
        assertThatThrownBy(() -> trials.release("nonsense", List.of()).join())
                .hasRootCauseInstanceOf(Trials.UnknownWaiterException.class);
    }
}
