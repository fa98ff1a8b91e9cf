package dev.fakegpu.hardware.importer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.engine.problemfile.Dice;
import dev.fakegpu.engine.problemfile.SliceGenerator;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.hardware.slices.PoolLocations;
import dev.fakegpu.hardware.slices.SliceRenderer;
import dev.fakegpu.testing.ProjectFiles;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Imports slices as FakeGpus, prints them, and renders them again: the devices, the counter sets and their order must not change. */
class RoundTripTest {

    private static final long SEED = Long.getLong("seed", 20260721L);
    private static final int RUNS = Integer.getInteger("roundtrip.runs", 60);
    /** A round trip with more devices takes seconds. */
    private static final int FEW_DEVICES = 1_000;

    private static final SliceRenderer RENDERING = new SliceRenderer(Specs.PLANNER);

    @Test
    void importedRandomSlicesArePublishedAgainExceptForNotedDifferences() throws JsonProcessingException {
        int compared = 0;
        for (int run = 0; run < RUNS; run++) {
            List<Slice> slices = randomSlices(SEED + run);
            SliceImporter.Result result = SliceImporter.of(slices, ImportOptions.NONE);
            for (SliceImporter.Imported imported : result.fakeGpus()) {
                FakeGpu fakeGpu = written(imported);
                if (check(fakeGpu) && isFaithful(imported, result.notes())) {
                    for (PoolContent pool : imported.pools()) {
                        assertSame("-Dseed=" + (SEED + run), slices, pool, rendered(fakeGpu));
                        compared++;
                    }
                }
            }
        }
        assertThat(compared).isGreaterThan(RUNS / 3);
    }

    /** Whether every difference is covered by a note that names the device, counter set or field. */
    private static boolean isFaithful(SliceImporter.Imported imported, List<String> notes) {
        return imported.pools().stream()
                .noneMatch(pool -> notes.stream()
                        .filter(note -> !note.contains("called"))
                        .anyMatch(note -> note.contains("pool " + pool.pool().name() + ":")
                                || note.contains("pool " + pool.pool().name() + " of")
                                || note.contains("pool " + pool.pool().name() + " is")));
    }

    @TestFactory
    Stream<DynamicTest> whatAFakeGpuPublishesIsImportedAndPublishedAgain() throws IOException {
        return acceptedFakeGpus(devices -> devices <= FEW_DEVICES);
    }

    @Tag("long")
    @TestFactory
    Stream<DynamicTest> whatALargeFakeGpuPublishesIsImportedAndPublishedAgain() throws IOException {
        return acceptedFakeGpus(devices -> devices > FEW_DEVICES);
    }

    private static Stream<DynamicTest> acceptedFakeGpus(IntPredicate numberOfDevices) throws IOException {
        var tests = new ArrayList<DynamicTest>();
        for (Path file : ProjectFiles.list("src/test/resources/corpus/fakegpu")) {
            String name = String.valueOf(file.getFileName());
            if (name.startsWith("valid-")) {
                List<Slice> slices = rendered(Serialization.unmarshal(Files.readString(file), FakeGpu.class));
                if (numberOfDevices.test(devices(slices).size())) {
                    tests.add(DynamicTest.dynamicTest(name, () -> assertIsImportedAndPublishedAgain(slices)));
                }
            }
        }
        assertThat(tests).isNotEmpty();
        return tests.stream();
    }

    private static void assertIsImportedAndPublishedAgain(List<Slice> slices) {
        SliceImporter.Result result = SliceImporter.of(slices, ImportOptions.NONE);

        assertThat(result.fakeGpus()).isNotEmpty();
        for (SliceImporter.Imported imported : result.fakeGpus()) {
            FakeGpu fakeGpu = written(imported);
            assertThat(RENDERING.check(fakeGpu.getMetadata().getName(), fakeGpu.getSpec()))
                    .isEmpty();
            imported.pools().forEach(pool -> assertSame("", slices, pool, rendered(fakeGpu)));
        }
    }

    private static List<Slice> randomSlices(long seed) throws JsonProcessingException {
        var slices = new ArrayList<Slice>();
        for (JsonNode slice : new SliceGenerator(new Dice(seed)).slices()) {
            slices.add(SliceReader.read(Serialization.jsonMapper().treeToValue(slice, ResourceSlice.class)));
        }
        return slices;
    }

    private static FakeGpu written(SliceImporter.Imported imported) {
        return Serialization.unmarshal(Serialization.asJson(imported.fakeGpu()), FakeGpu.class);
    }

    private static boolean check(FakeGpu fakeGpu) {
        return RENDERING
                .check(fakeGpu.getMetadata().getName(), fakeGpu.getSpec())
                .isEmpty();
    }

    private static List<Slice> rendered(FakeGpu fakeGpu) {
        String name = fakeGpu.getMetadata().getName();
        return RENDERING.slices(
                name,
                fakeGpu.getSpec(),
                PoolLocations.of(name, fakeGpu.getSpec().nodes(), List.of()));
    }

    private static void assertSame(String what, List<Slice> before, PoolContent pool, List<Slice> after) {
        long newest = before.stream()
                .filter(slice -> slice.pool().equals(pool.pool()))
                .mapToLong(Slice::generation)
                .max()
                .orElseThrow();
        List<Slice> old = before.stream()
                .filter(slice -> slice.pool().equals(pool.pool()) && slice.generation() == newest)
                .sorted(Comparator.comparing(Slice::name))
                .toList();
        List<Slice> now = after.stream()
                .filter(slice -> !(pool.nodes() instanceof NodeSelection.NodeName)
                        || slice.nodes().equals(pool.nodes()))
                .toList();
        assertThat(counterSets(now)).as(what).isEqualTo(counterSets(old));
        assertThat(devices(now)).as(what).isEqualTo(devices(old));
        assertThat(nodes(now)).as(what).isEqualTo(nodes(old));
    }

    private static List<CounterSet> counterSets(List<Slice> slices) {
        return slices.stream().flatMap(slice -> slice.counterSets().stream()).toList();
    }

    private static List<Device> devices(List<Slice> slices) {
        return slices.stream()
                .flatMap(slice -> slice.devices().stream())
                .map(device -> device.withNodes(null))
                .toList();
    }

    /** The nodes, without empty node names, which the API does not store. */
    private static List<NodeSelection> nodes(List<Slice> slices) {
        return slices.stream()
                .flatMap(slice -> slice.devices().stream().map(slice::nodesOf))
                .map(nodes -> nodes instanceof NodeSelection.WithEmptyNodeName with ? with.selection() : nodes)
                .toList();
    }
}
