package dev.fakegpu.e2e.bench;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuStatus;
import dev.fakegpu.kube.client.ObjectClient;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClassBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceSelectorBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Objects other than claims with the maximum size, and the operator's changes to them. */
final class WrittenObjects {

    private static final String NAMESPACE = "default";
    private static final String SLICES = "/apis/resource.k8s.io/v1/resourceslices";

    private final KubernetesClient client;

    WrittenObjects(KubernetesClient client) {
        this.client = client;
    }

    Pod pod() {
        return client.resource(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName(MeasuredWrites.name())
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

    static Pod running(Pod pod) {
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

    static Pod nameOf(Pod pod) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName())
                .withUid(pod.getMetadata().getUid())
                .withResourceVersion(pod.getMetadata().getResourceVersion())
                .endMetadata()
                .build();
    }

    static Pod unschedulable(Pod pod, Pod changed) {
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

    Node node() {
        return client.resource(newNode()).create();
    }

    Node newNode() {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(MeasuredWrites.name())
                .addToAnnotations("example.com/large", "x".repeat(200_000))
                .endMetadata()
                .withNewStatus()
                .addToCapacity("cpu", new Quantity("8"))
                .endStatus()
                .build();
    }

    static Node ready(Node node) {
        return new NodeBuilder(node)
                .editOrNewStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build();
    }

    static Node tainted(Node node) {
        return new NodeBuilder(node)
                .editOrNewSpec()
                .addNewTaint("NoSchedule", "fakegpu.dev/simulated", null, null)
                .endSpec()
                .build();
    }

    Lease lease() {
        return client.resource(new LeaseBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName(MeasuredWrites.name())
                        .addToAnnotations("example.com/large", "x".repeat(200_000))
                        .endMetadata()
                        .withNewSpec()
                        .withHolderIdentity("node")
                        .withLeaseDurationSeconds(40)
                        .endSpec()
                        .build())
                .create();
    }

    /** Renews the Lease as NodeHeartbeat does. */
    static Lease renewed(Lease lease) {
        return new LeaseBuilder(lease)
                .editSpec()
                .withRenewTime(ZonedDateTime.now(ZoneOffset.UTC))
                .endSpec()
                .build();
    }

    DeviceClass deviceClass() {
        return ObjectClient.of(client).apply(newDeviceClass(MeasuredWrites.name(), "true"));
    }

    /** A class with the maximum number of selectors. */
    static DeviceClass newDeviceClass(String name, String expression) {
        return new DeviceClassBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withSelectors(IntStream.range(0, 32)
                        .mapToObj(i -> new DeviceSelectorBuilder()
                                .withNewCel(expression + " || device.driver == '" + "x".repeat(9_000) + i + "'")
                                .build())
                        .toList())
                .endSpec()
                .build();
    }

    ResourceSlice slice(String value) {
        return client.getKubernetesSerialization()
                .unmarshal(client.raw(SLICES, "POST", sliceJson(value)), ResourceSlice.class);
    }

    ResourceSlice newSlice(String value) {
        return client.getKubernetesSerialization().unmarshal(sliceJson(value), ResourceSlice.class);
    }

    static String sliceJson(String value) {
        String attributes = IntStream.range(0, 32)
                .mapToObj(i -> "\"attribute_%d\":{\"string\":\"%s\"}".formatted(i, value.repeat(64)))
                .collect(Collectors.joining(","));
        String devices = IntStream.range(0, 128)
                .mapToObj(i -> "{\"name\":\"gpu-%d\",\"attributes\":{%s}}".formatted(i, attributes))
                .collect(Collectors.joining(","));
        return """
                {"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"%s"},
                 "spec":{"driver":"gpu.example.com","nodeName":"node","devices":[%s],
                         "pool":{"name":"p","generation":1,"resourceSliceCount":1}}}""".formatted(MeasuredWrites.name(), devices);
    }

    static ResourceSlice changed(ResourceSlice slice) {
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

    FakeGpu fakeGpu() {
        String attributes = IntStream.range(0, 32)
                .mapToObj(i -> "\"attribute_%d\":{\"string\":\"%s\"}".formatted(i, "x".repeat(64)))
                .collect(Collectors.joining(","));
        String devices = IntStream.range(0, 320)
                .mapToObj(i -> "{\"name\":\"gpu-%d\",\"attributes\":{%s}}".formatted(i, attributes))
                .collect(Collectors.joining(","));
        String json = """
                {"apiVersion":"fakegpu.dev/v1alpha1","kind":"FakeGpu","metadata":{"name":"%s"},
                 "spec":{"nodes":{"names":["node"]},"custom":{"devices":[%s]}}}""".formatted(MeasuredWrites.name(), devices);
        return patchStatus(client.getKubernetesSerialization()
                .unmarshal(client.raw("/apis/fakegpu.dev/v1alpha1/fakegpus", "POST", json), FakeGpu.class));
    }

    static FakeGpu published(FakeGpu before, FakeGpu changed) {
        int devices = before.getStatus() == null ? 0 : 320;
        changed.setStatus(new FakeGpuStatus(
                before.getMetadata().getGeneration(),
                List.of(),
                new FakeGpuStatus.Totals(1, 0, devices, 0),
                List.of()));
        return changed;
    }

    /** Patches the status as the Java Operator SDK does for the reconciler. */
    FakeGpu patchStatus(FakeGpu fakeGpu) {
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

    Event event() {
        return client.resource(newEvent()).create();
    }

    Event newEvent() {
        return new EventBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName(MeasuredWrites.name())
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
                .build();
    }

    static Event repeated(Event event) {
        return new EventBuilder(event).withCount(event.getCount() + 1).build();
    }

    /** The FakeGpu, which is being deleted, after its last device was released. */
    static FakeGpu released(FakeGpu fakeGpu) {
        var released = new FakeGpu();
        released.setMetadata(new ObjectMetaBuilder(fakeGpu.getMetadata())
                .addToFinalizers("fakegpu.dev/removal")
                .build());
        released.setSpec(fakeGpu.getSpec());
        released.setStatus(fakeGpu.getStatus());
        return released;
    }
}
