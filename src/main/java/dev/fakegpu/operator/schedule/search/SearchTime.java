package dev.fakegpu.operator.schedule.search;

import dev.fakegpu.util.ThreadCpuTime;
import dev.fakegpu.util.Ticker;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The time that search limits count. Both values are in nanoseconds since an arbitrary time, and only the scheduling thread reads them.
 *
 * @param computing processor time of the scheduling thread
 * @param elapsed elapsed time
 */
public record SearchTime(LongSupplier computing, LongSupplier elapsed) {

    /** Measured time: on a slower machine, a search gets less far. */
    public static final SearchTime OF_THREAD = new SearchTime(ThreadCpuTime::nanos, Ticker.SYSTEM::nanos);

    /** Roughly the time that the work between two readings takes. */
    private static final long NANOS_PER_READING = 10_000;

    /** Counts readings instead of time, so that searches end at the same point on every machine. */
    public static SearchTime ofReadings() {
        var readings = new AtomicLong();
        LongSupplier computing = () -> readings.addAndGet(NANOS_PER_READING);
        return new SearchTime(computing, readings::get);
    }
}
