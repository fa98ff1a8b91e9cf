package dev.fakegpu.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ClusterConnectionTest {

    @Test
    void aMissingKubeconfigIsReportedWithItsName() {
        String otherwise = "or name one with --kubeconfig";
        assertThat(ClusterConnection.noKubeconfig("/nonexistent", otherwise))
                .isEqualTo(
                        "KUBECONFIG is /nonexistent, where there is no kubeconfig with a context: correct it, or name one"
                                + " with --kubeconfig");
        assertThat(ClusterConnection.noKubeconfig(null, otherwise)).contains("name one", "in KUBECONFIG");
        assertThat(ClusterConnection.noKubeconfig(" ", otherwise))
                .isEqualTo(ClusterConnection.noKubeconfig(null, otherwise));
    }

    @ParameterizedTest
    @CsvSource({"- a, one of these is not a kubeconfig", "kind: Config, run the operator in a pod"})
    void theOperatorIsToldWhatIsWrongWithTheKubeconfig(String content, String expected, @TempDir Path dir)
            throws IOException {
        Path kubeconfig = Files.writeString(dir.resolve("kubeconfig"), content);
        System.setProperty(Config.KUBERNETES_KUBECONFIG_FILE, kubeconfig.toString()); // goes before KUBECONFIG
        try {
            assertThat(ClusterConnection.problemOfEnvironment(name -> null))
                    .hasValueSatisfying(problem -> assertThat(problem).contains(expected));
        } finally {
            System.clearProperty(Config.KUBERNETES_KUBECONFIG_FILE);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "KUBERNETES_SERVICE_HOST",
                "KUBERNETES_MASTER",
                "QUARKUS_KUBERNETES_CLIENT_API_SERVER_URL",
                "QUARKUS_KUBERNETES_CLIENT_MASTER_URL",
                "kubernetes.master",
                "quarkus.kubernetes-client.api-server-url",
                "quarkus.kubernetes-client.master-url"
            })
    void theOperatorNeedsNoKubeconfigIfItKnowsTheAddress(String setting, @TempDir Path dir) throws IOException {
        Path kubeconfig = Files.writeString(dir.resolve("kubeconfig"), "kind: Config");
        boolean isProperty = setting.contains(".");
        System.setProperty(Config.KUBERNETES_KUBECONFIG_FILE, kubeconfig.toString());
        if (isProperty) {
            System.setProperty(setting, "https://192.0.2.1");
        }
        try {
            assertThat(ClusterConnection.problemOfEnvironment(
                            name -> !isProperty && name.equals(setting) ? "192.0.2.1" : null))
                    .isEmpty();
        } finally {
            System.clearProperty(Config.KUBERNETES_KUBECONFIG_FILE);
            if (isProperty) {
                System.clearProperty(setting);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"35, 1.36, 1.35", "35, '', 1.35", "41+, '', 1.37", "'', '', 1.37", "'', 1.36, 1.36"})
    void theVersionIsThatOfTheOptionOrElseOfTheApiServer(
            String minor, String option, String ofServer, @TempDir Path dir) throws IOException {
        var notes = new ArrayList<String>();
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/version", exchange -> {
            byte[] body =
                    "{\"major\": \"1\", \"minor\": \"%s\"}".formatted(minor).getBytes(UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            int status = minor.isEmpty() ? HttpURLConnection.HTTP_FORBIDDEN : HttpURLConnection.HTTP_OK;
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            Path kubeconfig = Files.writeString(
                    dir.resolve("config"), """
                    apiVersion: v1
                    kind: Config
                    clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
                    contexts: [{name: c, context: {cluster: c, user: u}}]
                    current-context: c
                    users: [{name: u, user: {}}]
                    """.formatted(server.getAddress().getPort()));
            var connection =
                    CommandLine.populateCommand(new ClusterConnection(), "--kubeconfig", kubeconfig.toString());
            String[] options = option.isEmpty() ? new String[0] : new String[] {"--kubernetes", option};

            KubernetesVersion version =
                    CommandLine.populateCommand(new VersionOption(), options).or(() -> connection.version(notes::add));

            assertThat(version).hasToString(option.isEmpty() ? ofServer : option);
            boolean isUnknown = minor.isEmpty() && option.isEmpty();
            assertThat(notes)
                    .isEqualTo(
                            isUnknown
                                    ? List.of("the version of the API server cannot be read, and is taken to be 1.37")
                                    : List.of());
        } finally {
            server.stop(0);
        }
    }
}
