package dev.fakegpu.hardware.slices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.hardware.inventory.Inventory;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.hardware.inventory.field.NodeSelectorReader;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that the slices of every accepted FakeGpu are complete and within the limits of the API. {@code -Dspecs.seed=N} runs a single seed.
 */
class AcceptedSpecsTest {

    private static final int SEEDS = Integer.getInteger("specs.seeds", 1);
    private static final int SPECS = 24;

    static LongStream seeds() {
        Long only = Long.getLong("specs.seed");
        return only == null ? LongStream.range(0, SEEDS) : LongStream.of(only);
    }

    @ParameterizedTest(name = "-Dspecs.seed={0}")
    @MethodSource("seeds")
    void limitsHoldForRandomSpecs(long seed) {
        var random = new RandomSpec(seed);
        int accepted = 0;
        for (int i = 0; i < SPECS; i++) {
            String yaml = random.next();
            FakeGpuSpec spec = Specs.spec(yaml);
            if (Specs.PLANNER.check(spec, "fake").isEmpty()) {
                accepted++;
                assertHolds("seed %d, spec %d: %s".formatted(seed, i, yaml), spec);
            }
        }
        assertThat(accepted).as("seed %d", seed).isBetween(SPECS / 4, SPECS - 1);
    }

    @TestFactory
    Stream<DynamicTest> limitsHoldForTheLargestSpecs() {
        return LargestSpecs.all().entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(entry.getKey(), () -> {
                    assertThat(Specs.PLANNER.check(entry.getValue(), "fake")).isEmpty();
                    assertHolds(entry.getKey(), entry.getValue());
                }));
    }

    private static void assertHolds(String description, FakeGpuSpec spec) {
        Inventory published = published(spec);
        List<Slice> slices = PoolLayout.slices(target(spec), published);
        try {
            ApiLimits.hold(slices);
            assertThat(slices.stream()
                            .flatMap(slice -> slice.devices().stream())
                            .map(device -> device.name()))
                    .containsExactlyElementsOf(published.devices().stream()
                            .map(device -> device.name())
                            .toList());
            assertThat(slices).flatExtracting(Slice::counterSets).isEqualTo(published.counterSets());
        } catch (AssertionError e) {
            throw new AssertionError(description, e);
        }
    }

    static PoolTarget target(FakeGpuSpec spec) {
        boolean network = spec.nodes() != null && spec.nodes().isNetworkAttached();
        return PoolTarget.of(
                spec,
                "fake",
                network ? NodeSelectorReader.ofNetworkAttached(spec.nodes()) : new NodeSelection.NodeName("node-1"));
    }

    static Inventory published(FakeGpuSpec spec) {
        return Specs.PLANNER.plan(spec, "fake", target(spec).nodeName()).published(spec);
    }
}
