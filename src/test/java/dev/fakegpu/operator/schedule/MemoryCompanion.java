package dev.fakegpu.operator.schedule;

import static java.util.stream.Collectors.joining;

import dev.fakegpu.engine.allocate.Feature;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.events.EventRecorder;
import dev.fakegpu.operator.schedule.settings.CompanionOptions;
import dev.fakegpu.operator.schedule.settings.CompanionSettings;
import dev.fakegpu.simulate.memory.MemoryCluster;
import dev.fakegpu.simulate.memory.VirtualTime;
import dev.fakegpu.testing.ClusterYaml;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The companion of a cluster in memory, in virtual time, for devices of any driver, and YAML documents for such a cluster. */
final class MemoryCompanion {

    /** Intercepts a call of the client, which {@code real} performs. */
    interface Interception {
        @Nullable Object answer(String method, @Nullable Object argument, Callable<@Nullable Object> real) throws Exception;
    }

    static final CompanionOptions OPTIONS =
            new CompanionOptions(Feature.all(), GroupsGate.ON, GroupPolicy.SNAPSHOT, Duration.ofMinutes(10), 8);

    private MemoryCompanion() {}

    /** @param client the client for writes: the cluster itself, or a wrapper */
    static CompanionBuilder of(ObjectClient client, MemoryCluster cluster, VirtualTime time, CompanionOptions options) {
        return new CompanionBuilder(
                        client,
                        cluster.stores(),
                        new EventRecorder(cluster, time, time, "test", problem -> {}, time),
                        new CompanionSettings(cluster.stores(), options))
                .time(time, time)
                .executors(time)
                .slicesOfOthers(slice -> true);
    }

    /** @param interception gets the name of each method and its first argument */
    static ObjectClient intercepted(ObjectClient client, Interception interception) {
        return (ObjectClient) Proxy.newProxyInstance(
                MemoryCompanion.class.getClassLoader(),
                new Class<?>[] {ObjectClient.class},
                (proxy, method, arguments) -> {
                    try {
                        return interception.answer(
                                method.getName(),
                                arguments == null ? null : arguments[0],
                                () -> method.invoke(client, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    static void create(MemoryCluster cluster, String... yaml) {
        ClusterYaml.objects(yaml).forEach(cluster::create);
    }

    static String deviceClass(String name, String expression) {
        return """
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: %s}
                spec: {selectors: [{cel: {expression: "%s"}}]}
                """.formatted(name, expression);
    }

    static String readyNode(String name, int cpu) {
        return """
                apiVersion: v1
                kind: Node
                metadata: {name: %s}
                status: {allocatable: {cpu: "%d", pods: "110"}, conditions: [{type: Ready, status: "True"}]}
                """.formatted(name, cpu);
    }

    /** The only slice of a node. */
    static String slice(String node, String driver, String... devices) {
        return """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: %1$s}
                spec:
                  driver: %2$s
                  nodeName: %1$s
                  pool: {name: %1$s, generation: 1, resourceSliceCount: 1}
                  devices: [%3$s]
                """.formatted(
                node, driver, Stream.of(devices).map("{name: %s}"::formatted).collect(joining(", ")));
    }

    static String gang(String name, int minCount) {
        return """
                apiVersion: scheduling.k8s.io/v1beta1
                kind: PodGroup
                metadata: {namespace: default, name: %s}
                spec: {schedulingPolicy: {gang: {minCount: %d}}}
                """.formatted(name, minCount);
    }

    static String claim(String name, String deviceClass, int count) {
        return """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {namespace: default, name: %s}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: %s, allocationMode: ExactCount, count: %d}}]}}
                """.formatted(name, deviceClass, count);
    }

    /**
     * A pod that requests a processor, and has a claim with the same name.
     *
     * @param spec other fields of its spec, such as {@code priority: 10}
     */
    static String pod(String name, String spec) {
        return pod(name, "{}", spec);
    }

    static String pod(String name, String labels, String spec) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {namespace: default, name: %1$s, labels: %2$s}
                spec:
                  schedulerName: fakegpu-scheduler
                  containers: [{name: main, image: app, resources: {claims: [{name: gpu}], requests: {cpu: "1"}}}]
                  resourceClaims: [{name: gpu, resourceClaimName: %1$s}]
                  %3$s
                """.formatted(name, labels, spec);
    }
}
