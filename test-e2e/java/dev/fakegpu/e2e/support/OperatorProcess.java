package dev.fakegpu.e2e.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.Patience;
import dev.fakegpu.testing.ProjectFiles;
import dev.fakegpu.testing.Rights;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/**
 * The packaged operator as a separate process, with only the rights of its ServiceAccount. Whenever it ends it is started again, as by the
 * kubelet the first time: on a busy machine it may lose its Lease, and then it exits.
 */
public final class OperatorProcess implements AutoCloseable {

    private static final String APP = "target/quarkus-app/quarkus-run.jar";

    /** A key of the settings: the size of the heap, as for {@code -Xmx}. */
    public static final String HEAP = "OPERATOR_HEAP";

    /** 60 % of the Deployment's limit, as in the image. */
    private static final String DEPLOYED_HEAP = "614m";

    private static final String NAMESPACE = "fakegpu-system";
    private static final String NAME = "fakegpu-operator";
    private static final Pattern LISTENING = Pattern.compile("Listening on: http://[^:]*:(\\d+)");
    private static final Pattern DASHBOARD = Pattern.compile("the dashboard is served on 127\\.0\\.0\\.1 port (\\d+)");
    private static final Pattern WARNING = Pattern.compile("^\\S+ \\S+ (WARN|ERROR)");
    private static final int MAX_WARNINGS = 20;
    private static final Pattern LOST_LEASE = Pattern.compile("this operator is no longer the leader and exits");

    private final ProcessBuilder builder;
    private final Path log;
    private final AtomicInteger crashes = new AtomicInteger();
    private volatile Process process;
    private boolean isFinal;

    private OperatorProcess(ProcessBuilder builder, Path log) throws IOException {
        this.builder = builder;
        this.log = log;
        startProcess();
    }

    /** Installs the objects that an operator outside of the cluster needs, starts one, and returns when it has started. */
    public static OperatorProcess start(ControlPlane controlPlane, Map<String, String> settings) {
        return start(controlPlane, controlPlane.config().getMasterUrl(), settings);
    }

    /** @param apiServer the address that the operator uses for the API server */
    public static OperatorProcess start(ControlPlane controlPlane, String apiServer, Map<String, String> settings) {
        controlPlane.applyFile("crds/fakegpus.fakegpu.dev.yaml");
        for (String file : List.of("namespace", "service_account", "role", "role_binding")) {
            controlPlane.applyFile("config/rbac/" + file + ".yaml");
        }
        return startAs(controlPlane, apiServer, NAMESPACE, settings);
    }

