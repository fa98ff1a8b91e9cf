package dev.fakegpu.operator.prepare;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.wire.GroupsAnnotation;
import dev.fakegpu.dra.wire.SliceWriter;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.hardware.slices.PoolLayout;
import dev.fakegpu.hardware.slices.PoolTarget;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** {@code node-1} with the published GPUs of a FakeGpu called {@code fake}, or of several FakeGpus. */
public final class FakeGpuNode {

    private static final String NODE = "node-1";
    private static final String NAME = "fake";

    private final Map<String, FakeGpu> fakeGpus = new LinkedHashMap<>();
    private final List<ResourceSlice> slices = new ArrayList<>();

    /** @param spec the spec as YAML in flow style */
    public FakeGpuNode(String spec) {
        this(Map.of(NAME, spec));
    }

    /** @param specs the specs by the name of the FakeGpu */
    public FakeGpuNode(Map<String, String> specs) {
        specs.forEach(this::add);
    }

    private void add(String name, String spec) {
        var fakeGpu = new FakeGpu();
        fakeGpu.setMetadata(
                new ObjectMetaBuilder().withName(name).withUid("uid-of-" + name).build());
        fakeGpu.setSpec(Specs.spec(spec));
        fakeGpus.put(name, fakeGpu);
        PoolLayout.slices(
                        PoolTarget.of(fakeGpu.getSpec(), name, new NodeSelection.NodeName(NODE)),
                        Specs.PLANNER.plan(fakeGpu.getSpec(), name, NODE).published(fakeGpu.getSpec()))
                .stream()
                .map(SliceWriter::write)
                .map(slice -> slice.edit()
                        .editMetadata()
                        .withOwnerReferences(FakeGpuOwner.reference(fakeGpu))
                        .endMetadata()
                        .build())
                .forEach(slices::add);
    }

    /** @param others slices that do not belong to a FakeGpu */
    public NodeInventory inventory(ResourceSlice... others) {
        return new NodeInventory(
                Specs.PLANNER,
                NODE,
                Stream.concat(slices.stream(), Stream.of(others)).toList(),
                GroupsAnnotation::read,
                name -> Optional.ofNullable(fakeGpus.get(name)));
    }
}
