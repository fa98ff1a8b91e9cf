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
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** {@code node-1} with the GPUs of a FakeGpu called {@code fake}, as they are published. */
public final class FakeGpuNode {

    private static final String NODE = "node-1";
    private static final String NAME = "fake";

    private final FakeGpu fakeGpu = new FakeGpu();
    private final List<ResourceSlice> slices;

    /** @param spec as YAML in flow style */
    public FakeGpuNode(String spec) {
        fakeGpu.setMetadata(
                new ObjectMetaBuilder().withName(NAME).withUid("uid-of-fake").build());
        fakeGpu.setSpec(Specs.spec(spec));
        slices = PoolLayout.slices(
                        PoolTarget.of(fakeGpu.getSpec(), NAME, new NodeSelection.NodeName(NODE)),
                        Specs.PLANNER.plan(fakeGpu.getSpec(), NAME, NODE).published(fakeGpu.getSpec()))
                .stream()
                .map(SliceWriter::write)
                .map(slice -> slice.edit()
                        .editMetadata()
                        .withOwnerReferences(FakeGpuOwner.reference(fakeGpu))
                        .endMetadata()
                        .build())
                .toList();
    }

    /** @param others slices that belong to no FakeGpu */
    public NodeInventory inventory(ResourceSlice... others) {
        return new NodeInventory(
                Specs.PLANNER,
                NODE,
                Stream.concat(slices.stream(), Stream.of(others)).toList(),
                GroupsAnnotation::read,
                name -> Optional.of(fakeGpu));
    }
}
