package dev.fakegpu.hardware.slices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.dra.wire.SliceWriter;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.hardware.inventory.field.NodeSelectorReader;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Each directory has a FakeGpu and the ResourceSlices of its node node-1, one file for each slice. {@code -Dgolden.update=true} rewrites
 * the files and fails, so that the changes are reviewed.
 */
class GoldenSlicesTest {

    private static final Path CASES = Path.of("src/test/resources/golden/slices");
    private static final String NODE = "node-1";

    @TestFactory
    Stream<DynamicTest> slicesOfANodeAreThoseOfTheGoldenFiles() throws IOException {
        try (Stream<Path> cases = Files.list(CASES)) {
            return cases.sorted().toList().stream()
                    .map(folder -> DynamicTest.dynamicTest(folder.getFileName().toString(), () -> check(folder)));
        }
    }

    private static void check(Path folder) throws IOException {
        List<Slice> slices = slices(folder);
        ApiLimits.hold(slices);
        assertThat(slices)
                .allSatisfy(slice ->
                        assertThat(SliceReader.read(SliceWriter.write(slice))).isEqualTo(slice));
        Map<Path, String> actual = new TreeMap<>();
        slices.forEach(slice -> actual.put(fileOf(folder, slice), Serialization.asYaml(SliceWriter.write(slice))));
        if (Boolean.getBoolean("golden.update")) {
            update(folder, actual);
            fail(folder + " is written anew; review it and run again without golden.update");
        }
        assertThat(actual.keySet()).containsExactlyElementsOf(outputs(folder));
        for (Map.Entry<Path, String> file : actual.entrySet()) {
            assertThat(file.getValue()).as("%s", file.getKey()).isEqualTo(Files.readString(file.getKey()));
        }
    }

    private static List<Slice> slices(Path folder) throws IOException {
        var fakeGpu = Serialization.unmarshal(Files.readString(folder.resolve("in-fakegpu.yaml")), FakeGpu.class);
        String name = fakeGpu.getMetadata().getName();
        var spec = fakeGpu.getSpec();
        NodeSelection nodes = spec.nodes().isNetworkAttached()
                ? NodeSelectorReader.ofNetworkAttached(spec.nodes())
                : new NodeSelection.NodeName(NODE);
        PoolTarget target = PoolTarget.of(spec, name, nodes);
        return PoolLayout.slices(
                target, Specs.PLANNER.plan(spec, name, target.nodeName()).published(spec));
    }

    private static Path fileOf(Path folder, Slice slice) {
        return folder.resolve("out-" + slice.name().substring(slice.name().length() - 4) + ".yaml");
    }

    private static List<Path> outputs(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith("out-"))
                    .sorted()
                    .toList();
        }
    }

    private static void update(Path folder, Map<Path, String> actual) throws IOException {
        for (Path stale : outputs(folder)) {
            Files.delete(stale);
        }
        for (Map.Entry<Path, String> file : actual.entrySet()) {
            Files.writeString(file.getKey(), file.getValue());
        }
    }
}
