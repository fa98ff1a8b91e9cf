package dev.fakegpu.operator.prepare.plugin;

import static dev.fakegpu.operator.prepare.plugin.Claims.allocated;
import static dev.fakegpu.operator.prepare.plugin.Claims.ref;
import static dev.fakegpu.operator.prepare.plugin.Claims.uid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.operator.prepare.plugin.ClaimPreparer.Answer;
import dev.fakegpu.util.Ticker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests writes that fail in the middle of a file, as on a full disk: the kernel limits the size of files that a process may write. The
 * limit is reached in the files of each claim or, with many earlier claims, in the checkpoint, which grows with each claim.
 */
class FullDiskTest {

    private static final int CLAIMS = 8;
    private static final String EARLIER = "earlier-";
    private static final String PROBLEM = "the state of the node cannot be written: ";

    @TempDir
    Path root;

    @ParameterizedTest
    @ValueSource(ints = {0, 600})
    void aWriteThatDoesNotFitFailsAndLeavesNothing(int earlier) throws Exception {
        // Given
        Files.createDirectories(paths(root).data());
        Files.createDirectories(paths(root).cdiDirectory());

        int kibibytes = earlier == 0 ? 1 : prepareEarlier(earlier) / 1024 + 1;

        // When
        List<String> answers = prepareWithin(kibibytes);

        // Then
        assertThat(answers.contains("prepared"))
                .as("%d KiB: %s", kibibytes, answers)
                .isEqualTo(earlier > 0);
        assertThat(answers).hasSize(CLAIMS).anyMatch(answer -> answer.startsWith(PROBLEM));
        assertThat(answers).allMatch(answer -> answer.equals("prepared") || answer.startsWith(PROBLEM));
        List<String> prepared = IntStream.range(0, CLAIMS)
                .filter(i -> answers.get(i).equals("prepared"))
                .mapToObj(FullDiskTest::name)
                .toList();
        assertThat(new NodeFiles(paths(root)).checkpoint().claims())
                .extracting(claim -> claim.claim().name())
                .filteredOn(name -> !name.startsWith(EARLIER))
                .containsExactlyInAnyOrderElementsOf(prepared);
        assertThat(new NodeFiles(paths(root)).cdiFiles()).hasSameSizeAs(prepared);
        assertThat(files(root)).noneMatch(file -> file.endsWith(DurableFiles.UNFINISHED));

        // When there is room again
        var preparer = preparer(root);

        // Then
        String failed = name(answers.indexOf(answers.stream()
                .filter(answer -> answer.startsWith(PROBLEM))
                .findFirst()
                .orElseThrow()));
        assertThat(prepare(preparer, failed)).isInstanceOf(Answer.Prepared.class);
        assertThat(preparer.unprepare(List.of(ref(failed)), time -> true)).isEmpty();
    }

    /** Returns the size of the checkpoint in bytes with this number of claims. */
    private int prepareEarlier(int claims) throws IOException {
        byte[] checkpoint = Checkpoint.of(IntStream.range(0, claims)
                        .mapToObj(i -> Claims.prepared(EARLIER + i, "other-" + i))
                        .toList())
                .encode();
        DurableFiles.write(paths(root).data().resolve("checkpoint"), checkpoint, DurableFiles.PRIVATE);
        return checkpoint.length;
    }

    private List<String> prepareWithin(int kibibytes) throws IOException, InterruptedException {
        var process = new ProcessBuilder(
                        "bash",
                        "-c",
                        "ulimit -f $0 && exec \"$@\"",
                        Integer.toString(kibibytes),
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:-UsePerfData", // it would be another file to write
                        "-cp",
                        System.getProperty("java.class.path"),
                        FullDiskTest.class.getName(),
                        root.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<String> said = process.inputReader().lines().toList();
        assertThat(process.waitFor()).isZero();
        return said;
    }

    /** Prints the outcome for each claim. */
    public static void main(String[] arguments) throws IOException {
        var preparer = preparer(Path.of(arguments[0]));
        for (int i = 0; i < CLAIMS; i++) {
            System.out.println(
                    prepare(preparer, name(i)) instanceof Answer.Failed failed ? failed.problem() : "prepared");
        }
    }

    private static Answer prepare(ClaimPreparer preparer, String name) throws IOException {
        return preparer.prepare(List.of(ref(name)), time -> true).get(uid(name));
    }

    private static ClaimPreparer preparer(Path root) {
        String devices = IntStream.range(0, CLAIMS)
                .mapToObj("{name: device-%d}"::formatted)
                .collect(Collectors.joining(", "));
        var node = new FakeNode("{nodes: {names: [node-1]}, custom: {devices: [%s]}}".formatted(devices));
        IntStream.range(0, CLAIMS).forEach(i -> node.put(allocated(name(i), "device-" + i)));
        return node.preparer(paths(root), Ticker.SYSTEM);
    }

    private static String name(int i) {
        return "claim-" + i;
    }

    private static PluginPaths paths(Path root) {
        return new PluginPaths(root, root.resolve("cdi"), Claims.DRIVER, null);
    }

    private static List<String> files(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.map(Path::toString).collect(Collectors.toList());
        }
    }
}
