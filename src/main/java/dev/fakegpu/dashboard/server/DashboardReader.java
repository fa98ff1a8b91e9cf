package dev.fakegpu.dashboard.server;

import dev.fakegpu.api.FakeGpuProblems;
import dev.fakegpu.api.SimulatedNode;
import dev.fakegpu.cluster.fit.AdvertisedTwice;
import dev.fakegpu.cluster.pending.ExplainSettings;
import dev.fakegpu.cluster.pending.PendingExplainer;
import dev.fakegpu.cluster.pending.Report;
import dev.fakegpu.cluster.pending.UnknownObjectException;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.GateSources;
import dev.fakegpu.cluster.snapshot.SliceParser;
import dev.fakegpu.dashboard.Dashboard;
import dev.fakegpu.dashboard.Dashboard.Enforcer;
import dev.fakegpu.dashboard.Dashboard.NodeView;
import dev.fakegpu.dashboard.Dashboard.Overview;
import dev.fakegpu.dashboard.Dashboard.WaitingView;
import dev.fakegpu.dashboard.DashboardChange;
import dev.fakegpu.dashboard.GpuView;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.util.NaturalOrder;
import dev.fakegpu.util.SafeText;
import io.fabric8.kubernetes.api.model.Node;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Creates pictures of consecutive snapshots. Not thread-safe. */
public final class DashboardReader {

    /** Longer texts from users are truncated. */
    private static final int MAX_TEXT = 2_000;

    private final String cluster;
    private final PendingChanges pendingChanges;
    private final GateSources gate;
    private final Supplier<KubernetesVersion> version;
    private final List<String> remarks;
    private final boolean isForAllNames;
    private final SliceParser parser = new SliceParser();
    private final PoolViews pools = new PoolViews();

    /**
     * A reader of a cluster of the newest version.
     *
     * @param cluster the name of the cluster on the page
     */
    public DashboardReader(String cluster, PendingChanges pendingChanges) {
        this(cluster, pendingChanges, GateSources.NONE, () -> KubernetesVersion.NEWEST);
    }

    /**
     * A reader with information from outside the cluster's objects.
     *
     * @param gate queried for each picture
     * @param version that of the cluster, queried for each change that is tried; may block
     */
    public DashboardReader(
            String cluster, PendingChanges pendingChanges, GateSources gate, Supplier<KubernetesVersion> version) {
        this(cluster, pendingChanges, gate, version, List.of(), true);
    }

    private DashboardReader(
            String cluster,
            PendingChanges pendingChanges,
            GateSources gate,
            Supplier<KubernetesVersion> version,
            List<String> remarks,
            boolean isForAllNames) {
        this.cluster = cluster;
        this.pendingChanges = pendingChanges;
        this.gate = gate;
        this.version = version;
        this.remarks = List.copyOf(remarks);
        this.isForAllNames = isForAllNames;
    }

    /** A reader with its own caches, for another thread. */
    DashboardReader another() {
        return new DashboardReader(cluster, pendingChanges, gate, version, remarks, isForAllNames);
    }

    /**
     * A reader with its own caches for callers who may not see every name, and who do not see labels of nodes either.
     *
     * @param note a note for every picture
     */
    DashboardReader withheld(String note) {
        return new DashboardReader(cluster, pendingChanges, gate, version, List.of(note), false);
    }

    GateSources gate() {
        return gate;
    }

    KubernetesVersion version() {
        return version.get();
    }

    public Dashboard read(ClusterObjects objects) {
        var snapshot = new ClusterSnapshot(objects, parser);
        var notes = new ArrayList<>(remarks);
        List<WaitingView> waiting = List.of();
        List<Enforcer> enforcement = List.of();
        try {
            var settings = new ExplainSettings(gate, Optional.empty(), pendingChanges, isForAllNames);
            var explainer = new PendingExplainer(snapshot, settings);
            waiting = waiting(explainer, snapshot);
            enforcement = Enforcement.of(snapshot, gate);
        } catch (UnknownObjectException e) {
            notes.add(text(String.valueOf(e.getMessage())));
        }
        notes.addAll(Report.of(List.of(), snapshot).notSeen());
        snapshot.unreadable().forEach(unreadable -> notes.add(text(unreadable)));
        List<String> problems = Stream.concat(
                        snapshot.advertisedTwice().stream().map(AdvertisedTwice::sentence),
                        snapshot.objects().fakeGpus().stream().flatMap(fakeGpu -> FakeGpuProblems.of(fakeGpu).stream()))
                .map(DashboardReader::text)
                .toList();
        return new Dashboard(new Overview(cluster, enforcement, problems, notes), nodes(snapshot), waiting);
    }

    private static List<WaitingView> waiting(PendingExplainer explainer, ClusterSnapshot snapshot) {
        return Stream.concat(
                        explainer.pendingPods(Optional.empty()).stream(),
                        explainer.pendingClaims(Optional.empty()).stream())
                .map(answer -> WaitingViews.of(answer, snapshot.objects()))
                .sorted(DashboardChange.WAITING)
                .toList();
    }

    private List<NodeView> nodes(ClusterSnapshot snapshot) {
        Map<String, List<GpuView>> byNode = new TreeMap<>();
        pools.of(snapshot)
                .forEach(placed -> byNode.computeIfAbsent(placed.node(), ignored -> new ArrayList<>())
                        .add(placed.view()));
        Map<String, Node> known = new HashMap<>();
        snapshot.objects().nodes().forEach(node -> known.put(node.getMetadata().getName(), node));
        return byNode.entrySet().stream()
                .map(entry -> node(entry.getKey(), entry.getValue(), known.get(entry.getKey()), snapshot))
                .sorted(DashboardChange.NODES)
                .toList();
    }

    private static NodeView node(String name, List<GpuView> gpus, @Nullable Node stored, ClusterSnapshot snapshot) {
        gpus.sort(Comparator.comparing(GpuView::id, NaturalOrder.OF_NAMES));
        if (stored == null) {
            return new NodeView(name, "", false, gpus);
        }
        boolean ready = Optional.ofNullable(stored.getStatus()).stream()
                .flatMap(status -> status.getConditions().stream())
                .anyMatch(condition -> "Ready".equals(condition.getType()) && "True".equals(condition.getStatus()));
        boolean simulated = SimulatedNode.isSimulated(stored, snapshot.objects()::fakeGpu);
        return new NodeView(name, ready ? "Ready" : "NotReady", simulated, gpus);
    }

    static String text(String text) {
        return SafeText.of(text, MAX_TEXT);
    }
}
