package dev.fakegpu.engine.cel.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the behavior that Go's {@code netip.Prefix} and {@code k8s.io/apiserver/pkg/cel/library/cidr.go} document. */
class CidrTest {

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.255.255, true",
        "10.0.0.0/8, 11.0.0.0, false",
        "192.168.5.128/25, 192.168.5.127, false",
        "192.168.5.128/25, 192.168.5.128, true",
        "192.168.5.7/24, 192.168.5.200, true",
        "10.1.2.3/32, 10.1.2.3, true",
        "10.1.2.3/32, 10.1.2.2, false",
        "0.0.0.0/0, 203.0.113.9, true",
        "0.0.0.0/0, 2001:db8::1, false",
        "::/0, 10.0.0.1, false",
        "2001:db8::/33, 2001:db8:7fff::1, true",
        "2001:db8::/33, 2001:db8:8000::1, false"
    })
    void containsTheAddressesWithItsPrefix(String range, String address, boolean contained) {
        assertThat(Cidr.parse(range).contains(IpAddress.parse(address))).isEqualTo(contained);
    }

    @ParameterizedTest
    @CsvSource({
        "192.168.0.0/16, 192.168.10.0/24, true",
        "192.168.0.0/16, 192.168.0.0/16, true",
        "192.168.0.0/24, 192.168.0.0/16, false",
        "192.168.0.0/16, 10.0.0.0/24, false",
        "::/0, 10.0.0.0/8, false"
    })
    void containsNarrowerRangesWithItsPrefix(String range, String other, boolean contained) {
        assertThat(Cidr.parse(range).contains(Cidr.parse(other))).isEqualTo(contained);
    }

    @ParameterizedTest
    @CsvSource({
        "192.168.5.7/24, 192.168.5.0/24",
        "192.168.5.7/31, 192.168.5.6/31",
        "192.168.5.7/0, 0.0.0.0/0",
        "2001:db8:ffff::1/36, 2001:db8:f000::/36"
    })
    void maskingClearsTheBitsAfterThePrefix(String range, String masked) {
        assertThat(Cidr.parse(range)).hasToString(range);
        assertThat(Cidr.parse(range).masked()).hasToString(masked);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10.0.0.0",
                "10.0.0.0/",
                "10.0.0.0/33",
                "10.0.0.0/08",
                "10.0.0.0/+8",
                "10.0.0.0/-1",
                "::/129",
                "fe80::%eth0/64",
                "::ffff:10.0.0.0/104",
                "10.0.0/8"
            })
    void malformedRangesAreRefused(String text) {
        assertThatExceptionOfType(Failure.class).isThrownBy(() -> Cidr.parse(text));
    }

    /** {@code Size()} upstream is the number of bits of the prefix in bytes, rounded up. */
    @Test
    void hasTheSizeOfItsPrefix() {
        assertThat(Cidr.parse("10.0.0.0/8").size()).isEqualTo(1);
        assertThat(Cidr.parse("10.0.0.0/9").size()).isEqualTo(2);
        assertThat(Cidr.parse("::/0").size()).isZero();
        assertThat(Cidr.parse("::/128").size()).isEqualTo(16);
    }
}
