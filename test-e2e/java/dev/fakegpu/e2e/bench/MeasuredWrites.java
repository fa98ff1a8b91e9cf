package dev.fakegpu.e2e.bench;

import dev.fakegpu.dra.wire.CompactSlice;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.kube.client.ObjectClient;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The kinds of writes, each with the largest and deepest object that the operator accepts. */
final class MeasuredWrites {

    private final KubernetesClient client;
    private final WrittenClaims claims;
    private final WrittenObjects objects;

    MeasuredWrites(KubernetesClient client) {
        this.client = client;
        this.claims = new WrittenClaims(client);
        this.objects = new WrittenObjects(client);
    }

    List<MeasuredWrite<?>> all() {
        return Stream.of(claims(), pods(), others(), creations(), updates())
                .flatMap(List::stream)
                .toList();
    }

    private List<MeasuredWrite<?>> claims() {
        return List.of(
                status(
                        "allocation",
                        "claim, 1 configuration",
                        () -> claims.claim(WrittenClaims.NESTED, 1),
                        WrittenClaims::allocated),
                status(
                        "allocation",
                        "claim, 12 configurations",
                        () -> claims.claim(WrittenClaims.NESTED, 12),
                        WrittenClaims::allocated),
                status(
                        "allocation",
                        "claim, 24 configurations",
                        () -> claims.claim(WrittenClaims.NESTED, WrittenClaims.CONFIGS),
                        WrittenClaims::allocated),
                metadata(
                        "finalizer",
                        "claim, 24 configurations",
                        () -> claims.claim(WrittenClaims.NESTED, WrittenClaims.CONFIGS),
                        WrittenClaims::protect),
                metadata(
                        "annotation",
                        "claim, 24 configurations",
                        () -> claims.claim(WrittenClaims.NESTED, WrittenClaims.CONFIGS),
                        WrittenClaims::explained),
                new MeasuredWrite<>(
                        "finalizer",
                        "claim, 24 configurations with white space",
                        new MeasuredWrite.Way<>(
                                () -> claims.claim(WrittenClaims.SPACED.replace(" ", ""), WrittenClaims.CONFIGS),
                                claim -> put(WrittenClaims.protect(claim), "")),
                        operator -> new MeasuredWrite.Way<>(
                                () -> claims.claim(WrittenClaims.SPACED, WrittenClaims.CONFIGS),
                                claim -> operator.update(claim, WrittenClaims.protect(claim)))),
                status("reservation", "allocated claim", claims::allocatedClaim, WrittenClaims::reserved),
                status(
                        "data of a device",
                        "allocated claim with data of 8 others",
                        claims::reportedClaim,
                        claim -> WrittenClaims.withData(claim, "{\"of\":\"ours\"}")),
                status(
                        "release",
                        "allocated claim with data of 8 others",
                        claims::reportedClaim,
                        claim -> new ResourceClaimBuilder(claim)
                                .withNewStatus()
                                .endStatus()
                                .build()),
                new MeasuredWrite<>(
                        "deletion",
                        "claim, 24 configurations",
                        new MeasuredWrite.Way<>(
                                () -> claims.claim(WrittenClaims.NESTED, WrittenClaims.CONFIGS),
                                claim -> put(WrittenClaims.explained(claim), "")),
                        operator -> new MeasuredWrite.Way<>(
                                () -> claims.claim(WrittenClaims.NESTED, WrittenClaims.CONFIGS), operator::delete)));
    }

    private List<MeasuredWrite<?>> pods() {
        return List.of(
                status("running", "pod of 1 MB", objects::pod, WrittenObjects::running),
                new MeasuredWrite<>(
                        "condition",
                        "pod of 1 MB",
                        new MeasuredWrite.Way<>(
                                objects::pod, pod -> put(WrittenObjects.unschedulable(pod, pod), "/status")),
                        operator -> new MeasuredWrite.Way<>(
                                objects::pod,
                                pod -> operator.mergeStatus(
                                        WrittenObjects.unschedulable(pod, WrittenObjects.nameOf(pod))))),
                new MeasuredWrite<>(
                        "binding",
                        "pod of 1 MB",
                        new MeasuredWrite.Way<>(objects::pod, pod -> put(WrittenObjects.running(pod), "/status")),
                        operator -> new MeasuredWrite.Way<>(
                                objects::pod,
                                pod -> operator.bind(new BindingBuilder()
                                        .withMetadata(WrittenObjects.nameOf(pod).getMetadata())
                                        .withNewTarget()
                                        .withKind("Node")
                                        .withName("node")
                                        .endTarget()
                                        .build()))));
    }

