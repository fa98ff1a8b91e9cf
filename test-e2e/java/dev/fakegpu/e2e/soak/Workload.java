package dev.fakegpu.e2e.soak;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.Labels;
import dev.fakegpu.e2e.support.SingleRequestClaims;
import dev.fakegpu.testing.Patience;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Simulates users: each creates a claim, usually with a pod, waits until the pod runs, keeps it for a moment, deletes both, and starts
 * again. A user who is not served for {@link #PATIENCE} gives up. {@code -Dsoak.users=14} doubles their number.
 */
final class Workload implements AutoCloseable {

    static final String NAMESPACE = "soak";
    private static final Duration PATIENCE = Duration.ofSeconds(45);
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final int USERS_OF_A_FAKEGPU = Integer.getInteger("soak.users", 7);

    private final KubernetesClient client;
    private final SharedIndexInformer<Pod> pods;
    private final SharedIndexInformer<ResourceClaim> claims;
    private final ExecutorService users = Executors.newCachedThreadPool();
    private final AtomicInteger names = new AtomicInteger();
    private final Map<AllocatorName, AtomicLong> served = new ConcurrentHashMap<>();
    private final AtomicLong unserved = new AtomicLong();
    private final Map<String, Integer> refusals = new ConcurrentHashMap<>();
    private volatile boolean isClosed;

    Workload(KubernetesClient client) {
        this.client = client;
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
        pods = client.pods().inNamespace(NAMESPACE).inform();
        claims = client.resources(ResourceClaim.class).inNamespace(NAMESPACE).inform();
    }

    void start(List<SoakFakeGpu> hardware, long seed) {
        for (SoakFakeGpu each : hardware) {
            for (int user = 0; user < USERS_OF_A_FAKEGPU; user++) {
                var random = new Random(seed + names.get() * 31L + each.hashCode() % 1000 + user);
                boolean isStandalone = user == 0 && each.allocator() == AllocatorName.Companion;
                users.execute(() -> {
                    while (!isClosed) {
                        serveOne(each, random, isStandalone);
                    }
                });
            }
        }
    }

    static int users(List<SoakFakeGpu> hardware) {
        return hardware.size() * USERS_OF_A_FAKEGPU;
    }

    /** The number of pods that have run, and of claims without a pod that were allocated. */
    long served(AllocatorName allocator) {
        return served.getOrDefault(allocator, new AtomicLong()).get();
    }

    /** The number of times that users gave up. */
    long unserved() {
        return unserved.get();
    }

    private void serveOne(SoakFakeGpu hardware, Random random, boolean isStandalone) {
        String name = hardware.name() + "-" + names.incrementAndGet();
        try {
            var claim = hardware.claim(NAMESPACE, name, random);
            if (isStandalone) {
                claim.editMetadata().addToLabels(Labels.ALLOCATE, "true").endMetadata();
            }
            client.resource(claim.build()).create();
            if (!isStandalone) {
                client.resource(pod(name, hardware.allocator())).create();
            }
            if (await(() -> isStandalone ? isAllocated(name) : isRunning(name))) {
                served.computeIfAbsent(hardware.allocator(), ignored -> new AtomicLong())
                        .incrementAndGet();
                LockSupport.parkNanos(Duration.ofMillis(random.nextInt(500)).toNanos());
            } else if (!isClosed) {
                unserved.incrementAndGet();
            }
        } catch (KubernetesClientException e) {
            refusals.merge(e.getMessage(), 1, Integer::sum);
        } finally {
            delete(name);
        }
    }

    private void delete(String name) {
        try {
            client.pods().inNamespace(NAMESPACE).withName(name).delete();
            client.resources(ResourceClaim.class)
                    .inNamespace(NAMESPACE)
                    .withName(name)
                    .delete();
        } catch (KubernetesClientException e) {
            refusals.merge(e.getMessage(), 1, Integer::sum); // it is removed at the end
        }
    }

    private boolean await(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end && !isClosed) {
            if (condition.getAsBoolean()) {
                return true;
            }
            LockSupport.parkNanos(LOOK.toNanos());
        }
        return false;
    }

    private boolean isRunning(String name) {
        Pod pod = pods.getStore().getByKey(NAMESPACE + "/" + name);
        return pod != null && "Running".equals(pod.getStatus().getPhase());
    }

    private boolean isAllocated(String name) {
        ResourceClaim claim = claims.getStore().getByKey(NAMESPACE + "/" + name);
        return claim != null && claim.getStatus() != null && claim.getStatus().getAllocation() != null;
    }

    private static Pod pod(String name, AllocatorName allocator) {
        String scheduler = allocator == AllocatorName.Companion ? Labels.SCHEDULER_NAME : "default-scheduler";
        return SingleRequestClaims.podOf(NAMESPACE, name, scheduler)
                .editSpec()
                .addNewToleration()
                .withKey(Labels.SIMULATED)
                .withOperator("Exists")
                .endToleration()
                .endSpec()
                .build();
    }

    /** Stops all users, and deletes their objects. */
    @Override
    public void close() {
        isClosed = true;
        users.shutdown();
        try {
            if (!users.awaitTermination(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("users do not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!refusals.isEmpty()) {
            System.out.println("refused to users: " + refusals);
        }
        client.pods().inNamespace(NAMESPACE).delete();
        client.resources(ResourceClaim.class).inNamespace(NAMESPACE).delete();
        pods.stop();
        claims.stop();
    }
}
