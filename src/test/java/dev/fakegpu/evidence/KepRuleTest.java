package dev.fakegpu.evidence;

import static dev.fakegpu.evidence.Partition.grouped;
import static dev.fakegpu.evidence.Partition.plain;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KepRuleTest {

    private static final String SET = Hardware.GPU_0;

    /** The results are determined by hand from the text of the KEP. */
    @ParameterizedTest
    @CsvSource({
        "foo bar,      foo bar",
        "foo baz,      foo",
        "baz foo,      baz",
        "foo bar baz,  foo bar",
        "foo baz bar,  foo bar",
        "bar baz foo,  bar foo",
        "baz foo bar,  baz",
    })
    void countersAndGroupsDecideTheOrdersOfExample4(String order, String admitted) {
        assertThat(admitted(Hardware.example4(), order)).isEqualTo(admitted);
    }

    @Test
    void countersLimitWhatGroupsAllow() {
        assertThat(admitted(Hardware.example3(), "vgpu vgpu mig-1g")).isEqualTo("vgpu vgpu");
        assertThat(admitted(Hardware.example2(), "vgpu vgpu mig-1g")).isEqualTo("vgpu vgpu");
        assertThat(admitted(Hardware.example2(), "mig-1g vgpu vgpu")).isEqualTo("mig-1g vgpu");
    }

    @Test
    void devicesWithoutGroupsMixWithNoOthers() {
        var hardware = Hardware.gpu(
                Partition.of("a", "grouped", grouped(SET, 1, "g")),
                Partition.of("b", "plain", plain(SET, 1)),
                Partition.of("c", "empty", grouped(SET, 1)));

        assertThat(admitted(hardware, "grouped plain empty")).isEqualTo("grouped");
        assertThat(admitted(hardware, "plain empty grouped")).isEqualTo("plain empty");
    }

    @Test
    void groupsOfAllThatAreAllocatedCount() {
        var hardware = Hardware.gpu(
                Partition.of("a", "a", grouped(SET, 1, "a")),
                Partition.of("ab", "ab", grouped(SET, 1, "a", "b")),
                Partition.of("b", "b", grouped(SET, 1, "b")));

        assertThat(admitted(hardware, "a ab b")).isEqualTo("a ab");
        assertThat(admitted(hardware, "b ab a")).isEqualTo("b ab");
    }

    private static String admitted(Hardware hardware, String order) {
        List<String> types = List.of(order.split(" "));
        List<Boolean> admitted = KepRule.admitted(hardware, types);
        var names = new ArrayList<String>();
        for (int i = 0; i < types.size(); i++) {
            if (admitted.get(i)) {
                names.add(types.get(i));
            }
        }
        return String.join(" ", names);
    }
}
