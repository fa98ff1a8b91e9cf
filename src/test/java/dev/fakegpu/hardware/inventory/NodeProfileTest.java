package dev.fakegpu.hardware.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.Device;
import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.catalog.NodeProfile;
import dev.fakegpu.hardware.inventory.field.SpecProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class NodeProfileTest {

    private static final String ROOT = "resource.kubernetes.io/pcieRoot";
    private static final String PCI_BUS_ID = "resource.kubernetes.io/pciBusID";
    private static final String NUMA = "resource.kubernetes.io/numaNode";

    static Stream<NodeProfile> profiles() {
        return NodeProfile.names().stream().map(name -> NodeProfile.find(name).orElseThrow());
    }

    @Test
    void everyFileIsListed() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/main/resources/profiles"))) {
            assertThat(files).hasSameSizeAs(NodeProfile.names());
        }
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void aProfileHasPlacesForEachModelOfTheCatalog(NodeProfile profile) {
        profile.models()
                .forEach((kind, models) -> assertThat(models).allSatisfy(model -> {
                    int places = profile.places(kind).size();
                    assertThat(Catalog.builtIn().find(model)).isPresent();
                    assertThat(problems("{model: %s, count: %d, topology: {profile: %s}}"
                                    .formatted(model, places, profile.name())))
                            .isEmpty();
                }));
    }

    /** A root belongs to one NUMA node, and no two devices have the same address. */
    @ParameterizedTest
    @MethodSource("profiles")
    void placesDoNotContradictEachOther(NodeProfile profile) {
        var places = Stream.of("gpu", "nic")
                .flatMap(kind -> profile.places(kind).stream())
                .toList();

        assertThat(places).extracting(NodeProfile.Place::bus).doesNotHaveDuplicates();
        assertThat(places.stream()
                        .map(place -> place.root() + place.numaNode())
                        .distinct()
                        .count())
                .isEqualTo(
                        places.stream().map(NodeProfile.Place::root).distinct().count());
    }

    /** The table of network modules in NVIDIA's guide says which GPU has which card. */
    @ParameterizedTest
    @CsvSource({"DGX-H100, H100-80GB-HBM3, XEON-8480C", "HGX-B200, B200, XEON-8570"})
    void aGpuIsOnTheRootOfItsCardAndTheNumaNodeOfItsCpus(String profile, String gpu, String cpu) {
        String spec = "{model: %s, count: %d, topology: {profile: %s}}";
        List<Device> gpus = devices("gpus", spec.formatted(gpu, 8, profile));
        List<Device> cards = devices("cards", spec.formatted("ConnectX-7-SRIOV", 8, profile));
        List<Device> cpus = devices("cpus", spec.formatted(cpu, 2, profile));

        for (int i = 0; i < 8; i++) {
            assertThat(gpus.get(i).text(ROOT)).isEqualTo(cards.get(8 * i).text(ROOT));
            assertThat(gpus.get(i).text(NUMA)).isEqualTo(cards.get(8 * i).text(NUMA));
            assertThat(gpus.get(i).text(NUMA)).isEqualTo(cpus.get(i / 4).text(NUMA));
        }
        assertThat(gpus.get(0).text(PCI_BUS_ID)).contains("0000:1b:00.0");
        assertThat(cards.get(63).name()).isEqualTo("0000-dc-01-0");
    }

    /** The values are from a table in AMD's guide. AMD's driver publishes the NUMA node under its own name. */
    @Test
    void anMi300xIsOnTheRootOfItsCard() {
        List<Device> gpus = devices("gpus", "{model: MI300X, count: 8, topology: {profile: MI300X}}");
        List<Device> cards = devices("cards", "{model: ConnectX-7-SRIOV, count: 8, topology: {profile: MI300X}}");

        for (int i = 0; i < 8; i++) {
            assertThat(gpus.get(i).text(ROOT)).isEqualTo(cards.get(8 * i).text(ROOT));
            assertThat(gpus.get(i).text("numaNode")).isEqualTo(cards.get(8 * i).text(NUMA));
        }
        assertThat(gpus.get(4).text("resource.kubernetes.io/pciBusID")).contains("0000:7d:00.0");
        assertThat(cards.get(32).name()).isEqualTo("0000-8f-00-1");
    }

    @Test
    void aGpuOfAGb200SharesNoRootWithACardButItsNumaNode() {
        List<Device> gpus = devices("gpus", "{model: GB200, count: 4, topology: {profile: GB200-NVL72}}");
        List<Device> cards = devices("cards", "{model: ConnectX-7, count: 4, topology: {profile: GB200-NVL72}}");

        assertThat(cards.stream().filter(card -> card.name().endsWith("-00-0")))
                .extracting(card ->
                        card.text(ROOT).orElseThrow() + " " + card.text(NUMA).orElseThrow())
                .containsExactly("pci0000:00 0", "pci0002:00 0", "pci0010:00 1", "pci0012:00 1");
        assertThat(gpus.stream()
                        .map(gpu -> gpu.text(ROOT).orElseThrow() + " "
                                + gpu.text(NUMA).orElseThrow()))
                .containsExactly("pci0008:00 0", "pci0009:00 0", "pci0018:00 1", "pci0019:00 1");
    }

    @Test
    void twoFakeGpusOfOneNodeShareItsPlaces() {
        String spec = "{model: H100-80GB-HBM3, count: 4, topology: {profile: DGX-H100, firstPlace: %d}}";

        List<Device> shared = Stream.of(0, 4)
                .flatMap(first -> devices("gpus-" + first, spec.formatted(first)).stream())
                .toList();

        assertThat(shared)
                .extracting(device -> device.text(PCI_BUS_ID))
                .isEqualTo(devices("gpus", "{model: H100-80GB-HBM3, count: 8, topology: {profile: DGX-H100}}").stream()
                        .map(device -> device.text(PCI_BUS_ID))
                        .toList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{model: L40S, topology: {profile: DGX-H100}} | spec.model: \"L40S\" is not in a machine DGX-H100; allowed: H100-80GB-HBM3, LATEST-GPU-MODEL",
                "{model: GB200, count: 5, topology: {profile: GB200-NVL72}} | spec.count: \"5\" is more than a machine GB200-NVL72 has; allowed: 1 to 4",
                "{model: B200, topology: {profile: HGX-B20}} | spec.topology.profile: \"HGX-B20\" is not a node profile (did you mean \"HGX-B200\"?); allowed: DGX-H100, GB200-NVL72, HGX-B200, MI300X",
                "{model: B200, count: 4, topology: {profile: HGX-B200, numaNodes: 2}} | spec.topology.numaNodes: \"2\" is set beside profile HGX-B200, which says it; allowed: no numaNodes",
                "{model: B200, count: 5, topology: {profile: HGX-B200, firstPlace: 4}} | spec.count: \"5\" is more than a machine HGX-B200 has from place 4; allowed: 1 to 4",
                "{model: B200, topology: {profile: HGX-B200, firstPlace: 8}} | spec.topology.firstPlace: \"8\" is not a place of a machine HGX-B200; allowed: 0 to 7",
                "{model: B200, topology: {profile: HGX-B200, firstPlace: -1}} | spec.topology.firstPlace: \"-1\" is not a place of a machine HGX-B200; allowed: 0 to 7",
                "{model: ConnectX-7, topology: {profile: HGX-B200, firstPlace: 8}} | spec.topology.firstPlace: \"8\" is not a place of a machine HGX-B200; allowed: 0 to 7",
                "{model: B200, topology: {firstPlace: 4}} | spec.topology.firstPlace: \"4\" needs spec.topology.profile, whose places it counts; allowed: no firstPlace",
                "{model: B200, topology: {profile: HGX-B200}, nodes: {simulated: {count: 1, capacity: {cpu: \"64\"}}}} | spec.nodes.simulated.capacity[cpu]: \"64\" is not what a machine HGX-B200 has; allowed: 224, or no cpu"
            })
    void aContradictionIsRefused(String spec, String problem) {
        assertThat(problems(spec)).containsExactly(problem);
    }

    @Test
    void theSpecMayRepeatWhatTheMachineHas() {
        assertThat(
                        problems(
                                "{model: B200, topology: {profile: HGX-B200},"
                                        + " nodes: {simulated: {count: 1, capacity: {cpu: \"224\", memory: 2Ti, hugepages-1Gi: 64Gi}}}}"))
                .isEmpty();
    }

    private static List<Device> devices(String name, String spec) {
        return Specs.PLANNER.plan(Specs.spec(spec), name, "node-1").devices();
    }

    private static List<String> problems(String spec) {
        return Specs.PLANNER.check(Specs.spec(spec), "fake").stream()
                .map(SpecProblem::sentence)
                .toList();
    }
}
