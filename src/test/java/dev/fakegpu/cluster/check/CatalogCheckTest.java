package dev.fakegpu.cluster.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.cluster.validation.ApiValidation;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.SliceWriter;
import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.catalog.GpuModel;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.hardware.slices.PoolLayout;
import dev.fakegpu.hardware.slices.PoolTarget;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the slices of the catalog's models violate no rule, regardless of what is published. */
class CatalogCheckTest {

    static Iterable<String> models() {
        return Catalog.builtIn().names();
    }

    @ParameterizedTest
    @MethodSource("models")
    void aModelBreaksNoRule(String model) {
        FakeGpuSpec spec = Catalog.builtIn().find(model).orElseThrow() instanceof GpuModel
                ? Specs.everythingAtAll(model, 2)
                : wholeGpusOnly(model);
        assertBreaksNoRule(spec);
    }

    /** Here a single device consumes all of each counter set. */
    @ParameterizedTest
    @MethodSource("models")
    void wholeGpusOnlyBreakNoRule(String model) {
        assertBreaksNoRule(wholeGpusOnly(model));
    }

    private static FakeGpuSpec wholeGpusOnly(String model) {
        return Specs.spec("{model: %s, count: 2}".formatted(model));
    }

    private static void assertBreaksNoRule(FakeGpuSpec spec) {
        var target = new PoolTarget(
                new PoolId("gpu.example.com", "node-1/fake"), "fake", new NodeSelection.NodeName("node-1"));
        List<CheckedSlice> slices = PoolLayout.slices(target, Specs.plan(spec)).stream()
                .map(CatalogCheckTest::checked)
                .toList();

        assertThat(slices).isNotEmpty();
        assertThat(Checker.check(new Input(slices, List.of(), List.of(), Map.of(), Map.of())).findings().stream()
                        .filter(finding -> !isOfADriver(finding.rule().name(), String.valueOf(spec.model()))))
                .isEmpty();
    }

    /**
     * CPU drivers publish the capacity that claims share without a policy, and the slices of memory have attributes in the domain of
     * Kubernetes.
     */
    private static boolean isOfADriver(String rule, String model) {
        return rule.equals("shared-capacity-without-policy") && model.matches("XEON-.*|GRACE|LATEST-CPU-MODEL")
                || rule.equals("unknown-standard-attribute") && model.equals("NUMA-MEMORY");
    }

    private static CheckedSlice checked(Slice slice) {
        JsonNode json = Serialization.jsonMapper().valueToTree(SliceWriter.write(slice));
        return new CheckedSlice(
                new Source("catalog", slice.name()),
                new CheckedSlice.Owner(true, ""),
                json.path("spec"),
                slice,
                List.of(),
                ApiValidation.errors(json));
    }
}
