package dev.fakegpu.operator.prepare.plugin;

import static dev.fakegpu.operator.prepare.plugin.Claims.device;
import static dev.fakegpu.operator.prepare.plugin.Claims.prepared;
import static dev.fakegpu.operator.prepare.plugin.Claims.ref;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.Quantity;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CheckpointTest {

    private static final Checkpoint CHECKPOINT = Checkpoint.of(List.of(
            prepared("pod-a", "gpu-0-mig-1g5gb-19-0", "gpu-0-mig-1g5gb-19-1"),
            new PreparedClaim(
                    ref("pod-b"),
                    List.of(
                            new PreparedResult(device("gpu-1"), List.of("one", "two"), "share-1", Map.of(), null),
                            new PreparedResult(
                                    device("gpu-1"),
                                    List.of("three"),
                                    "share-2",
                                    Map.of("memory", Quantity.parse("10Gi")),
                                    new CompatibilityGroups(Map.of("set", List.of())))))));

    @Test
    void decodesWhatItEncodes() throws Exception {
        // When
        var read = Checkpoint.decode(CHECKPOINT.encode());

        // Then
        assertThat(read).isEqualTo(CHECKPOINT);
        assertThat(read.claims()).isEqualTo(CHECKPOINT.claims());
    }

    @Test
    void decodesAnEmptyCheckpoint() throws Exception {
        assertThat(Checkpoint.decode(Checkpoint.EMPTY.encode())).isEqualTo(Checkpoint.EMPTY);
    }

    /** Plugins of other versions must be able to read the encoding. */
    @Test
    void encodingIsStable() {
        // When
        var text = new String(Checkpoint.of(List.of(prepared("pod-a", "gpu-0"))).encode(), UTF_8);

        // Then
        assertThat(text).isEqualTo("""
                        fakegpu-checkpoint v1 sha256:CHECKSUM
                        {"claims":[{"namespace":"default","name":"pod-a","uid":"978ca343-fc35-399b-8b56-81874fd1b0aa","devices":[{"driver":"gpu.example.com","pool":"node-1/fake","device":"gpu-0","requests":["gpu"],"configuredFor":{"gpu-0-counter-set":["mig"]}}]}]}
                        """.replace("CHECKSUM", text.substring(29, 93)));
    }

    @Test
    void detectsTruncation() {
        byte[] whole = CHECKPOINT.encode();
        for (int length = 0; length < whole.length; length++) {
            byte[] torn = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> Checkpoint.decode(torn))
                    .as("the first %d bytes of %d", length, whole.length)
                    .isInstanceOf(CorruptCheckpointException.class);
        }
    }

    @Test
    void detectsAFlippedBitAnywhere() {
        byte[] whole = CHECKPOINT.encode();
        for (int bit = 0; bit < 8 * whole.length; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatThrownBy(() -> Checkpoint.decode(flipped))
                    .as("bit %d of byte %d", bit % 8, bit / 8)
                    .isInstanceOf(CorruptCheckpointException.class);
        }
    }

    @Test
    void detectsAppendedBytes() {
        byte[] whole = CHECKPOINT.encode();
        assertThatThrownBy(() -> Checkpoint.decode(Arrays.copyOf(whole, whole.length + 1)))
                .isInstanceOf(CorruptCheckpointException.class)
                .hasMessage("its checksum is not that of its content");
    }

    @Test
    void errorNamesAnUnknownVersion() {
        byte[] future =
                new String(CHECKPOINT.encode(), UTF_8).replace(" v1 ", " v2 ").getBytes(UTF_8);
        assertThatThrownBy(() -> Checkpoint.decode(future))
                .hasMessage("its first line does not begin with \"fakegpu-checkpoint v1 sha256:\"");
    }

    @Test
    void ignoresFieldsOfNewerPlugins() throws Exception {
        // When
        var claim = Checkpoint.decodeClaim("""
                {"namespace":"default","name":"pod-a","uid":"978ca343-fc35-399b-8b56-81874fd1b0aa","new":1,"devices":[
                 {"driver":"gpu.example.com","pool":"node-1/fake","device":"gpu-0","requests":["gpu"],"newer":{}}]}
                """);

        // Then
        assertThat(claim)
                .isEqualTo(new PreparedClaim(
                        ref("pod-a"),
                        List.of(new PreparedResult(device("gpu-0"), List.of("gpu"), null, Map.of(), null))));
    }

    @Test
    void heldByOthersExcludesTheClaimItselfAndAdminAccess() {
        assertThat(CHECKPOINT.heldByOthers(ref("pod-a")))
                .extracting(held -> held.id().device())
                .containsExactly("gpu-1");
    }
}
