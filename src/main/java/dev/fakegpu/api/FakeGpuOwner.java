package dev.fakegpu.api;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Decides which objects belong to which FakeGpu, by owner references, because these contain a UID. Labels do not suffice: the template of
 * an autoscaler or a kubelet can set the label on a node, and it also matches a later FakeGpu of the same name. The garbage collector uses
 * owner references, too: it removes what a FakeGpu created even if the operator no longer runs.
 */
public final class FakeGpuOwner {

    private FakeGpuOwner() {}

    /** An owner reference that makes the FakeGpu the controller of the object that has it. */
    public static OwnerReference reference(FakeGpu fakeGpu) {
        return new OwnerReferenceBuilder(sharedReference(fakeGpu))
                .withController(true)
                .build();
    }

    /** An owner reference to one of several FakeGpus. The object stays as long as one of them exists. */
    public static OwnerReference sharedReference(FakeGpu fakeGpu) {
        return new OwnerReferenceBuilder()
                .withApiVersion(fakeGpu.getApiVersion())
                .withKind(fakeGpu.getKind())
                .withName(fakeGpu.getMetadata().getName())
                .withUid(fakeGpu.getMetadata().getUid())
                .build();
    }

    /** Whether the object belongs to all of these FakeGpus and to no other one. */
    public static boolean areAllOwnersOf(Collection<FakeGpu> fakeGpus, HasMetadata object) {
        return references(object).stream()
                .filter(FakeGpuOwner::isToAFakeGpu)
                .map(OwnerReference::getUid)
                .collect(Collectors.toSet())
                .equals(fakeGpus.stream()
                        .map(fakeGpu -> fakeGpu.getMetadata().getUid())
                        .collect(Collectors.toSet()));
    }

    /** Whether the object belongs to this FakeGpu, and not to another one of the same name. */
    public static boolean owns(FakeGpu fakeGpu, HasMetadata object) {
        return references(object).stream().anyMatch(reference -> isTo(fakeGpu, reference));
    }

    /** @param fakeGpus finds an existing FakeGpu by name */
    public static Optional<FakeGpu> of(HasMetadata object, Function<String, Optional<FakeGpu>> fakeGpus) {
        return references(object).stream()
                .filter(FakeGpuOwner::isToAFakeGpu)
                .flatMap(reference ->
                        fakeGpus.apply(reference.getName()).stream().filter(fakeGpu -> isTo(fakeGpu, reference)))
                .findFirst();
    }

    /** The name of the FakeGpu to which the object belongs, whether or not that FakeGpu still exists. */
    public static Optional<String> name(HasMetadata object) {
        return references(object).stream()
                .filter(FakeGpuOwner::isToAFakeGpu)
                .map(OwnerReference::getName)
                .findFirst();
    }

    /**
     * The owners of an object that belongs to no FakeGpu, as part of a sentence: {@code "owner Node/node-1"} or {@code "without an owner"}.
     */
    public static String others(HasMetadata object) {
        var owners = references(object).stream()
                .map(reference -> reference.getKind() + "/" + reference.getName())
                .toList();
        return owners.isEmpty() ? "without an owner" : "owner " + String.join(", ", owners);
    }

    private static List<OwnerReference> references(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getOwnerReferences(), List.of());
    }

    private static boolean isTo(FakeGpu fakeGpu, OwnerReference reference) {
        return isToAFakeGpu(reference)
                && fakeGpu.getMetadata().getName().equals(reference.getName())
                && fakeGpu.getMetadata().getUid().equals(reference.getUid());
    }

    /** Whether the reference is to a FakeGpu of any API version. */
    private static boolean isToAFakeGpu(OwnerReference reference) {
        return "FakeGpu".equals(reference.getKind())
                && Objects.requireNonNullElse(reference.getApiVersion(), "").startsWith(FakeGpu.GROUP + "/");
    }
}
