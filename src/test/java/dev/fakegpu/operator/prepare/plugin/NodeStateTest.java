package dev.fakegpu.operator.prepare.plugin;

import static dev.fakegpu.operator.prepare.plugin.Claims.DRIVER;
import static dev.fakegpu.operator.prepare.plugin.Claims.allocated;
import static dev.fakegpu.operator.prepare.plugin.Claims.ref;
import static dev.fakegpu.operator.prepare.plugin.Claims.uid;
import static dev.fakegpu.operator.prepare.plugin.FakeNode.MIG_0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fakegpu.api.ContainersSpec.Convention;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.Device;
import dev.fakegpu.operator.prepare.DeviceSetup;
import dev.fakegpu.operator.prepare.plugin.ClaimPreparer.Answer;
import dev.fakegpu.testing.Patience;
import dev.fakegpu.util.Ticker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the plugin's files: their names, their permissions, and their locks. */
class NodeStateTest {

    @TempDir
    Path root;

    private final FakeNode node = new FakeNode();
    private PluginPaths paths;
    private ClaimPreparer preparer;

    @BeforeEach
    void start() throws IOException {
        paths = FakeNode.paths(root, DRIVER);
        preparer = node.preparer(paths, Ticker.SYSTEM);
    }

    // --- UIDs ---

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "../../etc", "A1B2C3D4-0000-0000-0000-000000000000", "uid"})
    void onlyUidsAreUsedInPaths(String uid) throws IOException {
        // Given
        Path other = Files.writeString(paths.data().resolve("other"), "of somebody");
        var claim = new ClaimRef("default", "a", uid);
        var stored = allocated("a", MIG_0);
        stored.getMetadata().setUid(uid);
        node.put(stored);

        // When
        var prepared = preparer.prepare(List.of(claim), time -> true).get(uid);
        var unprepared = preparer.unprepare(List.of(claim), time -> true).get(uid);

        // Then
        String problem = "claim default/a has no UID of the API server's form";
        assertThat(prepared).isEqualTo(new Answer.Failed(problem));
        assertThat(unprepared).isEqualTo(problem);
        assertThat(other).exists();
        assertThat(paths.data().resolve("claims")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "x"})
    void cdiFilesWithOtherNamesAreLeftAlone(String uid) throws IOException {
        // Given
        node.put(allocated("a", MIG_0));
        prepare("a");
        Path file = Files.writeString(
                paths.cdiDirectory().resolve("k8s.gpu.example.com-claim_" + uid + ".json"), "of somebody");

        // When
        tidy();

        // Then
        assertThat(file).exists();
        assertThat(paths.data().resolve("checkpoint")).exists();
        assertThat(paths.data().resolve("claims").resolve(uid("a"))).isNotEmptyDirectory();
    }

    @Test
    void directoriesWithoutACdiFileAreDeleted() throws IOException {
        // Given
        Path claims = paths.data().resolve("claims");
        Path left = Files.createDirectories(claims.resolve(uid("left")));
        Files.writeString(left.resolve("gpu-0"), "name=gpu-0");
        Path other = Files.createDirectories(claims.resolve("of-somebody"));

        // When
        tidy();

        // Then
        assertThat(left).doesNotExist();
        assertThat(other).exists();
    }

    @Test
    void theDirectoryForMpsGoesWithItsClaim() throws IOException {
        // Given
        var device = new Device("gpu-0", Map.of("type", AttributeValue.of("gpu")), Map.of(), List.of(), List.of());
        Path pipes = paths.data().resolve("claims").resolve(uid("a")).resolve(CdiSpec.MPS_PIPES);

        try (var state = NodeState.open(paths)) {
            // When
            state.add(
                    Claims.prepared("a", "gpu-0"),
                    "node-1",
                    result -> new DeviceSetup(
                            result.id(), null, device, Map.of("SHARING_STRATEGY", "MPS"), Set.of(Convention.NVIDIA)),
                    setup -> Map.of(),
                    Claims.metadata("a"));

            // Then
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(pipes)))
                    .isEqualTo("rwxr-xr-x");

            // When
            state.remove(uid("a"));

            // Then
            assertThat(pipes.getParent()).doesNotExist();
        }
    }

    // --- permissions ---

    @Test
    void permissionsDoNotDependOnTheUmask() throws IOException {
        // Given
        node.put(allocated("a", MIG_0));

        // When
        tidy();
        prepare("a");

        // Then
        Path claim = paths.data().resolve("claims").resolve(uid("a"));
        assertThat(permissions(paths.data())).isEqualTo("rwxr-x---");
        assertThat(permissions(paths.data().resolve("checkpoint"))).isEqualTo("rw-------");
        assertThat(permissions(paths.data().resolve("serialize.lock"))).isEqualTo("rw-------");
        assertThat(permissions(paths.data().resolve("nvidia-smi"))).isEqualTo("rwxr-xr-x");
        assertThat(permissions(claim)).isEqualTo("rwxr-x---");
        assertThat(permissions(claim.resolve(MIG_0))).isEqualTo("rw-r--r--");
        assertThat(permissions(paths.cdiDirectory().resolve("k8s.gpu.example.com-claim_" + uid("a") + ".json")))
                .isEqualTo("rw-r--r--");
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    // --- the lock ---

    @Test
    void waitingForTheLockEnds() throws IOException {
        // Given
        Path file = paths.data().resolve("serialize.lock");
        var patience = Duration.ofMillis(50);
        try (var held = NodeLock.acquire(file, patience)) {
            assertThat(held).isNotNull();

            // Then
            assertThat(CompletableFuture.runAsync(() -> lockAndRelease(file, patience)))
                    .failsWithin(Patience.LIMIT)
                    .withThrowableThat()
                    .withMessageContaining("another call of this plugin has held the lock " + file);
        }

        // When the lock is free again
        assertThat(CompletableFuture.runAsync(() -> lockAndRelease(file, Patience.LIMIT)))
                .succeedsWithin(Patience.LIMIT);
    }

    private static void lockAndRelease(Path file, Duration patience) {
        try (var lock = NodeLock.acquire(file, patience)) {
            assertThat(lock).isNotNull();
        } catch (IOException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    @Test
    void aPluginThatHangsDoesNotMakeTheNextOneHang() throws Exception {
        // Given another process that holds the lock
        Path file = paths.data().resolve("serialize.lock");
        Files.createFile(file);
        var other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LockHolder.class.getName(),
                        file.toString())
                .redirectErrorStream(true)
                .start();
        try {
            assertThat(other.inputReader().readLine()).isEqualTo("locked");

            // Then
            assertThatThrownBy(() -> lockAndRelease(file, Duration.ofMillis(50)))
                    .hasMessageContaining("another plugin of the driver has held the lock " + file);
        } finally {
            other.destroyForcibly().waitFor();
        }

        // When the kernel has released the lock
        lockAndRelease(file, Patience.LIMIT);
    }

    /** Holds the lock until it is killed. */
    static final class LockHolder {
        public static void main(String[] args) throws Exception {
            try (var lock = NodeLock.acquire(Path.of(args[0]), Patience.LIMIT)) {
                System.out.println(lock == null ? "not locked" : "locked");
                Thread.currentThread().join();
            }
        }
    }

    private void prepare(String claim) throws IOException {
        assertThat(preparer.prepare(List.of(ref(claim)), time -> true).get(uid(claim)))
                .isInstanceOf(Answer.Prepared.class);
    }

    private void tidy() throws IOException {
        try (var state = NodeState.open(paths)) {
            state.tidy();
        }
    }
}
