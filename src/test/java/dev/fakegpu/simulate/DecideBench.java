package dev.fakegpu.simulate;

import static dev.fakegpu.testing.ClusterYaml.object;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.field.SliceInterner;
import dev.fakegpu.dra.wire.CompactSlice;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.dra.wire.SliceWriter;
import dev.fakegpu.engine.allocate.Feature;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.inventory.InventoryPlanner;
import dev.fakegpu.hardware.slices.PoolLocations;
import dev.fakegpu.hardware.slices.SliceRenderer;
import dev.fakegpu.kube.events.EventRecorder;
import dev.fakegpu.operator.schedule.CompanionBuilder;
import dev.fakegpu.operator.schedule.SteppedCompanion;
import dev.fakegpu.operator.schedule.report.DecisionListener;
import dev.fakegpu.operator.schedule.search.SearchTime;
import dev.fakegpu.operator.schedule.settings.CompanionOptions;
import dev.fakegpu.operator.schedule.settings.CompanionSettings;
import dev.fakegpu.simulate.memory.MemoryCluster;
import dev.fakegpu.simulate.memory.VirtualTime;
import dev.fakegpu.util.ThreadCpuTime;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;

/**
 * Measures the processor time of the companion's thread for decisions and changes, with all devices of eight A100 on each node. Runs in
 * memory, without the time for requests, watches and JSON. Arguments: numbers of nodes.
 */
final class DecideBench {

    private static final String FAKE_GPU = """
            apiVersion: fakegpu.dev/v1alpha1
            kind: FakeGpu
            metadata: {name: bench}
            spec:
              model: A100-SXM4-40GB
              count: 8
              nodes: {simulated: {count: %d}}
              partitions: {mig: {profiles: [All]}, vgpu: {types: [All]}}
            """;

    /** Half of the MIG devices 1g.5gb of a node, divided by the number of its slices, so that no claim has to wait. */
    private static final int HALF_OF_SLICE = 8 * 7 / 2 / 8;

    private static final Duration BETWEEN = Duration.ofMillis(20);

    private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
    private final MemoryCluster cluster = new MemoryCluster(time);
    private final SliceInterner interner = new SliceInterner();
    private final List<ResourceSlice> slices = new ArrayList<>();
    private final SteppedCompanion companion;
    private final Random random = new Random(1);
    private int claims;
    private long arrivesAt = Long.MAX_VALUE;
    private long arrivedAt;
    private long decidedAt;
    private long version = 1_000_000;

    private DecideBench(FakeGpu fakeGpu) {
        cluster.create(fakeGpu);
        publish(fakeGpu);
        var settings = new CompanionSettings(
                cluster.stores(),
                new CompanionOptions(Feature.all(), GroupsGate.ON, GroupPolicy.SNAPSHOT, Duration.ofMinutes(10), 1));
        companion = new CompanionBuilder(
                        cluster,
                        cluster.stores(),
                        new EventRecorder(cluster, time, time, "bench", problem -> {}, time),
                        settings)
                .time(time, time)
                .executors(time)
                .searchTime(new SearchTime(this::nanos, System::nanoTime))
                .listener(new Decisions())
                .buildStepped();
    }

    private final class Decisions implements DecisionListener {

        @Override
        public void decided(Result result, GroupsGate gate, GroupPolicy groupPolicy) {}

        @Override
        public void took(Phase phase, Duration duration) {
            if (phase == Phase.SEARCH) {
                decidedAt = ThreadCpuTime.nanos();
            }
        }
    }

    public static void main(String... arguments) {
        for (String nodes : arguments) {
            FakeGpu fakeGpu = object(FAKE_GPU.formatted(Integer.parseInt(nodes)));
            System.out.println(new DecideBench(fakeGpu).row(nodes));
        }
    }

    private void publish(FakeGpu fakeGpu) {
        var locations = PoolLocations.of("bench", fakeGpu.getSpec().nodes(), List.of());
        new SliceRenderer(new InventoryPlanner(Catalog.builtIn()))
                .slices("bench", fakeGpu.getSpec(), locations)
                .forEach(slice -> {
                    var stored = stored(slice, FakeGpuOwner.reference(fakeGpu));
                    slices.add(stored);
                    cluster.stores().slices().onAdd(stored);
                });
        Objects.requireNonNull(fakeGpu.getSpec().nodes().simulated())
                .names("bench")
                .forEach(name -> cluster.create(object("""
                        apiVersion: v1
                        kind: Node
                        metadata: {name: %s}
                        status: {allocatable: {pods: 110}, conditions: [{type: Ready, status: 'True'}]}
                        """.formatted(name))));
        cluster.create(deviceClass());
    }

