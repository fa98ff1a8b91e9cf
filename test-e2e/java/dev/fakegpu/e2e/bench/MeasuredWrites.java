package dev.fakegpu.e2e.bench;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuStatus;
import dev.fakegpu.dra.RawJson;
import dev.fakegpu.dra.wire.CompactSlice;
import dev.fakegpu.dra.wire.SliceReader;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatus;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatusBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAllocationConfigurationBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResultBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The kinds of writes, each to the largest and deepest object that the operator accepts. */
final class MeasuredWrites {

    private static final String NAMESPACE = "default";
    private static final String DRIVER = "gpu.example.com";

    /** As deep as the 10 KiB of a configuration allow. */
    private static final String NESTED = "{\"a\":" + "[".repeat(4900) + "]".repeat(4900) + "}";

    /** 10 KiB that a client in Python would send. */
    private static final String SPACED = "{\"a\": \"" + "x".repeat(10_000) + "\"}";

    /** Configurations of a claim below the operator's limit of 256 KiB: alone, and with an allocation that repeats them. */
    private static final int CONFIGS = 24;

    private static final int ALLOCATED_CONFIGS = 8;
    private static final String ANNOTATION = "fakegpu.dev/not-allocated";

    private final KubernetesClient client;

    MeasuredWrites(KubernetesClient client) {
        this.client = client;
    }

    List<MeasuredWrite<?>> all() {
        return Stream.of(claims(), pods(), others()).flatMap(List::stream).toList();
    }

    private List<MeasuredWrite<?>> claims() {
        return List.of(
                status("allocation", "claim, 1 configuration", () -> claim(NESTED, 1), MeasuredWrites::allocated),
                status("allocation", "claim, 12 configurations", () -> claim(NESTED, 12), MeasuredWrites::allocated),
                status(
                        "allocation",
                        "claim, 24 configurations",
                        () -> claim(NESTED, CONFIGS),
                        MeasuredWrites::allocated),
                metadata(
                        "finalizer", "claim, 24 configurations", () -> claim(NESTED, CONFIGS), MeasuredWrites::protect),
                metadata(
                        "annotation",
                        "claim, 24 configurations",
                        () -> claim(NESTED, CONFIGS),
                        MeasuredWrites::explained),
                new MeasuredWrite<>(
                        "finalizer",
                        "claim, 24 configurations with white space",
                        new MeasuredWrite.Way<>(
                                () -> claim(SPACED.replace(" ", ""), CONFIGS), claim -> put(protect(claim), "")),
                        operator -> new MeasuredWrite.Way<>(
                                () -> claim(SPACED, CONFIGS), claim -> operator.update(claim, protect(claim)))),
                status("reservation", "allocated claim", this::allocatedClaim, MeasuredWrites::reserved),
                status(
                        "data of a device",
                        "allocated claim with data of 8 others",
                        this::reportedClaim,
                        claim -> withData(claim, "{\"of\":\"ours\"}")),
                status(
                        "release",
                        "allocated claim with data of 8 others",
                        this::reportedClaim,
                        claim -> new ResourceClaimBuilder(claim)
                                .withNewStatus()
                                .endStatus()
                                .build()),
                new MeasuredWrite<>(
                        "deletion",
                        "claim, 24 configurations",
                        new MeasuredWrite.Way<>(() -> claim(NESTED, CONFIGS), claim -> put(explained(claim), "")),
                        operator -> new MeasuredWrite.Way<>(() -> claim(NESTED, CONFIGS), operator::delete)));
    }

    private List<MeasuredWrite<?>> pods() {
        return List.of(
                status("running", "pod of 1 MB", this::pod, MeasuredWrites::running),
                new MeasuredWrite<>(
                        "condition",
                        "pod of 1 MB",
                        new MeasuredWrite.Way<>(this::pod, pod -> put(unschedulable(pod, pod), "/status")),
                        operator -> new MeasuredWrite.Way<>(
                                this::pod, pod -> operator.mergeStatus(unschedulable(pod, nameOf(pod))))),
                new MeasuredWrite<>(
                        "binding",
                        "pod of 1 MB",
                        new MeasuredWrite.Way<>(this::pod, pod -> put(running(pod), "/status")),
                        operator -> new MeasuredWrite.Way<>(
                                this::pod,
                                pod -> operator.bind(new BindingBuilder()
                                        .withMetadata(nameOf(pod).getMetadata())
                                        .withNewTarget()
                                        .withKind("Node")
                                        .withName("node")
                                        .endTarget()
                                        .build()))));
    }

