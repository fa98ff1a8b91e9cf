package dev.fakegpu.cli;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fakegpu.cli.input.InvalidInputException;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.cluster.snapshot.Unseen;
import java.util.List;
import org.junit.jupiter.api.Test;

class MetadataCommandTest {

    /** Otherwise the answer would be that claims do not exist, or that devices are not published. */
    @Test
    void refusesToAnswerFromWhatTheCallerMayNotList() {
        ClusterObjects objects = objects(
                new Unseen(ObjectKind.CLAIMS, "list", "team-a", Unseen.Cause.FORBIDDEN),
                new Unseen(ObjectKind.FAKE_GPUS, "list", null, Unseen.Cause.FORBIDDEN));

        assertThatThrownBy(() -> MetadataCommand.requireAll(objects, "team-a"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("which devices the pod has is not known: you may not list"
                        + " resourceclaims.resource.k8s.io or fakegpus.fakegpu.dev");
        assertThatThrownBy(() -> MetadataCommand.requireAll(objects, "team-b"))
                .hasMessageEndingWith("you may not list fakegpus.fakegpu.dev");
    }

    @Test
    void needsNoOtherKinds() {
        ClusterObjects objects = objects(
                new Unseen(ObjectKind.NODES, "list", null, Unseen.Cause.FORBIDDEN),
                new Unseen(ObjectKind.FAKE_GPUS, "list", null, Unseen.Cause.NOT_SERVED));

        assertThatCode(() -> MetadataCommand.requireAll(objects, "team-a")).doesNotThrowAnyException();
    }

    private static ClusterObjects objects(Unseen... unseen) {
        return ClusterObjects.of(List.of()).withUnseen(List.of(unseen));
    }
}