    private static DeviceClass deviceClass() {
        return object("""
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: mig}
                spec:
                  selectors:
                  - cel: {expression: "device.driver == 'gpu.example.com' && device.attributes['gpu.example.com'].type == 'mig'"}
                """);
    }

    private ResourceSlice stored(Slice slice, OwnerReference owner) {
        var stored = SliceWriter.write(slice);
        stored.getMetadata().setUid(slice.name());
        stored.getMetadata().setResourceVersion(Long.toString(version++));
        stored.getMetadata().setOwnerReferences(List.of(owner));
        return CompactSlice.of(stored, interner);
    }

    private String row(String nodes) {
        int devices = slices.stream()
                .mapToInt(slice -> SliceReader.read(slice).devices().size())
                .sum();
        double start = millis();
        claim("1g.5gb");
        double first = millis();
        double[] allocated = series(Math.min(1000, slices.size() * HALF_OF_SLICE), () -> claim("1g.5gb"));
        double[] changed = series(200, this::changeOneSlice);
        claim("none");
        double refused = millis();
        double[] explained = series(200, this::changeOneSlice);
        changeClass();
        double anew = millis();
        double[] meanwhile = new double[200];
        Arrays.setAll(meanwhile, i -> claimDuringExplanation(random.nextDouble() * anew));
        Arrays.sort(meanwhile);
        return String.format(
                Locale.ROOT,
                "| %s | %d | %.0f | %.1f | %.2f | %.2f | %.2f | %.2f | %.0f | %.1f | %.1f | %.0f | %.1f | %.1f |",
                nodes,
                devices,
                start,
                first,
                percentile(allocated, 50),
                percentile(allocated, 99),
                percentile(changed, 50),
                percentile(changed, 99),
                refused,
                percentile(explained, 50),
                percentile(explained, 99),
                anew,
                percentile(meanwhile, 50),
                percentile(meanwhile, 99));
    }

    private void claim(String profile) {
        cluster.create(object("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {namespace: team, name: claim-%d, labels: {%s: "true"}}
                spec:
                  devices:
                    requests:
                    - name: r
                      exactly:
                        deviceClassName: mig
                        allocationMode: ExactCount
                        count: 1
                        selectors: [{cel: {expression: "device.attributes['gpu.example.com'].profile == '%s'"}}]
                """.formatted(claims++, Labels.ALLOCATE, profile)));
    }

    /** Publishes a slice again with the same content, as a driver does. */
    private void changeOneSlice() {
        int changed = (int) (version * 31 % slices.size());
        ResourceSlice before = slices.get(changed);
        var after = stored(
                SliceReader.read(before),
                before.getMetadata().getOwnerReferences().get(0));
        slices.set(changed, after);
        cluster.stores().slices().onUpdate(before, after);
    }

    /**
     * The time from the creation of a claim until devices are found for it, while another claim is explained from scratch because nothing
     * is cached for its class.
     *
     * @param after when the claim is created, in milliseconds since the start of the explanation; if the explanation is shorter, at its end
     */
    private double claimDuringExplanation(double after) {
        changeClass();
        arrivesAt = ThreadCpuTime.nanos() + (long) (after * 1e6);
        millis();
        if (arrivesAt != Long.MAX_VALUE) {
            arrive(arrivesAt);
            millis();
        }
        return (decidedAt - arrivedAt) / 1e6;
    }

    private void changeClass() {
        DeviceClass before = cluster.stores().deviceClasses().get(null, "mig").orElseThrow();
        DeviceClass after = deviceClass();
        after.getMetadata().setUid(before.getMetadata().getUid());
        after.getMetadata().setResourceVersion(Long.toString(version++));
        cluster.stores().deviceClasses().onUpdate(before, after);
    }

    /** Returns the time. It is called often during searches and explanations, so it also creates the claim when it is due. */
    private long nanos() {
        long now = ThreadCpuTime.nanos();
        arrive(now);
        return now;
    }

    private void arrive(long now) {
        if (now >= arrivesAt) {
            arrivesAt = Long.MAX_VALUE;
            claim("1g.5gb");
            arrivedAt = ThreadCpuTime.nanos();
        }
    }

    private double[] series(int count, Runnable change) {
        var millis = new double[count];
        for (int i = 0; i < count; i++) {
            change.run();
            millis[i] = millis();
            time.moveTo(time.instant().plus(BETWEEN));
        }
        Arrays.sort(millis);
        return millis;
    }

    private static double percentile(double[] sorted, int percent) {
        return sorted[Math.min(sorted.length - 1, sorted.length * percent / 100)];
    }

    /** The processor time until there is nothing left to do. */
    private double millis() {
        long begin = ThreadCpuTime.nanos();
        while (companion.runUntilIdle() || time.runDue()) {
            // more work may follow
        }
        return (ThreadCpuTime.nanos() - begin) / 1e6;
    }
}
