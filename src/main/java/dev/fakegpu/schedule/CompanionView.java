package dev.fakegpu.schedule;

import dev.fakegpu.allocate.ClusterState;
import dev.fakegpu.allocate.Gate;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.dra.wire.GroupsAnnotation;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.watch.ClusterWatch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the companion may give away and what is given away already, out of all that is in the cluster. */
final class CompanionView {

    private final ClusterWatch cluster;
    private final Function<ResourceSlice, Slice> reader;
    private Map<String, ReadSlice> read = Map.of();

    /**
     * @param gate a companion that stands for a scheduler without the feature sees the slices only, as that one would; otherwise
     *     groups count that are kept beside them, too
     */
    CompanionView(ClusterWatch cluster, Gate gate) {
        this.cluster = cluster;
        this.reader = gate == Gate.ON ? GroupsAnnotation::read : SliceReader::read;
    }

    /** A slice of a version is read once, so that what an allocator finds out about it can be kept. */
    private record ReadSlice(String version, Slice slice) {}

    /**
     * What a run of decisions sees, taken once, so that nobody is decided on a later state than somebody who waits longer.
     *
     * @param change the number of the last change that is in it, for {@link Attempts}
     * @param slices of FakeGpus with {@code allocator: Companion}
     * @param nodes in bytewise order of their names, which is the order in which they are tried
     */
    record Picture(
            long change,
            List<Slice> slices,
            Map<String, DeviceClass> classes,
            List<Node> nodes,
            Supplier<List<AllocatedDevice>> allocated) {

        /** With every device that is allocated by now, whoever allocated it. */
        ClusterState state() {
            return new ClusterState(slices, classes, allocated.get());
        }
    }

    Picture picture(long change) {
        return new Picture(
                change,
                readSlices(),
                cluster.deviceClasses().list().stream()
                        .map(ClaimReader::read)
                        .collect(Collectors.toMap(DeviceClass::name, Function.identity())),
                cluster.nodes().list().stream()
                        .sorted(Comparator.comparing(node -> node.getMetadata().getName()))
                        .toList(),
                this::allocated);
    }

    private List<Slice> readSlices() {
        var now = new LinkedHashMap<String, ReadSlice>();
        slices().forEach(slice -> {
            String uid = slice.getMetadata().getUid();
            String version = slice.getMetadata().getResourceVersion();
            ReadSlice before = read.get(uid);
            now.put(
                    uid,
                    before != null && before.version().equals(version)
                            ? before
                            : new ReadSlice(version, reader.apply(slice)));
        });
        read = now;
        return now.values().stream().map(ReadSlice::slice).toList();
    }

    private List<AllocatedDevice> allocated() {
        return cluster.claims().list().stream()
                .flatMap(claim -> DeviceStatuses.allocated(claim).stream())
                .toList();
    }

    Set<PoolId> pools() {
        return slices().map(slice -> new PoolId(
                        slice.getSpec().getDriver(), slice.getSpec().getPool().getName()))
                .collect(Collectors.toSet());
    }

    static <T extends HasMetadata> Comparator<T> oldestFirst() {
        return Comparator.<T, String>comparing(object -> object.getMetadata().getCreationTimestamp())
                .thenComparing(object -> object.getMetadata().getNamespace())
                .thenComparing(object -> object.getMetadata().getName());
    }

    static Map<String, String> labels(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getLabels(), Map.of());
    }

    private Stream<ResourceSlice> slices() {
        Set<String> ours = cluster.fakeGpus().list().stream()
                .filter(fakeGpu -> fakeGpu.getSpec().allocator() == FakeGpuSpec.Allocator.Companion)
                .map(FakeGpu::getMetadata)
                .map(metadata -> metadata.getName())
                .collect(Collectors.toCollection(HashSet::new));
        return cluster.slices().list().stream()
                .filter(slice -> ours.contains(labels(slice).getOrDefault(Labels.FAKEGPU, "")));
    }
}
