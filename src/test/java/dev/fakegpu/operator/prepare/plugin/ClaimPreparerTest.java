package dev.fakegpu.operator.prepare.plugin;

import static dev.fakegpu.operator.prepare.plugin.Claims.DRIVER;
import static dev.fakegpu.operator.prepare.plugin.Claims.allocated;
import static dev.fakegpu.operator.prepare.plugin.Claims.ref;
import static dev.fakegpu.operator.prepare.plugin.Claims.result;
import static dev.fakegpu.operator.prepare.plugin.Claims.uid;
import static dev.fakegpu.operator.prepare.plugin.FakeNode.MIG_0;
import static dev.fakegpu.operator.prepare.plugin.FakeNode.MIG_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.operator.prepare.fault.FaultInjectingCalls;
import dev.fakegpu.operator.prepare.plugin.ClaimPreparer.Answer;
import dev.fakegpu.testing.MutableClock;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResultBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClaimPreparerTest {

    private static final String VGPU = "vgpu-gpu-0-10c-0";

    private static final FaultInjectingCalls.Caller PATIENT = time -> true;

    @TempDir
    Path root;

    private final FakeNode node = new FakeNode();
    private final MutableClock clock = new MutableClock("2026-01-31T12:00:00Z");
    private PluginPaths paths;
    private NodeFiles files;
    private ClaimPreparer preparer;

    @BeforeEach
    void start() throws IOException {
        paths = FakeNode.paths(root, DRIVER);
        files = new NodeFiles(paths);
        preparer = started();
    }

    private ClaimPreparer started() throws IOException {
        try (var state = NodeState.open(paths)) {
            state.tidy();
        }
        return node.preparer(paths, clock);
    }

    // --- one plugin ---

    @Test
    void twoClaimsShareAGpu() throws IOException {
        // Given
        node.put(allocated("a", MIG_0));
        node.put(allocated("b", MIG_1));

        // When
        var answers = preparer.prepare(List.of(ref("a"), ref("b")), PATIENT);

        // Then
        assertThat(answers.keySet()).containsExactly(uid("a"), uid("b"));
        assertThat(answers.values()).allSatisfy(answer -> assertThat(answer).isInstanceOf(Answer.Prepared.class));
        assertThat(files.cdiFiles())
                .containsExactlyInAnyOrder(
                        "k8s.gpu.example.com-claim_" + uid("a") + ".json",
                        "k8s.gpu.example.com-claim_" + uid("b") + ".json");
        assertThat(node.told).containsExactly("prepared a", "prepared b");
    }

    @Test
    void anIncompatibleClaimFailsWithTheHardwareChecksMessageUntilTheOtherIsUnprepared() throws IOException {
        // Given
        node.put(allocated("a", MIG_0));
        node.put(allocated("b", VGPU));
        prepare("a");

        // Then
        assertThat(prepare("b"))
                .isEqualTo(new Answer.Failed(
                        "vgpu-gpu-0-10c-0 needs the hardware behind gpu-0-counter-set configured as \"vgpu-10c\", but it is"
                                + " configured as \"mig\" for a (gpu-0-mig-1g5gb-19-0)"));
        assertThat(node.told).containsExactly("prepared a", "failed b");

        // When
        assertThat(preparer.unprepare(List.of(ref("a")), PATIENT)).isEmpty();

        // Then
        assertThat(prepare("b")).isInstanceOf(Answer.Prepared.class);
    }

    @Test
    void theKubeletUnpreparesAllClaimsThatItAskedFor() throws IOException {
        // Given
        node.put(allocated("a", MIG_0));
        assertThat(preparer.awaitsUnpreparation()).isFalse();

        // When
        prepare("missing");

        // Then
        assertThat(preparer.awaitsUnpreparation()).isTrue();

        // When
        prepare("a");
        preparer.unprepare(List.of(ref("missing")), PATIENT);

        // Then
        assertThat(preparer.awaitsUnpreparation()).isTrue();
        assertThat(started().awaitsUnpreparation()).isTrue();

        // When
        preparer.unprepare(List.of(ref("a")), PATIENT);

        // Then
        assertThat(preparer.awaitsUnpreparation()).isFalse();
    }

    @Test
    void aRepeatedCallReturnsTheSameAndWritesNothing() throws IOException {
        // Given
        node.put(allocated("a", MIG_0));
        var first = prepare("a");
        node.told.clear();

        // Then
        assertThat(prepare("a")).isEqualTo(first);
        assertThat(node.told).isEmpty();
    }

    @Test
    void aPreparedClaimNeedsNoApiServer() throws IOException {
        // Given
        node.put(allocated("a", MIG_0));
        var first = prepare("a");

        // When
        node.reachable = false;

        // Then
        assertThat(prepare("a")).isEqualTo(first);
        assertThat(prepare("b")).isEqualTo(new Answer.Failed("retrieve claim default/b: connection refused"));
    }

    @Test
    void aReallocatedClaimIsPreparedAgain() throws IOException {
        // Given
        node.put(allocated("a", MIG_0));
        prepare("a");

        // When
        node.put(allocated("a", VGPU));

        // Then
        assertThat(prepare("a"))
                .isInstanceOfSatisfying(
                        Answer.Prepared.class,
                        prepared -> assertThat(prepared.claim().results())
                                .extracting(PreparedResult::label)
                                .containsExactly(VGPU));
    }

    @Test
    void claimsThatCannotBePreparedSayWhy() throws IOException {
        // Given
        node.put(Claims.unallocated("unallocated").build());
        node.put(allocated("replaced", MIG_0)
                .edit()
                .editMetadata()
                .withUid("other")
                .endMetadata()
                .build());
        node.put(allocated("of-nothing", "gpu-7"));

        // Then
        assertThat(prepare("missing"))
                .isEqualTo(new Answer.Failed("retrieve claim default/missing: it does not exist"));
        assertThat(prepare("unallocated")).isEqualTo(new Answer.Failed("claim default/unallocated not allocated"));
        assertThat(prepare("replaced")).isEqualTo(new Answer.Failed("claim default/replaced got replaced"));
        assertThat(prepare("of-nothing"))
                .isEqualTo(new Answer.Failed("device gpu-7 is not published in pool node-1/fake (any more)"));
        assertThat(files.cdiFiles()).isEmpty();
    }

    @Test
    void aDeletedClaimIsUnpreparedFromTheCheckpoint() throws IOException {
        // Given
        node.put(allocated("a", MIG_0));
        prepare("a");

        // When
        node.claims.clear();
        node.reachable = false;
        var problems = preparer.unprepare(List.of(ref("a"), ref("never-seen")), PATIENT);

        // Then
        assertThat(problems).isEmpty();
        assertThat(files.cdiFiles()).isEmpty();
        assertThat(files.checkpoint().claims()).isEmpty();
        assertThat(paths.data().resolve("claims")).isEmptyDirectory();
    }

    @Test
    void devicesOfOtherDriversAreIgnored() throws IOException {
        // Given
        var ofOther = new DeviceRequestAllocationResultBuilder(result("net", "nic-0"))
                .withDriver("net.example.com")
                .build();
        node.put(allocated("a", List.of(ofOther, result("gpu/first", MIG_0))));

        // Then
        assertThat(prepare("a"))
                .isInstanceOfSatisfying(
                        Answer.Prepared.class,
                        prepared -> assertThat(prepared.claim().results())
                                .singleElement()
                                .satisfies(one -> {
                                    assertThat(one.label()).isEqualTo(MIG_0);
                                    assertThat(one.requests()).containsExactly("gpu");
                                }));
    }

    @Test
    void adminAccessSharesADeviceInUseAndHoldsNothing() throws IOException {
        // Given
        node.put(allocated("a", MIG_0));
        node.put(allocated(
                "admin",
                List.of(result("look", MIG_0).edit().withAdminAccess(true).build())));
        prepare("a");

        // Then
        assertThat(prepare("admin")).isInstanceOf(Answer.Prepared.class);
        assertThat(files.checkpoint().heldByOthers(ref("a"))).isEmpty();
    }

    @Test
    void claimsShareADeviceUntilItsCapacityIsUsedUp() throws IOException {
        // Given
        var shared = new FakeNode(
                "{nodes: {names: [node-1]}, model: A100-SXM4-40GB, count: 1, partitions: {whole: true}, sharing: {mode: Memory}}");
        var sharing = shared.preparer(paths, clock);
        for (String name : List.of("a", "b", "c")) {
            shared.put(allocated(
                    name,
                    List.of(result("gpu", "gpu-0")
                            .edit()
                            .withShareID(name + "-share")
                            .addToConsumedCapacity("memory", new Quantity("20Gi"))
                            .build())));
        }

        // When
        var answers = sharing.prepare(List.of(ref("a"), ref("b"), ref("c")), PATIENT);

        // Then
        assertThat(answers.get(uid("a"))).isInstanceOf(Answer.Prepared.class);
        assertThat(answers.get(uid("b"))).isInstanceOf(Answer.Prepared.class);
        assertThat(answers.get(uid("c")))
                .isEqualTo(new Answer.Failed("a share of 20Gi memory is needed of gpu-0, of which 0 are left of 40Gi"));

        // When
        sharing.unprepare(List.of(ref("a")), PATIENT);

        // Then
        assertThat(sharing.prepare(List.of(ref("c")), PATIENT).get(uid("c"))).isInstanceOf(Answer.Prepared.class);
    }

    // --- several plugins, at the same time and one after the other ---

    @Test
    void concurrentCallsOfTwoPluginsPrepareADeviceForOneClaimOnly() throws Exception {
        // Given
        var other = node.preparer(
                new PluginPaths(root, paths.cdiDirectory(), DRIVER, "0d5ba9a1-6f2a-4c0e-8f3b-6f7d9f6b1c11"), clock);
        List<String> names = IntStream.range(0, 40).mapToObj(i -> "claim-" + i).toList();
        names.forEach(name -> node.put(allocated(name, name.hashCode() % 2 == 0 ? MIG_0 : MIG_1)));
        var executor = Executors.newFixedThreadPool(8);

        // When
        List<Callable<Map<String, Answer>>> calls = Stream.concat(
                        names.stream().map(name -> call(preparer, name)),
                        names.stream().map(name -> call(other, name)))
                .toList();
        var answers = executor.invokeAll(calls).stream()
                .map(ClaimPreparerTest::resultOf)
                .toList();
        executor.shutdown();

        // Then
        var prepared = files.checkpoint().claims();
        assertThat(prepared).hasSize(2);
        assertThat(prepared.stream()
                        .flatMap(PreparedClaim::held)
                        .map(held -> held.id().device()))
                .containsExactlyInAnyOrder(MIG_0, MIG_1);
        assertThat(answers.stream()
                        .flatMap(answer -> answer.values().stream())
                        .filter(Answer.Prepared.class::isInstance))
                .as("both plugins answer for the two claims")
                .hasSize(4);
    }

    private static Callable<Map<String, Answer>> call(ClaimPreparer preparer, String name) {
        return () -> preparer.prepare(List.of(ref(name)), PATIENT);
    }

    private static <T> T resultOf(Future<T> call) {
        try {
            return call.get();
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aNewPluginKnowsPreparedClaimsAndDeletesUnreferencedFiles() throws IOException {
        // Given
        node.put(allocated("a", MIG_0));
        prepare("a");
        Path left = paths.cdiDirectory().resolve("k8s.gpu.example.com-claim_" + uid("left") + ".json");
        Files.writeString(left, "half a fi");
        Path foreign = Files.writeString(paths.cdiDirectory().resolve("other.json"), "{}");

        // When
        var next = started();

        // Then
        assertThat(left).doesNotExist();
        assertThat(foreign).exists();
        node.put(allocated("b", VGPU));
        assertThat(next.prepare(List.of(ref("b")), PATIENT).get(uid("b"))).isInstanceOf(Answer.Failed.class);
        assertThat(next.unprepare(List.of(ref("a")), PATIENT)).isEmpty();
        assertThat(next.prepare(List.of(ref("b")), PATIENT).get(uid("b"))).isInstanceOf(Answer.Prepared.class);
    }

    @Test
    void aTornCheckpointIsRebuiltFromTheCdiFiles() throws IOException {
        // Given
        node.put(allocated("a", MIG_0));
        node.put(allocated("b", VGPU));
        prepare("a");
        Path file = paths.data().resolve("checkpoint");
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length / 2));

        // When
        var next = started();

        // Then
        assertThat(next.prepare(List.of(ref("b")), PATIENT).get(uid("b"))).isInstanceOf(Answer.Failed.class);
        assertThat(file).hasBinaryContent(whole);
        assertThat(paths.data().resolve("checkpoint.corrupt")).exists();
    }

    @Test
    void missingFilesAreWrittenAgain() throws IOException {
        // Given
        node.put(allocated("a", MIG_0));
        prepare("a");
        Files.delete(paths.cdiDirectory().resolve("k8s.gpu.example.com-claim_" + uid("a") + ".json"));

        // When
        var answer = prepare("a");

        // Then
        assertThat(answer).isInstanceOf(Answer.Prepared.class);
        assertThat(files.cdiFiles()).containsExactly("k8s.gpu.example.com-claim_" + uid("a") + ".json");
    }

    @Test
    void aFailedWriteFailsTheClaim() throws IOException {
        // Given
        node.put(allocated("a", MIG_0));
        Files.writeString(paths.data().resolve("claims"), "in the way");

        // Then
        assertThat(prepare("a"))
                .isInstanceOfSatisfying(
                        Answer.Failed.class,
                        failed -> assertThat(failed.problem()).startsWith("the state of the node cannot be written: "));
    }

    private Answer prepare(String name) throws IOException {
        return preparer.prepare(List.of(ref(name)), PATIENT).get(uid(name));
    }
}
