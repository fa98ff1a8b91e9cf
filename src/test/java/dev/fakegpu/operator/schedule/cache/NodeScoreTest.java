package dev.fakegpu.operator.schedule.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.PoolId;
import org.junit.jupiter.api.Test;

class NodeScoreTest {

    private static final PoolId OF_A = new PoolId("gpu.example.com", "a");
    private static final PoolId OF_B = new PoolId("gpu.example.com", "b");

    private final NodeScore order = new NodeScore();

    @Test
    void nodesWithFewestHeldDevicesComeFirstThenByName() {
        // Given
        order.add("c");
        order.add("b");
        order.add("a");
        order.pool(OF_A, "a");
        order.pool(OF_B, "b");

        // When
        order.allocated(OF_A, 1);

        // Then
        assertThat(order.nodes()).containsExactly("b", "c", "a");

        // When
        order.allocated(OF_A, -1);
        order.allocated(OF_B, 2);

        // Then
        assertThat(order.nodes()).containsExactly("a", "c", "b");
    }

    @Test
    void scoreDoesNotDependOnTheOrderOfEvents() {
        // When
        order.allocated(OF_A, 1);
        order.pool(OF_A, "a");
        order.add("a");
        order.add("b");

        // Then
        assertThat(order.nodes()).containsExactly("b", "a");
    }

    @Test
    void allocatedDevicesFollowTheirPool() {
        // Given
        order.add("a");
        order.add("b");
        order.pool(OF_A, "a");
        order.allocated(OF_A, 1);

        // When
        order.pool(OF_A, "b");

        // Then
        assertThat(order.nodes()).containsExactly("a", "b");

        // When several nodes can access it
        order.allocated(OF_B, 1);
        order.pool(OF_B, "a");
        order.allocated(OF_A, 1);
        order.pool(OF_A, null);

        // Then
        assertThat(order.nodes()).containsExactly("b", "a");
    }

    @Test
    void aNodeThatIsGoneIsNotTried() {
        // Given
        order.add("a");

        // When
        order.remove("a");
        order.allocated(OF_A, 1);

        // Then
        assertThat(order.nodes()).isEmpty();
    }
}
