package dev.fakegpu.allocate;

import dev.fakegpu.cel.SelectorResult;
import dev.fakegpu.cel.Selectors;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.ExactRequest;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates selectors when a device is reached and not before, because a selector that fails ends the attempt only then; and only
 * once for requests that ask the same of a device.
 */
public final class Verdicts {

    private static final Verdict SELECTED = new Verdict.Selected();

    private final Map<String, DeviceClass> classes;
    private final Selectors selectors;
    private final Map<Question, Map<PoolDevice, Verdict>> known = new HashMap<>();

    public Verdicts(Map<String, DeviceClass> classes, Selectors selectors) {
        this.classes = classes;
        this.selectors = selectors;
    }

    /** The class of the request must exist. */
    public Verdict of(ExactRequest request, PoolDevice device) {
        var question = new Question(request.deviceClassName(), request.selectors());
        return known.computeIfAbsent(question, ignored -> new IdentityHashMap<>())
                .computeIfAbsent(device, ignored -> evaluate(question, device));
    }

    private Verdict evaluate(Question question, PoolDevice device) {
        DeviceClass deviceClass = classes.get(question.className());
        if (deviceClass == null) {
            throw new IllegalArgumentException("device class " + question.className() + " does not exist");
        }
        Verdict ofClass = firstRefusal(Verdict.Origin.CLASS, deviceClass.selectors(), device);
        if (ofClass != null) {
            return ofClass;
        }
        Verdict ofRequest = firstRefusal(Verdict.Origin.REQUEST, question.selectors(), device);
        return ofRequest == null ? SELECTED : ofRequest;
    }

    private @Nullable Verdict firstRefusal(Verdict.Origin origin, List<String> expressions, PoolDevice device) {
        for (int i = 0; i < expressions.size(); i++) {
            String expression = expressions.get(i);
            SelectorResult result =
                    selectors.compile(expression).evaluate(device.id().driver(), device.device());
            if (result instanceof SelectorResult.Error error) {
                return new Verdict.Failed(origin, i, error.message());
            }
            if (result instanceof SelectorResult.NoMatch) {
                return new Verdict.Rejected(origin, expression);
            }
        }
        return null;
    }

    private record Question(String className, List<String> selectors) {}
}
