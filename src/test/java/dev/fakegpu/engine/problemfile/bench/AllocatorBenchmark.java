package dev.fakegpu.engine.problemfile.bench;

import dev.fakegpu.dra.Slice;
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
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
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
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 300, timeUnit = TimeUnit.MILLISECONDS)
public class AllocatorBenchmark {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    @Param("a-whole-1of8")
    public String problem;

    private final AllocatorOptions options = new AllocatorOptions(GroupsGate.ON, GroupPolicy.LIVE, List.of());
    private AllocationProblem read;
    private Selectors selectors;
    private SliceIndex changing;
    private AllocatedDevices allocated;
    private Allocator allocator;
    private Slice changed;

    @Setup
    public void read() throws UnreadableProblemException {
        read = ProblemReader.read(BenchProblems.all().get(problem).get());
        selectors = new Selectors();
        changing = new SliceIndex(read.state().slices(), options);
        allocated = new AllocatedDevices(read.state().allocated(), GroupPolicy.LIVE);
        allocator = allocator(new SliceIndex(read.state().slices(), options), selectors);
        changed = first();
    }

    /** A slice of the pool that the answer is from, or the first one. */
    private Slice first() {
        return allocator.allocate(read.node(), read.claims()) instanceof Outcome.Allocated found
                ? changing.slices(found.allocations()
                                .get(0)
                                .results()
                                .get(0)
                                .device()
                                .poolId())
                        .get(0)
                : read.state().slices().get(0);
    }

    private Allocator allocator(SliceIndex ofSlices, Selectors compiled) {
        return new Allocator(new AllocationContext(ofSlices, read.state().classes(), allocated, compiled, options));
    }

    private Outcome allocate(Allocator with) {
        return with.allocate(read.node(), read.claims(), SearchLimit.of(TIMEOUT, System::nanoTime));
    }

    /** Pools and selectors are compiled, as they are in an operator that is running. */
    @Benchmark
    public Outcome warm() {
        return allocate(allocator);
    }

    /** A slice of the pool has changed since the last call: what is known of that pool has to be found out again. */
    @Benchmark
    public Outcome changedPool() {
        Slice after = changed.withPool(changed.generation(), changed.sliceCount());
        changing.replace(changed, after);
        changed = after;
        return allocate(allocator(changing, selectors));
    }

    /**
     * Nothing is compiled, neither slices nor selectors; only the machine code of the allocator and the expression compiler is,
     * which is much code and takes its time to get warm.
     */
    @Benchmark
    @Warmup(iterations = 10, time = 1)
    public Outcome cold() {
        return allocate(allocator(new SliceIndex(read.state().slices(), options), new Selectors()));
    }
}
