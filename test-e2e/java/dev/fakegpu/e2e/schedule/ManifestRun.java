package dev.fakegpu.e2e.schedule;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.e2e.schedule.ManifestResult.State;
import dev.fakegpu.e2e.support.FakeGpuFixture;
import dev.fakegpu.e2e.support.SingleRequestClaims;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatus;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatusBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The run of a manifest in one namespace, and its result as text. */
final class ManifestRun {

    private final KubernetesClient client;
    private final FakeGpuFixture fakeGpus;
    private final String namespace;
    private final List<HasMetadata> objects;
    private final List<String> createdPods = new ArrayList<>();
    private final Map<DeviceId, String> typesByDevice = new HashMap<>();
    private int podsOfControllers;
    private int probes;

    /** @param manifest the manifest, whose objects are all created in the namespace, regardless of their own */
    ManifestRun(KubernetesClient client, FakeGpuFixture fakeGpus, String namespace, String manifest) {
        this.client = client;
        this.fakeGpus = fakeGpus;
        this.namespace = namespace;
        this.objects = client.load(new ByteArrayInputStream(manifest.getBytes(StandardCharsets.UTF_8))).items().stream()
                .filter(object -> !(object instanceof Namespace))
                .toList();
    }

    /** The API versions of the manifest that the API server does not serve, as text; empty if it serves all of them. */
    Optional<String> unserved() {
        String versions = objects.stream()
                .filter(object -> !client.supports(object.getApiVersion(), object.getKind()))
                .map(HasMetadata::getApiVersion)
                .distinct()
                .sorted()
                .collect(joining(", "));
        return versions.isEmpty() ? Optional.empty() : Optional.of("not served: " + versions);
    }

    /** Creates the objects one after the other. */
    void apply(AllocatorName allocator) {
        boolean isRuleNew = false;
        for (HasMetadata object : objects) {
            if (allocator == AllocatorName.Companion) {
                podSpec(object).ifPresent(spec -> spec.setSchedulerName(Labels.SCHEDULER_NAME));
            }
            if (isTaintRule(object)) {
                awaitAllRunning(); // the examples add taints to devices that pods already hold
                awaitDevicesKnown(allocator);
                isRuleNew = true;
            }
            if (object instanceof Pod pod && isRuleNew) {
                // Otherwise the pod may be scheduled before the scheduler sees the rule.
                fakeGpus.await(() -> assertThat(isRefused(pod, allocator)).isTrue());
                isRuleNew = false;
            }
            create(object);
        }
    }

    private void create(HasMetadata object) {
        if (object instanceof DeviceClass || isTaintRule(object)) {
            fakeGpus.create(object);
            return;
        }
        object.getMetadata().setNamespace(namespace);
        HasMetadata created = client.resource(object).create();
        if (created instanceof Pod) {
            createdPods.add(created.getMetadata().getName());
        }
        podsOfControllers += ManifestResult.podsOfController(created);
    }

    private static boolean isTaintRule(HasMetadata object) {
        return object.getKind().equals("DeviceTaintRule");
    }

    private static Optional<PodSpec> podSpec(HasMetadata object) {
        if (object instanceof Pod pod) {
            return Optional.of(pod.getSpec());
        }
        if (object instanceof Deployment deployment) {
            return Optional.of(deployment.getSpec().getTemplate().getSpec());
        }
        if (object instanceof StatefulSet set) {
            return Optional.of(set.getSpec().getTemplate().getSpec());
        }
        return object instanceof Job job
                ? Optional.of(job.getSpec().getTemplate().getSpec())
                : Optional.empty();
    }

    private void awaitAllRunning() {
        fakeGpus.await(() -> assertThat(observe().states().keySet()).isSubsetOf(Set.of(State.RUNNING)));
    }

    /** Otherwise a scheduler that does not know the devices yet would refuse a pod as if it knew the rule. */
    private void awaitDevicesKnown(AllocatorName allocator) {
        String name = "probe-" + ++probes;
        var claim = client.resource(
                SingleRequestClaims.ofClass(namespace, name, "gpu.example.com").build());
        claim.create();
        String scheduler = allocator == AllocatorName.Companion ? Labels.SCHEDULER_NAME : "default-scheduler";
        var probe = client.resource(
                SingleRequestClaims.podOf(namespace, name, scheduler).build());
        probe.create();
        fakeGpus.await(() -> assertThat(state(name)).isEqualTo(State.RUNNING));
        probe.delete();
        claim.delete();
        fakeGpus.await(() -> {
            assertThat(state(name)).isEqualTo(State.EVICTED);
            assertThat(claim.get()).isNull();
        });
    }

