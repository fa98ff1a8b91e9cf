package dev.fakegpu.operator.prepare.plugin;

import static dev.fakegpu.operator.prepare.plugin.Claims.DRIVER;
import static dev.fakegpu.operator.prepare.plugin.Claims.allocated;
import static dev.fakegpu.operator.prepare.plugin.Claims.ref;
import static dev.fakegpu.operator.prepare.plugin.Claims.uid;
import static dev.fakegpu.operator.prepare.plugin.FakeNode.MIG_0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.operator.prepare.fault.FaultInjectingCalls;
import dev.fakegpu.operator.prepare.plugin.ClaimPreparer.Answer;
import dev.fakegpu.testing.MutableClock;
import dev.fakegpu.util.Ticker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which claims of other namespaces the kubelet plugin names in errors of a pod. */
class PreparationErrorNamesTest {

    private static final String VGPU = "vgpu-gpu-0-10c-0";
    private static final String PROBLEM =
            "vgpu-gpu-0-10c-0 needs the hardware behind gpu-0-counter-set configured as \"vgpu-10c\", but it is"
                    + " configured as \"mig\" for ";

    @TempDir
    Path root;

    @Test
    void claimsOfOtherNamespacesAreAnonymousByDefault() throws IOException {
        assertThat(errorInOtherNamespace(ClaimNaming.OwnNamespace))
                .isEqualTo(PROBLEM + "a claim of another namespace (uid " + uid("secret") + ") (" + MIG_0 + ")");
    }

    @Test
    void allClaimsAreNamedIfTheSettingIsFull() throws IOException {
        assertThat(errorInOtherNamespace(ClaimNaming.Full)).isEqualTo(PROBLEM + "default/secret (" + MIG_0 + ")");
    }

    private String errorInOtherNamespace(ClaimNaming naming) throws IOException {
        var node = new FakeNode();
        node.put(allocated("secret", MIG_0));
        node.put(allocated("reader", VGPU)
                .edit()
                .editMetadata()
                .withNamespace("other")
                .endMetadata()
                .build());
        var paths = FakeNode.paths(root, DRIVER);
        var calls = new FaultInjectingCalls(new MutableClock("2026-01-31T12:00:00Z"));
        var preparer = new ClaimPreparer(paths, node, calls, naming, CallListener.NONE, Ticker.SYSTEM);
        var reader = new ClaimRef("other", "reader", uid("reader"));
        var answers = preparer.prepare(List.of(ref("secret"), reader), time -> true);
        return ((Answer.Failed) answers.get(reader.uid())).problem();
    }
}
