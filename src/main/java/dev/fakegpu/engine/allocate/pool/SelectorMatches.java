package dev.fakegpu.engine.allocate.pool;

import dev.fakegpu.engine.cel.InterruptCheck;
import dev.fakegpu.engine.cel.Selector;
import dev.fakegpu.engine.cel.SelectorResult;
import dev.fakegpu.engine.cel.Selectors;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The devices of a pool that the selectors of one class and one request match. Selectors are evaluated on a device when a search first
 * reaches it, because a selector that fails must end only a search that gets that far. Thread-safe.
 */
public final class SelectorMatches {

    private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final SelectorVerdict SELECTED = new SelectorVerdict.Selected();

    private final List<PoolDevice> devices;
    private final int selectorsOfClass;
    private final Selectors selectors;

    /** The devices that the search must consider: they are selected or not evaluated yet, or a selector failed on them. */
    private final long[] open;

    private final long[] evaluatedDevices;

    /** One rejection for each selector, in the order of evaluation. */
    private final List<SelectorVerdict.Rejected> rejections;

    private final @Nullable Selector[] compiled;

    /** For each rejected device, the index of its rejection. Not used for other devices. */
    private final short[] rejectedBy;

    private final Map<Integer, SelectorVerdict.Failed> failures = new ConcurrentHashMap<>();

    SelectorMatches(List<PoolDevice> devices, SelectorMatchesCache.Expressions expressions, Selectors selectors) {
        this.devices = devices;
        selectorsOfClass = expressions.ofClass().size();
        rejections = Stream.concat(
                        expressions.ofClass().stream()
                                .map(each -> new SelectorVerdict.Rejected(SelectorVerdict.Origin.CLASS, each)),
                        expressions.ofRequest().stream()
                                .map(each -> new SelectorVerdict.Rejected(SelectorVerdict.Origin.REQUEST, each)))
                .toList();
        compiled = new Selector[rejections.size()];
        rejectedBy = new short[devices.size()];
        this.selectors = selectors;
        evaluatedDevices = new long[Bits.words(devices.size())];
        open = Bits.first(devices.size());
    }

    private SelectorMatches(List<PoolDevice> devices, SelectorMatches before, long[] equalDevices) {
        this.devices = devices;
        selectorsOfClass = before.selectorsOfClass;
        rejections = before.rejections;
        compiled = before.compiled;
        selectors = before.selectors;
        rejectedBy = Arrays.copyOf(before.rejectedBy, devices.size());
        evaluatedDevices = Arrays.copyOf(before.evaluatedDevices, equalDevices.length);
        open = Arrays.copyOf(before.open, equalDevices.length);
        for (int device : before.failures.keySet()) {
            if (device < devices.size()) {
                Bits.clear(evaluatedDevices, device); // a message lists names in the device's own order
            }
        }
        long[] all = Bits.first(devices.size());
        for (int word = 0; word < open.length; word++) {
            evaluatedDevices[word] &= equalDevices[word];
            open[word] = (open[word] | ~evaluatedDevices[word]) & all[word];
        }
    }

    /**
     * The same for other devices.
     *
     * @param equalDevices one bit for each of them, set if this has an equal one in its place
     */
    synchronized SelectorMatches keep(List<PoolDevice> others, long[] equalDevices) {
        return new SelectorMatches(others, this, equalDevices);
    }

    /** One bit for each of 64 devices; not set if the device is rejected. */
    public long open(int word) {
        return (long) WORDS.getAcquire(open, word);
    }

    /**
     * The selector that fails on the device; null if none does, in which case {@link #isSelected} has the answer.
     *
     * @param check can end an evaluation, which is then repeated the next time
     */
    public SelectorVerdict.@Nullable Failed failure(int device, InterruptCheck check) {
        if (((long) WORDS.getAcquire(evaluatedDevices, device >>> 6) & 1L << device) == 0) {
            record(device, evaluate(device, check));
        }
        return failures.isEmpty() ? null : failures.get(device);
    }

    /** Call this only after {@link #failure}. */
    public boolean isSelected(int device) {
        return (open(device >>> 6) & 1L << device) != 0;
    }

    /** The complete verdict for one device, for explanations. */
    public SelectorVerdict verdict(int device, InterruptCheck check) {
        SelectorVerdict.Failed failed = failure(device, check);
        if (failed != null) {
            return failed;
        }
        return isSelected(device) ? SELECTED : rejections.get(rejectedBy[device]);
    }

    /**
     * Records a verdict. It was evaluated without a lock, so that no thread waits for the slow selectors of another one. Two threads that
     * evaluate the same device reach the same verdict.
     */
    private synchronized void record(int device, SelectorVerdict verdict) {
        if (verdict instanceof SelectorVerdict.Failed failed) {
            failures.put(device, failed);
        } else if (verdict instanceof SelectorVerdict.Rejected) {
            WORDS.setRelease(open, device >>> 6, open[device >>> 6] & ~(1L << device));
        }
        WORDS.setRelease(evaluatedDevices, device >>> 6, evaluatedDevices[device >>> 6] | 1L << device);
    }

    /** The selector, which is compiled when a device first gets this far. */
    private Selector compiled(int number) {
        Selector selector = compiled[number];
        if (selector == null) {
            selector = selectors.compile(rejections.get(number).expression());
            compiled[number] = selector;
        }
        return selector;
    }

    private SelectorVerdict evaluate(int device, InterruptCheck check) {
        PoolDevice evaluated = devices.get(device);
        for (int i = 0; i < rejections.size(); i++) {
            check.check();
            SelectorVerdict.Rejected rejection = rejections.get(i);
            SelectorResult result = compiled(i).evaluate(evaluated.id().driver(), evaluated.device(), check);
            if (result instanceof SelectorResult.Error error) {
                int index = i < selectorsOfClass ? i : i - selectorsOfClass;
                return new SelectorVerdict.Failed(rejection.origin(), index, error.message());
            }
            if (result instanceof SelectorResult.NoMatch) {
                rejectedBy[device] = (short) i;
                return rejection;
            }
        }
        return SELECTED;
    }
}
