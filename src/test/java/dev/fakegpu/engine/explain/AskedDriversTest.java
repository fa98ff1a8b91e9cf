package dev.fakegpu.engine.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.engine.cel.Selectors;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AskedDriversTest {

    private static final Map<String, DeviceClass> CLASSES = Map.of(
            "gpu", ofClass("gpu", "device.driver == 'gpu.com'"),
            "either", ofClass("either", "device.driver == 'a.com' || device.driver == 'b.com'"),
            "any", ofClass("any", "true"));

    private static DeviceClass ofClass(String name, String selector) {
        return ClaimReader.read(Serialization.unmarshal(
                """
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: %s}
                spec: {selectors: [{cel: {expression: "%s"}}]}
                """.formatted(name, selector), io.fabric8.kubernetes.api.model.resource.v1.DeviceClass.class));
    }

    /** @param requests the requests as YAML on one line */
    private static AskedDrivers asked(String requests) {
        Claim claim = ClaimReader.read(Serialization.unmarshal("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {namespace: team, name: claim}
                spec: {devices: {requests: [%s]}}
                """.formatted(requests), ResourceClaim.class));
        return AskedDrivers.of(List.of(claim), CLASSES, new Selectors());
    }

    @Test
    void findsTheDriversThatClassesName() {
        AskedDrivers asked = asked("{name: r, exactly: {deviceClassName: gpu}},"
                + " {name: s, firstAvailable: [{name: t, deviceClassName: either}]}");

        assertThat(List.of("gpu.com", "a.com", "b.com")).allMatch(asked::include);
        assertThat(asked.include("nic.com")).isFalse();
    }

    @Test
    void findsTheDriverThatARequestNames() {
        AskedDrivers asked = asked(
                "{name: r, exactly: {deviceClassName: any, selectors: [{cel: {expression: 'device.driver == \"nic.com\"'}}]}}");

        assertThat(asked.include("nic.com")).isTrue();
        assertThat(asked.include("gpu.com")).isFalse();
    }

    @Test
    void allDriversAreAskedIfARequestNamesNone() {
        AskedDrivers asked =
                asked("{name: r, exactly: {deviceClassName: gpu}}, {name: s, exactly: {deviceClassName: any}}");

        assertThat(asked.include("nic.com")).isTrue();
    }
}