    private List<MeasuredWrite<?>> others() {
        return List.of(
                status(
                        "readiness",
                        "node with 200 kB of annotations",
                        this::node,
                        node -> new NodeBuilder(node)
                                .editOrNewStatus()
                                .addNewCondition()
                                .withType("Ready")
                                .withStatus("True")
                                .endCondition()
                                .endStatus()
                                .build()),
                metadata(
                        "taints",
                        "node with 200 kB of annotations",
                        this::node,
                        node -> new NodeBuilder(node)
                                .editOrNewSpec()
                                .addNewTaint("NoSchedule", "fakegpu.dev/simulated", null, null)
                                .endSpec()
                                .build()),
                new MeasuredWrite<>(
                        "slice",
                        "slice, 128 devices with 32 attributes",
                        new MeasuredWrite.Way<>(() -> slice("a"), slice -> put(changed(slice), "")),
                        operator -> new MeasuredWrite.Way<>(
                                () -> slice("a"),
                                slice -> operator.replace(
                                        slice,
                                        CompactSlice.replacing(
                                                new ObjectMetaBuilder()
                                                        .withName(slice.getMetadata()
                                                                .getName())
                                                        .build(),
                                                SliceReader.read(changed(slice)))))),
                new MeasuredWrite<>(
                        "status",
                        "FakeGpu of 1 MB",
                        new MeasuredWrite.Way<>(this::fakeGpu, fakeGpu -> put(published(fakeGpu, fakeGpu), "/status")),
                        operator -> new MeasuredWrite.Way<>(this::fakeGpu, this::patchStatus)),
                new MeasuredWrite<>(
                        "repetition",
                        "event",
                        new MeasuredWrite.Way<>(this::event, event -> put(repeated(event), "")),
                        operator -> new MeasuredWrite.Way<>(
                                this::event, event -> operator.edit(event, MeasuredWrites::repeated))));
    }

    private <T extends HasMetadata> MeasuredWrite<T> status(
            String name, String object, Supplier<T> stored, UnaryOperator<T> change) {
        return new MeasuredWrite<>(
                name,
                object,
                new MeasuredWrite.Way<>(stored, before -> put(change.apply(before), "/status")),
                operator ->
                        new MeasuredWrite.Way<>(stored, before -> operator.updateStatus(before, change.apply(before))));
    }

    private <T extends HasMetadata> MeasuredWrite<T> metadata(
            String name, String object, Supplier<T> stored, UnaryOperator<T> change) {
        return new MeasuredWrite<>(
                name,
                object,
                new MeasuredWrite.Way<>(stored, before -> put(change.apply(before), "")),
                operator -> new MeasuredWrite.Way<>(stored, before -> operator.update(before, change.apply(before))));
    }

    private void put(HasMetadata after, String subresource) {
        client.raw(path(after) + "/" + after.getMetadata().getName() + subresource, "PUT", after);
    }

    private static String path(HasMetadata object) {
        String version = object.getApiVersion();
        String namespace = object.getMetadata().getNamespace();
        return (version.contains("/") ? "/apis/" : "/api/") + version
                + (namespace == null ? "" : "/namespaces/" + namespace)
                + "/" + object.getPlural();
    }

    // --- claims

    private ResourceClaim claim(String parameters, int configs) {
        String config = Collections.nCopies(configs, parameters).stream()
                .map("{\"opaque\":{\"driver\":\"gpu.example.com\",\"parameters\":%s}}"::formatted)
                .collect(Collectors.joining(","));
        String json = """
                {"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"%s","namespace":"default"},
                 "spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"x","count":9}}],
                                    "config":[%s]}}}""".formatted(name(), config);
        return read(client.raw("/apis/resource.k8s.io/v1/namespaces/default/resourceclaims", "POST", json));
    }

    private ResourceClaim read(String json) {
        return client.getKubernetesSerialization().unmarshal(json, ResourceClaim.class);
    }

