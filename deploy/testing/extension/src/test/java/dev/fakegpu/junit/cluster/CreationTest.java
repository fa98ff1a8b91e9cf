package dev.fakegpu.junit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CreationTest {

    private static final String REFUSAL = "strict decoding error: unknown field \"spec.cuont\"";

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private HttpServer server;

    @BeforeEach
    void refuseEverything() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            byte[] body = "{\"kind\": \"Status\", \"apiVersion\": \"v1\", \"code\": 400, \"message\": \"%s\"}"
                    .formatted(REFUSAL.replace("\"", "\\\""))
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(400, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void unknownFieldsAreRefusedInTheApiServersWords() {
        var object = new ConfigMapBuilder()
                .withNewMetadata()
                .withName("a")
                .withNamespace("team")
                .endMetadata()
                .build();
        var config = new ConfigBuilder()
                .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                .withRequestRetryBackoffLimit(0)
                .build();

        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(config).build()) {
            assertThatThrownBy(() -> Creation.create(client.resource(object)))
                    .isInstanceOf(ClusterException.class)
                    .hasMessage("ConfigMap a is refused: " + REFUSAL);
        }
        assertThat(requests)
                .singleElement()
                .asString()
                .startsWith("POST /api/v1/namespaces/team/configmaps?")
                .contains("fieldValidation=Strict");
    }
}
