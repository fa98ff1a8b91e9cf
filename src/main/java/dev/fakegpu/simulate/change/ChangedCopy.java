package dev.fakegpu.simulate.change;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.GateSources;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.cluster.whatif.Changes;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.kube.client.UnreadableFields;
import dev.fakegpu.kube.watch.PodClaims;
import dev.fakegpu.operator.schedule.settings.CompanionOptions;
import dev.fakegpu.simulate.Simulation;
import dev.fakegpu.simulate.memory.ApiObjects;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A copy of a cluster with changes, simulated to the end. */
final class ChangedCopy {

    /** The maximum time until a change has settled. */
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private static final List<String> OF_STORED_PODS =
            List.of("uid", "resourceVersion", "creationTimestamp", "deletionTimestamp", "managedFields", "generation");

    private final ClusterObjects before;
    private final Changes changes;
    private final Simulation simulation;
    private final Placements placements;

    /**
     * Simulates the changes to the end.
     *
     * @param gate if a gate was chosen, it replaces that of the cluster
     */
    ChangedCopy(ClusterObjects before, Changes changes, Deciders deciders, GateSources gate) {
        this.before = before.with(changes.tolerant());
        this.changes = changes;
        simulation = new Simulation(
                deciders.options(),
                readable()
                        .map(object -> gate.chosen().isPresent() && object instanceof ConfigMap settings
                                ? new ConfigMapBuilder(settings)
                                        .removeFromData(CompanionOptions.GATE)
                                        .build()
                                : object)
                        .toList());
        if (!before.isComplete(ObjectKind.NAMESPACES)) {
            simulation.namespacesAreUnknown();
        }
        placements = new Placements(this::objects, deciders, placedBefore());
        simulation.cluster().addListener(placements::changed);
        play();
    }

    private Set<String> placedBefore() {
        return Stream.concat(
                        before.pods().stream().filter(pod -> pod.getSpec() != null && Placements.isPlaced(pod, before)),
                        before.claims().stream().filter(Allocations::isAllocated))
                .map(object -> object.getMetadata().getUid())
                .collect(Collectors.toSet());
    }

    /** The awaited pods get the highest priority and do not preempt others. */
    private void play() {
        List<Pod> awaited = changes.awaited().stream()
                .filter(Pod.class::isInstance)
                .map(Pod.class::cast)
                .toList();
        awaited.forEach(pod -> prioritize(pod, Integer.MAX_VALUE, "Never"));
        change();
        awaited.forEach(pod ->
                prioritize(pod, pod.getSpec().getPriority(), pod.getSpec().getPreemptionPolicy()));
    }

    private void prioritize(Pod pod, @Nullable Integer priority, @Nullable String preemptionPolicy) {
        Pod stored = simulation.cluster().get(pod);
        if (stored != null) {
            var changed = new PodBuilder(stored)
                    .editSpec()
                    .withPriority(priority)
                    .withPreemptionPolicy(preemptionPolicy)
                    .endSpec();
            simulation.cluster().update(stored, changed.build());
        }
    }

    private void change() {
        changes.removed().forEach(this::remove);
        changes.evicted().forEach(this::remove);
        changes.released().forEach(this::release);
        priorityClasses().forEach(simulation::apply);
        simulation.apply(changes.applied(), LONGEST);
        if (!changes.evicted().isEmpty()) {
            changes.evicted().stream().map(ChangedCopy::again).forEach(simulation::apply);
            simulation.settle(LONGEST);
        }
    }

    /** The priority classes that changes name but do not define. */
    private Stream<JsonNode> priorityClasses() {
        return undefinedClasses().entrySet().stream()
                .map(entry -> ApiObjects.write(new PriorityClassBuilder()
                        .withNewMetadata()
                        .withName(entry.getKey())
                        .endMetadata()
                        .withValue(entry.getValue().orElse(0))
                        .build()));
    }

