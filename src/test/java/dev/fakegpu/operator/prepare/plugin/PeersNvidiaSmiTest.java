package dev.fakegpu.operator.prepare.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.catalog.GpuModel;
import dev.fakegpu.hardware.catalog.Telemetry;
import dev.fakegpu.hardware.dcgm.NvmlReadings;
import dev.fakegpu.hardware.inventory.Inventory;
import dev.fakegpu.hardware.inventory.Specs;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/**
 * Runs other projects' checks of nvidia-smi for two whole GPUs of each model: those of NVIDIA/k8s-test-infra ({@code
 * tests/e2e/go/assertions/nvidiasmi}, commit 3b2b865d) for {@code -q -x}, {@code -L} and {@code pmon}, and those of
 * run-ai/fake-gpu-operator ({@code test/e2e}, commit 3a3f6441) for the table.
 */
class PeersNvidiaSmiTest {

    /** The elements of a GPU that all captures in k8s-test-infra have. */
    private static final String COMPARED = """
            product_name product_architecture uuid board_id c2c_mode fan_speed performance_state accounting_mode_buffer_size
            platformInfo/slot_number platformInfo/tray_index platformInfo/host_id platformInfo/peer_type platformInfo/module_id
            pci/pci_gpu_link_info/pcie_gen/max_link_gen pci/pci_gpu_link_info/pcie_gen/max_device_link_gen
            pci/pci_gpu_link_info/pcie_gen/max_host_link_gen fb_memory_usage/total fb_memory_usage/used utilization/gpu_util
            utilization/memory_util utilization/encoder_util utilization/decoder_util utilization/jpeg_util utilization/ofa_util
            gpu_virtualization_mode/virtualization_mode gpu_virtualization_mode/host_vgpu_mode
            gpu_virtualization_mode/vgpu_heterogeneous_mode temperature/gpu_temp temperature/gpu_temp_tlimit
            gpu_power_readings/current_power_limit gpu_power_readings/min_power_limit gpu_power_readings/max_power_limit
            gpu_power_readings/average_power_draw gpu_power_readings/instant_power_draw clocks/sm_clock ecc_mode/current_ecc
            encoder_stats/session_count encoder_stats/average_fps encoder_stats/average_latency fbc_stats/session_count
            fbc_stats/average_fps fbc_stats/average_latency ecc_errors/volatile/sram_correctable ecc_errors/volatile/dram_correctable
            ecc_errors/volatile/dram_uncorrectable ecc_errors/aggregate/sram_correctable ecc_errors/aggregate/dram_correctable
            ecc_errors/aggregate/dram_uncorrectable""";

    private static final List<String> MARGINS = List.of(
            "gpu_temp_max_tlimit_threshold", "gpu_temp_slow_tlimit_threshold", "gpu_temp_max_gpu_tlimit_threshold");
    private static final List<String> LIMITS =
            List.of("gpu_temp_max_threshold", "gpu_temp_slow_threshold", "gpu_temp_max_gpu_threshold");

    @TempDir
    Path answers;

