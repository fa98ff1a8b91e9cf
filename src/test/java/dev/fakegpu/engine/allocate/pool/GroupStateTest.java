package dev.fakegpu.engine.allocate.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GroupStateTest {

    @Test
    void aFreeSetAdmitsAnyDevice() {
        assertThat(GroupState.FREE.admits(List.of())).isTrue();
        assertThat(GroupState.FREE.admits(List.of("mig"))).isTrue();
    }

    @Test
    void devicesWithoutGroupsFitOnlyWithEachOther() {
        GroupState plain = GroupState.FREE.place(List.of());

        assertThat(plain).isEqualTo(GroupState.PLAIN);
        assertThat(plain.admits(List.of())).isTrue();
        assertThat(plain.admits(List.of("mig"))).isFalse();
        assertThat(GroupState.FREE.place(List.of("mig")).admits(List.of())).isFalse();
    }

    @Test
    void aThirdDeviceNeedsAGroupThatTheFirstTwoShare() {
        GroupState state = GroupState.FREE.place(List.of("a")).place(List.of("a", "b"));

        assertThat(state).isEqualTo(new GroupState.Grouped(Set.of("a")));
        assertThat(state.admits(List.of("b"))).isFalse();
        assertThat(state.admits(List.of("b", "a"))).isTrue();
    }

    @Test
    void pairwiseOverlapIsNotEnough() {
        GroupState state = GroupState.FREE.place(List.of("a", "b")).place(List.of("b", "c"));

        assertThat(state.admits(List.of("a", "c"))).isFalse();
    }

    @Test
    void placingDoesNotModifyThePreviousState() {
        GroupState before = GroupState.FREE.place(List.of("a", "b"));

        GroupState after = before.place(List.of("b"));

        assertThat(before).isEqualTo(new GroupState.Grouped(Set.of("a", "b")));
        assertThat(after).isEqualTo(new GroupState.Grouped(Set.of("b")));
    }

    @Test
    void incompatibleMembersKeepAllDevicesOut() {
        GroupState state = GroupState.FREE.place(List.of("a")).place(List.of("b"));

        assertThat(state).isEqualTo(new GroupState.Grouped(Set.of()));
        assertThat(state.admits(List.of("a"))).isFalse();
        assertThat(state.admits(List.of())).isFalse();
    }

    @Test
    void theFirstMemberOfAMixDecides() {
        assertThat(GroupState.PLAIN.place(List.of("a"))).isEqualTo(GroupState.PLAIN);
        GroupState grouped = GroupState.FREE.place(List.of("a"));
        assertThat(grouped.place(List.of())).isEqualTo(grouped);
    }
}
