package dev.fakegpu.runtime;

import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimConsumers;
import dev.fakegpu.hardware.dcgm.DcgmGpu;
import dev.fakegpu.hardware.dcgm.DcgmGpus;
import dev.fakegpu.hardware.dcgm.DcgmGpus.Naming;
import dev.fakegpu.hardware.dcgm.DcgmGpus.PublishedSlice;
import dev.fakegpu.hardware.dcgm.Holder;
import dev.fakegpu.hardware.inventory.InventoryPlanner;
import dev.fakegpu.hardware.inventory.NvmlGpu;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.operator.prepare.DeviceHealths;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Reads the GPUs of all FakeGpus, their holders and their health from the watched objects. */
final class DcgmSource {

    private static final Comparator<PublishedSlice> ORDER = Comparator.comparing(
                    (PublishedSlice each) -> each.slice().pool())
            .thenComparing(each -> each.slice().name());

    private final ObjectStores cluster;
    private final InventoryPlanner planner;
    private final Naming naming;
    private final BooleanSupplier isLeader;

    DcgmSource(ObjectStores cluster, InventoryPlanner planner, Naming naming, BooleanSupplier isLeader) {
        this.cluster = cluster;
        this.planner = planner;
        this.naming = naming;
        this.isLeader = isLeader;
    }

    /** A standby has none: otherwise, a sum over the replicas would count each GPU several times. */
    List<DcgmGpu> gpus() {
        if (!isLeader.getAsBoolean()) {
            return List.of();
        }
        var known = new HashMap<String, NvmlGpu>();
        var slices = cluster.slices().list().stream()
                .flatMap(slice -> published(slice, known))
                .sorted(ORDER)
                .toList();
        return DcgmGpus.of(slices, holders(), naming);
    }

    /** The number of devices of FakeGpus in each state of health; empty on a standby. */
    Map<DeviceHealths.State, Integer> healths() {
        var counts = new EnumMap<DeviceHealths.State, Integer>(DeviceHealths.State.class);
        if (isLeader.getAsBoolean()) {
            var slices = cluster.slices().list().stream()
                    .filter(slice -> FakeGpuOwner.name(slice).isPresent())
                    .map(cluster.parsedSlices()::asStored)
                    .toList();
            DeviceHealths.of(slices).values().forEach(health -> counts.merge(health.state(), 1, Integer::sum));
        }
        return counts;
    }

    /** @param known the data that NVML has about the GPUs of each FakeGpu, by its name; filled here */
    private Stream<PublishedSlice> published(ResourceSlice slice, Map<String, NvmlGpu> known) {
        return FakeGpuOwner.of(slice, name -> cluster.fakeGpus().get(null, name)).stream()
                .filter(fakeGpu -> !planner.isOfOtherHardware(fakeGpu.getSpec()))
                .map(fakeGpu -> new PublishedSlice(
                        cluster.parsedSlices().asStored(slice),
                        fakeGpu.getSpec().loadOrDefault(),
                        known.computeIfAbsent(
                                fakeGpu.getMetadata().getName(), name -> planner.nvmlGpu(fakeGpu.getSpec(), name))));
    }

    private Map<DeviceId, List<Holder>> holders() {
        var holders = new HashMap<DeviceId, List<Holder>>();
        for (ResourceClaim claim : cluster.claims().list()) {
            List<DeviceId> devices = Allocations.devices(claim);
            if (!devices.isEmpty()) {
                Holder holder = holder(claim);
                devices.stream()
                        .distinct()
                        .forEach(device -> holders.computeIfAbsent(device, ignored -> new ArrayList<>())
                                .add(holder));
            }
        }
        return holders;
    }

    /** Uses only the first pod, since dcgm-exporter has one pod for each device unless it is shared. */
    private Holder holder(ResourceClaim claim) {
        String namespace = claim.getMetadata().getNamespace();
        String name = claim.getMetadata().getName();
        Optional<String> podName = ClaimConsumers.pods(claim)
                .map(ResourceClaimConsumerReference::getName)
                .findFirst();
        Optional<Pod> pod = podName.flatMap(consumer -> cluster.pods().get(namespace, consumer));
        return new Holder(
                namespace,
                name,
                podName.orElse(""),
                pod.flatMap(DcgmSource::container).orElse(""),
                pod.filter(PodState::isRunning).isPresent());
    }

    /** The first container that uses any claim. */
    private static Optional<String> container(Pod pod) {
        return pod.getSpec().getContainers().stream()
                .filter(container -> container.getResources() != null
                        && !Objects.requireNonNullElse(container.getResources().getClaims(), List.of())
                                .isEmpty())
                .map(Container::getName)
                .findFirst();
    }
}
