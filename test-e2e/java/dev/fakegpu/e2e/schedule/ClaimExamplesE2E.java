package dev.fakegpu.e2e.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The examples of KEP-4816 (prioritized lists) and KEP-5075 (consumable capacity), by the companion and by kube-scheduler 1.37. Both
 * must give the same; only what they say differs.
 */
class ClaimExamplesE2E {

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withSchedulerAndControllerManager();

    // --- KEP-4816

    @ParameterizedTest
    @EnumSource
    void alternativesAreTakenInTheirOrder(AllocatorName allocator) {
        try (var scenario = alternatives(allocator)) {
            // When
            List.of("first", "second", "third").forEach(name -> {
                deviceConsumer(scenario, name, "");
                scenario.awaitRunning(name);
            });
            deviceConsumer(scenario, "fourth", "");

            // Then
            assertThat(held(scenario, "first-claim")).containsExactly("nic=nic-0", "gpu/big-gpu=big-gpu-0");
            assertThat(held(scenario, "second-claim")).containsExactly("nic=nic-1", "gpu/mid-gpu=mid-gpu-0");
            assertThat(held(scenario, "third-claim"))
                    .containsExactly("nic=nic-2", "gpu/small-gpu=small-gpu-1", "gpu/small-gpu=small-gpu-2");
            assertThat(configuredRequests(scenario, "first-claim")).isEmpty();
            assertThat(configuredRequests(scenario, "second-claim")).isEmpty();
            assertThat(configuredRequests(scenario, "third-claim")).containsExactly("gpu/small-gpu");
            awaitRefused(
                    scenario,
                    allocator,
                    "fourth",
                    "no device for request \"nic\": nic-0 is held by %1$s/first-claim; 2 more are in use;"
                            + " it would fit if %1$s/first-claim (pod \"first\") were released");

            // When
            scenario.deletePod("second");

            // Then
            scenario.awaitRunning("fourth");
            assertThat(held(scenario, "fourth-claim")).containsExactly("nic=nic-1", "gpu/mid-gpu=mid-gpu-0");
        }
    }

    /** By the order in which the companion tries nodes it would be the other one: more devices of it are free. */
    @ParameterizedTest
    @EnumSource
    void nodeWithTheBetterAlternativeIsPreferred(AllocatorName allocator) {
        try (var scenario = alternatives(allocator)) {
            // Given
            scenario.patch("{\"spec\":{\"nodes\":{\"simulated\":{\"count\":2}}}}");
            deviceConsumer(scenario, "first", "kep-4816-node-0");
            scenario.awaitRunning("first");
            scenario.create("""
                    apiVersion: resource.k8s.io/v1
                    kind: ResourceClaim
                    metadata: {name: small}
                    spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: small-gpu, count: 3}}]}}
                    ---
                    apiVersion: v1
                    kind: Pod
                    metadata: {name: small}
                    spec:
                      nodeSelector: {kubernetes.io/hostname: kep-4816-node-1}
                      containers: [{name: main, image: "busybox:1"}]
                      resourceClaims: [{name: gpus, resourceClaimName: small}]
                    """);
            scenario.awaitRunning("small");

            // When
            deviceConsumer(scenario, "second", "");

            // Then
            scenario.awaitRunning("second");
            assertThat(held(scenario, "second-claim")).contains("gpu/big-gpu=big-gpu-0");
            assertThat(scenario.storedPod("second").getSpec().getNodeName()).isEqualTo("kep-4816-node-1");
        }
    }

    private static ClusterScenario alternatives(AllocatorName allocator) {
        var scenario = cluster.scenario(allocator);
        scenario.apply("kep-4816.yaml");
        scenario.createFrom("kep-4816/classes.yaml", yaml -> yaml);
        return scenario;
    }

    /** @param node empty for any */
    private static void deviceConsumer(ClusterScenario scenario, String name, String node) {
        scenario.createFrom(
                "kep-4816/device-consumer.yaml",
                yaml -> yaml.replace("device-consumer", name)
                        .replace(
                                "  resourceClaims:",
                                node.isEmpty()
                                        ? "  resourceClaims:"
                                        : "  nodeSelector: {kubernetes.io/hostname: " + node + "}\n  resourceClaims:"));
    }

    private static List<String> configuredRequests(ClusterScenario scenario, String claim) {
        return scenario.storedClaim(claim).getStatus().getAllocation().getDevices().getConfig().stream()
                .flatMap(config -> config.getRequests().stream())
                .toList();
    }

    // --- KEP-5075

