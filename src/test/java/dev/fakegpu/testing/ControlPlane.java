package dev.fakegpu.testing;

import dev.fakegpu.kube.client.ClientSerialization;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * A real Kubernetes control plane that runs as long as a test needs it. Tests usually get it from a {@link ControlPlaneExtension}, which
 * shares it.
 */
public final class ControlPlane implements AutoCloseable {

    private static final String FIELD_MANAGER = "fakegpu-test";

    /**
     * Longer than the client's ten seconds, which are not enough for a busy API server to delete hundreds of pods or to compile expensive
     * selectors.
     */
    static final int REQUEST_TIMEOUT_MILLIS = 60_000;

    private final ControlPlaneSource.Instance instance;
    private final KubernetesClient client;
    private final List<Runnable> users = new ArrayList<>();

    private ControlPlane(ControlPlaneSource.Instance instance) {
        this.instance = instance;
        var config = config();
        config.setRequestTimeout(REQUEST_TIMEOUT_MILLIS);
        this.client = ClientSerialization.builder().withConfig(config).build();
    }

    /** Starts a control plane, and returns when it serves requests. */
    public static ControlPlane start(ControlPlaneOptions options) {
        return new ControlPlane(ControlPlaneSource.configured().start(options));
    }

    /**
     * Restarts everything except the store with other feature gates or another version, as in an upgrade or a downgrade. Only for a control
     * plane that no other test uses.
     */
    public void restart(ControlPlaneOptions options) {
        instance.restart(options);
    }

    /** Kills the API server, which {@link #restart} starts again. Only for a control plane that no other test uses. */
    public void killApiServer() {
        instance.killApiServer();
    }

    /** Keeps a copy of the stored data. Only for a control plane that no other test uses. */
    public void snapshot() {
        instance.snapshot();
    }

    /** Restarts everything with the data of the snapshot, as when an administrator restores etcd. */
    public void restore(ControlPlaneOptions options) {
        instance.restore(options);
    }

    /** A control plane that was not started by the tests, and is not stopped by them. */
    public static ControlPlane at(Path kubeconfig) {
        return new ControlPlane(new ControlPlaneSource.Instance() {
            @Override
            public Path kubeconfig() {
                return kubeconfig;
            }

            @Override
            public void close() {}
        });
    }

    /** A kubeconfig with administrator access. */
    public Path kubeconfig() {
        return instance.kubeconfig();
    }

    /** A client configuration with administrator access; each call returns a new one, which may be changed. */
    public Config config() {
        return Config.fromKubeconfig(kubeconfig().toFile());
    }

    /** A client with administrator access and a long timeout, which is closed with the control plane. */
    public KubernetesClient client() {
        return client;
    }

    /** A client with the rights that RBAC grants to an existing ServiceAccount; the caller closes it. */
    public KubernetesClient clientAs(String namespace, String serviceAccount) {
        TokenRequest token = client.serviceAccounts()
                .inNamespace(namespace)
                .withName(serviceAccount)
                .tokenRequest();
        Config config = new ConfigBuilder(config())
                .withOauthToken(token.getStatus().getToken())
                .withNamespace(namespace)
                .withRequestTimeout(REQUEST_TIMEOUT_MILLIS)
                .build();
        return ClientSerialization.builder().withConfig(config).build();
    }

    /**
     * Applies a YAML file server-side, and returns when the custom resources that it defines can be used.
     *
     * @param file relative to the root directory of the project, such as {@code crds/fakegpus.yaml}
     */
    public List<HasMetadata> applyFile(String file) {
        try (InputStream yaml = Files.newInputStream(ProjectFiles.resolve(file))) {
            return apply(yaml);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    /** Applies any YAML in the same way. The definitions must not be in one stream with objects that use them. */
    public List<HasMetadata> apply(InputStream yaml) {
        List<HasMetadata> applied = client.load(yaml).items().stream()
                .map(item -> client.resource(item)
                        .fieldManager(FIELD_MANAGER)
                        .forceConflicts()
                        .serverSideApply())
                .toList();
        applied.stream()
                .filter(CustomResourceDefinition.class::isInstance)
                .map(CustomResourceDefinition.class::cast)
                .forEach(this::awaitServed);
        return applied;
    }

    /** Waits for discovery, with which the client finds a kind: it is updated shortly after the definition is established. */
    private void awaitServed(CustomResourceDefinition definition) {
        client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(definition.getMetadata().getName())
                .waitUntilCondition(ControlPlane::isEstablished, Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        Awaitility.await()
                .until(() -> definition.getSpec().getVersions().stream()
                        .filter(version -> Boolean.TRUE.equals(version.getServed()))
                        .allMatch(version -> isDiscovered(definition, version.getName())));
    }

    private boolean isDiscovered(CustomResourceDefinition definition, String version) {
        APIResourceList served = client.getApiResources(definition.getSpec().getGroup() + "/" + version);
        return served != null
                && served.getResources().stream()
                        .anyMatch(resource ->
                                definition.getSpec().getNames().getPlural().equals(resource.getName()));
    }

    private static boolean isEstablished(CustomResourceDefinition definition) {
        return definition != null
                && definition.getStatus() != null
                && definition.getStatus().getConditions() != null // null until the first one is written
                && definition.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Established")
                                && condition.getStatus().equals("True"));
    }

    /** @param end closes users of this control plane; called before the control plane ends */
    public void beforeClose(Runnable end) {
        users.add(end);
    }

    @Override
    public void close() {
        users.forEach(Runnable::run);
        client.close();
        instance.close();
    }
}
