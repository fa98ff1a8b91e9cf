package dev.fakegpu.publish;

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

/** Finds out about the feature gate of kube-scheduler: as it is configured, or from its {@code /metrics} if there is a URL. */
public final class SchedulerMetrics {

    private static final Logger LOG = Logger.getLogger(SchedulerMetrics.class);

    private final KubernetesClient client;
    private final Optional<SchedulerGate> configured;
    private final Optional<URI> url;
    private final Optional<Path> certificateAuthority;

    /**
     * @param client for its credentials, which kube-scheduler checks like any others
     * @param configured what it is, if that is known without looking
     * @param url of its metrics, such as {@code https://10.0.0.1:10259/metrics}
     * @param certificateAuthority a file to check its certificate by
     */
    public SchedulerMetrics(
            KubernetesClient client,
            Optional<SchedulerGate> configured,
            Optional<URI> url,
            Optional<Path> certificateAuthority) {
        this.client = client;
        this.configured = configured;
        this.url = url;
        this.certificateAuthority = certificateAuthority;
    }

    /** {@link SchedulerGate#Unknown} if it cannot be found out at the moment. */
    SchedulerGate look() {
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

    /** The certificate authority goes in as data: a file would be outranked by the data in a kubeconfig. */
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
