package dev.fakegpu.prepare.plugin;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.wire.SliceWriter;
import dev.fakegpu.inventory.Specs;
import dev.fakegpu.prepare.ClaimCheck;
import dev.fakegpu.prepare.NodeGpus;
import dev.fakegpu.slices.PoolLayout;
import dev.fakegpu.slices.PoolTarget;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A cluster that is just a node with one A100, of which claims can be put in and taken away. */
final class FakeNode implements NodeCluster {

    final Map<String, ResourceClaim> claims = new ConcurrentHashMap<>();
    final List<String> told = new CopyOnWriteArrayList<>();
    volatile boolean reachable = true;
    private final FakeGpu fakeGpu;
    private final List<ResourceSlice> slices;

    FakeNode() {
        this(
                "{nodes: {names: [node-1]}, model: A100-SXM4-40GB, count: 1, partitions: {whole: true, mig: {profiles: [1g.5gb]}, vgpu: {types: [10C]}}}");
    }

    /** With another FakeGpu, which is as {@code spec} says. */
    FakeNode(String spec) {
        fakeGpu = fakeGpu(spec);
        slices = slices(fakeGpu);
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
    public NodeGpus gpus() {
        requireReachable();
        return new NodeGpus(Specs.PLANNER, "node-1", slices, name -> Optional.of(fakeGpu));
    }

    @Override
    public void prepared(ResourceClaim claim, ClaimCheck.Result result, NodeGpus gpus) {
        told.add("prepared " + claim.getMetadata().getName());
    }

    @Override
    public void failed(ResourceClaim claim, List<DeviceId> devices, String problem, NodeGpus gpus) {
        told.add("failed " + claim.getMetadata().getName());
    }

    @Override
    public void unprepared(String namespace, String name, String uid) {
        told.add("unprepared " + name);
    }

    private void requireReachable() {
        if (!reachable) {
            throw new KubernetesClientException("connection refused");
        }
    }

    private static FakeGpu fakeGpu(String spec) {
        var fakeGpu = new FakeGpu();
        fakeGpu.setMetadata(new ObjectMetaBuilder().withName("fake").build());
        fakeGpu.setSpec(Specs.spec(spec));
        return fakeGpu;
    }

    private static List<ResourceSlice> slices(FakeGpu fakeGpu) {
        var spec = fakeGpu.getSpec();
        return PoolLayout.slices(
                        PoolTarget.of(spec, "fake", new NodeSelection.NodeName("node-1")),
                        Specs.PLANNER.plan(spec, "fake", "node-1").published(spec))
                .stream()
                .map(SliceWriter::write)
                .map(slice -> slice.edit()
                        .editMetadata()
                        .addToLabels(Labels.FAKEGPU, "fake")
                        .endMetadata()
                        .build())
                .toList();
    }
}
