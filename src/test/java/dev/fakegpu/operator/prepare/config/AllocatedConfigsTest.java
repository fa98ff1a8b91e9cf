package dev.fakegpu.operator.prepare.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AllocatedConfigsTest {

    private static final String REQUESTS = """
            - {name: gpu, exactly: {deviceClassName: whole}}
            - {name: other, exactly: {deviceClassName: other}}
            - {name: also, exactly: {deviceClassName: whole}}
            - {name: some, firstAvailable: [{name: big, deviceClassName: big}, {name: small, deviceClassName: small}]}
            """;

    @Test
    void configurationOfTheClaimIsNamedByItsPlaceInTheClaim() {
        List<String> places = places(
                REQUESTS,
                "{requests: [some/big], %s}, {requests: [gpu], %s}, {%s}".formatted(a(1), a(2), a(3)),
                "{source: FromClass, requests: [other], %s}, {source: FromClaim, requests: [gpu], %s}, {source: FromClaim, %s}"
                        .formatted(a(3), a(2), a(3)),
                "gpu");

        assertThat(places.subList(1, 3))
                .containsExactly("in the claim, spec.devices.config[1]", "in the claim, spec.devices.config[2]");
    }

    @Test
    void configurationForAllRequestsMayHaveLostTheirNames() {
        assertThat(places(
                        "- {name: gpu, exactly: {deviceClassName: whole}}",
                        "{requests: [gpu], %s}, {requests: [gpu], %s}".formatted(a(1), a(2)),
                        "{source: FromClaim, %s}, {source: FromClaim, %s}".formatted(a(1), a(2)),
                        "gpu"))
                .containsExactly("in the claim, spec.devices.config[0]", "in the claim, spec.devices.config[1]");
    }

    @Test
    void configurationOfAClassIsNamedByItsPlaceAmongThoseOfItsRequests() {
        assertThat(places(
                        REQUESTS,
                        "",
                        "{source: FromClass, requests: [gpu, also], %1$s}, {source: FromClass, requests: [gpu, also], %2$s}, {source: FromClass, requests: [other], %1$s}, {source: FromClass, requests: [some/small], %1$s}"
                                .formatted(a(1), a(2)),
                        "gpu",
                        "other",
                        "also",
                        "some/small"))
                .containsExactly(
                        "in DeviceClass \"whole\", spec.config[0]",
                        "in DeviceClass \"whole\", spec.config[1]",
                        "in DeviceClass \"other\", spec.config[0]",
                        "in DeviceClass \"small\", spec.config[0]");
    }

    /** Some versions of kube-scheduler write the configuration of a class without requests, once for each request. */
    @Test
    void configurationWithoutRequestsIsOfTheOnlyClass() {
        assertThat(places(
                        """
                        - {name: a, exactly: {deviceClassName: whole}}
                        - {name: b, exactly: {deviceClassName: whole}}
                        """,
                        "",
                        "{source: FromClass, %1$s}, {source: FromClass, %2$s}, {source: FromClass, %1$s}, {source: FromClass, %2$s}"
                                .formatted(a(1), a(2)),
                        "a",
                        "b"))
                .containsExactly(
                        "in DeviceClass \"whole\", spec.config[0]",
                        "in DeviceClass \"whole\", spec.config[1]",
                        "in DeviceClass \"whole\", spec.config[0]",
                        "in DeviceClass \"whole\", spec.config[1]");
    }

    @Test
    void configurationOfUncertainOriginIsNamedByItsPlaceInTheAllocation() {
        assertThat(places(
                        REQUESTS,
                        "{requests: [gpu], %s}".formatted(a(1)),
                        "{source: FromClass, %1$s}, {source: FromClass, requests: [gone], %1$s}, {source: FromClass, requests: [some], %1$s}, {source: FromClass, requests: [gpu, other], %1$s}, {source: FromClaim, requests: [gpu], %2$s}"
                                .formatted(a(1), a(2)),
                        "gpu",
                        "other"))
                .containsExactly(
                        "status.allocation.devices.config[0]",
                        "status.allocation.devices.config[1]",
                        "status.allocation.devices.config[2]",
                        "status.allocation.devices.config[3]",
                        "status.allocation.devices.config[4]");
    }

    private static String a(int value) {
        return "opaque: {driver: gpu.example.com, parameters: {a: %d}}".formatted(value);
    }

    private static List<String> places(String requests, String written, String allocated, String... served) {
        var claim = Serialization.unmarshal("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: claim, namespace: default}
                spec:
                  devices:
                    config: [%s]
                    requests:
                %s
                status: {allocation: {devices: {config: [%s]}}}
                """.formatted(written, requests.indent(4), allocated), ResourceClaim.class);
        var configs = new AllocatedConfigs(Allocations.configs(claim), () -> ClaimReader.read(claim), List.of(served));
        return IntStream.range(0, configs.configs().size())
                .mapToObj(configs::place)
                .map(place -> place.prefix() + place.path())
                .toList();
    }
}
