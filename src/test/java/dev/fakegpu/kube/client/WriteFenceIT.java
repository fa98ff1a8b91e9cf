package dev.fakegpu.kube.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fakegpu.testing.ControlPlaneExtension;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class WriteFenceIT {

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    private final AtomicBoolean isLeader = new AtomicBoolean(true);
    private final KubernetesClient admin = controlPlane.client();
    private final KubernetesClient fenced = client(new Interceptor() {});
    private final String name = "fence-" + UUID.randomUUID().toString().substring(0, 8);

    @AfterEach
    void close() {
        fenced.close();
        admin.resource(configMap()).delete();
    }

    @Test
    void theLeaderWrites() {
        fenced.resource(configMap()).create();

        assertThat(stored()).isNotNull();
    }

    @Test
    void aProcessThatIsNotTheLeaderWritesNothing() {
        // Given
        var before = admin.resource(configMap()).create();

        // When
        isLeader.set(false);

        // Then
        for (ThrowingCallable write : List.<ThrowingCallable>of(
                () -> fenced.resource(another()).create(),
                () -> fenced.resource(before.edit().addToData("a", "b").build()).update(),
                () -> fenced.resource(before).patch(PatchContext.of(PatchType.JSON_MERGE), "{\"data\":{\"a\":\"b\"}}"),
                () -> fenced.resource(before).delete(),
                () -> DeleteByUid.delete(fenced, before))) {
            assertThatExceptionOfType(KubernetesClientException.class).isThrownBy(write);
        }
        assertThat(stored()).isEqualTo(before);
        assertThat(admin.resource(another()).get()).isNull();
    }

    @Test
    void readsDryRunsAndEventsAreLetThrough() {
        isLeader.set(false);

        assertThat(fenced.namespaces().list().getItems()).isNotEmpty();
        assertThat(fenced.resource(configMap()).dryRun().create()).isNotNull();
        assertThat(stored()).isNull();
        assertThat(fenced.resource(event()).create().getMetadata().getUid()).isNotEmpty();
    }

    /** The client itself retries requests for up to a minute, and the process may lose its leadership meanwhile. */
    @Test
    void retryOfARequestThatTheLeaderBeganIsNotSent() {
        var losesFirstAttempt = new Interceptor() {
            @Override
            public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
                if (request.method().equals("POST") && isLeader.getAndSet(false)) {
                    builder.uri(URI.create("https://127.0.0.1:0/lost"));
                }
            }
        };
        try (var client = client(losesFirstAttempt)) {
            assertThatExceptionOfType(KubernetesClientException.class)
                    .isThrownBy(() -> client.resource(configMap()).create());
        }

        assertThat(isLeader).isFalse();
        assertThat(stored()).isNull();
    }

    private KubernetesClient client(Interceptor network) {
        Config config = controlPlane.controlPlane().config();
        config.setRequestRetryBackoffLimit(3); // otherwise each refusal takes 20 s
        return ClientSerialization.builder()
                .withConfig(config)
                .withHttpClientBuilderConsumer(
                        builder -> builder.addOrReplaceInterceptor("fence", new WriteFence(isLeader::get))
                                .addOrReplaceInterceptor("network", network))
                .build();
    }

    private ConfigMap stored() {
        return admin.resource(configMap()).get();
    }

    private ConfigMap configMap() {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .build();
    }

    private ConfigMap another() {
        return configMap()
                .edit()
                .editMetadata()
                .withName(name + "-2")
                .endMetadata()
                .build();
    }

    private Event event() {
        return new EventBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .withNewInvolvedObject()
                .withKind("ConfigMap")
                .withNamespace("default")
                .withName(name)
                .endInvolvedObject()
                .withReason("Tested")
                .withMessage("tested")
                .withType("Normal")
                .build();
    }
}