    /** Tries it with a pod that is deleted afterwards. */
    private boolean isRefused(Pod pod, AllocatorName allocator) {
        String name = "probe-" + ++probes;
        var probe = new PodBuilder(pod)
                .editMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .build();
        client.resource(probe).create();
        // While its claim does not exist, the companion reports that. The keys of all taints contain this word.
        String why = allocator == AllocatorName.Companion ? "unhealthy" : "cannot allocate all claims";
        fakeGpus.await(
                () -> assertThat(isRefused(name, why) || isAdmitted(name)).isTrue());
        boolean isRefused = isRefused(name, why);
        client.resource(probe).delete();
        fakeGpus.await(() -> assertThat(state(name)).isEqualTo(State.EVICTED));
        return isRefused;
    }

    private boolean isRefused(String pod, String why) {
        Pod stored = client.pods().inNamespace(namespace).withName(pod).get();
        return stored != null
                && ManifestResult.state(stored) == State.PENDING
                && stored.getStatus().getConditions().stream()
                        .anyMatch(condition -> "Unschedulable".equals(condition.getReason())
                                && String.valueOf(condition.getMessage()).contains(why));
    }

    /** Whether the pod was admitted, even if it was evicted afterwards. */
    private boolean isAdmitted(String pod) {
        return Set.of(State.RUNNING, State.EVICTED).contains(state(pod));
    }

    /** Sets the conditions, as the controller of a driver does when the devices are ready. Until then, no pod has a node. */
    void meetBindingConditions() {
        fakeGpus.await(() -> assertThat(claims()).isNotEmpty().allMatch(Allocations::isAllocated));
        assertThat(pods())
                .allSatisfy(pod -> assertThat(pod.getSpec().getNodeName()).isNull());
        claims().forEach(claim -> client.resources(ResourceClaim.class)
                .inNamespace(namespace)
                .withName(claim.getMetadata().getName())
                .editStatus(ManifestRun::ready));
    }

    private static ResourceClaim ready(ResourceClaim claim) {
        var devices = Allocations.results(claim).stream()
                .map(result -> ready(claim, result))
                .toList();
        return new ResourceClaimBuilder(claim)
                .editStatus()
                .withDevices(devices)
                .endStatus()
                .build();
    }

    /** Other conditions of the device are kept. */
    private static AllocatedDeviceStatus ready(ResourceClaim claim, DeviceRequestAllocationResult result) {
        var now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        var conditions = result.getBindingConditions().stream()
                .map(type -> new ConditionBuilder()
                        .withType(type)
                        .withStatus("True")
                        .withReason("Ready")
                        .withMessage("")
                        .withLastTransitionTime(now.toString())
                        .build())
                .toList();
        return claim.getStatus().getDevices().stream()
                .filter(device -> device.getPool().equals(result.getPool())
                        && device.getDevice().equals(result.getDevice()))
                .findFirst()
                .map(AllocatedDeviceStatusBuilder::new)
                .orElseGet(() -> new AllocatedDeviceStatusBuilder()
                        .withDriver(result.getDriver())
                        .withPool(result.getPool())
                        .withDevice(result.getDevice()))
                .addAllToConditions(conditions)
                .build();
    }

    /** A text such as {@code 2 pods run with 2 shares of 1 gpu, 1 pod pending}. */
    String result() {
        return observe().inWords();
    }

    /** Whether the result may be final: no pod is about to be created, started or deleted. */
    boolean isSettled() {
        return observe().isSettled();
    }

    private ManifestResult observe() {
        return new ManifestResult(createdPods, podsOfControllers, pods(), claims(), typesByDevice());
    }

    private State state(String name) {
        Pod pod = client.pods().inNamespace(namespace).withName(name).get();
        return pod == null ? State.EVICTED : ManifestResult.state(pod);
    }

    private Map<DeviceId, String> typesByDevice() {
        if (typesByDevice.isEmpty()) {
            typesByDevice.putAll(ManifestResult.typesByDevice(
                    client.resources(ResourceSlice.class).list().getItems()));
        }
        return typesByDevice;
    }

    List<ResourceClaim> claims() {
        return client.resources(ResourceClaim.class)
                .inNamespace(namespace)
                .list()
                .getItems();
    }

    List<Pod> pods() {
        return client.pods().inNamespace(namespace).list().getItems();
    }
}
