package dev.fakegpu.dra;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceTolerationTest {

    private static final DeviceTaint TAINT = new DeviceTaint("example.com/xid", "79", "NoSchedule");

    @ParameterizedTest
    @CsvSource({
        "example.com/xid, Equal, 79, NoSchedule, true",
        "example.com/xid, Equal, 79, '', true",
        "example.com/xid, Equal, 80, NoSchedule, false",
        "example.com/xid, Exists, '', NoSchedule, true",
        "example.com/xid, Exists, '', NoExecute, false",
        "'', Exists, '', '', true",
        "example.com/other, Exists, '', '', false",
        "example.com/xid, Unknown, 79, NoSchedule, false"
    })
    void toleratesAsUpstreamDoes(String key, String operator, String value, String effect, boolean expected) {
        assertThat(new DeviceToleration(key, operator, value, effect, null).tolerates(TAINT))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "example.com/xid, Equal, 80, NoSchedule, true",
        "example.com/xid, Exists, '', NoExecute, true",
        "example.com/xid, exists, '', NoSchedule, true",
        "'', Equal, '', NoSchedule, true",
        "example.com/xid, Equal, 80, NoExecute, false",
        "example.com/xid, Equal, 79, NoSchedule, false",
        "'', Exists, '', NoExecute, false",
        "example.com/other, Equal, 79, NoSchedule, false"
    })
    void almostToleratesATaintThatDiffersInOneField(
            String key, String operator, String value, String effect, boolean expected) {
        assertThat(new DeviceToleration(key, operator, value, effect, null).almostTolerates(TAINT))
                .isEqualTo(expected);
    }
}
