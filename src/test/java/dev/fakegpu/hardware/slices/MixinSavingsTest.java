package dev.fakegpu.hardware.slices;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.mixin.MixedSlice;
import dev.fakegpu.dra.wire.MixedSlices;
import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.catalog.GpuModel;
import dev.fakegpu.hardware.catalog.Model;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Measures how much mixins save for the models of the catalog, for {@code docs/kep-5234.md}; {@code -Dgolden.update=true} writes its table.
 */
class MixinSavingsTest {

    private static final SliceRenderer RENDERER = new SliceRenderer(Specs.PLANNER);
    private static final String BEGIN = "<!-- savings -->\n";
    private static final String END = "<!-- end of savings -->";

    @Test
    void theTableIsCurrent() throws IOException {
        String table = "| 8 GPUs of | devices | slices | bytes | with mixins | saved |\n|---|---|---|---|---|---|\n"
                + Catalog.builtIn().models().stream()
                        .map(MixinSavingsTest::rows)
                        .collect(Collectors.joining());
        Path page = ProjectFiles.resolve("docs/kep-5234.md");
        String text = Files.readString(page);
        String before = text.substring(0, text.indexOf(BEGIN) + BEGIN.length());
        String after = text.substring(text.indexOf(END));
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(page, before + table + after);
        }
        assertThat(Files.readString(page)).isEqualTo(before + table + after);
    }

    /** The row without partitions and, if the model has some, the row with all of them. */
    private static String rows(Model model) {
        String whole = row(model.name(), Specs.spec("{model: %s, count: 8}".formatted(model.name())));
        boolean hasPartitions = model instanceof GpuModel gpu && (gpu.mig() != null || gpu.vgpu() != null);
        return hasPartitions
                ? whole + row(model.name() + ", all partitions", Specs.everything(model.name(), 8))
                : whole;
    }

    private static String row(String what, FakeGpuSpec spec) {
        List<Slice> slices = slices(spec);
        long plain = slices.stream()
                .map(MixedSlice::plain)
                .mapToLong(MixinSavingsTest::bytes)
                .sum();
        long compact = slices.stream()
                .map(MixinCompactor::compact)
                .mapToLong(MixinSavingsTest::bytes)
                .sum();
        int devices = slices.stream().mapToInt(slice -> slice.devices().size()).sum();
        return "| %s | %d | %d | %,d | %,d | %d %% |\n"
                .formatted(what, devices, slices.size(), plain, compact, Math.round(100.0 * (plain - compact) / plain));
    }

    private static List<Slice> slices(FakeGpuSpec spec) {
        return RENDERER.slices("gpus", spec, new PoolLocations(List.of(new NodeSelection.NodeName("node-1")), null));
    }

    private static long bytes(MixedSlice slice) {
        return MixedSlices.spec(slice).toString().getBytes(UTF_8).length;
    }
}
