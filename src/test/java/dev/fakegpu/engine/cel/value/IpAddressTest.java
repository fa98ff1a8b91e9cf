package dev.fakegpu.engine.cel.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the behavior that Go's {@code net/netip} documents, with the restrictions of {@code k8s.io/apiserver/pkg/cel/library/ip.go}. */
class IpAddressTest {

    /** The rules of RFC 5952, section 4, and its examples. */
    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1",
        "0.0.0.0, 0.0.0.0",
        "::, ::",
        "2001:0db8::0001, 2001:db8::1",
        "2001:DB8::ABCD, 2001:db8::abcd",
        "2001:db8:0:0:0:0:2:1, 2001:db8::2:1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:db8::1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
        "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
        "64:ff9b::192.0.2.33, 64:ff9b::c000:221"
    })
    void isFormattedCanonically(String text, String canonical) {
        assertThat(IpAddress.parse(text)).hasToString(canonical);
        assertThat(IpAddress.parse(text))
                .isEqualTo(IpAddress.parse(canonical))
                .hasSameHashCodeAs(IpAddress.parse(canonical));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1.2.3",
                "1.2.3.4.5",
                "1.2.3.",
                "256.0.0.1",
                "01.2.3.4",
                "1.2.3.4 ",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8::",
                "1::2::3",
                ":::",
                ":1",
                "12345::",
                "g::",
                "::1.2.3",
                "1.2.3.4::"
            })
    void malformedAddressesAreRefused(String text) {
        assertThatExceptionOfType(Failure.class)
                .isThrownBy(() -> IpAddress.parse(text))
                .withMessageContaining("\"" + text + "\" parse error");
    }

    @Test
    void kubernetesRefusesZonesAndMappedAddresses() {
        assertThatExceptionOfType(Failure.class).isThrownBy(() -> IpAddress.parse("fe80::1%eth0"));
        assertThatExceptionOfType(Failure.class)
                .isThrownBy(() -> IpAddress.parse("::ffff:1.2.3.4"))
                .withMessage("IPv4-mapped IPv6 address \"::ffff:1.2.3.4\" is not allowed");
    }

    /** In Go, private addresses (RFC 1918, RFC 4193) are global unicast, but the broadcast address is not. */
    @ParameterizedTest
    @CsvSource({
        "0.0.0.0,         4, unspecified",
        "127.0.0.1,       4, loopback",
        "127.255.255.254, 4, loopback",
        "169.254.1.1,     4, link-local unicast",
        "169.253.1.1,     4, global unicast",
        "224.0.0.1,       4, link-local multicast",
        "224.0.1.1,       4, none",
        "239.255.255.255, 4, none",
        "240.0.0.1,       4, global unicast",
        "255.255.255.255, 4, none",
        "10.0.0.1,        4, global unicast",
        "8.8.8.8,         4, global unicast",
        "::,              6, unspecified",
        "::1,             6, loopback",
        "::2,             6, global unicast",
        "fe80::1,         6, link-local unicast",
        "febf::1,         6, link-local unicast",
        "fec0::1,         6, global unicast",
        "ff02::1,         6, link-local multicast",
        "ff12::1,         6, link-local multicast",
        "ff05::1,         6, none",
        "fd00::1,         6, global unicast",
        "2001:db8::1,     6, global unicast"
    })
    void belongsToOneScope(String text, long family, String scope) {
        var address = IpAddress.parse(text);

        assertThat(address.family()).isEqualTo(family);
        assertThat(address.isUnspecified()).isEqualTo(scope.equals("unspecified"));
        assertThat(address.isLoopback()).isEqualTo(scope.equals("loopback"));
        assertThat(address.isLinkLocalUnicast()).isEqualTo(scope.equals("link-local unicast"));
        assertThat(address.isLinkLocalMulticast()).isEqualTo(scope.equals("link-local multicast"));
        assertThat(address.isGlobalUnicast()).isEqualTo(scope.equals("global unicast"));
    }

    @Test
    void hasTheSizeOfItsBytes() {
        assertThat(IpAddress.parse("10.0.0.1").size()).isEqualTo(4);
        assertThat(IpAddress.parse("::1").size()).isEqualTo(16);
    }
}
