package dev.fakegpu.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import java.net.URI;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests which requests are sent while another process is the leader. Users choose names, so a name may equal that of a resource, verb,
 * namespace, version or group.
 */
class WriteFenceTest {

    private static final String SERVER = "https://127.0.0.1:6443";
    private static final List<String> NAMES = List.of(
            "events",
            "status",
            "pods",
            "namespaces",
            "v1",
            "api",
            "apis",
            "dryrun",
            "create",
            "events.k8s.io",
            "bindings");

    /** All kinds of the operator's writes, with all of these names in all places that users choose. */
    static Stream<String> writesOfTenants() {
        return NAMES.stream()
                .flatMap(namespace -> NAMES.stream()
                        .flatMap(name -> Stream.of(
                                        "DELETE /api/v1/namespaces/%s/pods/%s",
                                        "POST /api/v1/namespaces/%s/bindings?fieldManager=%s",
                                        "POST /api/v1/namespaces/%s/pods/%s/binding",
                                        "PATCH /api/v1/namespaces/%s/pods/%s/status",
                                        "POST /apis/resource.k8s.io/v1/namespaces/%s/resourceclaims?fieldManager=%s",
                                        "PATCH /apis/resource.k8s.io/v1/namespaces/%s/resourceclaims/%s",
                                        "PUT /apis/resource.k8s.io/v1/namespaces/%s/resourceclaims/%s/status",
                                        "PATCH /apis/resource.k8s.io/v1/resourceslices/%s?labelSelector=%s",
                                        "PATCH /api/v1/nodes/%s/status?of=%s",
                                        "DELETE /api/v1/nodes/%s?of=%s",
                                        "DELETE /api/v1/namespaces/%s?of=%s",
                                        "PATCH /apis/fakegpu.dev/v1alpha1/fakegpus/%s/status?of=%s",
                                        "PATCH /apis/example.com/v1/namespaces/%s/events/%s",
                                        "POST /api/v1/namespaces/%s/configmaps?dryRun=All%s",
                                        "POST /api/v1/namespaces/%s/configmaps?fieldManager=dryRun=All,%s")
                                .map(shape -> shape.formatted(namespace, name))));
    }

    @ParameterizedTest
    @MethodSource("writesOfTenants")
    void objectsNamedLikeEventsAreNotSent(String request) {
        assertThat(isSent(request)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /api/v1/namespaces/default/events",
                "PATCH /api/v1/namespaces/events/events/events",
                "PUT /api/v1/namespaces/pods/events/pods?fieldManager=fakegpu",
                "POST /apis/events.k8s.io/v1/namespaces/default/events",
                "POST /apis/resource.k8s.io/v1/resourceslices?dryRun=All",
                "POST /apis/resource.k8s.io/v1/resourceslices?fieldManager=fakegpu&dryRun=All",
                "GET /api/v1/namespaces/default/pods/events"
            })
    void readsDryRunsAndEventsAreSent(String request) {
        assertThat(isSent(request)).isTrue();
    }

    private static boolean isSent(String methodAndPath) {
        String[] parts = methodAndPath.split(" ", 2);
        var builder = new StandardHttpRequest.Builder()
                .uri(URI.create(SERVER + parts[1]))
                .method(parts[0], "application/json", "");
        HttpRequest request = builder.build();
        new WriteFence(() -> false).before((BasicBuilder) builder, request, new Interceptor.RequestTags() {
            @Override
            public <T> T getTag(Class<T> type) {
                return null;
            }
        });
        return builder.build().uri().equals(request.uri());
    }
}