    private List<MeasuredWrite<?>> others() {
        return List.of(
                status("readiness", "node with 200 kB of annotations", objects::node, WrittenObjects::ready),
                metadata("taints", "node with 200 kB of annotations", objects::node, WrittenObjects::tainted),
                new MeasuredWrite<>(
                        "slice",
                        "slice, 128 devices with 32 attributes",
                        new MeasuredWrite.Way<>(
                                () -> objects.slice("a"), slice -> put(WrittenObjects.changed(slice), "")),
                        operator -> new MeasuredWrite.Way<>(
                                () -> objects.slice("a"),
                                slice -> operator.replace(CompactSlice.of(
                                        slice.getMetadata(), SliceReader.read(WrittenObjects.changed(slice)))))),
                new MeasuredWrite<>(
                        "status",
                        "FakeGpu of 1 MB",
                        new MeasuredWrite.Way<>(
                                objects::fakeGpu,
                                fakeGpu -> put(WrittenObjects.published(fakeGpu, fakeGpu), "/status")),
                        operator -> new MeasuredWrite.Way<>(objects::fakeGpu, objects::patchStatus)),
                new MeasuredWrite<>(
                        "repetition",
                        "event",
                        new MeasuredWrite.Way<>(objects::event, event -> put(WrittenObjects.repeated(event), "")),
                        operator -> new MeasuredWrite.Way<>(
                                objects::event, event -> operator.edit(event, WrittenObjects::repeated))));
    }

    /** These are compared with the creation of an equal object. */
    private List<MeasuredWrite<?>> creations() {
        return List.of(
                creation("claim with 200 kB of annotations", claims::created, ObjectClient::create),
                creation("node with 200 kB of annotations", objects::newNode, ObjectClient::create),
                creation("event", objects::newEvent, ObjectClient::create),
                creation(
                        "slice, 128 devices with 32 attributes",
                        () -> objects.newSlice("a"),
                        (operator, slice) -> operator.createUnread(CompactSlice.of(
                                new ObjectMetaBuilder()
                                        .withName(slice.getMetadata().getName())
                                        .build(),
                                SliceReader.read(slice)))));
    }

    private List<MeasuredWrite<?>> updates() {
        return List.of(
                new MeasuredWrite<>(
                        "renewal",
                        "Lease with 200 kB of annotations",
                        new MeasuredWrite.Way<>(objects::lease, lease -> put(WrittenObjects.renewed(lease), "")),
                        operator -> new MeasuredWrite.Way<>(
                                objects::lease,
                                lease -> client.resource(WrittenObjects.renewed(lease))
                                        .update())),
                new MeasuredWrite<>(
                        "selectors",
                        "DeviceClass of 290 kB",
                        new MeasuredWrite.Way<>(objects::deviceClass, this::putOtherSelectors),
                        operator -> new MeasuredWrite.Way<>(
                                objects::deviceClass,
                                stored -> operator.apply(WrittenObjects.newDeviceClass(
                                        stored.getMetadata().getName(), "false")))),
                metadata("finalizer", "FakeGpu of 1 MB", objects::fakeGpu, WrittenObjects::released));
    }

    private void putOtherSelectors(DeviceClass stored) {
        DeviceClass changed = WrittenObjects.newDeviceClass(stored.getMetadata().getName(), "false");
        changed.setMetadata(stored.getMetadata());
        put(changed, "");
    }

    private <T extends HasMetadata> MeasuredWrite<T> creation(
            String object, Supplier<T> unstored, BiConsumer<ObjectClient, T> write) {
        return new MeasuredWrite<>(
                "creation",
                object,
                new MeasuredWrite.Way<>(unstored, created -> client.raw(path(created), "POST", created)),
                operator -> new MeasuredWrite.Way<>(unstored, created -> write.accept(operator, created)));
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

    static String path(HasMetadata object) {
        String version = object.getApiVersion();
        String namespace = object.getMetadata().getNamespace();
        return (version.contains("/") ? "/apis/" : "/api/") + version
                + (namespace == null ? "" : "/namespaces/" + namespace)
                + "/" + object.getPlural();
    }

    static String name() {
        return "w-" + UUID.randomUUID(); // the name of a FakeGpu has at most 40 characters
    }
}
