package dev.fakegpu.operator.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.Deletion;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that objects of one tenant do not make the pods of others wait for long. */
@Tag("long")
class FairnessIT extends CompanionCluster {

    private static final int HOSTILE_CLAIMS = 250;
    private static final int SELECTORS = 9;
    private static final int PODS = 5;

    private final String hostile = namespace + "-hostile";

    @AfterEach
    void deleteHostileClaims() {
        Deletion.ofEach(
                client,
                client.resources(ResourceClaim.class)
                        .inNamespace(hostile)
                        .list()
                        .getItems());
        client.namespaces().withName(hostile).delete();
    }

    @Test
    void hundredsOfHardClaimsDoNotHoldUpThePodsOfOthers() {
        // Given
        slice(
                OTHER_NODE,
                "named",
                IntStream.range(0, 16)
                        .mapToObj("{name: named-%1$d, attributes: {name: {string: d%1$d}}}"::formatted)
                        .collect(Collectors.joining(", ", "[", "]")));
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(hostile)
                        .endMetadata()
                        .build())
                .create();
        IntStream.range(0, HOSTILE_CLAIMS).parallel().forEach(this::createHostile);
        await(() -> assertThat(companion.largestShares(1)).containsOnlyKeys(hostile));

        // When
        for (int i = 0; i < PODS; i++) {
            pod("modest-" + i, "{}");
            awaitNode("modest-" + i);
            delete("modest-" + i);
            await(() -> assertThat(claims())
                    .noneMatch(claim ->
                            claim.getStatus() != null && claim.getStatus().getAllocation() != null));
        }

        // Then: the last pod did not wait for the hard claims, each of which takes about a second
        assertThat(companion.pending().get("active")).isGreaterThan(HOSTILE_CLAIMS / 2);
        assertThat(companion.largestShares(1)).containsOnlyKeys(hostile);
    }

    /** Creates a valid claim that matches no device: nine selectors take a long time for each device, and differ in each claim. */
    private void createHostile(int number) {
        String list = IntStream.range(0, 40).mapToObj(Integer::toString).collect(Collectors.joining(","));
        String onEachDevice =
                "(!('name' in device.attributes['it.example.com']) || device.attributes['it.example.com'].name != '')";
        List<String> selectors = IntStream.range(0, SELECTORS)
                .mapToObj(i ->
                        "{cel: {expression: \"%1$s && [%2$s].all(x, [%2$s].all(y, [%2$s].all(z, x + y + z < %3$d)))%4$s\"}}"
                                .formatted(
                                        onEachDevice,
                                        list,
                                        1_000 + SELECTORS * number + i,
                                        i == SELECTORS - 1 ? " && device.driver == ''" : ""))
                .toList();
        ResourceClaim claim = client.getKubernetesSerialization()
                .unmarshal("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: hard-%d, namespace: %s, labels: {fakegpu.dev/allocate: "true"}}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: it.example.com, selectors: [%s]}}]}}
                """.formatted(number, hostile, String.join(", ", selectors)), ResourceClaim.class);
        client.resource(claim).create();
    }
}
