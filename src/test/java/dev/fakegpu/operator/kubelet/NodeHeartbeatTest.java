package dev.fakegpu.operator.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class NodeHeartbeatTest {

    @Test
    void manyNodesRenewHalfAsOften() {
        assertThat(NodeHeartbeat.renewInterval(1000)).isEqualTo(Duration.ofSeconds(10));
        assertThat(NodeHeartbeat.renewInterval(1001)).isEqualTo(Duration.ofSeconds(20));
    }
}
