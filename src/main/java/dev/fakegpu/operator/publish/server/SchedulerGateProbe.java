package dev.fakegpu.operator.publish.server;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Determines the state of kube-scheduler's feature gate from the operator's configuration or, if not configured, from kube-scheduler's
 * metrics.
 */
public final class SchedulerGateProbe {

    private static final Logger LOG = Logger.getLogger(SchedulerGateProbe.class);

    private final KubernetesClient client;
    private final Optional<SchedulerGate> configured;
    private final Optional<URI> url;
    private final Optional<Path> certificateAuthority;

    /**
     * @param client has the credentials for kube-scheduler
     * @param configured the configured state of the gate, if any; in that case the metrics are not read
     * @param url the URL of the metrics, such as {@code https://10.0.0.1:10259/metrics}
     * @param certificateAuthority PEM file for verifying kube-scheduler's certificate
     */
    public SchedulerGateProbe(
            KubernetesClient client,
            Optional<SchedulerGate> configured,
            Optional<URI> url,
            Optional<Path> certificateAuthority) {
        this.client = client;
        this.configured = configured;
        this.url = url;
        this.certificateAuthority = certificateAuthority;
    }

    /** The state of the gate; {@link SchedulerGate#Unknown} if the metrics cannot be read. */
    SchedulerGate probe() {
        return configured.orElseGet(() -> url.map(this::read).orElse(SchedulerGate.Unknown));
    }

    private SchedulerGate read(URI metrics) {
        try (var scheduler =
                new KubernetesClientBuilder().withConfig(config(metrics)).build()) {
            return SchedulerGate.fromMetrics(scheduler.raw(metrics.getRawPath()));
        } catch (KubernetesClientException | IOException e) {
            LOG.debugf(e, "cannot read %s", metrics);
            return SchedulerGate.Unknown;
        }
    }

    /** Sets the certificate authority as data, because data in a kubeconfig would take precedence over a file. */
    private Config config(URI metrics) throws IOException {
        var config = new ConfigBuilder(client.getConfiguration())
                .withMasterUrl(metrics.resolve("/").toString())
                .withRequestRetryBackoffLimit(0);
        if (certificateAuthority.isPresent()) {
            config.withCaCertData(Base64.getEncoder().encodeToString(Files.readAllBytes(certificateAuthority.get())));
        }
        return config.build();
    }
}
