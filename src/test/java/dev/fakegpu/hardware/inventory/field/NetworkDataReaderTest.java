package dev.fakegpu.hardware.inventory.field;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.api.NetworkDataSpec;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.NetworkData;
import dev.fakegpu.dra.RawJson;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkDataReaderTest {

    /** The canonical forms are those of Go's {@code net.IP}. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "192.0.2.5/24",
                "0.0.0.0/0",
                "10.9.8.7/32",
                "2001:db8::5/64",
                "::/0",
                "::1/128",
                "fe80::/10",
                "2001:db8:0:1:0:1:0:1/64",
                "1::2:0:0:3:4/64"
            })
    void acceptsAddressesAsTheyAreStored(String address) {
        assertThat(problems(List.of(address), List.of())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            192.0.2.05/24            | 192.0.2.5/24
            192.0.2.5/024            | 192.0.2.5/24
            2001:DB8::5/64           | 2001:db8::5/64
            2001:db8:0:0:0:0:0:5/64  | 2001:db8::5/64
            1:0:0:2:0:0:3:4/64       | 1::2:0:0:3:4/64
            ::ffff:192.168.0.1/120   | 192.168.0.1/24
            ::1.2.3.4/96             | ::102:304/96
            """)
    void reportsTheCanonicalForm(String written, String canonical) {
        assertThat(problems(List.of(written), List.of()))
                .containsExactly("spec.ips[0]: \"" + written + "\" is not in canonical form; allowed: " + canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "192.0.2.5",
                "192.0.2/24",
                "192.0.2.256/24",
                "192.0.2.5/33",
                "192.0.2.5/-1",
                "2001:db8::5/129",
                "2001::db8::5/64",
                "2001:db8:5/64",
                "::ffff:192.168.0.1/95",
                "fe80::1%eth0/64",
                "abc/8",
                "localhost/8",
                ""
            })
    void refusesMalformedAddresses(String written) {
        assertThat(problems(List.of(written), List.of()))
                .containsExactly(
                        "spec.ips[0]" + (written.isEmpty() ? "" : ": \"" + written + "\"")
                                + " is not an address with the length of its prefix; allowed: for example 192.0.2.5/24 or 2001:db8::5/64");
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.9.0.1/16", "10.9.0.0/31", "2001:db8::1/64"})
    void refusesRangesWithoutRoom(String range) {
        assertThat(problems(List.of(), List.of(range)))
                .containsExactly(
                        "spec.ipRanges[0]: \"" + range
                                + "\" is not a network of several addresses; allowed: for example 10.9.0.0/16 or 2001:db8::/64");
    }

    @Test
    void countsAddressesOfBothKindsAndBytesOfNames() {
        var addresses = IntStream.rangeClosed(1, 15)
                .mapToObj(i -> "192.0.2." + i + "/24")
                .toList();

        assertThat(problems(addresses, List.of("10.0.0.0/8"))).isEmpty();
        assertThat(problems(addresses, List.of("10.0.0.0/8", "10.0.0.0/8")))
                .containsExactly(
                        "spec.ips: \"17\" is too many addresses, with ipRanges; allowed: at most 16",
                        "spec.ipRanges[1]: \"10.0.0.0/8\" occurs twice; allowed: each once");
        assertThat(problems(new NetworkDataSpec("é".repeat(128), List.of(), List.of(), "é".repeat(64), null)))
                .isEmpty();
        assertThat(problems(new NetworkDataSpec("é".repeat(129), List.of(), List.of(), "é".repeat(65), null)))
                .hasSize(2)
                .allMatch(problem -> problem.contains(" is too long; allowed: at most "));
    }

    /** There are few addresses, so the first and the last one would be used if that were possible. */
    @Test
    void addressesOfARangeAreThoseOfInterfaces() {
        Set<String> taken = new HashSet<>();
        for (int node = 0; node < 100; node++) {
            taken.addAll(read("node-" + node, null, List.of(), List.of("10.9.8.252/30", "::/126"), null)
                    .ips());
        }

        assertThat(taken).containsExactlyInAnyOrder("10.9.8.253/30", "10.9.8.254/30", "::1/126", "::2/126");
    }

    @Test
    void interfacesOfNodesAndSharesDifferAndStayTheSame() {
        List<NetworkData> interfaces = Stream.of("node-1", "node-2")
                .flatMap(node -> Stream.of("share-1", "share-2")
                        .map(share -> read(node, share, List.of("192.0.2.5/24"), List.of("10.0.0.0/8"), null)))
                .toList();

        assertThat(interfaces).extracting(NetworkData::hardwareAddress).doesNotHaveDuplicates();
        assertThat(interfaces).allSatisfy(data -> {
            assertThat(data.hardwareAddress()).matches("02(:[0-9a-f]{2}){5}");
            assertThat(data.ips()).hasSize(2).startsWith("192.0.2.5/24");
            assertThat(problems(data.ips(), List.of())).isEmpty();
        });
        assertThat(interfaces).extracting(data -> data.ips().get(1)).doesNotHaveDuplicates();
        assertThat(read("node-1", "share-1", List.of("192.0.2.5/24"), List.of("10.0.0.0/8"), null))
                .isEqualTo(interfaces.get(0));
        assertThat(read("node-1", null, List.of(), List.of(), "00:11").hardwareAddress())
                .isEqualTo("00:11");
    }

    @Test
    void dataHasWhatIsKnownOfTheShare() throws IOException {
        var template = json(
                "{ips: [{address: $(ip1)}, $(share)], cniVersion: 1.1.0, mtu: 9000, text: 'of $(interfaceName) $(hardwareAddress)'}");
        var spec = new NetworkDataSpec("net1", List.of("192.0.2.5/24"), List.of("10.9.8.252/30"), "00:11", template);

        var data = NetworkDataReader.read(spec, new DeviceId("nic.example.com", "node-1", "nic-0"), "share-1");

        assertThat(problems(spec)).isEmpty();
        assertThat(data.data())
                .isEqualTo(new RawJson(
                        "{\"cniVersion\":\"1.1.0\",\"ips\":[{\"address\":\"%s\"},\"share-1\"],\"mtu\":9000,\"text\":\"of net1 00:11\"}"
                                .formatted(data.ips().get(1))));
    }

    @Test
    void dataIsRefusedThatCannotBeFilledOrWritten() throws IOException {
        var template = json("{uuid: mine, ips: [$(ip1), $(ip0)], of: {name: $(interfaceName)}}");

        assertThat(problems(new NetworkDataSpec(null, List.of("192.0.2.5/24"), List.of(), null, template)))
                .containsExactly(
                        "spec.data.uuid: \"uuid\" is written by the operator; allowed: other names",
                        "spec.data.ips[0]: \"$(ip1)\" has $(ip1), which there is not; allowed: $(share), $(hardwareAddress), $(ip0)",
                        "spec.data.of.name: \"$(interfaceName)\" has $(interfaceName), which there is not; allowed: $(share),"
                                + " $(hardwareAddress), $(ip0)");
        assertThat(problems(new NetworkDataSpec(
                        "n".repeat(256),
                        List.of(),
                        List.of(),
                        null,
                        json("{a: '" + "$(interfaceName)".repeat(16) + "'}"))))
                .containsExactly("spec.data: \"…\" is too long; allowed: at most 4096 bytes of JSON");
    }

    private static ObjectNode json(String yaml) throws IOException {
        return (ObjectNode) Serialization.yamlMapper().readTree(yaml);
    }

    private static NetworkData read(
            String pool, String shareId, List<String> ips, List<String> ranges, String hardwareAddress) {
        return NetworkDataReader.read(
                new NetworkDataSpec("net1", ips, ranges, hardwareAddress, null),
                new DeviceId("nic.example.com", pool, "nic-0"),
                shareId);
    }

    private static List<String> problems(List<String> ips, List<String> ranges) {
        return problems(new NetworkDataSpec(null, ips, ranges, null, null));
    }

    private static List<String> problems(NetworkDataSpec data) {
        var problems = new Problems();
        NetworkDataReader.check("spec", data, problems);
        return problems.found().stream().map(SpecProblem::sentence).toList();
    }
}
