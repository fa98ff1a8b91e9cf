package dev.fakegpu.slices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.dra.wire.SliceWriter;
import dev.fakegpu.testing.ControlPlaneExtension;
import dev.fakegpu.testing.ControlPlaneOptions;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A real API server stores the slices of the largest FakeGpus, every one of them and all that is in them. */
class LargestSlicesIT {

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.with(ControlPlaneOptions.apiServerOnly()
            .featureGates(
                    "DRADeviceCompatibilityGroups=true,DRAListTypeAttributes=true,DRAPartitionableDevicesType=true,"
                            + "DRAResourcePoolStatus=true,DRAOptionalNodeOperations=true"));

    @AfterEach
    void removeSlices() {
        controlPlane.client().resources(ResourceSlice.class).delete();
    }

    @TestFactory
    Stream<DynamicTest> areStoredAsTheyAre() {
        return LargestSpecs.all().entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(entry.getKey(), () -> assertStored(entry.getValue())));
    }

    private static void assertStored(FakeGpuSpec spec) {
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
}