    /** The names of these classes, with the priority of the cluster's pods that have the class; empty if none has. */
    private SortedMap<String, Optional<Integer>> undefinedClasses() {
        var values = new TreeMap<String, Optional<Integer>>();
        changes.applied()
                .forEach(object -> object.findValuesAsText("priorityClassName")
                        .forEach(name -> values.put(name, Optional.empty())));
        before.pods().stream()
                .map(Pod::getSpec)
                .filter(spec -> spec != null && spec.getPriority() != null)
                .forEach(spec -> values.computeIfPresent(
                        Objects.requireNonNullElse(spec.getPriorityClassName(), ""),
                        (name, value) -> Optional.of(spec.getPriority())));
        changes.applied().stream()
                .filter(object -> object.path("kind").asText().equals("PriorityClass"))
                .forEach(object -> values.remove(object.at("/metadata/name").asText()));
        values.keySet().removeIf(name -> name.startsWith("system-"));
        return values;
    }

    /** One sentence for each priority class whose value is not known. */
    Stream<String> unknownPriorities() {
        return undefinedClasses().entrySet().stream()
                .filter(entry -> entry.getValue().isEmpty())
                .map(entry ->
                        ("the value of PriorityClass \"%s\" is not known, because no pod of the cluster has it, and is taken to be"
                                        + " 0; add the class to the files of -f")
                                .formatted(entry.getKey()));
    }

    private Stream<HasMetadata> readable() {
        return before.all().stream().filter(UnreadableFields::isReadable);
    }

    /**
     * Releases claims of removed pods: the garbage collector deletes claims that the pods own, and the operator releases those that no
     * other pod uses.
     */
    private void remove(Pod pod) {
        simulation.cluster().deleteImmediately(pod);
        PodClaims.names(pod).stream()
                .flatMap(name -> claim(pod.getMetadata().getNamespace(), name).stream())
                .forEach(claim -> update(
                        claim,
                        users(claim)
                                .filter(user ->
                                        !user.getUid().equals(pod.getMetadata().getUid()))
                                .toList()));
    }

    private void release(ResourceClaim claim) {
        String name = claim.getMetadata().getName();
        List<Pod> users = before.pods().stream()
                .filter(pod -> pod.getSpec() != null
                        && pod.getMetadata()
                                .getNamespace()
                                .equals(claim.getMetadata().getNamespace())
                        && PodClaims.names(pod).contains(name))
                .toList();
        users.stream().filter(PodState::isBound).forEach(this::remove);
        claim(claim.getMetadata().getNamespace(), name).ifPresent(left -> {
            if (users.stream().allMatch(PodState::isBound)) {
                simulation.cluster().deleteImmediately(left);
            } else {
                update(left, List.of());
            }
        });
    }

    private Optional<ResourceClaim> claim(String namespace, String name) {
        return simulation.stores().claims().get(namespace, name);
    }

    private static Stream<ResourceClaimConsumerReference> users(ResourceClaim claim) {
        return claim.getStatus() == null ? Stream.empty() : claim.getStatus().getReservedFor().stream();
    }

    private void update(ResourceClaim claim, List<ResourceClaimConsumerReference> users) {
        if (users.isEmpty() && claim.getMetadata().getDeletionTimestamp() != null) {
            simulation.cluster().deleteImmediately(claim); // without devices, it has no finalizer
            return;
        }
        if (claim.getStatus() == null) {
            return;
        }
        var changed = new ResourceClaimBuilder(claim).editStatus().withReservedFor(users);
        if (users.isEmpty()) {
            changed.withAllocation(null).withDevices(List.of());
        }
        simulation.cluster().updateStatus(claim, changed.endStatus().build());
    }

    /** The pod as its owner would create it again. */
    private static ObjectNode again(Pod pod) {
        ObjectNode json = ApiObjects.write(pod);
        json.remove("status");
        json.withObject("/spec").remove("nodeName");
        json.withObject("/metadata").remove(OF_STORED_PODS);
        return json;
    }

    /** The current state of the cluster. */
    ClusterObjects objects() {
        return ClusterObjects.of(simulation.cluster().all());
    }

    /** The final state of the cluster, with the objects that could not be simulated or read. */
    ClusterObjects after() {
        List<HasMetadata> others = before.all().stream()
                .filter(object -> !UnreadableFields.isReadable(object) || object instanceof Deployment)
                .toList();
        return objects().with(others).withUnseen(before.unseen());
    }

    /** The pods in the order of their creation. */
    List<Pod> pods() {
        return simulation.cluster().list(Pod.class);
    }

    Placements placements() {
        return placements;
    }

    Simulation simulation() {
        return simulation;
    }
}