    private static ResourceClaim allocated(ResourceClaim claim) {
        return new ResourceClaimBuilder(claim)
                .editOrNewStatus()
                .withNewAllocation()
                .withNewDevices()
                .addAllToResults(IntStream.range(0, ALLOCATED_CONFIGS + 1)
                        .mapToObj(i -> new DeviceRequestAllocationResultBuilder()
                                .withRequest("r")
                                .withDriver(DRIVER)
                                .withPool("p")
                                .withDevice("gpu-" + i)
                                .build())
                        .toList())
                .addAllToConfig(claim.getSpec().getDevices().getConfig().stream()
                        .map(config -> new DeviceAllocationConfigurationBuilder()
                                .withSource("FromClaim")
                                .withOpaque(config.getOpaque())
                                .build())
                        .toList())
                .endDevices()
                .endAllocation()
                .endStatus()
                .build();
    }

    private ResourceClaim allocatedClaim() {
        ResourceClaim claim = claim(NESTED, ALLOCATED_CONFIGS);
        return read(client.raw(path(claim) + "/" + claim.getMetadata().getName() + "/status", "PUT", allocated(claim)));
    }

    private ResourceClaim reportedClaim() {
        var data = IntStream.range(0, ALLOCATED_CONFIGS)
                .mapToObj(i -> status("gpu-" + i, NESTED))
                .toList();
        ResourceClaim claim = new ResourceClaimBuilder(allocatedClaim())
                .editStatus()
                .withDevices(data)
                .endStatus()
                .build();
        return read(client.raw(path(claim) + "/" + claim.getMetadata().getName() + "/status", "PUT", claim));
    }

    private static AllocatedDeviceStatus status(String device, String data) {
        return new AllocatedDeviceStatusBuilder()
                .withDriver(DRIVER)
                .withPool("p")
                .withDevice(device)
                .withData(new RawJson(data))
                .build();
    }

    private static ResourceClaim withData(ResourceClaim claim, String data) {
        return new ResourceClaimBuilder(claim)
                .editStatus()
                .addToDevices(status("gpu-" + ALLOCATED_CONFIGS, data))
                .endStatus()
                .build();
    }

    private static ResourceClaim reserved(ResourceClaim claim) {
        return new ResourceClaimBuilder(claim)
                .editStatus()
                .addNewReservedFor(null, "pod", "pods", "uid")
                .endStatus()
                .build();
    }

    private static ResourceClaim protect(ResourceClaim claim) {
        return new ResourceClaimBuilder(claim)
                .editMetadata()
                .addToFinalizers("resource.kubernetes.io/delete-protection")
                .endMetadata()
                .build();
    }

    private static ResourceClaim explained(ResourceClaim claim) {
        return new ResourceClaimBuilder(claim)
                .editMetadata()
                .addToAnnotations(ANNOTATION, "x".repeat(1024))
                .endMetadata()
                .build();
    }

    // --- pods

