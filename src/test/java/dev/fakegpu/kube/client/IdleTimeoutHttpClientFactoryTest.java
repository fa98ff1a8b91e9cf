package dev.fakegpu.kube.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class IdleTimeoutHttpClientFactoryTest {

    private static final Duration HEAD_TIMEOUT = Duration.ofMillis(500);

    private final Vertx vertx = Vertx.vertx();
    private final AtomicInteger requests = new AtomicInteger();

    @AfterEach
    void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    /** The client retries a refused request at its own pace. Otherwise, an answer could stop the only thread of a part for hours. */
    @Test
    @Timeout(30)
    void refusalThatNamesALaterTimeDoesNotBlockItsCaller() {
        try (KubernetesClient client = client(request -> request.response()
                .setStatusCode(429)
                .putHeader("Retry-After", "3600")
                .end())) {
            var node = new NodeBuilder()
                    .withNewMetadata()
                    .withName("a")
                    .endMetadata()
                    .build();

            var refusal = catchThrowableOfType(
                    KubernetesClientException.class,
                    () -> ObjectClient.of(client).get(node));

            assertThat(refusal).extracting(KubernetesClientException::getCode).isEqualTo(429);
            assertThat(requests).hasValue(3);
        }
    }

    /** The server is there, but says nothing, as a load balancer whose backend is gone. */
    @Test
    void plainWatchWithoutAHeadIsOpenedAgain() {
        try (KubernetesClient client = client(request -> {});
                var watch = client.resources(ConfigMap.class).inAnyNamespace().watch(new Received())) {
            Awaitility.await().until(() -> requests.get() > 2);
        }
    }

    @Test
    void quietPlainWatchStaysOpen() throws Exception {
        var received = new Received();
        try (KubernetesClient client = client(request -> {
                    request.response().setChunked(true).writeHead();
                    vertx.setTimer(
                            HEAD_TIMEOUT.toMillis() * 3 / 2,
                            late -> request.response().write(event()));
                });
                var watch = client.resources(ConfigMap.class).inAnyNamespace().watch(received)) {
            assertThat(received.first.get(60, TimeUnit.SECONDS).getMetadata().getName())
                    .isEqualTo("late");
        }
    }

    private static String event() {
        var object = new ConfigMapBuilder()
                .withNewMetadata()
                .withName("late")
                .withResourceVersion("2")
                .endMetadata()
                .build();
        return "{\"type\": \"ADDED\", \"object\": %s}\n"
                .formatted(Serialization.asJson(object).replace("\n", ""));
    }

    private KubernetesClient client(Handler<HttpServerRequest> server) {
        var listening = vertx.createHttpServer()
                .requestHandler(request -> {
                    requests.incrementAndGet();
                    server.handle(request);
                })
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .join();
        return new KubernetesClientBuilder()
                .withHttpClientFactory(new IdleTimeoutHttpClientFactory(vertx, Duration.ofHours(1), HEAD_TIMEOUT))
                .withConfig(new ConfigBuilder(Config.empty())
                        .withMasterUrl("http://127.0.0.1:" + listening.actualPort())
                        .withOnlyHttpWatches(true)
                        .withWatchReconnectInterval(10)
                        .build())
                .build();
    }

    private static final class Received implements Watcher<ConfigMap> {
        private final CompletableFuture<ConfigMap> first = new CompletableFuture<>();

        @Override
        public void eventReceived(Action action, ConfigMap object) {
            first.complete(object);
        }

        @Override
        public void onClose(WatcherException cause) {
            first.completeExceptionally(cause);
        }
    }
}