    /**
     * Only starts an operator, as the ServiceAccount {@code fakegpu-operator} of another namespace.
     *
     * @param settings the settings, which also contain the namespace if it is the operator's
     */
    public static OperatorProcess startAs(
            ControlPlane controlPlane, String apiServer, String namespace, Map<String, String> settings) {
        Rights.awaitStored(controlPlane.client()); // otherwise it would be denied access
        try {
            var dir = Files.createDirectories(Path.of("target/e2e"));
            var kubeconfig = Files.createTempFile(dir, "operator", ".kubeconfig");
            TokenRequest token = controlPlane
                    .client()
                    .serviceAccounts()
                    .inNamespace(namespace)
                    .withName(NAME)
                    .tokenRequest();
            Files.writeString(kubeconfig, Kubeconfigs.of(controlPlane, apiServer, token));
            var log = Files.createTempFile(dir, "operator", ".log");
            var java = Path.of(System.getProperty("java.home"), "bin", "java");
            var builder = new ProcessBuilder(
                            java.toString(),
                            StartArchive.option(java, Path.of(APP)),
                            "-Xmx" + settings.getOrDefault(HEAP, DEPLOYED_HEAP),
                            "@deploy/image/java.options",
                            "-jar",
                            APP,
                            "operator")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
            builder.environment().put("KUBECONFIG", kubeconfig.toString());
            builder.environment().put("QUARKUS_HTTP_PORT", "0");
            // The identity is the same after a restart, as for a container in its pod, so it does not wait for its own
            // Lease to expire.
            builder.environment().put("FAKEGPU_IDENTITY", "e2e");
            builder.environment().putAll(settings);
            var operator = new OperatorProcess(builder, log);
            try {
                operator.awaitStarted();
                return operator;
            } catch (RuntimeException | AssertionError e) {
                operator.kill();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void startProcess() throws IOException {
        process = builder.start();
        process.onExit().thenRun(this::startAgain);
    }

    private synchronized void startAgain() {
        if (!isFinal) {
            try {
                startProcess();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Stops restarting the operator when it ends. */
    public synchronized OperatorProcess withoutRestart() {
        isFinal = true;
        return this;
    }

    /** The process ID. */
    public long pid() {
        return process.pid();
    }

    /** Kills the operator without a clean shutdown, and does not restart it. */
    public void kill() {
        withoutRestart();
        awaitEnd(process.destroyForcibly());
    }

    /** Kills the operator as an OOM kill does; it is restarted. */
    public void crash() {
        crashes.incrementAndGet();
        awaitEnd(process.destroyForcibly());
    }

    /** Suspends the operator in the middle of its work. */
    public void suspend() {
        signal("STOP");
    }

    public void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            int exitCode = new ProcessBuilder("kill", "-" + name, String.valueOf(pid()))
                    .start()
                    .waitFor();
            assertThat(exitCode == 0 || !isAlive())
                    .as("%s reached the operator, or it had ended", name)
                    .isTrue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Whether the operator has been the leader at any time. */
    public boolean hasLed() {
        return log().contains("this operator is the leader");
    }

    /** Waits until the operator has ended by itself. */
    public int awaitExit() {
        awaitEnd(process);
        return process.exitValue();
    }

    /** The log so far. */
    public String log() {
        return ProjectFiles.read(log);
    }

    /** The last warnings and errors in the log. */
    List<String> warnings() {
        List<String> lines = log().lines().filter(WARNING.asPredicate()).toList();
        return lines.subList(Math.max(0, lines.size() - MAX_WARNINGS), lines.size());
    }

    /** The metrics in Prometheus' text format. */
    public String metrics() {
        return get("/q/metrics");
    }

    /** The metrics that dcgm-exporter would have. */
    public String dcgmMetrics() {
        return get("/dcgm/metrics");
    }

    /**
     * The dashboard's picture.
     *
     * @param token the token of the caller; empty for none
     * @return the status and the body
     */
    public HttpResponse<String> dashboard(Optional<String> token) {
        return answered(() -> {
            var request = HttpRequest.newBuilder(url(DASHBOARD, "/api/dashboard"));
            token.ifPresent(value -> request.header("Authorization", "Bearer " + value));
            return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
        });
    }

    /** Asserts that the operator is live and ready, and has never ended except after the loss of its Lease. */
    public void assertHealthy() {
        Awaitility.await().untilAsserted(() -> {
            assertThat(isLive()).as("the operator is live").isTrue();
            assertThat(isReady()).as("the operator is ready").isTrue();
        });
        assertThat(count(LISTENING) - 1 - crashes.get() - count(LOST_LEASE))
                .as("it ended for other reasons: " + log())
                .isLessThanOrEqualTo(0);
    }

    /** Asserts that the operator had all necessary rights. Creations that fail because their namespace is being deleted do not count. */
    public void assertNothingWasForbidden() {
        assertThat(log().lines().filter(line -> !line.contains("because it is being terminated")))
                .noneMatch(line -> line.toLowerCase(Locale.ROOT).contains("forbidden"));
    }

    private int count(Pattern pattern) {
        return (int) pattern.matcher(log()).results().count();
    }

    private String get(String path) {
        return answered(() -> {
            try (var body = url(path).openStream()) {
                return new String(body.readAllBytes(), StandardCharsets.UTF_8);
            }
        });
    }

    /** Repeats a request without a response: there is none while the operator is being restarted. */
    private static <T> T answered(Callable<T> request) {
        return Awaitility.await()
                .pollInSameThread()
                .ignoreExceptionsInstanceOf(Exception.class)
                .until(request, response -> true);
    }

    /**
     * Sends a probe as the kubelet does.
     *
     * @param probe {@code live}, {@code ready} or {@code started}
     * @return the HTTP status; 0 without a response
     */
    public int health(String probe) {
        try {
            var connection = (HttpURLConnection) url("/q/health/" + probe).openConnection();
            connection.setConnectTimeout(5000);
            connection.setReadTimeout(5000);
            return connection.getResponseCode();
        } catch (IOException e) {
            return 0;
        }
    }

    /** The results of the health checks as JSON, or an error if there is no response. */
    public String healthReport() {
        try {
            var connection = (HttpURLConnection) url("/q/health").openConnection();
            connection.setConnectTimeout(5000);
            connection.setReadTimeout(5000);
            boolean isUp = connection.getResponseCode() == HttpURLConnection.HTTP_OK;
            try (var body = isUp ? connection.getInputStream() : connection.getErrorStream()) {
                return new String(body.readAllBytes(), StandardCharsets.UTF_8);
            }
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Makes the operator write the stacks of its threads to its log. */
    public void dumpThreads() {
        signal("QUIT");
    }

    /** Whether the liveness probe succeeds. */
    public boolean isLive() {
        return health("live") == HttpURLConnection.HTTP_OK;
    }

    /** Whether the readiness probe succeeds. */
    public boolean isReady() {
        return health("ready") == HttpURLConnection.HTTP_OK;
    }

    /** The URL of the process that was started last. */
    private URL url(String path) throws IOException {
        return url(LISTENING, path).toURL();
    }

    private URI url(Pattern listening, String path) {
        var port = listening.matcher(log()).results().reduce((first, last) -> last);
        return URI.create("http://127.0.0.1:" + port.orElseThrow().group(1) + path);
    }

    @Override
    public void close() {
        withoutRestart();
        if (process.isAlive()) {
            resume(); // a suspended process does not react to SIGTERM
        }
        process.destroy();
        awaitEnd(process);
    }

    private static void awaitEnd(Process process) {
        try {
            assertThat(process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .as("the operator ends")
                    .isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitStarted() {
        Awaitility.await().untilAsserted(() -> {
            var said = log();
            assertThat(process.isAlive()).as(said).isTrue();
            assertThat(said).containsPattern(NAME + " .* started in");
        });
    }
}
