package dev.fakegpu.engine.problemfile;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.AllocatorOptions;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.SliceIndex;
import dev.fakegpu.engine.allocate.pool.AllocatedDevices;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.engine.explain.OtherDevices;
import dev.fakegpu.engine.explain.PendingChanges;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Several nodes with the slices of random problems, which are changed randomly. The claims are those of the first problem. */
final class ChangingCluster {

    private static final int NODES = 5;

    private final Random random;
    private final Selectors selectors;
    private final AllocatorOptions options;
    private List<Claim> claims;
    private final List<NodeInfo> nodes = new ArrayList<>();
    private final List<Slice> slices = new ArrayList<>();
    private final List<AllocatedDevice> held = new ArrayList<>();
    private final SliceIndex index;
    private final AllocatedDevices allocated;
    private final Set<PoolId> deferred = new HashSet<>();
    private final Map<String, SortedMap<String, String>> others = new HashMap<>();
    private Map<String, DeviceClass> classes;
    private List<String> missing = List.of();

    /** The version of the slices that drivers publish for pools with deferred changes. */
    private int version;

    ChangingCluster(long seed, Selectors selectors) throws UnreadableProblemException {
        random = new Random(seed);
        this.selectors = selectors;
        AllocationProblem first = ProblemReader.read(ProblemGenerator.generate(seed));
        options = FeatureNames.options(first.features());
        claims = first.claims();
        classes = first.state().classes();
        for (int i = 0; i < NODES; i++) {
            add(i, i == 0 ? first : ProblemReader.read(ProblemGenerator.generate(seed + 1_000 * i)));
        }
        index = new SliceIndex(slices, options);
        allocated = new AllocatedDevices(held, options.groupPolicy());
    }

    private void add(int number, AllocationProblem problem) {
        nodes.add(new NodeInfo(
                name(number), problem.node().labels(), problem.node().declaredFeatures()));
        if (number == NODES - 1) {
            return; // has no devices of its own
        }
        problem.state().slices().forEach(slice -> slices.add(onNode(number, slice)));
        problem.state()
                .allocated()
                .forEach(device -> held.add(new AllocatedDevice(
                        new DeviceId(
                                device.id().driver(),
                                device.id().pool() + number,
                                device.id().device()),
                        holder(random.nextInt(8)),
                        device.groups(),
                        device.share())));
    }

    private static Slice onNode(int number, Slice slice) {
        return new Slice(
                slice.name() + number,
                new PoolId(slice.pool().driver(), slice.pool().name() + number),
                slice.generation(),
                slice.sliceCount(),
                slice.nodes() instanceof NodeSelection.NodeName only
                        ? new NodeSelection.NodeName(name(only.name().equals("node-2") ? (number + 1) % NODES : number))
                        : slice.nodes(),
                slice.perDeviceNodeSelection(),
                slice.counterSets(),
                slice.devices(),
                slice.skipNodeOperations(),
                slice.partitionTypeAttribute());
    }

    private static String name(int number) {
        return "node-" + (10 + number);
    }

    private static ClaimRef holder(int number) {
        return new ClaimRef("default", "holder-" + number, "holder-" + number);
    }

    AllocationContext context() {
        return new AllocationContext(index, classes, allocated, selectors, options);
    }

    /** The same state, parsed from scratch. */
    AllocationContext fresh() {
        List<AllocatedDevice> devices = IntStream.range(0, 8)
                .mapToObj(ChangingCluster::holder)
                .flatMap(holder -> allocated.ofClaim(holder).stream())
                .toList();
        return new AllocationContext(
                new SliceIndex(slices, options),
                classes,
                new AllocatedDevices(devices, options.groupPolicy()),
                selectors,
                options);
    }

    List<Claim> claims() {
        return claims;
    }

    List<NodeInfo> nodes() {
        return nodes.stream().filter(node -> !missing.contains(node.name())).toList();
    }

