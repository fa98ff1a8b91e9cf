package dev.fakegpu.operator.prepare.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.hardware.dcgm.NvmlReadings;
import dev.fakegpu.hardware.inventory.DevicePlace;
import dev.fakegpu.hardware.inventory.Inventory;
import dev.fakegpu.hardware.inventory.Specs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the output of {@code nvidia-smi topo -m} for the devices of a container. The format is that of nvidia-smi on HGX H100 in
 * NVIDIA/nccl issue 1264, and with network cards in vllm-project/vllm issue 6746.
 */
class SmiTopologyTest {

    private static final Path DGX = Path.of("src/test/resources/smi/topology-dgx-h100.txt");
    private static final String GPUS = "{model: H100-80GB-HBM3, count: 8, topology: {profile: DGX-H100}}";
    private static final String FUNCTIONS = "{model: ConnectX-7-SRIOV, count: 8, topology: {profile: DGX-H100}}";

    private final Map<String, Device> devices = new HashMap<>();

    @TempDir
    Path answers;

    @Test
    void connectsTheDevicesOfAClaimAsADgxConnectsThem() throws Exception {
        prepare("gpus", GPUS, "gpu-0", "gpu-1", "gpu-4");
        prepare("cards", FUNCTIONS, "0000-18-00-1", "0000-18-00-2", "0000-9a-00-1");

        String matrix = run(0, "topo", "-m");

        assertThat(matrix)
                .startsWith(
                        "\t\033[4mGPU0\tGPU1\tGPU2\tNIC0\tNIC1\tNIC2\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\033[0m\n")
                .contains("\nGPU0\t X \tNV18\tNV18\tPXB\tPXB\tSYS\t0-55,112-167\t0\t\tN/A\n")
                .contains("\nNIC0\tPXB\tNODE\tSYS\t X \tPIX\tSYS\t\t\t\t\n");
        assertThat(shown(matrix)).isEqualTo(Files.readString(DGX));
    }

    /** Uses the attributes from which {@code fakegpu topology} draws the node. */
    @Test
    void saysTheSameAsTheDrawingOfTheNode() throws Exception {
        var names = new ArrayList<String>();
        for (int i = 0; i < 8; i++) {
            names.add("gpu-" + i);
        }
        prepare("gpus", GPUS, names.toArray(String[]::new));
        List<String> cards = Specs.PLANNER.plan(Specs.spec(FUNCTIONS), "cards", "node-1").devices().stream()
                .map(Device::name)
                .filter(name -> name.endsWith("-00-1"))
                .toList();
        prepare("cards", FUNCTIONS, cards.toArray(String[]::new));
        names.addAll(cards);

        List<String[]> rows = run(0, "topo", "-m")
                .lines()
                .skip(1)
                .limit(16)
                .map(row -> row.split("\t"))
                .toList();

        for (int i = 0; i < 16; i++) {
            for (int j = 8; j < 16; j++) {
                assertThat(rows.get(i)[j + 1].strip())
                        .as("%s, %s", names.get(i), names.get(j))
                        .isEqualTo(i == j ? "X" : drawn(place(names.get(i)), place(names.get(j))));
            }
        }
    }

    private DevicePlace place(String device) {
        return DevicePlace.of(devices.get(device));
    }

    private static String drawn(DevicePlace one, DevicePlace other) {
        if (one.root().equals(other.root())) {
            return "PXB";
        }
        return Objects.equals(one.numaNode(), other.numaNode()) ? "NODE" : "SYS";
    }

    /** Tests a list with one NUMA node, and GPUs without a network card on their roots. */
    @Test
    void aGb200HasTheCpusOfItsNumaNode() throws Exception {
        prepare(
                "gpus",
                "{model: GB200, count: 4, topology: {profile: GB200-NVL72, numaNodeFormat: List}}",
                "gpu-0",
                "gpu-2");
        prepare("cards", "{model: ConnectX-7, count: 4, topology: {profile: GB200-NVL72}}", "pci-0000-03-00-0");

        assertThat(run(0, "topo", "-m"))
                .contains("GPU0\t X \tNV18\tNODE\t0-71\t0\t\tN/A\nGPU1\tNV18\t X \tSYS\t72-143\t1\t\tN/A\n")
                .endsWith("\nNIC Legend:\n\n  NIC0: mlx5_0\n\n");
    }

