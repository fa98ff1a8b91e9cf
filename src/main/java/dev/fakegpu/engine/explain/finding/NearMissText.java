package dev.fakegpu.engine.explain.finding;

import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.DeviceToleration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Describes what the author of a claim probably meant, and why it does not work. */
final class NearMissText {

    private static final Set<String> OPERATORS = Set.of("", "Equal", "Exists");

    private NearMissText() {}

    /** @param almost a toleration of the request that was probably meant for the taint; null if there is none */
    static String toleration(DeviceTaint taint, @Nullable DeviceToleration almost) {
        return almost == null ? "" : " (the request's toleration " + difference(taint, almost) + ")";
    }

    private static String difference(DeviceTaint taint, DeviceToleration almost) {
        if (!OPERATORS.contains(almost.operator())) {
            return "has operator \"" + almost.operator() + "\"; allowed: Equal, Exists";
        }
        if (!almost.effect().isEmpty() && !almost.effect().equals(taint.effect())) {
            return "is for the effect " + almost.effect();
        }
        return almost.value().isEmpty()
                ? "has operator Equal, which compares the value: use Exists"
                : "is for the value \"" + almost.value() + "\"";
    }

    /** @param similar the name that the device has instead; null if it has no similar name */
    static String name(@Nullable String similar) {
        return similar == null ? "" : " (it has \"" + similar + "\"; schedulers compare the names as written)";
    }
}
