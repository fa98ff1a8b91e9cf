package dev.fakegpu.engine.allocate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.catalog.GpuModel;
import dev.fakegpu.hardware.catalog.MigBackedVgpuTable;
import dev.fakegpu.hardware.catalog.VgpuTable;
import dev.fakegpu.hardware.inventory.Inventory;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.hardware.slices.PoolLayout;
import dev.fakegpu.hardware.slices.PoolTarget;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that the allocator reaches NVIDIA's maxima on one GPU and does not exceed them, for MIG profiles and all kinds of vGPU types, while
 * all other devices are published too.
 */
class CatalogMaximaTest {

    private static final DeviceClass CLASS =
            new DeviceClass("gpu", List.of("device.driver == 'gpu.example.com'"), List.of());

    /** All devices that a GPU can be offered as, by model and sizing. */
    private static final Map<String, List<Slice>> SLICES = new HashMap<>();

    /** The maximum number of devices of one kind on one GPU of a model. */
    private record Maximum(String model, String sizing, String what, String selector, int instances) {

        @Override
        public String toString() {
            return model + " " + sizing + " " + what + " " + instances;
        }
    }

    static Stream<Maximum> maxima() {
        return Catalog.builtIn().models().stream()
                .filter(GpuModel.class::isInstance)
                .map(GpuModel.class::cast)
                .flatMap(model -> Stream.of(mig(model), timeSliced(model), migBacked(model))
                        .flatMap(maxima -> maxima));
    }

    private static Stream<Maximum> mig(GpuModel model) {
        return model.mig() == null
                ? Stream.empty()
                : model.mig().profiles().stream()
                        .map(profile -> new Maximum(
                                model.name(),
                                "EqualSize",
                                profile.name(),
                                attribute("type") + " == 'mig' && " + attribute("profile") + " == '" + profile.name()
                                        + "'",
                                profile.maxInstances()));
    }

    private static Stream<Maximum> timeSliced(GpuModel model) {
        return Stream.ofNullable(model.vgpu())
                .flatMap(table -> table.types().stream())
                .flatMap(type -> Stream.of(
                        new Maximum(
                                model.name(),
                                "EqualSize",
                                type.name(),
                                ofSlug(type.slug()),
                                type.maxInstances().equalSize()),
                        new Maximum(
                                model.name(),
                                "MixedSize",
                                type.name(),
                                ofSlug(type.slug()),
                                type.maxInstances().mixedSize())));
    }

    private static Stream<Maximum> migBacked(GpuModel model) {
        return Optional.ofNullable(model.vgpu()).map(VgpuTable::migBacked).map(MigBackedVgpuTable::types).stream()
                .flatMap(List::stream)
                .map(type ->
                        new Maximum(model.name(), "EqualSize", type.name(), ofSlug(type.slug()), type.maxInstances()));
    }

    private static String ofSlug(String slug) {
        return attribute("type") + " == 'vgpu' && " + attribute("profileSlug") + " == '" + slug + "'";
    }

    private static String attribute(String name) {
        return "device.attributes['gpu.example.com']." + name;
    }

    @ParameterizedTest
    @MethodSource("maxima")
    void maximumIsReachedAndNotExceeded(Maximum maximum) {
        List<Slice> slices = slices(maximum);

        assertThat(allocated(slices, maximum, maximum.instances)).isTrue();
        assertThat(allocated(slices, maximum, maximum.instances + 1)).isFalse();
    }

    private static List<Slice> slices(Maximum maximum) {
        return SLICES.computeIfAbsent(maximum.model + " " + maximum.sizing, ignored -> {
            Inventory hardware = Specs.plan(Specs.everythingAtAll(maximum.model, 1, maximum.sizing));
            return PoolLayout.slices(
                    new PoolTarget(Hardware.POOL, "fake", new NodeSelection.NodeName(Hardware.NODE.name())), hardware);
        });
    }

    private static boolean allocated(List<Slice> slices, Maximum maximum, int instances) {
        List<Claim> claims = IntStream.range(0, instances)
                .mapToObj(number -> Hardware.claim(
                        "claim-" + number,
                        DeviceRequest.exactly("r", CLASS.name(), List.of(maximum.selector), 1, List.of())))
                .toList();
        var state = new ClusterState(slices, Map.of(CLASS.name(), CLASS), List.of());
        return Hardware.allocate(state, GroupsGate.ON, GroupPolicy.SNAPSHOT, claims) instanceof Outcome.Allocated;
    }
}