    @ParameterizedTest
    @EnumSource
    void claimsShareWhatADeviceHas(AllocatorName allocator) {
        try (var scenario = interfaces(allocator)) {
            // When
            nic(scenario, "default", "");
            scenario.awaitRunning("default");
            nic(scenario, "half", "5Gi");
            scenario.awaitRunning("half");
            nic(scenario, "too-much", "5Gi");

            // Then
            assertThat(result(scenario, "default").getConsumedCapacity())
                    .isEqualTo(Map.of("bandwidth", new Quantity("1Mi")));
            assertThat(result(scenario, "half").getConsumedCapacity())
                    .isEqualTo(Map.of("bandwidth", new Quantity("5Gi")));
            assertThat(List.of("default", "half"))
                    .allSatisfy(claim ->
                            assertThat(result(scenario, claim).getDevice()).isEqualTo("eth1"))
                    .allSatisfy(claim -> assertThat(
                                    scenario.storedClaim(claim).getStatus().getDevices())
                            .singleElement()
                            .satisfies(status -> assertThat(status.getShareID())
                                    .isNotEmpty()
                                    .isEqualTo(result(scenario, claim).getShareID())))
                    .extracting(claim -> result(scenario, claim).getShareID())
                    .doesNotHaveDuplicates();
            awaitRefused(
                    scenario,
                    allocator,
                    "too-much",
                    "no device for request \"nic\": eth1 has 5119Mi bandwidth left where 5368709120 are needed;"
                            + " shared by %1$s/default, %1$s/half; it would fit if %1$s/default (pod \"default\") were released");
            scenario.assertPossible();

            // When
            scenario.deletePod("default");

            // Then
            scenario.awaitRunning("too-much");
            scenario.assertPossible();
        }
    }

    /** To {@code min} and a number of steps. */
    @ParameterizedTest
    @EnumSource
    void requestIsRoundedUpToWhatThePolicyAllows(AllocatorName allocator) {
        try (var scenario = interfaces(allocator)) {
            // When
            nic(scenario, "small", "1");
            nic(scenario, "odd", "1048577");

            // Then
            scenario.awaitRunning("small");
            scenario.awaitRunning("odd");
            assertThat(result(scenario, "small").getConsumedCapacity())
                    .isEqualTo(Map.of("bandwidth", new Quantity("1Mi")));
            assertThat(result(scenario, "odd").getConsumedCapacity())
                    .isEqualTo(Map.of("bandwidth", new Quantity("1048584")));
        }
    }

    @ParameterizedTest
    @EnumSource
    void distinctAttributeKeepsAClaimFromOneDeviceTwice(AllocatorName allocator) {
        try (var scenario = interfaces(allocator)) {
            // When
            scenario.createFrom("kep-5075/macvlan.yaml", yaml -> yaml);
            scenario.createFrom(
                    "kep-5075/macvlan.yaml",
                    yaml -> yaml.replace("macvlan\n", "again\n")
                            .replace("resourceClaimName: macvlan", "resourceClaimName: again"));
            scenario.createFrom(
                    "kep-5075/macvlan.yaml",
                    yaml -> yaml.replace("macvlan\n", "three\n")
                            .replace("resourceClaimName: macvlan", "resourceClaimName: three")
                            .replace("count: 1", "count: 2"));

            // Then
            scenario.awaitRunning("macvlan");
            scenario.awaitRunning("again");
            assertThat(held(scenario, "macvlan")).containsExactly("macvlan-1=eth2", "macvlan-2=eth3");
            assertThat(held(scenario, "again")).containsExactly("macvlan-1=eth2", "macvlan-2=eth3");
            awaitRefused(
                    scenario,
                    allocator,
                    "three",
                    "request \"macvlan-2\" fits alone, but not together with request \"macvlan-1\"");
        }
    }

    private static ClusterScenario interfaces(AllocatorName allocator) {
        var scenario = cluster.scenario(allocator);
        scenario.apply("kep-5075.yaml");
        scenario.createFrom("kep-5075/classes.yaml", yaml -> yaml);
        return scenario;
    }

    /** @param bandwidth empty for the policy's default */
    private static void nic(ClusterScenario scenario, String name, String bandwidth) {
        scenario.createFrom(
                "kep-5075/nic.yaml",
                yaml -> yaml.replace("name: nic\nspec", "name: " + name + "\nspec")
                        .replace("resourceClaimName: nic", "resourceClaimName: " + name)
                        .replace(
                                "requests: # for resources which must be provided by those devices\n            bandwidth: 5Gi",
                                bandwidth.isEmpty() ? "requests: {}" : "requests: {bandwidth: \"" + bandwidth + "\"}"));
    }

    // --- both

    private static DeviceRequestAllocationResult result(ClusterScenario scenario, String claim) {
        return Allocations.results(scenario.storedClaim(claim)).get(0);
    }

    /** As {@code request=device}. */
    private static List<String> held(ClusterScenario scenario, String claim) {
        return Allocations.results(scenario.storedClaim(claim)).stream()
                .map(result -> result.getRequest() + "=" + result.getDevice())
                .toList();
    }

    /** @param sentence of the companion, with the namespace left out */
    private static void awaitRefused(ClusterScenario scenario, AllocatorName allocator, String pod, String sentence) {
        scenario.awaitUnschedulable(
                pod,
                allocator == AllocatorName.Companion
                        ? sentence.formatted(scenario.namespace())
                        : "cannot allocate all claims");
        assertThat(scenario.storedPod(pod).getSpec().getNodeName()).isNull();
    }
}
