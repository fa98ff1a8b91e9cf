package dev.fakegpu.operator.prepare.plugin;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.operator.prepare.ClaimValidator;
import dev.fakegpu.operator.prepare.FakeGpuNode;
import dev.fakegpu.operator.prepare.NodeInventory;
import dev.fakegpu.operator.prepare.fault.FaultInjectingCalls;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A cluster with one node, one A100, and claims that a test adds and removes. */
final class FakeNode implements ClusterAccess {

    static final String MIG_0 = "gpu-0-mig-1g5gb-19-0";
    static final String MIG_1 = "gpu-0-mig-1g5gb-19-1";

    final Map<String, ResourceClaim> claims = new ConcurrentHashMap<>();
    /** The published devices of all drivers. */
    volatile Set<DeviceId> published = Set.of();

    final List<String> told = new CopyOnWriteArrayList<>();
    volatile boolean reachable = true;
    private volatile Runnable whileItIsRead = () -> {};
    private volatile FakeGpuNode node;

    /** Creates the directories of a plugin and of CDI. */
    static PluginPaths paths(Path root, String driver) throws IOException {
        var paths = new PluginPaths(root, Files.createDirectories(root.resolve("cdi")), driver, null);
        DurableFiles.createDirectories(paths.data());
        return paths;
    }

    /** A preparer for a kubelet whose errors name no claims of other namespaces. */
    ClaimPreparer preparer(PluginPaths paths, Ticker ticker) {
        return new ClaimPreparer(
                paths, this, new FaultInjectingCalls(ticker), ClaimNaming.OwnNamespace, CallListener.NONE, ticker);
    }

    FakeNode() {
        this(
                "{nodes: {names: [node-1]}, model: A100-SXM4-40GB, count: 1, partitions: {whole: true, mig: {profiles: [1g.5gb]}, vgpu: {types: [10C]}}}");
    }

    /** A node with one FakeGpu with this spec. */
    FakeNode(String spec) {
        node = new FakeGpuNode(spec);
    }

    /** A node with several FakeGpus, by name. */
    FakeNode(Map<String, String> specs) {
        node = new FakeGpuNode(specs);
    }

    /** Runs {@code meanwhile} while the API server answers. */
    void whileItIsRead(Runnable meanwhile) {
        whileItIsRead = meanwhile;
    }

    /** Edits the FakeGpu. */
    void edit(String spec) {
        node = new FakeGpuNode(spec);
    }

    void put(ResourceClaim claim) {
        claims.put(claim.getMetadata().getName(), claim);
    }

    @Override
    public Optional<ResourceClaim> claim(String namespace, String name) {
        requireReachable();
        return Optional.ofNullable(claims.get(name));
    }

    @Override
    public NodeInventory inventory() {
        requireReachable();
        whileItIsRead.run();
        return node.inventory();
    }

    @Override
    public Set<DeviceId> published() {
        return published;
    }

    @Override
    public void prepared(ResourceClaim claim, ClaimValidator.Result result, NodeInventory inventory) {
        told.add("prepared " + claim.getMetadata().getName());
    }

    @Override
    public void failed(ResourceClaim claim, List<DeviceId> devices, String problem, NodeInventory inventory) {
        told.add("failed " + claim.getMetadata().getName());
    }

    @Override
    public void notUnprepared(ClaimRef claim, List<DeviceId> devices, String problem) {
        told.add("not unprepared " + claim.name() + ": " + problem);
    }

    @Override
    public void unprepared(ClaimRef claim) {
        told.add("unprepared " + claim.name());
    }

    @Override
    public void abandoned(ClaimRef claim, List<DeviceId> devices) {
        told.add("abandoned " + claim.name());
    }

    private void requireReachable() {
        if (!reachable) {
            throw new KubernetesClientException("connection refused");
        }
    }
}
