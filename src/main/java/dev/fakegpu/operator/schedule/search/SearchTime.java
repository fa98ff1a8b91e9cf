package dev.fakegpu.operator.schedule.search;

import dev.fakegpu.util.ThreadCpuTime;
import dev.fakegpu.util.Ticker;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * What the limits of searches count. Both are in nanoseconds since an arbitrary time, and read by the deciding thread only.
 *
 * @param computing how long the deciding thread has been computing
 * @param elapsed the time that has passed
 */
public record SearchTime(LongSupplier computing, LongSupplier elapsed) {

    /** As measured: a search gets less far on a slower machine. */
    public static final SearchTime OF_THREAD = new SearchTime(ThreadCpuTime::nanos, Ticker.SYSTEM::nanos);

    /** About what the work between two readings takes. */
    private static final long NANOS_PER_READING = 10_000;

    /** Counts readings instead, so that searches end at the same point on every machine. */
    public static SearchTime ofReadings() {
        var readings = new AtomicLong();
        LongSupplier computing = () -> readings.addAndGet(NANOS_PER_READING);
        return new SearchTime(computing, readings::get);
    }
}
