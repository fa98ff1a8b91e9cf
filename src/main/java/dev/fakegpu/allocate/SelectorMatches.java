package dev.fakegpu.allocate;

import dev.fakegpu.cel.Selector;
import dev.fakegpu.cel.SelectorResult;
import dev.fakegpu.cel.Selectors;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the selectors of one class and one request say of each device of a pool. A device is asked when it is first reached and not
 * before, because a selector that fails ends the attempt, but only of those who get that far. Safe for use by several threads.
 */
final class SelectorMatches {

    private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final SelectorVerdict SELECTED = new SelectorVerdict.Selected();

    private final List<PoolDevice> devices;
    private final int selectorsOfClass;
    private final Selectors selectors;

    /** Devices that are selected, or were not asked yet, or made a selector fail: those that the search has to look at. */
    private final long[] open;

    private final long[] answered;

    /** One for each selector, in the order in which they are asked. */
    private final List<SelectorVerdict.Rejected> rejections;

    private final @Nullable Selector[] compiled;

    /** By device, which of the rejections; without meaning for others than rejected ones. */
    private final short[] rejectedBy;

    private final Map<Integer, SelectorVerdict.Failed> failures = new ConcurrentHashMap<>();

    SelectorMatches(List<PoolDevice> devices, SelectorMatchesCache.Question question, Selectors selectors) {
        this.devices = devices;
        selectorsOfClass = question.ofClass().size();
        rejections = Stream.concat(
                        question.ofClass().stream()
                                .map(each -> new SelectorVerdict.Rejected(SelectorVerdict.Origin.CLASS, each)),
                        question.ofRequest().stream()
                                .map(each -> new SelectorVerdict.Rejected(SelectorVerdict.Origin.REQUEST, each)))
                .toList();
        compiled = new Selector[rejections.size()];
        rejectedBy = new short[devices.size()];
        this.selectors = selectors;
        answered = new long[Bits.words(devices.size())];
        open = new long[answered.length];
        for (int i = 0; i < devices.size(); i++) {
            Bits.set(open, i);
        }
    }

    /** 64 devices of which those may be selected whose bit is set; the others are not. */
    long open(int word) {
        return (long) WORDS.getAcquire(open, word);
    }

    /** @return null if the device is selected or not, which {@link #isSelected} says; otherwise what failed */
    SelectorVerdict.@Nullable Failed ask(int device) {
        if (((long) WORDS.getAcquire(answered, device >>> 6) & 1L << device) == 0) {
            answer(device);
        }
        return failures.isEmpty() ? null : failures.get(device);
    }

    /** Only after {@link #ask}. */
    boolean isSelected(int device) {
        return (open(device >>> 6) & 1L << device) != 0;
    }

    /** The full answer for one device, for those who explain. */
    SelectorVerdict verdict(int device) {
        SelectorVerdict.Failed failed = ask(device);
        if (failed != null) {
            return failed;
        }
        return isSelected(device) ? SELECTED : rejections.get(rejectedBy[device]);
    }

    private synchronized void answer(int device) {
        SelectorVerdict verdict = evaluate(device);
        if (verdict instanceof SelectorVerdict.Failed failed) {
            failures.put(device, failed);
        } else if (verdict instanceof SelectorVerdict.Rejected) {
            WORDS.setRelease(open, device >>> 6, open[device >>> 6] & ~(1L << device));
        }
        WORDS.setRelease(answered, device >>> 6, answered[device >>> 6] | 1L << device);
    }

    /** Not before a device gets so far: most requests are for what the class leaves over. */
    private Selector compiled(int number) {
        Selector selector = compiled[number];
        if (selector == null) {
            selector = selectors.compile(rejections.get(number).expression());
            compiled[number] = selector;
        }
        return selector;
    }

    private SelectorVerdict evaluate(int device) {
        PoolDevice asked = devices.get(device);
        for (int i = 0; i < rejections.size(); i++) {
            SelectorVerdict.Rejected rejection = rejections.get(i);
            SelectorResult result = compiled(i).evaluate(asked.id().driver(), asked.device());
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
