package dev.fakegpu.junit.cluster;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A control plane and an operator. */
public final class RunningCluster implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int ATTEMPTS = 5;
    private static final String NAMESPACE = "fakegpu-system";
    private static final String LEASE = "fakegpu-operator";

    private final Kubernetes kubernetes;
    private final Path log;
    private final KubernetesClient client;
    private @Nullable OperatorRun operator;

    private RunningCluster(Kubernetes kubernetes) {
        this.kubernetes = kubernetes;
        this.client = newClient(null);
        try {
            this.log = Files.createTempFile("fakegpu-operator-", ".log");
            log.toFile().deleteOnExit();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts both, or finds a cluster in which both run; the operator may still be starting. */
    static RunningCluster start(ClusterSettings settings) {
        Option.refuseUnknown();
        OperatorSource source = OperatorSource.find();
        for (int attempt = 1; ; attempt++) {
            try {
                return start(settings, source);
            } catch (PortTakenException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static RunningCluster start(ClusterSettings settings, OperatorSource source) {
        var cluster = new RunningCluster(
                KubernetesSource.startFirst(settings, KubernetesSource.all(), Option.SOURCE.value()));
        try {
            if (cluster.isOwn()) {
                cluster.startOperator(settings, source); // the operator also waits for an API server that is starting
                cluster.kubernetes.awaitReady();
                cluster.defineFakeGpus();
            } else if (!cluster.hasOperator()) {
                cluster.defineFakeGpus();
                cluster.startOperator(settings, source);
            }
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private void startOperator(ClusterSettings settings, OperatorSource source) {
        operator = source.start(kubernetes, OperatorSource.environment(settings), log);
    }

    /** Whether everything in it belongs to the tests. */
    public boolean isOwn() {
        return kubernetes.isOwn();
    }

    /** A kubeconfig with administrator access. */
    public Path kubeconfig() {
        return kubernetes.kubeconfig();
    }

    /** The output of the operator; empty if it was not started by the tests. */
    public String operatorLog() {
        return operator == null ? "" : operator.log();
    }

    /** A client with administrator access, which the caller must close. */
    public KubernetesClient newClient(@Nullable String namespace) {
        Config config = Config.fromKubeconfig(kubeconfig().toFile());
        if (namespace != null) {
            config.setNamespace(namespace);
        }
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** Fails if the operator has ended. */
    void assertRuns() {
        if (operator != null && !operator.isAlive()) {
            throw new ClusterException("the operator has ended; " + operator.lastWords());
        }
    }

    /** The end of the operator's log, for errors. */
    String operatorSaid() {
        return operator == null ? "somebody else runs the operator" : operator.lastWords();
    }

    KubernetesClient client() {
        return client;
    }

    /** Whether an operator has renewed its Lease recently. */
    private boolean hasOperator() {
        Lease lease = client.leases().inNamespace(NAMESPACE).withName(LEASE).get();
        return lease != null
                && lease.getSpec() != null
                && lease.getSpec().getHolderIdentity() != null
                && !lease.getSpec().getHolderIdentity().isEmpty()
                && lease.getSpec().getRenewTime() != null
                && lease.getSpec().getRenewTime().plusSeconds(15).isAfter(ZonedDateTime.now());
    }

    private void defineFakeGpus() {
        try (InputStream yaml = Objects.requireNonNull(
                RunningCluster.class.getClassLoader().getResourceAsStream(PackagedOperator.DEFINITION))) {
            CustomResourceDefinition definition =
                    client.getKubernetesSerialization().unmarshal(yaml, CustomResourceDefinition.class);
            client.resource(definition).forceConflicts().serverSideApply();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (!Wait.atMost(PATIENCE).until(this::areFakeGpusServed)) {
            throw new ClusterException("FakeGpus are not served after " + PATIENCE.toSeconds() + " s");
        }
    }

    private boolean areFakeGpusServed() {
        return Optional.ofNullable(client.getApiResources("fakegpu.dev/v1alpha1")).stream()
                .flatMap(served -> served.getResources().stream())
                .anyMatch(resource -> resource.getName().equals("fakegpus"));
    }

    @Override
    public void close() {
        client.close();
        if (operator != null) {
            operator.close();
        }
        kubernetes.close();
    }
}
