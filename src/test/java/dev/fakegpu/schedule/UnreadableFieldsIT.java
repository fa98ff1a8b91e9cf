package dev.fakegpu.schedule;

import static dev.fakegpu.testing.FakeGpuAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.testing.RewritingProxy;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the companion does about objects that it cannot read completely: nothing, and it says so. */
class UnreadableFieldsIT extends CompanionCluster {

    private final RewritingProxy proxy = new RewritingProxy(client, UnreadableFieldsIT::rewrite);

    @Override
    KubernetesClient clientOfCompanion() {
        return proxy.client();
    }

    @AfterEach
    void closeProxy() {
        proxy.close();
    }

    @Test
    void podIsRefusedWithTheField() {
        // When
        createClaim("a");
        create("""
                apiVersion: v1
                kind: Pod
                metadata: {name: a, labels: {unreadable: spec.priority}}
                spec:
                  schedulerName: fakegpu-scheduler
                  containers: [{name: main, image: i}]
                  resourceClaims: [{name: gpu, resourceClaimName: a}]
                """);

        // Then
        assertThat(awaitRefused("a")).contains("field spec.priority cannot be read: it is \"unreadable\"");
        assertOthersRun();
        assertThat(claim("a")).isNotAllocated();
    }

    @Test
    void podOfSuchAClaimIsRefusedWithTheField() {
        // When
        createClaim("a", "labels: {unreadable: spec.devices.constraints}");
        podWithClaim("a", "a", "{}");

        // Then
        assertThat(awaitRefused("a"))
                .contains("ResourceClaim \"a\"")
                .contains("field spec.devices.constraints cannot be read");
        assertOthersRun();
        assertThat(claim("a")).isNotAllocated();
    }

    @Test
    void claimWithoutPodIsNotAllocated() {
        // When
        createClaim("a", "labels: {fakegpu.dev/allocate: 'true', unreadable: spec.devices.requests}");

        // Then
        await(() -> assertThat(claim("a").getMetadata().getAnnotations().values())
                .anySatisfy(why -> assertThat(why).contains("field spec.devices.requests cannot be read")));
        assertOthersRun();
        assertThat(claim("a")).isNotAllocated();
    }

    /** Who uses it may be what cannot be read. */
    @Test
    void claimIsNotReleased() {
        // Given
        createClaim("a", "labels: {unreadable: status.reservedFor}, finalizers: [resource.kubernetes.io/delete-protection]");
        allocateByHand("a", "it-a/it", "gpu-0");

        // When
        client.resource(claim("a")).delete();
        assertOthersRun();

        // Then
        assertThat(claim("a")).isAllocated();
        assertPossible();
    }

    @Test
    void poolWithSuchASliceIsNotAllocatedFrom() {
        // Given
        client.resources(io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice.class)
                .withName("it-a-it")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"labels\":{\"unreadable\":\"spec.partitionTypeAttribute.x\"}}}");
        await(() -> assertThat(watch.slices().leftOut()).hasSize(1));

        // When
        pod("a", "{}");
        pod("b", "{}");

        // Then
        assertThat(awaitNode("a")).isEqualTo(OTHER_NODE);
        assertThat(awaitNode("b")).isEqualTo(OTHER_NODE);
    }

    @Test
    void nodeTakesNoPods() {
        // Given
        changeNode("it-a", "{metadata: {labels: {unreadable: spec.taints}}}");
        await(() -> assertThat(watch.nodes().unreadable()).hasSize(1));

        // When
        pod("a", "{}");
        pod("b", "{}");

        // Then
        assertThat(awaitNode("a")).isEqualTo(OTHER_NODE);
        assertThat(awaitNode("b")).isEqualTo(OTHER_NODE);
    }

    @Test
    void classIsLikeNone() {
        // Given
        create("""
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: unreadable.example.com, labels: {unreadable: spec.selectors}}
                spec: {}
                """);
        await(() -> assertThat(watch.deviceClasses().leftOut()).hasSize(1));

        // When
        create("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: a}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: unreadable.example.com}}]}}
                """);
        podWithClaim("a", "a", "{}");

        // Then
        assertThat(awaitRefused("a")).contains("unreadable.example.com");
        assertThat(claim("a")).isNotAllocated();
    }

    private void assertOthersRun() {
        pod("other", "{}");
        awaitNode("other");
        assertThat(watch.isWatching()).isTrue();
    }

    /** Replaces the field that the label {@code unreadable} names by a text. */
    private static void rewrite(ObjectNode object) {
        String field = object.path("metadata").path("labels").path("unreadable").asText();
        if (field.isEmpty()) {
            return;
        }
        String[] names = field.split("\\.");
        JsonNode at = object;
        for (int i = 0; i < names.length - 1; i++) {
            at = ((ObjectNode) at).withObject("/" + names[i]);
        }
        ((ObjectNode) at).put(names[names.length - 1], "unreadable");
    }
}