    static List<GpuModel> models() {
        return Catalog.builtIn().models().stream()
                .filter(GpuModel.class::isInstance)
                .map(GpuModel.class::cast)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("models")
    void inventoryIsThatOfTheClaimAndNoProcessRuns(GpuModel model) throws Exception {
        List<Element> gpus = gpus(model);

        assertThat(gpus).hasSize(2).allSatisfy(gpu -> {
            assertThat(text(gpu, "product_name")).isEqualTo(model.identity().productName());
            assertThat(gpu.getElementsByTagName("process_info").getLength()).isZero();
        });
        assertThat(run(0, "-L").lines().filter(line -> line.startsWith("GPU")))
                .hasSize(2)
                .allMatch(line -> line.contains(model.identity().productName()));
        assertThat(run(0, "conf-compute", "-f")).isEqualTo("CC status: OFF\n");
        assertThat(run(0, "pmon", "-c", "1")).contains("    0          -     -");
    }

    @ParameterizedTest
    @MethodSource("models")
    void everyComparedElementIsThere(GpuModel model) throws Exception {
        for (Element gpu : gpus(model)) {
            assertThat(COMPARED.split("\\s+"))
                    .allSatisfy(path -> assertThat(text(gpu, path)).as(path).isNotEmpty());
        }
    }

    @ParameterizedTest
    @MethodSource("models")
    void linkIsNeverFasterThanItsEndsAndBoardsDiffer(GpuModel model) throws Exception {
        var boards = new ArrayList<Long>();
        for (Element gpu : gpus(model)) {
            String generations = "pci/pci_gpu_link_info/pcie_gen/";
            assertThat(List.of("max_link_gen", "max_device_link_gen", "max_host_link_gen"))
                    .extracting(name -> text(gpu, generations + name))
                    .containsOnly("" + telemetry(model).pcie().generation());
            boards.add(Long.decode(text(gpu, "board_id")));
        }
        assertThat(boards).doesNotHaveDuplicates().doesNotContain(0L);
    }

    @ParameterizedTest
    @MethodSource("models")
    void idleGpusAreOnBareMetalWithoutErrorsAndThrottling(GpuModel model) throws Exception {
        for (Element gpu : gpus(model)) {
            assertThat(text(gpu, "gpu_virtualization_mode/virtualization_mode")).isEqualTo("None");
            assertThat(text(gpu, "gpu_virtualization_mode/host_vgpu_mode")).isEqualTo("N/A");
            assertThat(text(gpu, "utilization/jpeg_util")).isEqualTo("0 %");
            assertThat(text(gpu, "utilization/ofa_util")).isEqualTo("0 %");
            assertThat(text(gpu, "c2c_mode")).isEqualTo(model.name().startsWith("GB") ? "Enabled" : "N/A");
            assertThat(text(gpu, "ecc_errors/aggregate/sram_threshold_exceeded"))
                    .isEqualTo("No");
            assertThat(elements(gpu, "ecc_errors/aggregate_uncorrectable_sram_sources"))
                    .hasSize(5)
                    .allMatch(element -> element.getTextContent().equals("0"));
            assertThat(elements(gpu, "clocks_event_reasons_counters"))
                    .hasSize(5)
                    .allMatch(element -> element.getTextContent().equals("0 us"));
        }
    }

    /** There are absolute limits before the Ada architecture and margins since then, but never both. */
    @ParameterizedTest
    @MethodSource("models")
    void thresholdsAreThoseOfTheArchitecture(GpuModel model) throws Exception {
        boolean isOlder =
                List.of("Volta", "Turing", "Ampere").contains(model.identity().architecture());
        for (Element gpu : gpus(model)) {
            var names = elements(gpu, "temperature").stream()
                    .map(Element::getTagName)
                    .toList();
            assertThat(names)
                    .containsAll(isOlder ? LIMITS : MARGINS)
                    .doesNotContainAnyElementsOf(isOlder ? MARGINS : LIMITS);
            assertThat(text(gpu, "temperature/gpu_temp_tlimit")).matches(isOlder ? "N/A" : "\\d+ C");
        }
    }

    /** Tests elements of the captures, including one that a later driver introduced. */
    @ParameterizedTest
    @ValueSource(strings = {"H100-80GB-HBM3", "B200"})
    void hasEveryElementOfARealOne(String model) throws Exception {
        var paths = new TreeSet<String>();
        Document document = document((GpuModel) Catalog.builtIn().find(model).orElseThrow());

        addPaths(document.getDocumentElement(), "", paths);

        var expected = realElements();
        assertThat(expected).hasSize(265).contains("/nvidia_smi_log/gpu/pci/pci_gpu_link_info/pcie_gen/max_link_gen");
        expected.add("/nvidia_smi_log/gpu/ecc_errors/unrepairable_memory");
        assertThat(paths).isEqualTo(expected);
    }

    private static TreeSet<String> realElements() throws IOException {
        var paths = new TreeSet<String>();
        var open = new ArrayList<String>();
        for (String line : Files.readAllLines(Path.of("src/test/resources/smi/h100-elements.txt"))) {
            if (!line.startsWith("#")) {
                int level = (line.length() - line.stripLeading().length()) / 2;
                open.subList(level, open.size()).clear();
                open.add("/" + line.strip());
                paths.add(String.join("", open));
            }
        }
        return paths;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "power.limit=700.00",
                "clocks.max.sm=1980",
                "clocks.max.memory=2619",
                "utilization.gpu=0",
                "memory.used=0"
            })
    void h100HasTheNumbersOfAnH100(String fieldAndValue) throws Exception {
        gpus((GpuModel) Catalog.builtIn().find("H100-80GB-HBM3").orElseThrow());
        String[] parts = fieldAndValue.split("=");

        assertThat(run(0, "--query-gpu=" + parts[0], "--format=csv,noheader,nounits", "-i", "0"))
                .isEqualTo(parts[1] + "\n");
    }

