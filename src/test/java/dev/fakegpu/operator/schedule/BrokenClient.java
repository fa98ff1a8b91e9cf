package dev.fakegpu.operator.schedule;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NamespaceableResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A client that throws the same exception for every request. It stands for any error in a writer's thread, not for an API server. */
public final class BrokenClient {

    private final KubernetesSerialization serialization = new KubernetesSerialization();
    private final Supplier<? extends Throwable> failure;
    private final AtomicInteger requests = new AtomicInteger();
    private volatile boolean findsNothing;

    public BrokenClient(Supplier<? extends Throwable> failure) {
        this.failure = failure;
    }

    public KubernetesClient client() {
        return proxy(KubernetesClient.class);
    }

    public int requests() {
        return requests.get();
    }

    /** Answers reads from now on: the object does not exist. */
    public void findNothing() {
        findsNothing = true;
    }

    private <T> T proxy(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> answer(method)));
    }

    private @Nullable Object answer(Method method) throws Throwable {
        switch (method.getName()) {
            case "getKubernetesSerialization" -> {
                return serialization;
            }
            case "getConfiguration" -> {
                return Config.empty();
            }
            case "newClient", "adapt" -> {
                return client();
            }
            default -> requests.incrementAndGet();
        }
        if (findsNothing && method.getName().equals("resource")) {
            return proxy(NamespaceableResource.class);
        }
        if (findsNothing && method.getName().equals("get")) {
            return null;
        }
        throw failure.get();
    }
}
