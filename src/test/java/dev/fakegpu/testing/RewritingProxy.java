package dev.fakegpu.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.fakegpu.client.ClientSerialization;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * An API server whose objects differ from what the real one behind it stores, as those of another version of Kubernetes do: each object that
 * is read is changed on its way. Requests pass through unchanged.
 */
public final class RewritingProxy implements AutoCloseable {

    /** Changes an object before a client reads it. */
    @FunctionalInterface
    public interface Rewrite {
        /** @param object the object as the API server sends it */
        void apply(ObjectNode object);
    }

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient upstream;
    private final String apiServer;
    private final @Nullable String token;
    private final Rewrite rewrite;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        var thread = new Thread(task, "rewriting-proxy");
        thread.setDaemon(true);
        return thread;
    });
    private final List<String> writes = new CopyOnWriteArrayList<>();
    private final HttpServer server;
    private final KubernetesClient client;

    /** @param upstream a client of the real API server */
    public RewritingProxy(KubernetesClient upstream, Rewrite rewrite) {
        Config config = upstream.getConfiguration();
        this.apiServer = config.getMasterUrl().replaceAll("/$", "");
        this.token = Objects.requireNonNullElse(config.getOauthToken(), config.getAutoOAuthToken());
        this.rewrite = rewrite;
        try {
            this.upstream = HttpClient.newBuilder()
                    .sslContext(SSLUtils.sslContext(config))
                    .version(HttpClient.Version.HTTP_1_1)
                    .build();
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
        client = ClientSerialization.builder()
                .withConfig(new ConfigBuilder()
                        .withMasterUrl(address())
                        .withRequestRetryBackoffLimit(0) // it would repeat what is refused below
                        .withMaxConcurrentRequests(64)
                        .withMaxConcurrentRequestsPerHost(64) // watches take one each
                        .build())
                .build();
    }

    /** A client of this API server, closed with it. */
    public KubernetesClient client() {
        return client;
    }

    /** By which it is reached. */
    public String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Each write so far, as method, path and body. */
    public List<String> writes() {
        return List.copyOf(writes);
    }

    @Override
    public void close() {
        client.close();
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (exchange.getRequestHeaders().containsKey("Upgrade")) {
                exchange.sendResponseHeaders(503, -1); // the client then watches by a plain request
            } else if (String.valueOf(exchange.getRequestURI().getQuery()).contains("watch=true")) {
                watch(exchange);
            } else {
                answer(exchange);
            }
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        HttpResponse<byte[]> response = send(exchange, BodyHandlers.ofByteArray());
        byte[] body = response.body();
        String type = response.headers().firstValue("Content-Type").orElse("");
        byte[] changed = type.contains("json") && response.statusCode() < 300 ? changed(body) : body;
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(response.statusCode(), changed.length == 0 ? -1 : changed.length);
        exchange.getResponseBody().write(changed);
    }

    /** Passes on line after line, each of which is an event. */
    private void watch(HttpExchange exchange) throws IOException {
        HttpResponse<InputStream> response = send(exchange, BodyHandlers.ofInputStream());
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(response.statusCode(), 0);
        var line = new ByteArrayOutputStream();
        try (InputStream events = response.body();
                OutputStream out = exchange.getResponseBody()) {
            for (int next = events.read(); next >= 0; next = events.read()) {
                if (next == '\n') {
                    out.write(changed(line.toByteArray()));
                    out.write('\n');
                    out.flush();
                    line.reset();
                } else {
                    line.write(next);
                }
            }
        }
    }

    private <T> HttpResponse<T> send(HttpExchange exchange, BodyHandler<T> handler) throws IOException {
        var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        if (!exchange.getRequestMethod().equals("GET")) {
            writes.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + body);
        }
        var request = HttpRequest.newBuilder(URI.create(apiServer + exchange.getRequestURI()))
                .method(exchange.getRequestMethod(), BodyPublishers.ofString(body));
        for (String header : List.of("Accept", "Content-Type")) {
            String value = exchange.getRequestHeaders().getFirst(header);
            if (value != null) {
                request.setHeader(header, value);
            }
        }
        if (token != null) {
            request.setHeader("Authorization", "Bearer " + token);
        }
        try {
            return upstream.send(request.build(), handler);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private byte[] changed(byte[] json) throws IOException {
        JsonNode tree = JSON.readTree(json);
        JsonNode items = tree.path("items");
        if (items.isArray()) {
            items.forEach(item -> rewrite.apply((ObjectNode) item));
        } else if (tree.path("object").isObject() && tree.has("type")) {
            rewrite.apply((ObjectNode) tree.get("object"));
        } else if (tree.path("metadata").isObject()) {
            rewrite.apply((ObjectNode) tree);
        }
        return JSON.writeValueAsString(tree).getBytes(StandardCharsets.UTF_8);
    }
}
