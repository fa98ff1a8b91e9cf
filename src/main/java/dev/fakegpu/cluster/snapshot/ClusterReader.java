package dev.fakegpu.cluster.snapshot;

import dev.fakegpu.kube.client.Pages;
import dev.fakegpu.kube.client.TaintRuleVersions;
import dev.fakegpu.kube.watch.ClusterWatch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Reads a cluster once, with the permissions of the client's user. It only uses get and list, and does not need the operator in the
 * cluster. Pods and claims of all namespaces are read if that is allowed, since devices can be held in any namespace; otherwise only those
 * of one namespace.
 */
public final class ClusterReader {

    private static final int REQUESTS_AT_ONCE = 4;

    /** The default namespace of the operator. */
    static final String OPERATOR_NAMESPACE = "fakegpu-system";

    /** Name of the operator's Deployment. */
    static final String OPERATOR_DEPLOYMENT = "fakegpu-operator";

    /** Kinds that some API servers do not serve. */
    private static final Set<ObjectKind> NOT_EVERYWHERE =
            EnumSet.of(ObjectKind.FAKE_GPUS, ObjectKind.TAINT_RULES, ObjectKind.POD_GROUPS);

    private final KubernetesClient client;
    private final long pageSize;

    public ClusterReader(KubernetesClient client) {
        this(client, Pages.LARGE);
    }

    /** @param pageSize objects per response */
    ClusterReader(KubernetesClient client, long pageSize) {
        this.client = client;
        this.pageSize = pageSize;
    }

    /** The result of reading one kind. */
    private record Read(List<? extends HasMetadata> objects, List<Unseen> unseen) {}

    /**
     * Reads everything.
     *
     * @param namespace the namespace whose pods and claims are read if those of all namespaces cannot be
     * @throws ClusterUnreadableException if the API server does not respond, or rejects the user
     */
    public ClusterSnapshot read(String namespace) {
        ExecutorService threads = Executors.newFixedThreadPool(REQUESTS_AT_ONCE, task -> {
            var thread = new Thread(task, "cluster-reader");
            thread.setDaemon(true);
            return thread;
        });
        try {
            List<CompletableFuture<Read>> reads = Arrays.stream(ObjectKind.values())
                    .map(kind -> CompletableFuture.supplyAsync(() -> read(kind, namespace), threads))
                    .toList();
            ClusterObjects objects = ClusterObjects.NONE;
            for (CompletableFuture<Read> read : reads) {
                objects = objects.with(read.join().objects())
                        .withUnseen(read.join().unseen());
            }
            return new ClusterSnapshot(objects);
        } catch (CompletionException e) {
            throw e.getCause() instanceof KubernetesClientException failure ? unreadable(client, failure) : e;
        } finally {
            threads.shutdownNow();
        }
    }

    private Read read(ObjectKind kind, String namespace) {
        return switch (kind) {
            case SETTINGS -> one(kind, ClusterWatch.SETTINGS);
            case OPERATOR -> one(kind, OPERATOR_DEPLOYMENT);
            case TAINT_RULES -> taintRules();
            default -> kind.isNamespaced() ? namespaced(kind, namespace) : all(kind, kind.type(), null);
        };
    }

    /** If the namespace cannot be read either, both refusals are reported. */
    private Read namespaced(ObjectKind kind, String namespace) {
        Read everywhere = all(kind, kind.type(), null);
        boolean isForbidden = everywhere.unseen().stream().anyMatch(unseen -> unseen.cause() == Unseen.Cause.FORBIDDEN);
        if (!isForbidden) {
            return everywhere;
        }
        Read here = all(kind, kind.type(), namespace);
        var unseen = new ArrayList<>(everywhere.unseen());
        unseen.addAll(here.unseen());
        return new Read(here.objects(), unseen);
    }

    private Read one(ObjectKind kind, String name) {
        try {
            HasMetadata found = client.resources(kind.type())
                    .inNamespace(OPERATOR_NAMESPACE)
                    .withName(name)
                    .get();
            return new Read(found == null ? List.of() : List.of(found), List.of());
        } catch (KubernetesClientException e) {
            return refused(kind, "get", OPERATOR_NAMESPACE, e);
        }
    }

    /** Reads the newest version that is served. */
    private Read taintRules() {
        Read read = notServed(ObjectKind.TAINT_RULES);
        for (var type : TaintRuleVersions.TYPES) {
            read = all(ObjectKind.TAINT_RULES, type, null);
            if (isServed(read)) {
                break;
            }
        }
        return new Read(
                read.objects().stream()
                        .map(rule -> TaintRuleVersions.toV1(client, rule))
                        .toList(),
                read.unseen());
    }

    private static boolean isServed(Read read) {
        return read.unseen().stream().noneMatch(unseen -> unseen.cause() == Unseen.Cause.NOT_SERVED);
    }

    /** @param namespace null for all namespaces */
    private <T extends HasMetadata> Read all(ObjectKind kind, Class<T> type, @Nullable String namespace) {
        var resources = client.resources(type);
        try {
            return new Read(
                    Pages.list(
                            namespace == null ? resources.inAnyNamespace() : resources.inNamespace(namespace),
                            pageSize),
                    List.of());
        } catch (KubernetesClientException e) {
            return e.getCode() == HttpURLConnection.HTTP_FORBIDDEN && !isServed(kind, type)
                    ? notServed(kind)
                    : refused(kind, "list", namespace, e);
        }
    }

    /** Users without permission are refused whether or not the kind exists. Every user may query which kinds exist. */
    private boolean isServed(ObjectKind kind, Class<? extends HasMetadata> type) {
        if (!NOT_EVERYWHERE.contains(kind)) {
            return true;
        }
        try {
            return client.supports(type);
        } catch (KubernetesClientException e) {
            return true;
        }
    }

    private static Read notServed(ObjectKind kind) {
        return new Read(List.of(), List.of(new Unseen(kind, "list", null, Unseen.Cause.NOT_SERVED)));
    }

    private static Read refused(
            ObjectKind kind, String verb, @Nullable String namespace, KubernetesClientException failure) {
        return switch (failure.getCode()) {
            case HttpURLConnection.HTTP_FORBIDDEN ->
                new Read(List.of(), List.of(new Unseen(kind, verb, namespace, Unseen.Cause.FORBIDDEN)));
            case HttpURLConnection.HTTP_NOT_FOUND -> notServed(kind);
            default -> throw failure;
        };
    }

    private static ClusterUnreadableException unreadable(KubernetesClient client, KubernetesClientException failure) {
        String server = String.valueOf(client.getMasterUrl());
        return new ClusterUnreadableException(
                failure.getCode() == HttpURLConnection.HTTP_UNAUTHORIZED
                        ? "the API server " + server + " does not accept the credentials"
                        : "cannot read from the API server " + server + ": " + reason(failure),
                failure);
    }

    /** The innermost cause is the most informative; the outer ones only describe the request. */
    private static String reason(KubernetesClientException failure) {
        if (failure.getStatus() != null && failure.getStatus().getMessage() != null) {
            return failure.getStatus().getMessage();
        }
        Throwable innermost = failure;
        while (innermost.getCause() != null) {
            innermost = innermost.getCause();
        }
        return innermost instanceof UnknownHostException
                ? "unknown host " + innermost.getMessage()
                : Optional.ofNullable(innermost.getMessage())
                        .orElse(innermost.getClass().getSimpleName());
    }
}
