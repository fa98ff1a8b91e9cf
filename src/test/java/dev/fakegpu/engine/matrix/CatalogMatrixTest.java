package dev.fakegpu.engine.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.catalog.GpuModel;
import dev.fakegpu.hardware.inventory.Inventory;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.hardware.slices.PoolLayout;
import dev.fakegpu.hardware.slices.PoolTarget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that there are no complaints about the catalog's models if they are offered as all possible devices at once. */
class CatalogMatrixTest {

    static Iterable<String> models() {
        return Catalog.builtIn().names();
    }

    @ParameterizedTest
    @MethodSource("models")
    void modelsHaveNoLints(String model) {
        assertThat(of(model, 1).lints()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("models")
    void gpusOfAModelAreAlike(String model) {
        assertThat(of(model, 3).sets())
                .hasSizeLessThanOrEqualTo(1)
                .allSatisfy(set -> assertThat(set.alike()).isEqualTo(2));
    }

    @ParameterizedTest
    @MethodSource("models")
    void theTextFitsATerminal(String model) {
        assertThat(MatrixText.lines(of(model, 1)))
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(120));
    }

    @Test
    void onlyTheWantedKindsAreShown() {
        Matrix narrowed = of("A100-SXM4-40GB", 1).narrowed(kind -> kind.startsWith("gpu-0-mig-1g"));

        assertThat(narrowed.sets())
                .singleElement()
                .satisfies(set -> assertThat(set.rows()).isNotEmpty().allSatisfy(row -> {
                    assertThat(row.kind()).startsWith("gpu-0-mig-1g");
                    assertThat(row.with()).hasSameSizeAs(set.rows());
                }));
    }

    private static Matrix of(String model, int gpus) {
        Inventory inventory = Specs.plan(spec(model, gpus));
        return Matrix.of(PoolLayout.slices(
                new PoolTarget(
                        new PoolId("gpu.example.com", "node-1/fake"), "fake", new NodeSelection.NodeName("node-1")),
                inventory));
    }

    private static FakeGpuSpec spec(String model, int gpus) {
        return Catalog.builtIn().find(model).orElseThrow() instanceof GpuModel
                ? Specs.everything(model, gpus)
                : Specs.spec("{model: %s, count: %d}".formatted(model, gpus));
    }
}
