package dev.fakegpu.engine.problemfile.bench;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.field.SliceInterner;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.Allocator;
import dev.fakegpu.engine.allocate.AllocatorOptions;
import dev.fakegpu.engine.allocate.Outcome;
import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.allocate.SliceIndex;
import dev.fakegpu.engine.allocate.pool.AllocatedDevices;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.engine.problemfile.AllocationProblem;
import dev.fakegpu.engine.problemfile.ProblemReader;
import dev.fakegpu.engine.problemfile.UnreadableProblemException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Times one call of this project's allocator, for {@link AllocatorBench}. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 1, time = 1)
public class AllocatorBenchmark {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    /** The problems by name, because each is measured several times, and large ones take long to create. */
    private static final Map<String, AllocationProblem> READ = new HashMap<>();

    @Param("a-whole-1of8")
    public String problem;

    private final AllocatorOptions options = new AllocatorOptions(GroupsGate.ON, GroupPolicy.LIVE, List.of());
    private AllocationProblem read;
    private Selectors selectors;
    private SliceIndex changing;
    private AllocatedDevices allocated;
    private Allocator allocator;
    private Slice before;
    private Slice after;

    @Setup
    public void read() throws UnreadableProblemException {
        AllocationProblem known = READ.get(problem);
        read = known == null ? readAgain(problem) : known;
        READ.put(problem, read);
        selectors = new Selectors();
        allocated = new AllocatedDevices(read.state().allocated(), GroupPolicy.LIVE);
        allocator = allocator(new SliceIndex(read.state().slices(), options), selectors);
        changing = new SliceIndex(
                read.state().slices().stream().map(SliceInterner.SHARED::intern).toList(), options);
        readChanged();
    }

    private static AllocationProblem readAgain(String name) throws UnreadableProblemException {
        return ProblemReader.read(BenchProblems.all().get(name).get());
    }

    /**
     * Chooses the slice of a device in the answer, or else the first slice with devices, and parses it unchanged and with a changed device.
     */
    private void readChanged() throws UnreadableProblemException {
        Optional<DeviceId> found = allocator.allocate(read.node(), read.claims()) instanceof Outcome.Allocated answer
                ? Optional.of(answer.allocations().get(0).results().get(0).device())
                : Optional.empty();
        before = read.state().slices().stream()
                .filter(slice -> !slice.devices().isEmpty())
                .filter(slice -> found.map(device -> has(slice, device)).orElse(true))
                .findFirst()
                .orElseThrow();
        Slice again = readAgain(problem).state().slices().stream()
                .filter(slice -> slice.name().equals(before.name()))
                .findFirst()
                .orElseThrow();
        String changed =
                found.map(DeviceId::device).orElse(again.devices().get(0).name());
        after = SliceInterner.SHARED.intern(
                again.mapDevices(device -> device.name().equals(changed) ? withRevision(device) : device));
        before = changing.slices(before.pool()).stream()
                .filter(slice -> slice.name().equals(before.name()))
                .findFirst()
                .orElseThrow();
    }

    private static boolean has(Slice slice, DeviceId device) {
        return slice.pool().equals(device.poolId())
                && slice.devices().stream().anyMatch(each -> each.name().equals(device.device()));
    }

    private static Device withRevision(Device device) {
        var attributes = new LinkedHashMap<>(device.attributes());
        attributes.put("revision", new AttributeValue.IntValue(2));
        return device.withAttributes(attributes);
    }

    private Allocator allocator(SliceIndex ofSlices, Selectors compiled) {
        return new Allocator(new AllocationContext(ofSlices, read.state().classes(), allocated, compiled, options));
    }

    private Outcome allocate(Allocator with) {
        return with.allocate(read.node(), read.claims(), SearchLimit.of(TIMEOUT, System::nanoTime));
    }

    /** Measures a call with compiled pools and selectors, as in a running operator. */
    @Benchmark
    public Outcome warm() {
        return allocate(allocator);
    }

    /** Measures a call after one device of a slice has changed; the slice was parsed again, as from a watch. */
    @Benchmark
    public Outcome changedPool() {
        changing.replace(before, after);
        Slice changed = after;
        after = before;
        before = changed;
        return allocate(allocator(changing, selectors));
    }

    /**
     * Measures a call without compiled slices and selectors. Only the machine code of the allocator and of the expression compiler is warm;
     * warming it up takes a while.
     */
    @Benchmark
    public Outcome cold() {
        return allocate(allocator(new SliceIndex(read.state().slices(), options), new Selectors()));
    }
}