    private Pod pod() {
        return client.resource(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName(name())
                        .endMetadata()
                        .withNewSpec()
                        .withAutomountServiceAccountToken(false)
                        .addNewContainer()
                        .withName("main")
                        .withImage("busybox")
                        .addAllToEnv(IntStream.range(0, 10_000)
                                .mapToObj(
                                        i -> new io.fabric8.kubernetes.api.model.EnvVar("V" + i, "x".repeat(80), null))
                                .toList())
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
    }

    private static Pod running(Pod pod) {
        return new PodBuilder(pod)
                .editOrNewStatus()
                .withPhase("Running")
                .addNewContainerStatus()
                .withName("main")
                .withImage("busybox")
                .withImageID("busybox")
                .withRestartCount(0)
                .withReady(true)
                .endContainerStatus()
                .endStatus()
                .build();
    }

    private static Pod nameOf(Pod pod) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName())
                .withUid(pod.getMetadata().getUid())
                .withResourceVersion(pod.getMetadata().getResourceVersion())
                .endMetadata()
                .build();
    }

    private static Pod unschedulable(Pod pod, Pod changed) {
        return new PodBuilder(changed)
                .editOrNewStatus()
                .addNewCondition()
                .withType("PodScheduled")
                .withStatus("False")
                .withReason("Unschedulable")
                .withMessage("x".repeat(1024) + pod.getMetadata().getName())
                .endCondition()
                .endStatus()
                .build();
    }

    // --- what is not namespaced, and events

    private Node node() {
        return client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(name())
                        .addToAnnotations("example.com/large", "x".repeat(200_000))
                        .endMetadata()
                        .withNewStatus()
                        .addToCapacity("cpu", new Quantity("8"))
                        .endStatus()
                        .build())
                .create();
    }

    private ResourceSlice slice(String value) {
        String attributes = IntStream.range(0, 32)
                .mapToObj(i -> "\"attribute-%d\":{\"string\":\"%s\"}".formatted(i, value.repeat(64)))
                .collect(Collectors.joining(","));
        String devices = IntStream.range(0, 128)
                .mapToObj(i -> "{\"name\":\"gpu-%d\",\"attributes\":{%s}}".formatted(i, attributes))
                .collect(Collectors.joining(","));
        String json = """
                {"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"%s"},
                 "spec":{"driver":"gpu.example.com","nodeName":"node","devices":[%s],
                         "pool":{"name":"p","generation":1,"resourceSliceCount":1}}}""".formatted(name(), devices);
        return client.getKubernetesSerialization()
                .unmarshal(client.raw("/apis/resource.k8s.io/v1/resourceslices", "POST", json), ResourceSlice.class);
    }

    private static ResourceSlice changed(ResourceSlice slice) {
        return slice.edit()
                .editSpec()
                .editPool()
                .withGeneration(2L)
                .endPool()
                .editLastDevice()
                .withName("another")
                .endDevice()
                .endSpec()
                .build();
    }

    private FakeGpu fakeGpu() {
        String attributes = IntStream.range(0, 32)
                .mapToObj(i -> "\"attribute-%d\":{\"string\":\"%s\"}".formatted(i, "x".repeat(64)))
                .collect(Collectors.joining(","));
        String devices = IntStream.range(0, 320)
                .mapToObj(i -> "{\"name\":\"gpu-%d\",\"attributes\":{%s}}".formatted(i, attributes))
                .collect(Collectors.joining(","));
        String json = """
                {"apiVersion":"fakegpu.dev/v1alpha1","kind":"FakeGpu","metadata":{"name":"%s"},
                 "spec":{"nodes":{"names":["node"]},"custom":{"devices":[%s]}}}""".formatted(name(), devices);
        return patchStatus(client.getKubernetesSerialization()
                .unmarshal(client.raw("/apis/fakegpu.dev/v1alpha1/fakegpus", "POST", json), FakeGpu.class));
    }

    private static FakeGpu published(FakeGpu before, FakeGpu changed) {
        int devices = before.getStatus() == null ? 0 : 320;
        changed.setStatus(new FakeGpuStatus(
                before.getMetadata().getGeneration(),
                List.of(),
                new FakeGpuStatus.Totals(1, 0, devices, 0),
                List.of()));
        return changed;
    }

    /** As the Java Operator SDK does it for the reconciler. */
    private FakeGpu patchStatus(FakeGpu fakeGpu) {
        var applied = new FakeGpu();
        applied.setMetadata(new ObjectMetaBuilder()
                .withName(fakeGpu.getMetadata().getName())
                .withUid(fakeGpu.getMetadata().getUid())
                .withResourceVersion(fakeGpu.getMetadata().getResourceVersion())
                .build());
        return client.resource(published(fakeGpu, applied))
                .subresource("status")
                .patch(new PatchContext.Builder()
                        .withPatchType(PatchType.SERVER_SIDE_APPLY)
                        .withForce(true)
                        .withFieldManager("fakegpu-operator-status")
                        .build());
    }

    private Event event() {
        return client.resource(new EventBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName(name())
                        .endMetadata()
                        .withNewInvolvedObject()
                        .withKind("Pod")
                        .withNamespace(NAMESPACE)
                        .withName("pod")
                        .endInvolvedObject()
                        .withReason("FailedScheduling")
                        .withMessage("x".repeat(1024))
                        .withType("Warning")
                        .withCount(1)
                        .build())
                .create();
    }

    private static Event repeated(Event event) {
        return new EventBuilder(event).withCount(event.getCount() + 1).build();
    }

    private static String name() {
        return "write-" + UUID.randomUUID();
    }
}
