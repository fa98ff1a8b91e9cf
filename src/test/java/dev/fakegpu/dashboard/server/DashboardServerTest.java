package dev.fakegpu.dashboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.cli.input.YamlDrafts;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.testing.Patience;
import dev.fakegpu.util.Ticker;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class DashboardServerTest {

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final SmallCluster CLUSTER = new SmallCluster();

    /** A missing response fails the test instead of blocking all tests. */
    private static final Duration ANSWER_WITHIN = Patience.LIMIT;

    private static Vertx vertx;
    private static DashboardFeed feed;
    private static DashboardServer server;

    @BeforeAll
    static void serve() {
        vertx = Vertx.vertx();
        feed = new DashboardFeed(
                CLUSTER,
                new DashboardReader("cluster", PendingChanges.NONE),
                new YamlDrafts("team", KubernetesVersion.NEWEST),
                Clock.systemUTC(),
                Ticker.SYSTEM);
        server = new DashboardServer(vertx, new InetSocketAddress("127.0.0.1", 0), Admission.everybody(feed));
        await().until(() -> feed.dashboard().isPresent());
    }

    @AfterAll
    static void stop() {
        server.close();
        feed.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private static URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.port() + path);
    }

    private static HttpRequest.Builder request(URI uri) {
        return HttpRequest.newBuilder(uri).timeout(ANSWER_WITHIN);
    }

    private static Socket socket() throws IOException {
        var socket = new Socket("127.0.0.1", server.port());
        socket.setSoTimeout((int) ANSWER_WITHIN.toMillis());
        return socket;
    }

    private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return HTTP.send(request(uri(path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void thePageAndEverythingThatItLoadsIsServed() throws IOException, InterruptedException {
        HttpResponse<String> page = get("/");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("content-type")).hasValue("text/html; charset=utf-8");

        var links = Pattern.compile("(?:href|src)=\"([^\"]+)\"").matcher(page.body());
        while (links.find()) {
            assertThat(get("/" + links.group(1)).statusCode())
                    .as(links.group(1))
                    .isEqualTo(200);
        }
        var imports = Pattern.compile("from ?\"\\./([^\"]+)\"");
        for (String script : new String[] {
            "page.js",
            "view.js",
            "feed.js",
            "gpu.js",
            "waiting.js",
            "story.js",
            "tried.js",
            "play.js",
            "map.js",
            "filter.js"
        }) {
            var found = imports.matcher(get("/" + script).body());
            while (found.find()) {
                assertThat(get("/" + found.group(1)).statusCode())
                        .as(found.group(1))
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void nothingFromElsewhereAndNothingInlineIsAllowed() throws IOException, InterruptedException {
        HttpResponse<String> page = get("/");

        assertThat(page.headers().firstValue("content-security-policy").orElseThrow())
                .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe", "http");
        assertThat(page.headers().firstValue("x-content-type-options")).hasValue("nosniff");
        assertThat(page.headers().firstValue("referrer-policy")).hasValue("no-referrer");
        assertThat(page.body()).doesNotContain("://").doesNotContain("style=");
    }

    @Test
    void nothingElseIsPosted() throws IOException, InterruptedException {
        var post = request(uri("/api/dashboard"))
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();

        HttpResponse<String> response = HTTP.send(post, HttpResponse.BodyHandlers.ofString());

        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("allow")).hasValue("GET, HEAD");
    }

    @Test
    void onlyYamlIsTried() throws IOException, InterruptedException {
        assertThat(post("text/plain", "kind: Pod").statusCode()).isEqualTo(415);
        HttpResponse<String> invalid = post("application/yaml", "kind: [");
        assertThat(invalid.statusCode()).isEqualTo(400);
        assertThat(invalid.body()).startsWith("YAML: is not YAML: line ");
        assertThat(post("application/yaml", "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}")
                        .statusCode())
                .isEqualTo(200);
    }

    private static HttpResponse<String> post(String type, String body) throws IOException, InterruptedException {
        return HTTP.send(
                request(uri("/api/try"))
                        .header("content-type", type)
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void unknownPathsAreNotFound() throws IOException, InterruptedException {
        assertThat(get("/../application.properties").statusCode()).isEqualTo(404);
        assertThat(get("/lit-html/").statusCode()).isEqualTo(404);
    }

    @Test
    void otherHostNamesAreRefused() throws IOException {
        try (var socket = socket()) {
            socket.getOutputStream()
                    .write("GET /api/dashboard HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 421 ").doesNotContain("node-1");
        }
    }

    @Test
    void aBrokenQueryIsRefused() throws IOException {
        try (var socket = socket()) {
            socket.getOutputStream()
                    .write(("GET /api/try?waiting=% HTTP/1.1\r\nHost: 127.0.0.1:" + server.port()
                                    + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 400 ");
        }
    }

    @Test
    void theHeadersOfEventsHaveAnEnd() throws IOException {
        try (var socket = socket()) {
            String host = " HTTP/1.1\r\nHost: 127.0.0.1:" + server.port() + "\r\n";
            socket.getOutputStream()
                    .write(("HEAD /api/events" + host + "\r\nGET /no-page" + host + "Connection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 200 ")
                    .contains("text/event-stream; charset=utf-8")
                    .contains("HTTP/1.1 404 ");
        }
    }

    @Test
    void thePictureIsServedAsJson() throws IOException, InterruptedException {
        var json = new ObjectMapper().readTree(get("/api/dashboard").body());

        assertThat(json.at("/nodes/0/gpus/0/name").asText()).isEqualTo("gpu-0");
        assertThat(json.at("/overview/cluster").asText()).isEqualTo("cluster");
    }

    @Test
    void changesCannotBeTriedForPodsThatDoNotWait() throws IOException, InterruptedException {
        HttpResponse<String> answer = get("/api/try?waiting=Pod/team/nobody&release=team/train");

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.body()).isEqualTo("there is no Pod/team/nobody\n");
    }

    @Test
    void scenariosAreListedAndPlayed() throws IOException, InterruptedException {
        assertThat(get("/api/scenarios").body())
                .contains("{\"name\":\"example-3.scenario.yaml\",\"title\":\"example 3\"}");
        assertThat(get("/api/scenario?name=example-3.scenario.yaml&worlds=gate").body())
                .startsWith("{\"worlds\":[\"Feature gate on\",\"Feature gate off\"],\"steps\":[{\"title\":");

        HttpResponse<String> unknown = get("/api/scenario?name=none");
        assertThat(unknown.statusCode()).isEqualTo(400);
        assertThat(unknown.body()).isEqualTo("there is no scenario \"none\"\n");
    }

    @Test
    void nothingIsServedToCallersThatAreNotAdmitted() throws IOException, InterruptedException {
        Admission nobody = authorization ->
                CompletableFuture.failedFuture(new Admission.DeniedException(401, "a token is needed"));
        try (var guarded = new DashboardServer(vertx, new InetSocketAddress("127.0.0.1", 0), nobody)) {
            for (String path : new String[] {
                "/", "/page.js", "/api/dashboard", "/api/events", "/api/scenarios", "/api/scenario", "/api/try"
            }) {
                var uri = URI.create("http://127.0.0.1:" + guarded.port() + path);
                HttpResponse<String> answer = HTTP.send(request(uri).build(), HttpResponse.BodyHandlers.ofString());

                assertThat(answer.statusCode()).as(path).isEqualTo(401);
                assertThat(answer.body()).isEqualTo("a token is needed\n");
                assertThat(answer.headers().firstValue("www-authenticate")).hasValue("Bearer");
                assertThat(answer.headers().firstValue("content-security-policy"))
                        .isPresent();
            }
        }
    }

    @Test
    void changesFollowThePicture() throws IOException, InterruptedException {
        var stream = HTTP.send(request(uri("/api/events")).build(), HttpResponse.BodyHandlers.ofLines());
        try (var lines = stream.body()) {
            Iterator<String> events = lines.iterator();
            assertThat(next(events, "status")).contains("\"connected\":true");
            assertThat(next(events, "dashboard")).contains("\"node-1\"").doesNotContain("team/train");
            CLUSTER.running("train", "part-0");
            assertThat(next(events, "change")).contains("\"team/train\"").doesNotContain("nodesGone");
            CLUSTER.delete("train");
            assertThat(next(events, "change")).contains("\"idle\"");
        }
    }

    @Test
    void aUserWithAllStreamsLosesSomeToOthers() throws IOException, InterruptedException {
        Admission byHeader = user -> CompletableFuture.completedFuture(new Admitted(String.valueOf(user), feed));
        try (var shared = new DashboardServer(vertx, new InetSocketAddress("127.0.0.1", 0), byHeader)) {
            // Given
            var first = events(shared, "tenant");
            for (int i = 1; i < DashboardServer.MAX_STREAMS; i++) {
                assertThat(events(shared, "tenant").statusCode()).isEqualTo(200);
            }
            assertThat(events(shared, "tenant").statusCode()).isEqualTo(503);

            // When
            var ofAdmin = events(shared, "admin");

            // Then
            assertThat(ofAdmin.statusCode()).isEqualTo(200);
            assertThat(first.body().readAllBytes()).as("the oldest ends").isNotEmpty();
            assertThat(events(shared, "tenant").statusCode()).isEqualTo(503);
        }
    }

    private static HttpResponse<InputStream> events(DashboardServer of, String user)
            throws IOException, InterruptedException {
        URI events = URI.create("http://127.0.0.1:" + of.port() + "/api/events");
        return HTTP.send(
                request(events).header("Authorization", user).build(), HttpResponse.BodyHandlers.ofInputStream());
    }

    private static String next(Iterator<String> lines, String event) {
        while (lines.hasNext()) {
            if (lines.next().equals("event: " + event)) {
                return lines.next();
            }
        }
        throw new AssertionError("the stream has ended before there was an event " + event);
    }
}
