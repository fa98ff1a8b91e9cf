package dev.fakegpu.operator.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.cluster.fit.SchedulableNode;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ReadyNodeTest {

    @Test
    void nodeDeclaresTheFeatureForDevicesThatTakeNodeResources() {
        Node node = new NodeBuilder()
                .withNewMetadata()
                .withName("node")
                .endMetadata()
                .withNewStatus()
                .withDeclaredFeatures("ZLast")
                .endStatus()
                .build();

        Node ready = ReadyNode.of(node, Instant.EPOCH);

        assertThat(ready.getStatus().getDeclaredFeatures()).containsExactly("DRANodeAllocatableResources", "ZLast");
        assertThat(ReadyNode.of(ready, Instant.EPOCH)).isEqualTo(ready);
        assertThat(SchedulableNode.isSame(
                        ready,
                        new NodeBuilder(ready)
                                .editStatus()
                                .withDeclaredFeatures()
                                .endStatus()
                                .build()))
                .as("schedulers decide the same for both versions")
                .isFalse();
    }
}
