package dev.fakegpu.operator.prepare.plugin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fakegpu.operator.prepare.smi.SmiAnswers;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xml.sax.InputSource;

/** Tests the output of {@code nvidia-smi} for its options in a container. */
class SmiOptionsTest {

    private static final List<SmiShell> SHELLS = SmiShell.ofThisMachine();

    private static final String TOTAL = "Total                                          : 1024 MiB";
    private static final String USED = "Used                                           : 512 MiB";
    private static final String FREE = "Free                                           : 512 MiB";

    @TempDir
    Path answers;

    private String now = "1784019627";

    @Test
    void fieldsAreSelectedByAnyNameAndWithoutUnits() throws Exception {
        sheets();

        assertThat(run(0, "--query-gpu=gpu_name, gpu_bus_id,memory.used", "--format=csv"))
                .isEqualTo("""
                        name, pci.bus_id, memory.used [MiB]
                        one, 0000144C:01:00.0, 512 MiB
                        two, 0000144C:05:00.0, [N/A]
                        """);
        for (String format : List.of("csv,noheader,nounits", "csv, noheader, nounits")) {
            assertThat(run(0, "--query-gpu", "memory.used,clocks.sm", "--format", format))
                    .isEqualTo("512, [N/A]\n[N/A], [N/A]\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "GPU-2", "0000144C:05:00.0", "0000144c:05:00.0", "144C:05:00.0", "05:00.0"})
    void gpusAreSelectedByIndexUuidAndAddress(String id) throws Exception {
        sheets();

        assertThat(run(0, "--query-gpu=index,count,uuid", "--format=csv,noheader", "-i", id))
                .isEqualTo("1, 2, GPU-2\n");
        assertThat(run(0, "-L", "--id=" + id)).isEqualTo("GPU 1: two (UUID: GPU-2)\n");
    }

    @Test
    void whatDoesNotExistIsRefusedAsNvidiaSmiRefusesIt() throws Exception {
        sheets();

        assertThat(run(2, "--query-gpu=name,cuda_version", "--format=csv"))
                .isEqualTo("Field \"cuda_version\" is not a valid field to query.\n\n");
        assertThat(run(2, "--query-gpu=*", "--format=csv")).isEqualTo("Field \"*\" is not a valid field to query.\n\n");
        assertThat(run(6, "--query-gpu=name", "--format=csv", "-i", "2")).isEqualTo("No devices were found\n");
        assertThat(run(2, "--query-gpu=name"))
                .isEqualTo("\"--format=\" switch is missing. Please run 'nvidia-smi -h' for help.\n");
        assertThat(run(2, "-L", "-q"))
                .isEqualTo("Invalid combination of input arguments. Please run 'nvidia-smi -h' for help.\n");
    }

    @Test
    void unknownOptionIsRefused() throws Exception {
        sheets();

        assertThat(run(2, "topo", "-p"))
                .isEqualTo("nvidia-smi (fakegpu): \"topo -p\" is not known; see nvidia-smi --help\n");
        assertThat(run(2, "conf")).isEqualTo("nvidia-smi (fakegpu): \"conf\" is not known; see nvidia-smi --help\n");
        assertThat(run(2, "conf-compute", "-srs", "1"))
                .isEqualTo("nvidia-smi (fakegpu): \"conf-compute -srs\" is not known; see nvidia-smi --help\n");
        assertThat(run(2, "-q", "-d", "POWER,GOSSIP"))
                .isEqualTo("nvidia-smi (fakegpu): -d \"GOSSIP\" is not known; see nvidia-smi --help\n");
        assertThat(run(2, "--query-gpu=name", "--format=csv,no_header"))
                .isEqualTo("nvidia-smi (fakegpu): --format \"no_header\" is not known; see nvidia-smi --help\n");
    }

    /** NVIDIA's program repeats the rows without the header. */
    @Test
    void answersAreRepeatedUntilItIsEnded() throws Exception {
        sheets();

        for (SmiShell shell : SHELLS) {
            for (List<String> loop : List.of(List.of("-lms", "10"), List.of("--loop-ms=10"))) {
                assertThat(firstLines(4, shell, loop, "--query-gpu=name", "--format=csv"))
                        .containsExactly("name", "one", "two", "one");
            }
            assertThat(firstLines(2, shell, List.of("-l"), "-L"))
                    .containsExactly("GPU 0: one (UUID: GPU-1)", "GPU 1: two (UUID: GPU-2)");
        }
    }

    private List<String> firstLines(int number, SmiShell shell, List<String> loop, String... arguments)
            throws IOException {
        var builder = shell.process(answers, now, arguments);
        builder.command().addAll(loop);
        Process process = builder.start();
        try {
            return process.inputReader(UTF_8).lines().limit(number).toList();
        } finally {
            process.destroy();
        }
    }

    @Test
    void wrongPauseIsRefused() throws Exception {
        for (String loop : List.of("--loop=0", "-l=", "--loop=1.5", "-l1", "--loop-ms=x")) {
            assertThat(run(2, "-L", loop)).startsWith("nvidia-smi (fakegpu): \"");
        }
        assertThat(run(2, "dmon", "-c", "0")).startsWith("nvidia-smi (fakegpu): \"-c\" needs");
        assertThat(run(2, "-L", "--loop=1.5"))
                .isEqualTo("nvidia-smi (fakegpu): \"--loop\" needs a positive number, not \"1.5\";"
                        + " see nvidia-smi --help\n");
    }

    @Test
    void noProcessComputesOnAFakeGpu() throws Exception {
        sheets();

        assertThat(run(0, "--query-compute-apps=pid,name,used_memory", "--format=csv"))
                .isEqualTo("pid, process_name, used_gpu_memory [MiB]\n");
        assertThat(run(0, "--id=0", "--query-compute-apps", "pid", "--format=csv,noheader"))
                .isEmpty();
        assertThat(run(2, "--query-compute-apps=memory.total", "--format=csv"))
                .isEqualTo("Field \"memory.total\" is not a valid field to query.\n\n");
        assertThat(run(0, "--help-query-compute-apps"))
                .startsWith("List of valid properties to query for the switch \"--query-compute-apps=\":\n")
                .contains("\n\"used_gpu_memory\" or \"used_memory\"\n");
        assertThat(run(0, "-q", "-d", "PIDS", "-i", "0").lines().map(String::strip))
                .endsWith("Processes                                          : None", "");
    }

    @Test
    void sectionsAreSelected() throws Exception {
        sheets();

        for (String memory : List.of("MEMORY", "Memory")) {
            assertThat(run(0, "-q", "-d", memory, "-i", "0").lines().map(String::strip))
                    .containsSequence(
                            "FB Memory Usage",
                            TOTAL,
                            "Reserved                                       : N/A",
                            USED,
                            FREE)
                    .doesNotContain("Utilization");
        }
    }

    @Test
    void everyFieldOfTheHelpCanBeQueried() throws Exception {
        sheets();
        var names = Pattern.compile("\"([^\" ]+)\"")
                .matcher(run(0, "--help-query-gpu"))
                .results()
                .map(name -> name.group(1))
                .filter(name -> !name.equals("--query-gpu="))
                .toList();

        assertThat(names).contains(ContainerFilesTest.KNOWN.split(",")).contains("clocks.mem", "hostname");
        assertThat(run(0, "--query-gpu=" + String.join(",", names), "--format=csv,noheader", "-i", "0")
                        .split(", "))
                .hasSameSizeAs(names);
    }

    @Test
    void xmlIsWellFormedWhateverDevicesAreCalled() throws Exception {
        sheet("a", "uuid=GPU-1\nattribute.productName=<a href=\"x\">&amp;*\n");
        var factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);

        var document = factory.newDocumentBuilder().parse(new InputSource(new StringReader(run(0, "-x", "-q"))));

        assertThat(document.getElementsByTagName("product_name").item(0).getTextContent())
                .isEqualTo("<a href=\"x\">&amp;*");
    }

    @Test
    void theKernelTellsTheTime() throws Exception {
        sheets();
        now = "";

        for (SmiShell shell : SHELLS) {
            var time = LocalDateTime.parse(
                    SmiShell.run(
                                    List.of(shell),
                                    answers,
                                    now,
                                    0,
                                    "--query-gpu=timestamp",
                                    "--format=csv,noheader",
                                    "-i",
                                    "0")
                            .strip(),
                    DateTimeFormatter.ofPattern("yyyy/MM/dd HH:mm:ss.SSS"));

            assertThat(time.toInstant(ZoneOffset.UTC)).isCloseTo(Instant.now(), within(1, ChronoUnit.HOURS));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "951782399, 2000/02/28 23:59:59.000",
        "951782400, 2000/02/29 00:00:00.000",
        "1767225599, 2025/12/31 23:59:59.000",
        "1767225600, 2026/01/01 00:00:00.000"
    })
    void daysAreThoseOfTheCalendar(String seconds, String timestamp) throws Exception {
        sheets();
        now = seconds;

        assertThat(run(0, "--query-gpu=timestamp", "--format=csv,noheader", "-i", "0"))
                .isEqualTo(timestamp + "\n");
    }

    @Test
    void printsVersionsAndHelp() throws Exception {
        sheets();

        assertThat(run(0, "--version")).isEqualTo("""
                        NVIDIA-SMI version  : 550.163.1
                        NVML version        : 550.163
                        DRIVER version      : 550.163.1
                        CUDA Version        : 12.4
                        """);
        assertThat(run(0, "--help"))
                .contains("--query-gpu=", "--help-query-gpu")
                .isEqualTo(run(0, "-h"));
    }

    @Test
    void nvidiaSmiSaysThatThereAreNoDevices() throws Exception {
        assertThat(run(0, "-L")).isEqualTo("No devices found.\n");
        assertThat(run(6, "-q")).isEqualTo("No devices were found\n");
    }

    private void sheets() throws IOException {
        sheet("gpu-0", """
                device=one
                uuid=GPU-1
                attribute.type=gpu
                attribute.driverVersion=550.163.1
                attribute.cudaDriverVersion=12.4.0
                nvml.busId=0000144C:01:00.0
                nvml.memoryTotalMiB=1024
                nvml.memoryUsedMiB=512
                nvml.memoryFreeMiB=512
                """);
        sheet("gpu-1", "device=two\nuuid=GPU-2\nattribute.type=gpu\nnvml.busId=0000144C:05:00.0\n");
    }

    /** Writes the plugin's file about a device, with these lines. */
    private void sheet(String name, String lines) throws IOException {
        Map<String, String> info = lines.lines()
                .map(line -> line.split("=", 2))
                .collect(Collectors.toMap(line -> line[0], line -> line[1]));
        Files.writeString(answers.resolve(name), SmiAnswers.text(info));
    }

    /** Runs it in each installed shell; the output is the same in all of them. */
    private String run(int exitCode, String... arguments) throws IOException, InterruptedException {
        return SmiShell.run(SHELLS, answers, now, exitCode, arguments);
    }
}