    /** Simulates drivers that mark the devices of a pool when they defer a change: the pending slices differ from the published ones. */
    PendingChanges pending() {
        return (pool, published, isInUse) -> deferred.contains(pool)
                ? Optional.of(published.stream()
                        .map(slice -> slice.withDevices(slice.devices().stream()
                                .filter(device -> isInUse.test(device.name())
                                        || (device.name().hashCode() + version) % 2 == 0)
                                .toList()))
                        .toList())
                : Optional.empty();
    }

    OtherDevices others() {
        return new OtherDevices("KubeScheduler", node -> others.getOrDefault(node.name(), new TreeMap<>()));
    }

    void change() {
        switch (random.nextInt(12)) {
            case 0, 1 -> release();
            case 2, 3 -> allocate();
            case 4 -> replace(random.nextInt(slices.size()), slice -> slice.mapDevices(device -> device));
            case 5 -> replace(random.nextInt(slices.size()), slice -> slice.withDevices(half(slice.devices())));
            case 6, 7 -> defer();
            case 8 -> changeWhatIsDeferred();
            case 9 -> relabel();
            case 10 -> changeOthers();
            default -> rare();
        }
    }

    private void rare() {
        switch (random.nextInt(4)) {
            case 0 -> missing = missing.isEmpty() ? List.of(name(random.nextInt(NODES))) : List.of();
            case 1 -> classes = new HashMap<>(classes);
            case 2 -> claims = claims.size() == 1 ? List.of(another(claims.get(0))) : claims;
            default -> {
                int number = random.nextInt(slices.size());
                replace(number, slice -> slice.withPool(slice.generation() + 1, slice.sliceCount()));
            }
        }
    }

    private Claim another(Claim claim) {
        int number = random.nextInt(3);
        return new Claim(
                new ClaimRef("default", "another-" + number, "another-" + number),
                claim.requests(),
                claim.constraints(),
                claim.configs());
    }

    void changeWhatIsDeferred() {
        version++;
    }

    void changeOthers() {
        String node = name(NODES - 1 - random.nextInt(2));
        if (others.remove(node) == null) {
            others.put(node, new TreeMap<>(Map.of("other", "gpu.example.com")));
        }
    }

    private void release() {
        allocated.replace(holder(random.nextInt(8)), List.of());
    }

    private void allocate() {
        List<DeviceId> devices = slices.stream()
                .flatMap(slice ->
                        slice.devices().stream().map(device -> slice.pool().device(device.name())))
                .filter(device -> !allocated.isAllocated(device))
                .toList();
        if (!devices.isEmpty()) {
            ClaimRef holder = holder(random.nextInt(8));
            DeviceId device = devices.get(random.nextInt(devices.size()));
            allocated.replace(holder, List.of(new AllocatedDevice(device, holder, null)));
        }
    }

    private void replace(int number, UnaryOperator<Slice> change) {
        Slice before = slices.get(number);
        Slice after = change.apply(before);
        slices.remove(number);
        slices.add(after);
        index.replace(before, after);
    }

    private static <T> List<T> half(List<T> all) {
        return all.subList(0, (all.size() + 1) / 2);
    }

    void removeDevices() {
        List.copyOf(slices).forEach(slice -> replace(slices.indexOf(slice), same -> same.withDevices(List.of())));
    }

    void defer() {
        PoolId pool = slices.get(random.nextInt(slices.size())).pool();
        if (!deferred.remove(pool)) {
            deferred.add(pool);
        }
        List.copyOf(slices).stream()
                .filter(slice -> slice.pool().equals(pool))
                .forEach(slice -> replace(slices.indexOf(slice), same -> same.mapDevices(device -> device)));
    }

    private void relabel() {
        int number = random.nextInt(NODES);
        NodeInfo before = nodes.get(number);
        Map<String, String> labels = new HashMap<>(before.labels());
        if (labels.remove("changed") == null) {
            labels.put("changed", "yes");
        }
        nodes.set(number, new NodeInfo(before.name(), labels, before.declaredFeatures()));
    }
}
