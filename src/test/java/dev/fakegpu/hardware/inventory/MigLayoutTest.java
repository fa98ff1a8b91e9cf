package dev.fakegpu.hardware.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.catalog.GpuModel;
import dev.fakegpu.hardware.catalog.MigCapacity;
import dev.fakegpu.hardware.catalog.MigProfile;
import dev.fakegpu.hardware.catalog.MigTable;
import dev.fakegpu.hardware.inventory.field.SpecProblem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MigLayoutTest {

    private static final MigTable A100 = table("A100-SXM4-40GB");

    /**
     * {@code nvidia-smi mig -cgi} with these profiles, and the output of {@code nvidia-smi mig -lgi} afterwards: from "Getting started with
     * MIG" in NVIDIA's MIG User Guide, in the order of the instance IDs.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1g 1g 1g 1g 1g 1g 1g | 6 4 5 0 1 2 3",
                "3g 1g 2g 1g          | 4 0 2 1",
                "2g 1g 1g 1g 1g 1g    | 4 6 0 1 2 3",
                "1g 2g 4g             | 6 4 0",
                "1g 1g 2g             | 6 4 0"
            })
    void devicesAreWhereTheGpusDriverPutsThem(String profiles, String starts) {
        assertThat(MigLayout.inOrder(
                        A100,
                        Arrays.stream(profiles.split(" "))
                                .map(MigLayoutTest::profile)
                                .toList()))
                .map(MigLayoutTest::starts)
                .contains(starts);
    }

    /** In the guide this order fails with "Insufficient Resources", because the GPU's driver does not know which profiles follow. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"1g 1g 2g 3g | 0 1 2 4"})
    void earlierDevicesLeaveRoomForLaterOnes(String profiles, String starts) {
        devicesAreWhereTheGpusDriverPutsThem(profiles, starts);
    }

    /** These are {@code all-balanced} and other configurations of nvidia-mig-parted, from large to small. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "A100-SXM4-40GB | {1g.5gb: 2, 2g.10gb: 1, 3g.20gb: 1}    | 3g.20gb@4 2g.10gb@0 1g.5gb@2 1g.5gb@3",
                "A100-SXM4-40GB | {2g.10gb: 3}                           | 2g.10gb@4 2g.10gb@0 2g.10gb@2",
                "A100-SXM4-40GB | {1g.5gb: 1, 1g.10gb: 2, 1g.5gb+me: 1} | 1g.10gb@6 1g.10gb@4 1g.5gb+me@0 1g.5gb@1",
                "A30            | {1g.6gb: 2, 2g.12gb: 1}                | 2g.12gb@0 1g.6gb@2 1g.6gb@3"
            })
    void layoutsArePlacedFromLargeToSmall(String model, String devices, String expected)
            throws JsonProcessingException {
        MigTable table = table(model);
        assertThat(MigLayout.place(table, counts(table, devices)))
                .map(placed -> placed.stream()
                        .map(instance -> instance.profile().name() + "@"
                                + instance.placement().start())
                        .collect(Collectors.joining(" ")))
                .contains(expected);
    }

    /**
     * Eleven of 24 memory slices can be chosen in 2.5 million ways, and in none of them do thirteen devices fit in the remaining slices.
     */
    @Test
    void migWithoutDevicesIsRefusedWhateverListIsEmpty() {
        for (String mig : List.of("{}", "{profiles: []}", "{static: []}")) {
            assertThat(Specs.PLANNER.check(
                            Specs.spec("{model: A100-SXM4-40GB, partitions: {mig: %s}}".formatted(mig)), "sample"))
                    .extracting(SpecProblem::field, SpecProblem::problem)
                    .containsExactly(tuple("spec.partitions.mig", "has neither profiles nor static MIG devices"));
        }
    }

    @Test
    void theSearchGivesUpOnUnusualGpus() {
        var profiles = new ArrayList<MigProfile>();
        profiles.add(oddProfile("7g.99gb", 99, 24, List.of(0)));
        profiles.add(oddProfile("1g.98gb", 1, 1, IntStream.range(0, 24).boxed().toList()));
        for (int i = 1; i <= 13; i++) {
            profiles.add(oddProfile(
                    "1g.%dgb".formatted(i), 1, 1, IntStream.range(0, 12).boxed().toList()));
        }
        Map<MigProfile, Long> devices = new HashMap<>();
        profiles.stream().skip(2).forEach(profile -> devices.put(profile, 1L));
        devices.put(profiles.get(1), 11L);

        assertThat(MigLayout.place(new MigTable(A100.provenance(), 24, 24, profiles), devices))
                .isEmpty();
    }

    private static MigProfile oddProfile(String name, int memory, int size, List<Integer> starts) {
        return new MigProfile(
                name,
                Integer.parseInt(name.replaceAll("\\D", "")),
                starts.size(),
                new MigProfile.Placements(size, starts),
                new MigCapacity(memory, 0, 0, 0, 0, 0, 0));
    }

    private static Map<MigProfile, Long> counts(MigTable table, String devices) throws JsonProcessingException {
        return new YAMLMapper()
                .readValue(devices, new TypeReference<Map<String, Long>>() {}).entrySet().stream()
                        .collect(Collectors.toMap(
                                entry -> table.profile(entry.getKey()).orElseThrow(), Map.Entry::getValue));
    }

    private static String starts(List<MigLayout.Instance> placed) {
        return placed.stream()
                .map(instance -> String.valueOf(instance.placement().start()))
                .collect(Collectors.joining(" "));
    }

    private static MigProfile profile(String slices) {
        return Optional.of(slices)
                .map(name -> Map.of("1g", "1g.5gb", "2g", "2g.10gb", "3g", "3g.20gb", "4g", "4g.20gb")
                        .get(name))
                .flatMap(A100::profile)
                .orElseThrow();
    }

    private static MigTable table(String model) {
        return Objects.requireNonNull(((GpuModel) Catalog.builtIn().find(model).orElseThrow()).mig());
    }
}