    @ParameterizedTest
    @CsvSource({"RTX-6000-Ada-Generation, NVIDIA RTX", "H100-80GB-HBM3, NVIDIA", "V100-SXM2-16GB, Tesla"})
    void brandIsWrittenAsNvidiaSmiWritesIt(String model, String brand) throws Exception {
        assertThat(gpus((GpuModel) Catalog.builtIn().find(model).orElseThrow()))
                .extracting(gpu -> text(gpu, "product_brand"))
                .containsOnly(brand);
    }

    @Test
    void tableHasUtilizationAndMemory() throws Exception {
        gpus((GpuModel) Catalog.builtIn().find("A100-SXM4-40GB").orElseThrow());

        assertThat(run(0)).contains("NVIDIA-SMI", "GPU", "40960MiB").containsPattern("\\d+%");
    }

    @ParameterizedTest
    @MethodSource("models")
    void modelsHaveTheirOwnLimits(GpuModel model) throws Exception {
        gpus(model);
        Telemetry telemetry = telemetry(model);

        assertThat(run(0, "-q", "-d", "POWER,CLOCK", "-i", "0"))
                .contains(
                        ": " + telemetry.powerW().limit() + ".00 W",
                        ": " + telemetry.clocksMHz().max() + " MHz");
        assertThat(run(0, "topo", "-m"))
                .contains(
                        telemetry.nvlink() == null
                                ? "\tSYS\t"
                                : "\tNV" + telemetry.nvlink().links() + "\t");
        if (model.mig() != null) {
            assertThat(run(0, "mig", "-lgip"))
                    .contains(model.mig().profiles().stream()
                            .map(profile -> "MIG " + profile.name() + " ")
                            .toList());
        } else {
            assertThat(run(6, "mig", "-lgip")).isEqualTo("No MIG-supported devices found.\n");
        }
        assertThat(run(6, "mig", "-lgi")).isEqualTo("No GPU instances found: Not Found\n");
    }

    private static Telemetry telemetry(GpuModel model) {
        return Objects.requireNonNull(model.telemetry());
    }

    private List<Element> gpus(GpuModel model) throws Exception {
        Document document = document(model);
        assertThat(document.getElementsByTagName("attached_gpus").item(0).getTextContent())
                .isEqualTo("2");
        return elements(document.getDocumentElement(), "").stream()
                .filter(element -> element.getTagName().equals("gpu"))
                .toList();
    }

    private Document document(GpuModel model) throws Exception {
        FakeGpuSpec spec = Specs.spec("{model: " + model.name() + ", count: 2}");
        Inventory inventory = Specs.plan(spec);
        var claim = Claims.prepared("pod-a", "gpu-0", "gpu-1");
        for (PreparedResult result : claim.results()) {
            var device = inventory.devices().stream()
                    .filter(one -> one.name().equals(result.label()))
                    .findFirst()
                    .orElseThrow();
            Map<String, String> readings =
                    NvmlReadings.of(device, inventory.counterSets(), spec.load(), Specs.PLANNER.nvmlGpu(spec, "fake"));
            Files.writeString(
                    answers.resolve(result.label()),
                    new DeviceInfoFile(claim.claim(), result, device, readings).answers());
        }
        var factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        return factory.newDocumentBuilder().parse(new InputSource(new StringReader(run(0, "-q", "-x"))));
    }

    private String run(int exitCode, String... arguments) throws Exception {
        return SmiShell.run(SmiShell.ofThisMachine().subList(0, 1), answers, "1784019627", exitCode, arguments);
    }

    /** The content of the only element at a path; empty if there is none. */
    private static String text(Element from, String path) {
        int slash = path.lastIndexOf('/');
        return elements(from, slash < 0 ? "" : path.substring(0, slash)).stream()
                .filter(element -> element.getTagName().equals(path.substring(slash + 1)))
                .map(element -> element.getTextContent().strip())
                .findFirst()
                .orElse("");
    }

    /** The elements in the element at a path. */
    private static List<Element> elements(Element from, String path) {
        Element in = from;
        for (String name : path.isEmpty() ? new String[0] : path.split("/")) {
            in = elements(in, "").stream()
                    .filter(element -> element.getTagName().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("there is no " + path));
        }
        var elements = new ArrayList<Element>();
        for (int i = 0; i < in.getChildNodes().getLength(); i++) {
            if (in.getChildNodes().item(i) instanceof Element element) {
                elements.add(element);
            }
        }
        return elements;
    }

    private static void addPaths(Element element, String parent, TreeSet<String> paths) {
        String path = parent + "/" + element.getTagName();
        paths.add(path);
        elements(element, "").forEach(child -> addPaths(child, path, paths));
    }
}