    /** As older versions of its driver publish it, and as {@code fakegpu topology} reads it. */
    @Test
    void aCardHasTheNumaNodeOfItsDriver() throws Exception {
        prepare("gpus", GPUS, "gpu-0", "gpu-4");
        prepare(
                "cards",
                "{custom: {devices: [{name: nic, attributes: {dra.net/rdma: {bool: true}, dra.net/numaNode: {int: 1}}}]}}",
                "nic");

        assertThat(run(0, "topo", "-m"))
                .contains("\nGPU0\t X \tNV18\tSYS\t", "\nGPU1\tNV18\t X \tNODE\t", "\nNIC0\tSYS\tNODE\t X \t");
    }

    /** As {@code fakegpu topology} draws it. A card whose NUMA node stays unknown is {@code SYS} beside a GPU whose NUMA node is known. */
    @Test
    void aCardWithoutANumaNodeIsWhereItsPcieRootIs() throws Exception {
        prepare("gpus", GPUS, "gpu-0", "gpu-1", "gpu-4");
        String card =
                "{name: %s, attributes: {dra.net/rdma: {bool: true}, resource.kubernetes.io/pcieRoot: {string: '%s'}}}";
        prepare(
                "cards",
                "{custom: {devices: [%s, %s]}}"
                        .formatted(card.formatted("a", place("gpu-0").root()), card.formatted("b", "pci0000:e1")),
                "a",
                "b");

        assertThat(run(0, "topo", "-m"))
                .contains("\nNIC0\tPXB\tNODE\tSYS\t X \tSYS\t", "\nNIC1\tSYS\tSYS\tSYS\tSYS\t X \t");
    }

    @Test
    void whatIsNotKnownIsNotMadeUp() throws Exception {
        prepare(
                "gpus",
                "{model: L4, count: 4, topology: {numaNodes: 2, gpusPerPcieRoot: 2}}",
                "gpu-0",
                "gpu-1",
                "gpu-2");

        assertThat(run(0, "topo", "-m"))
                .contains("GPU0\t X \tPHB\tSYS\tN/A\t0\t\tN/A\n")
                .doesNotContain("NIC");
    }

    @ParameterizedTest
    @CsvSource({
        "XEON-8480C, cpudevnuma000",
        "NUMA-MEMORY, memory-0",
        "ConnectX-7-SRIOV, 0000-18-00-1",
        "LATEST-NET-MODEL, nic-0"
    })
    void whatIsNoGpuIsNotListed(String model, String device) throws Exception {
        prepare("gpus", GPUS, "gpu-0");
        prepare("others", "{model: %s, count: 2, topology: {profile: DGX-H100}}".formatted(model), device);

        assertThat(run(0, "-L").lines()).singleElement().asString().startsWith("GPU 0: NVIDIA H100");
        assertThat(run(0, "--query-gpu=count", "--format=csv,noheader")).isEqualTo("1\n");
    }

    @Test
    void aContainerWithCardsAloneHasNoGpu() throws Exception {
        prepare("cards", FUNCTIONS, "0000-18-00-1");

        assertThat(run(0, "-L")).isEqualTo("No devices found.\n");
        assertThat(run(6, "topo", "-m")).isEqualTo("No devices were found\n");
    }

    private void prepare(String fakeGpu, String yaml, String... names) throws Exception {
        FakeGpuSpec spec = Specs.spec(yaml);
        Inventory inventory = Specs.PLANNER.plan(spec, fakeGpu, "node-1");
        for (String name : names) {
            Device device = inventory.devices().stream()
                    .filter(one -> one.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(
                            inventory.devices().stream().map(Device::name).toList()));
            devices.put(name, device);
            var result = new PreparedResult(
                    new DeviceId(fakeGpu + ".example.com", Claims.POOL, name), List.of("all"), null, Map.of(), null);
            var readings = NvmlReadings.of(device, inventory.counterSets(), null, Specs.PLANNER.nvmlGpu(spec, fakeGpu));
            Files.writeString(
                    answers.resolve(name), new DeviceInfoFile(Claims.ref("pod-a"), result, device, readings).answers());
        }
    }

    private String run(int exitCode, String... arguments) throws Exception {
        return SmiShell.run(SmiShell.ofThisMachine(), answers, "1784019627", exitCode, arguments);
    }

    /** The text as a terminal shows it. */
    private static String shown(String text) {
        var shown = new StringBuilder();
        for (String line : text.replaceAll("\033\\[\\d+m", "").split("\n", -1)) {
            var row = new StringBuilder();
            Arrays.stream(line.split("\t")).forEach(cell -> row.append(cell).append(" ".repeat(8 - cell.length() % 8)));
            shown.append(row.toString().stripTrailing()).append('\n');
        }
        return shown.deleteCharAt(shown.length() - 1).toString();
    }
}
