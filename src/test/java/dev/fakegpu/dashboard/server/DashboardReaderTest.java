package dev.fakegpu.dashboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.fakegpu.cluster.preemption.PreemptionSetting;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.GateSources;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.cluster.snapshot.OperatorSettings;
import dev.fakegpu.cluster.snapshot.Unseen;
import dev.fakegpu.dashboard.Dashboard;
import dev.fakegpu.dashboard.Dashboard.Enforcer;
import dev.fakegpu.dashboard.Dashboard.Holder;
import dev.fakegpu.dashboard.Dashboard.NodeView;
import dev.fakegpu.dashboard.Dashboard.WaitingView;
import dev.fakegpu.dashboard.GpuView;
import dev.fakegpu.dra.mixin.MixinsGate;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSchedulingGroup;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DashboardReaderTest {

    private static Dashboard read(ClusterObjects objects) {
        return new DashboardReader("cluster", PendingChanges.NONE).read(objects);
    }

    @Test
    void showsHoldersOnTheirNodes() {
        Dashboard dashboard = read(new SmallCluster().running("train", "part-0").objects());

        assertThat(dashboard.nodes()).extracting(NodeView::name).containsExactly("node-1");
        assertThat(dashboard.nodes().get(0).state()).isEqualTo("Ready");
        GpuView gpu = dashboard.nodes().get(0).gpus().get(0);
        assertThat(gpu.product()).isEqualTo("Example GPU");
        assertThat(gpu.mode()).isEqualTo("parts");
        assertThat(gpu.holdings()).extracting(GpuView.HoldingView::claim).containsExactly("team/train");
        assertThat(gpu.allocator()).isEqualTo("KubeScheduler");
    }

    @Test
    void saysWhetherDevicesArePrepared() {
        Dashboard dashboard = read(new SmallCluster()
                .running("fine", "part-0")
                .prepared("fine", "part-0", "Prepared", "")
                .running("broken", "part-1")
                .prepared("broken", "part-1", "PrepareFailed", "the GPU is lost")
                .objects());

        assertThat(gpu(dashboard).holdings())
                .extracting(GpuView.HoldingView::claim, GpuView.HoldingView::prepared, GpuView.HoldingView::problem)
                .containsExactlyInAnyOrder(
                        tuple("team/fine", "succeeded", ""), tuple("team/broken", "failed", "the GPU is lost"));
    }

    @Test
    void showsWaitingPodsWithReasonsAndObstacles() {
        Dashboard dashboard = read(new SmallCluster()
                .running("train", "part-0")
                .waiting("big", "whole")
                .objects());

        assertThat(dashboard.waiting()).hasSize(1);
        WaitingView waiting = dashboard.waiting().get(0);
        assertThat(waiting.id()).isEqualTo("Pod/team/big");
        assertThat(waiting.code()).isEqualTo("DevicesIncompatible");
        assertThat(waiting.sentence()).contains("gpu-0");
        assertThat(waiting.inTheWay()).containsExactly(new Holder("team/train", "node-1"));
        assertThat(waiting.waysOut()).hasSize(1);
        assertThat(waiting.waysOut().get(0).text()).isEqualTo("delete pod train");
        assertThat(waiting.waysOut().get(0).releases()).containsExactly("team/train");
        assertThat(waiting.assumed()).startsWith("kube-scheduler");
        assertThat(waiting.classes()).containsExactly("whole");
        assertThat(waiting.claims()).containsExactly("ResourceClaim/team/big");
        assertThat(gpu(dashboard).holdings().get(0).classes()).containsExactly("part");
    }

    @Test
    void waitingPodsHaveTheirPodGroup() {
        ClusterObjects objects = new SmallCluster()
                .waiting("big", "whole")
                .waiting("alone", "whole")
                .objects();
        Pod member = objects.pod("team", "big").orElseThrow();
        member.getSpec().setSchedulingGroup(new PodSchedulingGroup("ring"));

        assertThat(read(objects).waiting())
                .extracting(WaitingView::name, WaitingView::podGroup)
                .containsExactlyInAnyOrder(tuple("big", "ring"), tuple("alone", ""));
    }

    @Test
    void saysWhatEnforcesGroups() {
        assertThat(read(new SmallCluster().objects()).overview().enforcement())
                .extracting(Enforcer::summary)
                .containsExactly("kube-scheduler enforces groups", "the API server stores groups");
    }

    /** As in {@code explain}, the operator's settings or the user who opens the page may determine how kube-scheduler treats groups. */
    @Test
    void groupsAreIgnoredIfTheGateOfKubeSchedulerIsOffFromAnySource() {
        ClusterObjects objects = new SmallCluster().waiting("big", "whole").objects();
        var settings = new OperatorSettings(
                GroupsGate.ON,
                GroupPolicy.SNAPSHOT,
                PreemptionSetting.DISABLED,
                MixinsGate.ON,
                Optional.of(GroupsGate.OFF));
        Dashboard ofOperator = read(objects.with(List.of(settings.asDeployment())));
        Dashboard ofCaller = new DashboardReader(
                        "cluster",
                        PendingChanges.NONE,
                        GateSources.chosen(GroupsGate.OFF),
                        () -> KubernetesVersion.NEWEST)
                .read(objects);

        assertThat(read(objects).waiting().get(0).code()).isEqualTo("Allocatable");
        assertThat(List.of(ofOperator, ofCaller)).allSatisfy(page -> {
            assertThat(page.waiting().get(0).code()).isEqualTo("GroupsIgnored");
            assertThat(page.overview().enforcement().get(0).summary())
                    .isEqualTo("kube-scheduler leaves devices with groups alone (gate off)");
        });
    }

    @Test
    void saysWhatCannotBeSeen() {
        ClusterObjects objects = new SmallCluster()
                .objects()
                .withUnseen(List.of(new Unseen(ObjectKind.PODS, "list", null, Unseen.Cause.FORBIDDEN)));

        assertThat(read(objects).overview().notes())
                .singleElement()
                .asString()
                .startsWith("may not list pods in all namespaces: pods of other namespaces are not named");
    }

    @Test
    void unchangedPartsStayTheSameObjects() {
        var reader = new DashboardReader("cluster", PendingChanges.NONE);
        var cluster = new SmallCluster();
        GpuView before = gpu(reader.read(cluster.objects()));

        assertThat(gpu(reader.read(cluster.objects()))).isSameAs(before);
        assertThat(gpu(reader.read(cluster.running("train", "part-0").objects())))
                .isNotEqualTo(before);
    }

    @Test
    void aHolderWhosePodIsGoneIsShownSo() {
        var reader = new DashboardReader("cluster", PendingChanges.NONE);
        var cluster = new SmallCluster().running("train", "part-0");
        assertThat(gpu(reader.read(cluster.objects())).holdings().get(0).notes())
                .isEmpty();

        ClusterObjects withoutPod = cluster.objects().without((HasMetadata object) -> object instanceof Pod);

        assertThat(gpu(reader.read(withoutPod)).holdings().get(0).notes())
                .containsExactly("pod \"train\" does not exist");
    }

    @Test
    void devicesThatAreNotPublishedAnyMoreAreShownWithTheirHolders() {
        Dashboard dashboard = read(new SmallCluster().running("old", "part-9").objects());

        assertThat(dashboard.nodes()).extracting(NodeView::name).containsExactly("-", "node-1");
        assertThat(gpu(dashboard).mode()).isEqualTo("not published");
    }

    private static GpuView gpu(Dashboard dashboard) {
        return dashboard.nodes().get(0).gpus().get(0);
    }

    @Test
    void anOldServerIsNoError() {
        ClusterObjects objects = ClusterObjects.NONE.withUnseen(
                List.of(new Unseen(ObjectKind.SLICES, "list", null, Unseen.Cause.NOT_SERVED)));

        Dashboard dashboard = read(objects);

        assertThat(dashboard.nodes()).isEmpty();
        assertThat(dashboard.overview().notes()).singleElement().asString().contains("does not serve");
    }
}
