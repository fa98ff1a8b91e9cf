package dev.fakegpu.operator.prepare.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.Device;
import dev.fakegpu.operator.prepare.DeviceSetup;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Repeatedly kills a process that changes the stored state as fast as possible; {@code -Dkilled.kills=N} sets the number of kills. */
class KilledTest {

    private static final int KILLS = Integer.getInteger("killed.kills", 2);
    private static final int CLAIMS = 5;

    @TempDir
    Path root;

    @Test
    void answeredCallsAreStoredCompletely() throws Exception {
        long seed = Long.getLong("killed.seed", System.nanoTime());
        System.out.println("KilledTest: -Dkilled.seed=" + seed);
        var random = new Random(seed);
        var paths = paths(root);
        Files.createDirectories(paths.data());
        Files.createDirectories(paths.cdiDirectory());
        var known = new TreeSet<String>();
        for (int i = 0; i < KILLS; i++) {
            runAndKill(random, known);
            check(paths, known);
        }
    }

    /** Adds and removes claims in turn, and prints each change after it has been stored. */
    public static void main(String[] arguments) throws IOException {
        var paths = paths(Path.of(arguments[0]));
        for (int i = 0; ; i = (i + 1) % CLAIMS) {
            String claim = "claim-" + i;
            try (var state = NodeState.open(paths)) {
                if (state.checkpoint().find(Claims.uid(claim)).isPresent()) {
                    state.remove(Claims.uid(claim));
                    System.out.println("-" + claim);
                } else {
                    state.add(
                            Claims.prepared(claim, "gpu-" + i),
                            "node-1",
                            result -> new DeviceSetup(
                                    result.id(),
                                    null,
                                    new Device(result.id().device(), Map.of(), Map.of(), List.of(), List.of()),
                                    Map.of(),
                                    Set.of()),
                            setup -> Map.of(),
                            Claims.metadata(claim));
                    System.out.println("+" + claim);
                }
            }
        }
    }

    private void runAndKill(Random random, Set<String> known) throws IOException, InterruptedException {
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledTest.class.getName(),
                        root.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var said = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            int last = random.nextInt(30) + 1;
            String line;
            for (int i = 0; (line = said.readLine()) != null; i++) {
                apply(line, known);
                if (i == last) {
                    spin(random.nextInt(2_000_000));
                    process.toHandle().destroyForcibly(); // earlier output can still be read
                }
            }
        }
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    }

    /** Varies the moment of the kill. */
    private static void spin(int nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    private static void apply(String line, Set<String> known) {
        if (line.startsWith("+")) {
            known.add(line.substring(1));
        } else {
            known.remove(line.substring(1));
        }
    }

    /** The change in progress when the process was killed may or may not be stored. */
    private static void check(PluginPaths paths, Set<String> known) throws IOException {
        try (var state = NodeState.open(paths)) {
            var stored = new TreeSet<String>();
            state.checkpoint()
                    .claims()
                    .forEach(claim -> stored.add(claim.claim().name()));
            var difference = new TreeSet<>(stored);
            difference.removeAll(known);
            known.stream().filter(name -> !stored.contains(name)).forEach(difference::add);
            assertThat(difference)
                    .as("%s are stored, %s were told", stored, known)
                    .hasSizeLessThan(2);
            assertThat(paths.data().resolve("checkpoint.corrupt")).doesNotExist();
            state.tidy();
            try (var files = Files.list(paths.cdiDirectory())) {
                assertThat(files.filter(file -> file.toString().endsWith(".json")))
                        .as("CDI files beside %s", stored)
                        .hasSizeLessThanOrEqualTo(stored.size());
            }
            known.clear();
            known.addAll(stored);
        }
    }

    private static PluginPaths paths(Path root) {
        return new PluginPaths(root, root.resolve("cdi"), Claims.DRIVER, null);
    }
}
