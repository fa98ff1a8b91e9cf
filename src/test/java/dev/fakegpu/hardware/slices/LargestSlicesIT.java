package dev.fakegpu.hardware.slices;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.dra.wire.SliceWriter;
import dev.fakegpu.testing.ControlPlaneExtension;
import dev.fakegpu.testing.ControlPlaneOptions;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that a real API server stores the largest FakeGpus and all their slices completely. */
@Tag("long")
class LargestSlicesIT {

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.with(ControlPlaneOptions.apiServerOnly()
            .featureGates(
                    "DRADeviceCompatibilityGroups=true,DRAListTypeAttributes=true,DRAPartitionableDevicesType=true,"
                            + "DRAResourcePoolStatus=true,DRAOptionalNodeOperations=true"));

    @BeforeAll
    static void define() {
        controlPlane.controlPlane().applyFile("crds/fakegpus.fakegpu.dev.yaml");
    }

    @AfterEach
    void removeSlices() {
        controlPlane.client().resources(ResourceSlice.class).delete();
    }

    @TestFactory
    Stream<DynamicTest> apiServerStoresTheLargestSlicesUnchanged() {
        return LargestSpecs.all().entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(entry.getKey(), () -> assertStored(entry.getValue())));
    }

    private static void assertStored(FakeGpuSpec spec) {
        assertFakeGpuStored(spec);
        List<Slice> slices = PoolLayout.slices(AcceptedSpecsTest.target(spec), AcceptedSpecsTest.published(spec));
        for (Slice slice : slices) {
            var stored = SliceReader.read(controlPlane
                    .client()
                    .resource(SliceWriter.write(slice))
                    .fieldManager("largest")
                    .forceConflicts()
                    .serverSideApply());
            Slice withTimes = TaintTimes.keep(List.of(slice), List.of(stored)).get(0);
            assertThat(stored.equals(withTimes))
                    .as("%s is stored as it is", slice.name())
                    .isTrue();
        }
        assertThat(controlPlane.client().resources(ResourceSlice.class).list().getItems())
                .hasSameSizeAs(slices);
        controlPlane.client().resources(ResourceSlice.class).delete();
    }

    private static void assertFakeGpuStored(FakeGpuSpec spec) {
        var fakeGpu = new FakeGpu();
        fakeGpu.setMetadata(new ObjectMetaBuilder().withName("largest").build());
        fakeGpu.setSpec(onSomeNode(spec));
        var fakeGpus = controlPlane.client().resources(FakeGpu.class);
        FakeGpuSpec stored = fakeGpus.resource(fakeGpu).create().getSpec();
        fakeGpus.withName("largest").delete();
        assertThat(AcceptedSpecsTest.published(stored).equals(AcceptedSpecsTest.published(spec)))
                .as("the stored FakeGpu means the same")
                .isTrue();
    }

    private static FakeGpuSpec onSomeNode(FakeGpuSpec spec) {
        ObjectNode content = Serialization.jsonMapper().valueToTree(spec);
        if (!content.hasNonNull("nodes")) {
            content.putObject("nodes").putArray("names").add("node-1");
        }
        return Serialization.jsonMapper().convertValue(content, FakeGpuSpec.class);
    }
}
