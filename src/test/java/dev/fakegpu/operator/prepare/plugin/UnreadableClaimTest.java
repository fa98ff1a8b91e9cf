package dev.fakegpu.operator.prepare.plugin;

import static dev.fakegpu.operator.prepare.plugin.Claims.DRIVER;
import static dev.fakegpu.operator.prepare.plugin.Claims.allocated;
import static dev.fakegpu.operator.prepare.plugin.Claims.ref;
import static dev.fakegpu.operator.prepare.plugin.Claims.uid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.kube.client.ClientSerialization;
import dev.fakegpu.operator.prepare.fault.FaultInjectingCalls;
import dev.fakegpu.operator.prepare.plugin.ClaimPreparer.Answer;
import dev.fakegpu.testing.MutableClock;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a claim with fields that a newer API server may return. */
class UnreadableClaimTest {

    private final FakeNode node = new FakeNode();

    @Test
    void failsWithTheFieldAndNoOtherDoes(@TempDir Path root) throws IOException {
        // Given
        var paths = FakeNode.paths(root, DRIVER);
        var preparer = new ClaimPreparer(
                paths,
                node,
                new FaultInjectingCalls(new MutableClock("2026-01-31T12:00:00Z")),
                ClaimNaming.OwnNamespace,
                CallListener.NONE,
                Ticker.SYSTEM);
        node.put(unreadable(allocated("a", "gpu-0-mig-1g5gb-19-0")));
        node.put(allocated("b", "gpu-0-mig-1g5gb-19-1"));

        // When
        var answers = preparer.prepare(List.of(ref("a"), ref("b")), time -> true);

        // Then
        assertThat(answers.get(uid("a")))
                .hasToString("cannot be prepared: claim default/a: field spec cannot be read: it is a string,"
                        + " where an object is expected");
        assertThat(answers.get(uid("b"))).isInstanceOf(Answer.Prepared.class);
        assertThat(new NodeFiles(paths).cdiFiles()).hasSize(1);
    }

    private static ResourceClaim unreadable(ResourceClaim claim) {
        var mapper = ClientSerialization.mapper();
        return new KubernetesSerialization(mapper, true)
                .unmarshal(
                        Serialization.asJson(claim)
                                .replaceFirst("\"metadata\"\\s*:", "\"spec\":\"text\",\"metadata\":"),
                        ResourceClaim.class);
    }
}
